"""One pass over the bytes of a CSV file: its number of lines, and whether a fast reader reads it by strict rules.

A quote must open right after a delimiter or a line end and close right before one; two quotes inside quotes are one.
The quotes of a file that follows this rule open and close in turn, so a check of their neighbors finds every exception.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import numpy.typing as npt

_BLOCK = 1 << 22
_QUOTE, _LINE, _RETURN = b'"\n\r'


@dataclasses.dataclass(frozen=True)
class Inspection:
    """What the bytes of a file show."""

    n_lines: int
    has_quotes: bool
    is_strict: bool
    has_hexadecimal: bool


def inspect(local: Path, delimiter: str) -> Inspection:
    """Inspect a UTF-8 file."""
    n_lines, has_hexadecimal = 0, False
    quotes = _Quotes(delimiter)
    last = b"\n"
    with local.open("rb") as file:
        block = file.read(_BLOCK)
        while block:
            following = file.read(_BLOCK)
            n_lines += block.count(b"\n")
            has_hexadecimal = has_hexadecimal or _has_hexadecimal(last + block)
            if b'"' in block:
                quotes.add(last + block + (following[:1] or b"\n"))
            last, block = block[-1:], following
    is_strict = quotes.is_strict and quotes.count % 2 == 0
    return Inspection(n_lines + (last != b"\n"), quotes.count > 0, is_strict, has_hexadecimal)


def _has_hexadecimal(block: bytes) -> bool:
    """Whether a number such as 0x10 may occur; one letter is found faster than two."""
    return (b"x" in block and b"0x" in block) or (b"X" in block and b"0X" in block)


class _Quotes:
    """Checks the quotes of consecutive blocks; each block comes with the byte before and the byte after it."""

    def __init__(self, delimiter: str) -> None:
        self.before = np.array([*delimiter.encode()[-1:], _LINE, _RETURN], dtype=np.uint8)
        self.after = np.array([*delimiter.encode()[:1], _LINE, _RETURN], dtype=np.uint8)
        self.count = 0
        self.is_strict = True

    def add(self, block: bytes) -> None:
        """Check the quotes between the first and the last byte of a block."""
        data = np.frombuffer(block, dtype=np.uint8)
        at = np.flatnonzero(data[1:-1] == _QUOTE) + 1
        opens = (self.count + np.arange(len(at))) % 2 == 0
        self.count += len(at)
        previous, following = data[at - 1], data[at + 1]
        is_valid = np.where(opens, self._is(previous, self.before), self._is(following, self.after))
        self.is_strict = self.is_strict and bool(is_valid.all())

    @staticmethod
    def _is(found: npt.NDArray[np.uint8], expected: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Whether bytes are delimiters, line ends or the other quote of a pair."""
        valid: npt.NDArray[np.bool_] = np.isin(found, expected) | (found == _QUOTE)
        return valid
