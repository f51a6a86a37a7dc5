"""Runs a command and returns the exit code.

    0  done
    1  the command ran, and a check failed (--fail-under, rows skipped)
    2  wrong usage, or a file that cannot be read or written
    130  stopped by Ctrl-C
    143  stopped by a termination signal
    141  the reader of the output closed it (`| head`): no message

Only the requested command is imported, and it imports the rest of the library when it runs.
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

from hornbeam.cli.command import Usage, check_command, command_module, command_parser, top_parser
from hornbeam.cli.output import Output
from hornbeam.errors import Cancelled, HornbeamWarning

DONE, FAILED_CHECK, WRONG, STOPPED, READER_GONE, TERMINATED = 0, 1, 2, 130, 141, 143


class Terminated(KeyboardInterrupt):
    """A termination signal arrived: the job ends as by Ctrl-C, with an exit code of its own."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    out = Output(is_json="--json" in arguments)
    try:
        with _stop_on_signals():
            code = _run(arguments, out)
            sys.stdout.flush()
        return code
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else WRONG
    except BrokenPipeError:
        return _reader_gone()
    except Exception as error:
        return _failed(error, arguments, out)
    except KeyboardInterrupt as stop:
        return _stopped(out, TERMINATED if isinstance(stop, Terminated) else STOPPED)


def _run(arguments: list[str], out: Output) -> int:
    args, module = _parse(arguments, out)
    out.quiet, out.verbose = args.quiet, args.verbose
    with warnings.catch_warnings():
        warnings.simplefilter("always", HornbeamWarning)
        warnings.showwarning = lambda message, category, *more: out.note(str(message))
        code: int = module.run(args, out)
    return code


def _parse(arguments: list[str], out: Output) -> tuple[argparse.Namespace, Any]:
    """The parsed arguments and the module of the command."""
    if not arguments:
        sys.stderr.write(top_parser().format_help())
        raise SystemExit(WRONG)
    name, rest = arguments[0], arguments[1:]
    if name.startswith("-"):
        top_parser().parse_args(arguments)
        raise Usage(
            "The first argument must be a command.", hint="Use for example: hornbeam demo. See hornbeam --help."
        )
    module = command_module(check_command(name))
    out.doing = module.DOING
    out.parser = command_parser(name)
    return out.parser.parse_args(rest), module


def _failed(error: Exception, arguments: list[str], out: Output) -> int:
    from hornbeam.cli import errors

    if isinstance(error, Cancelled):
        return _stopped(out)
    if "--debug" in arguments:
        import traceback

        traceback.print_exc()
    with contextlib.suppress(BrokenPipeError):
        errors.print_error(error, out)
    return WRONG


def _stopped(out: Output, code: int = STOPPED) -> int:
    from hornbeam.cli import errors

    with contextlib.suppress(BrokenPipeError):
        errors.print_stopped(out, code)
    return code


def _reader_gone() -> int:
    """Redirect stdout to the null device; otherwise the interpreter reports an error when it closes stdout."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


@contextlib.contextmanager
def _stop_on_signals() -> Iterator[None]:
    """A termination signal ends the job as Ctrl-C does, so that no partial file remains."""
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
