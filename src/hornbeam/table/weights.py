"""Checks row weights: one finite number per row, none negative, not all zero.

A row of weight zero is ignored in training; it stays in the table, so that results have the same rows as the input.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr


def checked_weights(values: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """The weights as float64, or an error with the row."""
    array = np.asarray(values)
    if array.shape != (n_rows,):
        raise InputError(f"weights must have shape ({n_rows},), got shape {array.shape}.", shape=array.shape)
    if array.dtype.kind not in "fiubO":
        raise InputError(f"weights must be numbers, got values of type {array.dtype}.")
    if array.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in array.tolist()):
        raise InputError("weights must be numbers, got text.")
    try:
        weights = np.array(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"weights must be numbers: {error}.") from error
    for is_wrong, expected in ((~np.isfinite(weights), "finite"), (weights < 0, "at least 0")):
        if is_wrong.any():
            row = int(np.argmax(is_wrong))
            raise InputError(
                f"The weight of row {row} must be {expected}, got {short_repr(float(weights[row]))}.", row=row
            )
    if n_rows and not weights.any():
        raise InputError("At least one weight must be above 0, got only zeros.")
    return weights
