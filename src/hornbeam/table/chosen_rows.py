"""Some rows of a table, by index or mask, each once, and other weights for them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table.prepared_column import are_different
from hornbeam.table.table import Table
from hornbeam.table.weights import checked_weights


def chosen_rows(table: Table, rows: Any, weights: Any) -> Table:
    """Some rows of a table, by index or mask, with other weights; None keeps all rows, or the weights."""
    if rows is not None:
        table = table.take(row_numbers(rows, len(table)))
    if weights is None:
        return table
    return dataclasses.replace(table, weights=checked_weights(weights, len(table)))


def row_numbers(rows: Any, n_rows: int) -> npt.NDArray[np.int64]:
    """Row numbers from indices or a mask; an error unless they are different rows of the table."""
    given = np.asarray(rows)
    if given.ndim == 1 and given.dtype == np.bool_ and len(given) == n_rows:
        return np.flatnonzero(given)
    if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
        raise InputError(
            f"rows must be row numbers or a mask of {n_rows} booleans, got {given.dtype} of shape {given.shape}."
        )
    numbers = given.astype(np.int64)
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < n_rows):
        wrong = int(numbers[(numbers < 0) | (numbers >= n_rows)][0])
        raise InputError(f"rows must be between 0 and {n_rows - 1}, got {wrong}.", row=wrong)
    if not are_different(numbers, n_rows):
        raise InputError(
            "rows must be different, but one occurs twice.", hint="Pass how often each row counts as weights."
        )
    return numbers
