"""Which row weights are accepted?  One finite number a row, none negative, not all zero.

A row of weight zero counts as not there; it stays in the table so that results line up with the rows given. The
numbers of a column count like those of an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, short_repr


def checked_weights(values: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """The weights as doubles, or an error that names the row."""
    array = np.asarray(values)
    if array.shape != (n_rows,):
        raise InputError(
            f"Weights must be one number a row, shape ({n_rows},); got shape {array.shape}.", shape=array.shape
        )
    if array.dtype.kind not in "fiubO":
        raise InputError(f"Weights must be numbers; got values of type {array.dtype}.")
    if array.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in array.tolist()):
        raise InputError("Weights must be numbers; got text among them.")
    try:
        weights = np.array(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"Weights must be numbers: {error}.") from error
    for is_wrong, said in ((~np.isfinite(weights), "not a finite number"), (weights < 0, "negative")):
        if is_wrong.any():
            row = int(np.argmax(is_wrong))
            raise InputError(f"The weight of row {row} is {said}: {short_repr(float(weights[row]))}.", row=row)
    if n_rows and not weights.any():
        raise InputError("All weights are zero; at least one row must count.")
    return weights
