"""Fields: nested JSON values with their place, so that every error names where a value is wrong."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr


class Fields:
    """A JSON object and its place in the file."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise ModelFileError(f"{place}: an object is needed, got {short_repr(value)}.", place=place)
        self.value, self.place = value, place

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise an error that names the place."""
        raise ModelFileError(f"{self.place}.{key}: {problem}.", place=f"{self.place}.{key}")

    def get(self, key: str) -> Any:
        """A value that must exist."""
        if key not in self.value:
            self.fail(key, "the value is missing")
        return self.value[key]

    def within(self, *keys: str) -> Fields:
        """The object at the end of a path of keys."""
        found = self
        for key in keys:
            found = Fields(found.get(key), f"{found.place}.{key}")
        return found

    def text(self, key: str) -> str:
        """A text."""
        value = self.get(key)
        if not isinstance(value, str):
            self.fail(key, f"text is needed, got {short_repr(value)}")
        return value

    def items(self, key: str) -> list[Any]:
        """A list."""
        value = self.get(key)
        if isinstance(value, np.ndarray):
            return list(value.tolist())
        if not isinstance(value, list):
            self.fail(key, f"a list is needed, got {short_repr(value)}")
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """An integer in a range; it may be written as text."""
        value = self.get(key)
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if type(number) is not int or not low <= number <= high:
            self.fail(key, f"an integer from {low} to {high} is needed, got {short_repr(value)}")
        return number

    def integers(self, key: str, length: int | None = None) -> npt.NDArray[np.int64]:
        """A list of integers, of a certain length if it is given."""
        return self._array(key, length, np.int64)

    def floats(self, key: str, length: int | None = None, *, nan: bool = False) -> npt.NDArray[np.float64]:
        """A list of numbers, of a certain length if it is given; they may be infinite and, with `nan`, NaN."""
        found = self._array(key, length, np.float64)
        if not nan and np.isnan(found).any():
            self.fail(key, f"number {int(np.flatnonzero(np.isnan(found))[0])} is NaN")
        return found

    def _array(self, key: str, length: int | None, dtype: type[Any]) -> npt.NDArray[Any]:
        value = self.get(key)
        if isinstance(value, list) and not all(_is_number(each, dtype) for each in value):
            self.fail(key, "a list of numbers is needed")
        if not isinstance(value, (list, np.ndarray)):
            self.fail(key, f"a list is needed, got {short_repr(value)}")
        if isinstance(value, np.ndarray) and dtype is np.int64 and value.dtype.kind not in "iu":
            self.fail(key, "a list of integers is needed")
        found = np.asarray(value, dtype=dtype)
        if length is not None and len(found) != length:
            self.fail(key, f"{length} numbers are needed, got {len(found)}")
        return found


def _is_number(value: Any, dtype: type[Any]) -> bool:
    if dtype is np.int64:
        return isinstance(value, int) and -(1 << 63) <= value < 1 << 63
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 1000)
