"""Validation of the arrays that are evaluated: truth, predictions or probabilities, weights, of one length.

    classes are text, truth are integers     truth are codes 0..K-1
    otherwise                                truth are labels, matched to the classes
    probabilities                            (n, K), not negative, each row sums to 1
    weights                                  finite, not negative; rows of weight 0 are removed first

Arrays are validated here and not again; each error names the row, counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, did_you_mean, short_repr

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_SUM_TOLERANCE = 1e-6


def one_dimensional(name: str, values: Any) -> npt.NDArray[Any]:
    """The values as an array of one dimension."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"{name} must have one dimension, got shape {array.shape}.", shape=array.shape)
    return array


def numbers_of(name: str, values: Any, *, allow_infinite: bool = False) -> Floats:
    """The values as finite float64 (scores may be infinite: only their order counts)."""
    array = one_dimensional(name, values)
    try:
        found = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers, got {array.dtype} such as {short_repr(_first(array))}.") from error
    bad = np.isnan(found) if allow_infinite else ~np.isfinite(found)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"{name} must be {'known' if allow_infinite else 'finite'} numbers, got {found[row]} at row {row}.",
            hint="Exclude rows whose true or predicted value is missing.",
            row=row,
        )
    return found


def same_length(first_name: str, first: Any, second_name: str, second: Any) -> None:
    """Raise an error if two inputs differ in their number of rows."""
    if len(first) != len(second):
        raise InputError(f"{first_name} has {len(first)} rows, {second_name} has {len(second)}; they must agree.")


def weights_of(weights: Any, n_rows: int) -> Floats:
    """One finite weight per row, not negative; ones by default."""
    if weights is None:
        return np.ones(n_rows)
    found = numbers_of("weights", weights)
    if len(found) != n_rows:
        raise InputError(f"weights must have one number per row ({n_rows}), got {len(found)}.")
    if (found < 0).any():
        row = int(np.argmax(found < 0))
        raise InputError(f"weights must not be negative, got {found[row]} at row {row}.", row=row)
    return found


def flags_of(name: str, values: Any) -> Flags:
    """The values as True (positive) or False, from booleans or 0 and 1."""
    array = one_dimensional(name, values)
    if array.dtype == np.bool_:
        return np.asarray(array, dtype=np.bool_)
    found = numbers_of(name, array)
    invalid = (found != 0) & (found != 1)
    if invalid.any():
        row = int(np.argmax(invalid))
        raise InputError(
            f"{name} must be True for the positive class and False otherwise, got {found[row]:g} at row {row}.",
            hint="Pass truth == positive.",
            row=row,
        )
    return np.asarray(found == 1)


def binary(truth: Any, scores: Any, weights: Any, *, allow_infinite: bool = True) -> tuple[Flags, Floats, Floats]:
    """Truth as flags, scores as numbers and weights, without the rows of weight 0."""
    flags = flags_of("truth", truth)
    numbers = numbers_of("scores", scores, allow_infinite=allow_infinite)
    same_length("truth", flags, "scores", numbers)
    found = weights_of(weights, len(flags))
    kept = found > 0
    return flags[kept], numbers[kept], found[kept]


def binary_probabilities(truth: Any, probabilities: Any, weights: Any) -> tuple[Flags, Floats, Floats]:
    """As `binary`, with scores that are probabilities of the positive class."""
    flags, found, kept = binary(truth, probabilities, weights, allow_infinite=False)
    invalid = (found < 0) | (found > 1)
    if invalid.any():
        row = int(np.argmax(invalid))
        raise InputError(f"A probability must be between 0 and 1, got {found[row]} at row {row}.", got=found[row])
    return flags, found, kept


def checked_probabilities(values: Any, n_classes: int | None = None) -> Floats:
    """Class probabilities (n, K): between 0 and 1, each row sums to 1."""
    found = np.ascontiguousarray(values, dtype=np.float64)
    if found.ndim != 2 or (n_classes is not None and found.shape[1] != n_classes):
        width = "K" if n_classes is None else n_classes
        raise InputError(f"Probabilities must have one column per class, shape (n, {width}), got shape {found.shape}.")
    bad = ~((found >= 0) & (found <= 1 + _SUM_TOLERANCE)).all(axis=1)
    bad |= ~(np.abs(found.sum(axis=1) - 1) <= _SUM_TOLERANCE)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"The probabilities of a row must be between 0 and 1 and sum to 1, got {found[row].tolist()} at row {row}.",
            row=row,
        )
    return found


def classes_of(*labels: Any) -> tuple[Any, ...]:
    """The distinct labels of the arrays, sorted, as Python values."""
    found = {python_value(label) for array in labels for label in np.asarray(array).ravel()}
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(sorted(found, key=lambda label: (type(label).__name__, str(label))))


def codes_of(name: str, values: Any, classes: Sequence[Any]) -> Codes:
    """Labels (or codes, if the classes are text and the values integers) as codes 0..K-1."""
    array = one_dimensional(name, values)
    if array.dtype.kind in "iu" and all(isinstance(label, str) for label in classes):
        invalid = (array < 0) | (array >= len(classes))
        if invalid.any():
            row = int(np.argmax(invalid))
            raise InputError(
                f"{name} as codes must be between 0 and {len(classes) - 1}, got {array[row]} at row {row}.", row=row
            )
        return array.astype(np.int64)
    code_of = {python_value(label): code for code, label in enumerate(classes)}
    if len(code_of) != len(classes):
        raise InputError(f"Classes must be distinct, got {short_repr(list(classes))}.")
    distinct, inverse = _distinct(array)
    codes = np.array([code_of.get(python_value(label), -1) for label in distinct], dtype=np.int64)
    found = codes[inverse] if len(array) else np.empty(0, dtype=np.int64)
    if (found < 0).any():
        row = int(np.argmax(found < 0))
        label = python_value(array[row])
        raise InputError(
            f"{name} has {short_repr(label)} at row {row}, which is none of the classes {short_repr(list(classes))}.",
            hint=did_you_mean(str(label), [str(each) for each in classes]),
            row=row,
        )
    return found


def _distinct(array: npt.NDArray[Any]) -> tuple[list[Any], Codes]:
    if array.dtype != object:
        values, inverse = np.unique(array, return_inverse=True)
        return list(values), inverse.astype(np.int64)
    seen: dict[Any, int] = {}
    inverse = np.array([seen.setdefault(python_value(value), len(seen)) for value in array], dtype=np.int64)
    return list(seen), inverse


def position_of(label: Any, classes: Sequence[Any], name: str = "positive") -> int:
    """The code of a class by its label."""
    known = [python_value(each) for each in classes]
    if python_value(label) not in known:
        raise InputError(
            f"{name} must be one of the classes {short_repr(known)}, got {short_repr(label)}.",
            hint=did_you_mean(str(label), [str(each) for each in known]),
            got=label,
        )
    return known.index(python_value(label))


def python_value(label: Any) -> Any:
    """A NumPy scalar as a Python value."""
    return label.item() if isinstance(label, np.generic) else label


def _first(array: npt.NDArray[Any]) -> Any:
    return array[0] if len(array) else None
