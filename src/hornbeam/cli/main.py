"""What happens between the words typed and the exit code?

    0  done
    1  it ran, and the answer is no (--fail-under, rows skipped)
    2  wrong usage, or something that cannot be read or written
    130  stopped by Ctrl-C
    143  stopped by a termination signal
    141  whoever read our output went away (`| head`): no message

Only the verb that was asked for is imported, and it imports the rest when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from hornbeam.cli import errors
from hornbeam.cli.command import Usage, command_module, command_names, parser_of, top_parser
from hornbeam.cli.output import Output
from hornbeam.errors import HornbeamWarning, did_you_mean, short_repr

DONE, NO, WRONG, STOPPED, READER_GONE, TERMINATED = 0, 1, 2, 130, 141, 143


class Terminated(KeyboardInterrupt):
    """A termination signal arrived: the job ends as by Ctrl-C, with an exit code of its own."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    out = Output(is_json="--json" in words)
    try:
        with _stopped_by_signals():
            code = _ran(words, out)
            sys.stdout.flush()
        return code
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else WRONG
    except BrokenPipeError:
        return _reader_gone()
    except Exception as error:
        return _failed(error, words, out)
    except KeyboardInterrupt as stop:
        return _stopped(out, TERMINATED if isinstance(stop, Terminated) else STOPPED)


def _ran(words: list[str], out: Output) -> int:
    args, module = _parsed(words, out)
    if module is None:
        return DONE
    out.quiet, out.verbose = args.quiet, args.verbose
    with warnings.catch_warnings():
        warnings.simplefilter("always", HornbeamWarning)
        warnings.showwarning = lambda message, category, *more: out.note(str(message))
        code: int = module.run(args, out)
    return code


def _parsed(words: list[str], out: Output) -> tuple[argparse.Namespace, Any]:
    """The flags and the verb's module; no module when help or the version was all that was asked for."""
    if not words:
        sys.stderr.write(top_parser().format_help())
        raise SystemExit(WRONG)
    if words[0].startswith("-"):
        top_parser().parse_args(words)
        raise Usage("A verb must come first.", hint="For example: hornbeam demo. `hornbeam --help` lists the verbs.")
    verb, rest = words[0], words[1:]
    if verb not in command_names():
        raise Usage(f"There is no verb {short_repr(verb)}.", hint=did_you_mean(verb, command_names()), got=verb)
    module = command_module(verb)
    out.doing = module.DOING
    return parser_of(verb, module).parse_args(rest), module


def _failed(error: Exception, words: list[str], out: Output) -> int:
    from hornbeam.errors import Cancelled

    if isinstance(error, Cancelled):
        return _stopped(out)
    if "--debug" in words:
        import traceback

        traceback.print_exc()
    with contextlib.suppress(BrokenPipeError):
        errors.print_error(error, out)
    return WRONG


def _stopped(out: Output, code: int = STOPPED) -> int:
    with contextlib.suppress(BrokenPipeError):
        errors.print_stopped(out, code)
    return code


def _reader_gone() -> int:
    """Point stdout at nothing, or the interpreter complains when it closes it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """A termination signal ends the job as Ctrl-C does, so that nothing half written stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)
