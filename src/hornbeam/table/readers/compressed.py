"""Is it gzip, and how much of it do we dare to unpack?

Recognised by its first two bytes, whatever the name. A few kilobytes can unpack to gigabytes of nothing; so unpacking
stops with an error past `MOST` bytes, or past `RATIO` times the packed size once the result is over 64 MB.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

MOST = 64 << 30
RATIO = 200
_FREE = 64 << 20
_BLOCK = 1 << 20


class Bomb(Exception):  # noqa: N818 - it is what it is
    """A packed file that unpacks to far too much."""


def is_gzip(path: Path) -> bool:
    """Whether the file starts as gzip does."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def is_bomb(packed: int, unpacked: int) -> bool:
    """Whether so many bytes are too much for a file of this size."""
    return unpacked > MOST or (unpacked > _FREE and unpacked > RATIO * packed)


def unpack(path: Path, out: Path) -> None:
    """Unpack a gzip file into another; `Bomb` past the limits, OSError or EOFError when damaged."""
    packed, done = path.stat().st_size, 0
    with gzip.open(path, "rb") as source, out.open("wb") as target:
        while block := _block(source):
            done += len(block)
            if is_bomb(packed, done):
                raise Bomb(
                    f"{packed} bytes of gzip unpack to more than {done} bytes; at most {RATIO} times the packed size "
                    f"and {MOST >> 30} GB are unpacked"
                )
            target.write(block)


def _block(source: gzip.GzipFile) -> bytes:
    try:
        return source.read(_BLOCK)
    except zlib.error as error:
        raise OSError(str(error)) from None
