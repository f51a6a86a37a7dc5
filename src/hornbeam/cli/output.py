"""Output of commands: results, notes, progress and files.

    stdout   the result and nothing else: text, or one JSON value with --json
    stderr   notes, progress (after one second, on a terminal), errors
    FILE     written completely or not at all; an existing file is replaced only with --force, an input never

With --json, notes are part of the result, so that stderr contains nothing but an error. JSON has no NaN and no
infinity: both become null.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from hornbeam.errors import OutputError, short_repr
from hornbeam.json_text import json_text

if TYPE_CHECKING:
    from hornbeam.cli.command import Parser

_PROGRESS_AFTER = 1.0  # seconds


class CannotWrite(OutputError):  # noqa: N818 - the code of the error in JSON
    """An output file cannot be written."""


class Output:
    """The output of a command. The parser of the command fills in its settings."""

    def __init__(self, is_json: bool = False) -> None:
        self.is_json = is_json
        self.quiet = False
        self.verbose = False
        self.doing = "parse the command"
        self.parser: Parser | None = None
        self.notes: list[str] = []
        for stream in (sys.stdout, sys.stderr):
            # Names come from data: characters that the encoding of the terminal lacks are escaped.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

    def text(self, text: str) -> None:
        """Print a result as text."""
        sys.stdout.write(printable_lines(text).rstrip("\n") + "\n")

    def data(self, value: dict[str, Any]) -> None:
        """Print a result as JSON, with the notes."""
        notes = {"notes": self.notes} if self.notes else {}
        sys.stdout.write(json_text({**value, **notes}) + "\n")

    def result(self, text: str, value: dict[str, Any]) -> None:
        """Print a result, as JSON with --json and as text otherwise."""
        if self.is_json:
            self.data(value)
        else:
            self.text(text)

    def saved(self, path: str, text: str, value: dict[str, Any]) -> None:
        """Print the result of a command that wrote a file; if it is a stream, which may be stdout, only a note."""
        from hornbeam.tree.file.atomic import is_stream

        if is_stream(path):
            self.note(text)
        else:
            self.result(text, value)

    def note(self, text: str) -> None:
        """Print a note, once; a setting that it names is spelled as a flag of the command."""
        spelled = getattr(text, "spelled", None)  # a `Note`, whose class is not imported for --help
        if spelled is not None and self.parser is not None:
            from hornbeam.cli.fixes import spelling_for

            text = spelled(spelling_for(self.parser))
        if text in self.notes:
            return
        self.notes.append(text)
        if not self.quiet and not self.is_json:
            sys.stderr.write(f"note: {one_line(text)}\n")

    def detail(self, text: str) -> None:
        """Print a note with --verbose."""
        if self.verbose:
            self.note(text)

    @contextlib.contextmanager
    def busy(self, text: str) -> Iterator[Callable[[str], None]]:
        """Show progress while the body runs for longer than a second, and its time with -v.

        The function that is yielded reports the state of the work, such as "fold 3 of 10".
        """
        start = time.perf_counter()
        with _spinner(text) if self._may_show_progress() else contextlib.nullcontext(_ignore) as report:
            yield report
        self.detail(f"{text}: {time.perf_counter() - start:.2f} s")

    def _may_show_progress(self) -> bool:
        return not self.quiet and not self.is_json and is_interactive(sys.stderr)


def _ignore(text: str) -> None:
    """Report nothing: stderr is no terminal, or the user wants no progress."""


@contextlib.contextmanager
def _spinner(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr after the first second; the function that is yielded changes its text."""
    import threading

    done = threading.Event()
    shown = [text]

    def show() -> None:
        if done.wait(_PROGRESS_AFTER):
            return
        from rich.console import Console
        from rich.markup import escape

        with Console(stderr=True).status(escape(f"{shown[0]} ...")) as status:
            while not done.wait(0.2):
                status.update(escape(f"{shown[0]} ..."))

    def report(state: str) -> None:
        shown[0] = f"{text}, {state}"

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        done.set()
        thread.join()


def is_interactive(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def use_color(stream: TextIO) -> bool:
    """Whether output to a stream may be colored."""
    return is_interactive(stream) and not os.environ.get("NO_COLOR")


def width() -> int | None:
    """The maximum width of a result: the terminal's width, or None if stdout is no terminal."""
    import shutil

    return max(shutil.get_terminal_size().columns, 20) if sys.stdout.isatty() else None


def only_ascii() -> bool:
    """Whether the encoding of stdout lacks the lines of a tree."""
    try:
        "├─└│±…".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def printable_lines(text: str) -> str:
    """Text with control characters (such as terminal escapes) escaped, except line ends."""
    return "\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n"))


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(text: str) -> str:
    """Text on one line, with control characters and line ends escaped."""
    return printable_lines(text).replace("\n", "\\n")


def check_free(path: str, *, force: bool, inputs: Sequence[str] = ()) -> None:
    """Raise, before any work is done, if a file must not or cannot be written."""
    from hornbeam.tree.file.atomic import is_stream

    if "\0" in path:
        raise CannotWrite(f"A path cannot contain a NUL character, got {short_repr(path, 300)}.", path=path)
    for each in inputs:
        name = each.partition("::")[0]
        if _same(name, path):
            raise CannotWrite(
                f"The output {short_repr(path, 300)} is also an input.", hint="Pass another file to -o.", path=path
            )
    if is_stream(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise CannotWrite(f"The output {short_repr(path, 300)} is a folder.", hint="Pass a file inside it.", path=path)
    if not os.path.isdir(folder):
        raise CannotWrite(f"The folder {short_repr(folder, 300)} does not exist.", hint="Create it first.", path=path)
    if os.path.lexists(path) and not force:
        raise CannotWrite(
            f"The output {short_repr(path, 300)} exists.",
            hint="Pass --force to replace it, or another file to -o.",
            path=path,
        )
    if not os.access(folder, os.W_OK):
        raise CannotWrite(
            f"The folder {short_repr(folder, 300)} is not writable.", hint="Pass a file in another folder.", path=path
        )


def write(path: str, data: bytes) -> None:
    """Write a file completely or not at all; a FIFO or a device is written directly."""
    from hornbeam.tree.file.atomic import write_whole

    write_whole(path, data, CannotWrite)


def check_suffix(path: str, accepted: Sequence[str], streamed: str = "") -> str:
    """The suffix of an output file, which must be accepted; `streamed` is the suffix for a FIFO or device."""
    from hornbeam.tree.file.atomic import is_stream

    suffix = os.path.splitext(path)[1].lower()
    if suffix not in accepted and is_stream(path):
        return streamed or accepted[0]
    if suffix not in accepted:
        raise CannotWrite(
            f"The output {short_repr(path, 300)} has an unknown suffix.",
            hint=f"Use one of {', '.join(accepted)}.",
            path=path,
        )
    return suffix


def _same(one: str, other: str) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
