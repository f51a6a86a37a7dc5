"""Opens data files: checks of the path, decompression, encoding.

    path or "-"  ->  a readable regular file  ->  uncompressed bytes on disk (a temporary file if necessary)  ->  text

Every failure is a `DataFileError` with the path and the reason. A path is taken literally first; a leading `~` means
the home folder only if no such file exists. A FIFO is an error, because opening it could block forever. Text is UTF-8
(with or without a byte order mark) or UTF-16 with a byte order mark; other encodings must be requested by name, except
that a CSV file that is not UTF-8 is read as cp1252 (`EncodingCheck`).
"""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from hornbeam.errors import DataFileError, OptionError, Set, nearest, short_repr
from hornbeam.table.memory import require_memory
from hornbeam.table.readers import compressed

Source = str | os.PathLike[str] | IO[Any]  # a path, "-" for the standard input, or an open file
STDIN = "-"
_HEAD = 1024
_BLOCK = 1 << 22
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
OTHER_ENCODING = Set("encoding", "latin-1", "or the encoding of the file")
TOO_LARGE = 'Grow from the file in pieces with hornbeam.grow(path, target=..., memory="2GB"), or read a part of it.'
MEMORY_PER_BYTE = 4.5  # memory to build a table per byte of text; 4.2 was measured on files of 80 to 95 MB


def wrong(
    path: Source, reason: str, *, hint: str = "", fix: Set | Sequence[Set] = (), line: int | None = None
) -> DataFileError:
    """The error for a file: its path, the line if known, and the reason."""
    where = f"{_named(path)}, line {line}" if line is not None else _named(path)
    return DataFileError(
        f"Cannot read {where}: {reason}.", hint=hint, fix=fix, path=called(path), line=line, reason=reason
    )


def called(path: Source) -> str:
    """The name of a source: its path, or the name of an open file."""
    if isinstance(path, (str, os.PathLike)):
        return os.fspath(path)
    name = getattr(path, "name", None)
    return name if isinstance(name, str) else f"an open {type(path).__name__}"


def _named(path: Source) -> str:
    return "the standard input" if path == STDIN else short_repr(called(path), longest=300)


def path_of(source: Source) -> str:
    """The path of a source; an error if it has none, for formats that are opened by name."""
    if not isinstance(source, (str, os.PathLike)) or source == STDIN:
        raise OptionError(
            f"This format must be read from a path, got {_named(source)}.", hint="Save it to a file first."
        )
    return os.fspath(source)


def checked(path: str | os.PathLike[str]) -> Path:
    """The path of a readable regular file, or an error with the reason why it is not one."""
    text = os.fspath(path)
    found = Path(text)
    if "\0" in text:
        raise wrong(path, "the name contains a null character", hint=_similar_files(text))
    try:
        if text.startswith("~") and not found.exists():
            found = found.expanduser()
        mode = found.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        raise wrong(path, _reason(error), hint=_similar_files(text)) from None
    if stat.S_ISDIR(mode):
        raise wrong(path, "it is a folder, not a file", hint="Name a file inside it.")
    if stat.S_ISFIFO(mode):
        raise wrong(path, "it is a FIFO, not a regular file", hint="Pipe it into the standard input and pass '-'.")
    if not stat.S_ISREG(mode):
        raise wrong(path, "it is a device or socket, not a regular file")
    try:
        with found.open("rb"):
            pass
    except OSError as error:
        raise wrong(path, _reason(error)) from None
    return found


def _similar_files(path: str) -> str:
    """A hint with files of the same folder whose names are similar to that of a missing file."""
    folder, name = os.path.split(path)
    with contextlib.suppress(OSError, ValueError):
        if not os.path.lexists(path):
            close = [short_repr(os.path.join(folder, each)) for each in nearest(name, os.listdir(folder or "."))]
            return f"Did you mean {' or '.join(close)}?" if close else ""
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error) or "the path is not valid"


@contextlib.contextmanager
def uncompressed(path: Source) -> Iterator[Path]:
    """A regular uncompressed file with the bytes of the source; streams and gzip go to a temporary file."""
    if path == STDIN or not isinstance(path, (str, os.PathLike)):
        with temporary() as copy:
            _copy_stream(sys.stdin if isinstance(path, (str, os.PathLike)) else path, copy)
            with _unpacked(path, copy) as local:
                yield local
        return
    with _unpacked(path, checked(path)) as local:
        yield local


def _copy_stream(stream: Any, out: Path) -> None:
    """Copy the rest of a stream to a file; text is encoded as UTF-8."""
    stream = getattr(stream, "buffer", stream)
    with out.open("wb") as target:
        while block := stream.read(_BLOCK):
            target.write(block.encode("utf-8") if isinstance(block, str) else block)


@contextlib.contextmanager
def _unpacked(named: Source, found: Path) -> Iterator[Path]:
    if not compressed.is_gzip(found):
        yield found
        return
    with temporary() as copy:
        try:
            compressed.unpack(found, copy)
        except (compressed.Bomb, EOFError, OSError) as error:
            raise wrong(
                named, str(error) if isinstance(error, compressed.Bomb) else f"bad gzip data ({error})"
            ) from None
        yield copy


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """The path of a temporary file, deleted afterwards."""
    folder = tempfile.mkdtemp(prefix="hornbeam-")
    try:
        yield Path(folder) / "data"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_memory(path: Source, size: int) -> None:
    """Raise an error, with the estimate, if the table of a file would not fit into memory."""
    require_memory(int(size * MEMORY_PER_BYTE), f"Reading {_named(path)}", hint=TOO_LARGE)


