"""PredictedBatch: consecutive rows of a source with their predictions, and the columns that are written for them.

row           the number of the row in the source, from 0
kept columns  columns of the source that the user repeats in the output
prediction    the class or the number; none for a tree without labels
node          the leaf of the row; for rules, the rule that applies
probability_* one column per class
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.table.raw import RawColumn
from hornbeam.table.table import Schema
from hornbeam.tree.prediction import Prediction

_OWN = ("row", "prediction", "node")
# Kept values: a list, or an Arrow array, which a file of typed columns stores unchanged.
Kept = Mapping[str, Any]


@dataclasses.dataclass(frozen=True, eq=False)
class PredictedBatch:
    """Predictions of consecutive rows; `by_node`: rows with one node have one prediction."""

    predicted: Prediction
    first_row: int
    kept: Kept = dataclasses.field(default_factory=dict)
    by_node: bool = False

    def __len__(self) -> int:
        return len(self.predicted)

    def labels(self) -> list[Any]:
        """The predictions as Python values; None without labels."""
        if self.predicted.schema.target is None:
            return [None] * len(self)
        values: list[Any] = self.predicted.labels.tolist()
        return values

    def kept_lists(self) -> list[list[Any]]:
        """The kept columns as lists."""
        return [values if isinstance(values, list) else values.to_pylist() for values in self.kept.values()]

    def text_per_row(self, text_of: Callable[[int], str]) -> list[str]:
        """`text_of` of every row, computed once per node where rows of a node have one prediction."""
        predicted = self.predicted
        if not self.by_node or predicted.is_fractional.any():
            return [text_of(row) for row in range(len(self))]
        _, first, inverse = np.unique(predicted.nodes, return_index=True, return_inverse=True)
        texts = np.array([text_of(row) for row in first.tolist()], dtype=object)
        found: list[str] = texts[inverse].tolist()
        return found


def probability_names(schema: Schema) -> list[str]:
    """The names of the columns of probabilities."""
    return [f"probability_{name}" for name in schema.classes]


def check_kept(schema: Schema, kept: Iterable[str], option: str = "keep") -> None:
    """Raise an error if a kept column has the name of a column of the predictions."""
    taken = {*_OWN, *probability_names(schema), *(["probabilities"] if schema.classes else [])}
    clash = next((name for name in kept if name in taken), None)
    if clash is not None:
        raise OptionError(
            f"{option}: the column {short_repr(clash)} has the name of a column of the predictions.", option=option
        )


def kept_values(columns: Sequence[RawColumn]) -> dict[str, list[Any]]:
    """The values of columns as the source has them: integers without a decimal point, None where missing."""
    return {column.name: _values(column) for column in columns}


def _values(column: RawColumn) -> list[Any]:
    if column.numbers is None:
        assert column.codes is not None
        distinct = (*column.distinct, None)
        return [distinct[code] for code in column.codes.tolist()]
    numbers = np.asarray(column.numbers, dtype=np.float64)
    known = numbers[~np.isnan(numbers)]
    is_integer = bool((known == np.round(known)).all() and (np.abs(known) < 2**53).all())
    convert: Any = int if is_integer else float
    return [None if value != value else convert(value) for value in numbers.tolist()]
