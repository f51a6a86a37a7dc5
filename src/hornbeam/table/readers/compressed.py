"""Decompresses gzip files, with a limit of the decompressed size.

A gzip file is recognized by its first two bytes. A few kilobytes can decompress to gigabytes; so decompression stops
with an error beyond `MAX_BYTES` bytes, or beyond `MAX_RATIO` times the compressed size if the result is over 64 MB.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

MAX_BYTES = 64 << 30
MAX_RATIO = 200
_UNLIMITED_BYTES = 64 << 20
_BLOCK = 1 << 20


class Bomb(Exception):  # noqa: N818 - the common name of such a file
    """A compressed file that exceeds the limits when it is decompressed."""


def is_gzip(path: Path) -> bool:
    """Whether the file begins with the signature of gzip."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def is_bomb(packed: int, unpacked: int) -> bool:
    """Whether the decompressed size exceeds the limits for a file of this size."""
    return unpacked > MAX_BYTES or (unpacked > _UNLIMITED_BYTES and unpacked > MAX_RATIO * packed)


def unpack(path: Path, out: Path) -> None:
    """Decompress a gzip file into another; `Bomb` beyond the limits, OSError or EOFError if it is damaged."""
    packed, done = path.stat().st_size, 0
    with gzip.open(path, "rb") as source, out.open("wb") as target:
        while block := _block(source):
            done += len(block)
            if is_bomb(packed, done):
                raise Bomb(
                    f"{packed} bytes of gzip decompress to more than {done} bytes; the limit is {MAX_RATIO} times the "
                    f"compressed size and {MAX_BYTES >> 30} GB"
                )
            target.write(block)


def _block(source: gzip.GzipFile) -> bytes:
    try:
        return source.read(_BLOCK)
    except zlib.error as error:
        raise OSError(str(error)) from None