def encoding_of(path: Source, local: Path, requested: str | None = None) -> str:
    """The encoding of a text file: as requested, else by its byte order mark, else UTF-8; binary is an error."""
    if requested is not None:
        try:
            codecs.lookup(requested)
        except LookupError:
            raise OptionError(
                f"encoding must be the name of a text encoding, got {short_repr(requested)}.",
                fix=[Set("encoding", name) for name in ("utf-8", "utf-16", "latin-1", "cp1252")],
                option="encoding",
            ) from None
    with local.open("rb") as file:
        head = file.read(_HEAD)
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if requested is None and b"\0" in head and marked != "utf-16":
        raise wrong(
            path, f"it is not text (byte {head.index(0)} is NUL)", hint="Check that it is a text file. " + _looks(head)
        )
    return requested or marked or "utf-8"


class EncodingCheck:
    """Decides from the blocks of a file whether it is cp1252: not UTF-8, and without any character of UTF-8 before.

    A character of UTF-8 before the first wrong byte means that the file is damaged UTF-8, and that is an error.
    """

    _NOT_CP1252 = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._is_ascii = True
        self._is_utf8 = True
        self._has_characters = False  # of UTF-8, beyond ASCII
        self._may_be_cp1252 = True

    def add(self, block: bytes) -> None:
        """Read the next block."""
        if self._is_ascii and block.isascii():
            return
        self._may_be_cp1252 = self._may_be_cp1252 and not any(each in block for each in self._NOT_CP1252)
        if not self._is_utf8:
            return
        self._is_ascii = False
        try:
            text = self._decoder.decode(block)
        except UnicodeDecodeError as error:
            self._is_utf8 = False
            text = error.object[: error.start].decode("utf-8", errors="ignore")
        self._has_characters = self._has_characters or not text.removeprefix("\ufeff").isascii()

    @property
    def is_cp1252(self) -> bool:
        """Whether the blocks so far are cp1252 and not UTF-8; an incomplete character at the end is not UTF-8."""
        is_complete = self._is_utf8 and not self._decoder.getstate()[0]
        return not is_complete and self._may_be_cp1252 and not self._has_characters


def _looks(head: bytes) -> str:
    known = {b"PAR1": "Parquet", b"PK\x03\x04": "a zip or Excel file", b"SQLite format 3": "SQLite", b"\x89PNG": "PNG"}
    name = next((name for mark, name in known.items() if head.startswith(mark)), None)
    if name is None and head[8:12] == b"DUCK":
        name = "DuckDB"
    return f"It looks like {name}." if name else ""


def text(path: Source, encoding: str | None = None) -> str:
    """The text of a file with its original line ends; NUL and undecodable bytes are errors with line and offset."""
    with uncompressed(path) as local:
        check_memory(path, local.stat().st_size)
        name = encoding_of(path, local, encoding)
        data = local.read_bytes()
    try:
        content = data.decode(name)
    except UnicodeDecodeError as error:
        _undecodable(path, data[: error.start], error)
    if "\0" in content:
        raise wrong(path, "the text contains a NUL byte", line=content.count("\n", 0, content.index("\0")) + 1)
    return content.removeprefix("\ufeff")


def lines(path: Source, encoding: str | None = None) -> list[str]:
    """The lines of a text file, separated by LF, CRLF or CR only."""
    return text(path, encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _undecodable(path: Source, before: bytes, error: UnicodeDecodeError) -> NoReturn:
    raise wrong(
        path,
        f"byte {len(before)} (0x{error.object[error.start]:02x}) is not {error.encoding}",
        line=before.count(b"\n") + 1,
        fix=OTHER_ENCODING,
    ) from None


def transcode(path: Source, local: Path, encoding: str, out: Path) -> None:
    """Copy a text file as UTF-8 with LF line ends, in blocks."""
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    with local.open("rb") as source, out.open("w", encoding="utf-8", newline="") as target:
        held = ""
        while block := source.read(_BLOCK):
            held = _write_lines(target, held + _decoded(path, decoder, block, False, done))
            done += len(block)
        held = _write_lines(target, held + _decoded(path, decoder, b"", True, done))
        target.write("\n" if held else "")


def _decoded(path: Source, decoder: codecs.IncrementalDecoder, block: bytes, final: bool, done: int) -> str:
    try:
        return decoder.decode(block, final)
    except UnicodeDecodeError as error:
        raise wrong(
            path,
            f"a byte near offset {done + error.start} is not {error.encoding}",
            fix=OTHER_ENCODING,
        ) from None


def _write_lines(target: object, content: str) -> str:
    """Write with LF line ends; a final return is held back, because a newline may follow."""
    held = "\r" if content.endswith("\r") else ""
    body = content.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
    target.write(body)  # type: ignore[attr-defined]
    return held
