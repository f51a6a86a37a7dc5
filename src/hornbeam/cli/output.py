"""Where do results, notes and progress go?

    stdout   the result, and nothing else: text, or one JSON value with --json
    stderr   notes, progress (after a second of work, on a terminal), errors
    FILE     whole or not at all; never over an existing file without --force, never over an input

With --json notes are part of the result, so that stderr holds nothing but an error. JSON has no NaN and no infinity:
both become null.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

from hornbeam.errors import OutputError, did_you_mean, short_repr

_PATIENCE = 1.0


class CannotWrite(OutputError):  # noqa: N818 - the sentence it begins
    """An output file cannot be written as asked."""


class Output:
    """The way out of a verb. It is filled in while the words of the command are read."""

    def __init__(self, is_json: bool = False) -> None:
        self.is_json = is_json
        self.quiet = False
        self.verbose = False
        self.doing = "understand the command"
        self.notes: list[str] = []
        for stream in (sys.stdout, sys.stderr):
            # Names come from data: what the terminal's encoding lacks is spelt out, never an error.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

    def text(self, text: str) -> None:
        """A result in words."""
        sys.stdout.write(printable_lines(text).rstrip("\n") + "\n")

    def data(self, value: dict[str, Any]) -> None:
        """A result as JSON, with the notes."""
        notes = {"notes": self.notes} if self.notes else {}
        sys.stdout.write(json_text({**value, **notes}) + "\n")

    def result(self, text: str, value: dict[str, Any]) -> None:
        """A result: JSON when asked for, words otherwise."""
        if self.is_json:
            self.data(value)
        else:
            self.text(text)

    def saved(self, path: str, text: str, value: dict[str, Any]) -> None:
        """The result of a command that wrote a file; beside a stream, which may be stdout itself, only a note."""
        from hornbeam.tree.file.atomic import is_stream

        if is_stream(path):
            self.note(text)
        else:
            self.result(text, value)

    def note(self, words: str) -> None:
        """Something the user should know beside the result."""
        if words in self.notes:
            return
        self.notes.append(words)
        if not self.quiet and not self.is_json:
            sys.stderr.write(f"note: {one_line(words)}\n")

    def detail(self, words: str) -> None:
        """Something only a curious user wants to know."""
        if self.verbose:
            self.note(words)

    @contextlib.contextmanager
    def busy(self, words: str) -> Iterator[Callable[[str], None]]:
        """Work that may take long: a sign of life after a second, and its time with -v.

        What is yielded says how far the work has come, such as "fold 3 of 10".
        """
        start = time.perf_counter()
        with _sign_of_life(words) if self._may_show_progress() else contextlib.nullcontext(_unheard) as say:
            yield say
        self.detail(f"{words}: {time.perf_counter() - start:.2f} s")

    def _may_show_progress(self) -> bool:
        return not self.quiet and not self.is_json and is_interactive(sys.stderr)


def _unheard(words: str) -> None:
    """Where nothing moves, nothing is said."""


@contextlib.contextmanager
def _sign_of_life(words: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr, from the first second on; what is yielded changes the words behind it."""
    import threading

    done = threading.Event()
    now = [words]

    def show() -> None:
        if done.wait(_PATIENCE):
            return
        from rich.console import Console
        from rich.markup import escape

        with Console(stderr=True).status(escape(f"{now[0]} ...")) as status:
            while not done.wait(0.2):
                status.update(escape(f"{now[0]} ..."))

    def say(more: str) -> None:
        now[0] = f"{words}, {more}"

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield say
    finally:
        done.set()
        thread.join()


def is_interactive(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def use_color(stream: TextIO) -> bool:
    """Whether colour is welcome."""
    return is_interactive(stream) and not os.environ.get("NO_COLOR")


def width() -> int | None:
    """How wide a result may be: the terminal's width, or no limit when stdout is no terminal."""
    import shutil

    return max(shutil.get_terminal_size().columns, 20) if sys.stdout.isatty() else None


def only_ascii() -> bool:
    """Whether stdout cannot show the guides of a tree."""
    try:
        "├─└│±…".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def printable_lines(text: str) -> str:
    """Text for people: control characters (terminal escapes among them) spelt out, lines kept."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(text: str) -> str:
    """Text for people that must stay on its line."""
    return printable_lines(text).replace("\n", "\\n")


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Valid JSON: null for NaN and infinities."""
    import json

    return json.dumps(to_json_value(value), indent=indent, ensure_ascii=False, allow_nan=False)


def to_json_value(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, dict):
        return {str(key): to_json_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if hasattr(value, "tolist"):
        return to_json_value(value.tolist())
    return str(value)


def check_free(path: str, *, force: bool, inputs: Sequence[str] = ()) -> None:
    """Refuse, before any work is done, a file that may not or cannot be written."""
    from hornbeam.tree.file.atomic import is_stream

    if "\0" in path:
        raise CannotWrite(f"A path cannot hold a NUL character; got {short_repr(path, 300)}.", path=path)
    for each in inputs:
        name = each.partition("::")[0]
        if _same(name, path):
            raise CannotWrite(
                f"The output {short_repr(path, 300)} is also an input.", hint="Name another file after -o.", path=path
            )
    if is_stream(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise CannotWrite(f"The output {short_repr(path, 300)} is a folder.", hint="Name a file inside it.", path=path)
    if not os.path.isdir(folder):
        raise CannotWrite(
            f"There is no folder {short_repr(folder, 300)} to write into.", hint="Make it first.", path=path
        )
    if os.path.lexists(path) and not force:
        raise CannotWrite(
            f"{short_repr(path, 300)} exists.", hint="Say --force to replace it, or name another file.", path=path
        )
    if not os.access(folder, os.W_OK):
        raise CannotWrite(
            f"The folder {short_repr(folder, 300)} may not be written to.", hint="Name a file elsewhere.", path=path
        )


def write(path: str, data: bytes) -> None:
    """Write a file, whole or not at all; into a FIFO or a device it is written as it is."""
    from hornbeam.tree.file.atomic import write_whole

    write_whole(path, data, CannotWrite)


def check_suffix(path: str, accepted: Sequence[str], streamed: str = "") -> str:
    """The suffix of an output file, which must be one of those accepted; `streamed` is that of a FIFO or device."""
    from hornbeam.tree.file.atomic import is_stream

    suffix = os.path.splitext(path)[1].lower()
    if suffix not in accepted and is_stream(path):
        return streamed or accepted[0]
    if suffix not in accepted:
        raise CannotWrite(
            f"The kind of file is not known by its ending: {short_repr(path, 300)}.",
            hint=f"Accepted are {', '.join(accepted)}. {did_you_mean(suffix, accepted) if suffix else ''}".strip(),
            path=path,
        )
    return suffix


def _same(one: str, other: str) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
