"""Predictor: predicts one row at a time without the cost of a table.

    predictor = Predictor(model)               a tree, a forest, boosted trees or a fitted estimator; prepared once
    predictor([5.1, 3.5, 1.4, 0.2])            the class, or the number
    predictor({"age": 61, "sex": "f"})         by name; unknown keys are ignored
    predictor.probabilities(row)               the probability of each class, in the order of `predictor.classes`

The predictions are those of `predict`, also for missing values (None, NaN) and unseen levels. The core reads dicts,
lists, tuples and arrays of floats; other rows are converted to a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.table.column import ColumnSpec
from hornbeam.table.match import match_columns
from hornbeam.tree import forest_walk, walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import Prediction, predict


class Predictor:
    """Predicts one row per call; threads may share it."""

    __slots__ = ("_answer", "_probabilities", "model")

    def __init__(self, model: Any) -> None:
        self.model = unwrapped(model)
        compiled = _of_tree(self.model) if isinstance(self.model, Tree) else _of_forest(self.model)
        self._answer = compiled.answer
        self._probabilities = compiled.shares

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of the probabilities; none for regression."""
        return self.model.schema.classes if self.model.is_class else ()

    def __call__(self, row: Any) -> Any:
        """The predicted class of a row, or its number."""
        found = self._answer(row)
        if found is not None:
            return found
        prediction = self._by_table(row)
        return self.classes[prediction.codes[0]] if self.model.is_class else float(prediction.values[0, 0])

    def probabilities(self, row: Any) -> tuple[float, ...]:
        """The probability of each class."""
        if not self.model.is_class:
            raise InputError(
                "The target is a number: there are no class probabilities.", hint="Call the predictor itself."
            )
        found: tuple[float, ...] | None = self._probabilities(row)
        return tuple(self._by_table(row).values[0].tolist()) if found is None else found

    def _by_table(self, row: Any) -> Prediction:
        """The prediction of a row that the core does not read: through a table, with its rules and errors."""
        schema = self.model.schema
        if hasattr(row, "keys"):
            known = row if isinstance(row, Mapping) else dict(row)
            source: Any = {name: known[name] for name in schema.names if name in known}
            if not source:
                raise InputError(
                    f"The row names none of the model's columns: {', '.join(map(short_repr, schema.names[:8]))}."
                )
        else:
            source = [_values(row, schema.columns)]
        return predict(self.model, match_columns(schema, source, warn=False).columns, threads=1)

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        Predictor.__init__(self, state["model"])

    def __repr__(self) -> str:
        return f"<Predictor of {self.model!r}>"


def _values(row: Any, columns: tuple[ColumnSpec, ...]) -> list[Any]:
    """The values of a row that is a sequence, one per column."""
    is_one = np.ndim(row) == 1 if isinstance(row, np.ndarray) else not isinstance(row, (str, bytes))
    if not is_one or not hasattr(row, "__len__") or not hasattr(row, "__iter__"):
        raise InputError(
            "A row is a dict, a list, a tuple or an array of one dimension; "
            f"got {short_repr(row)} ({type(row).__name__}).",
            hint="Use predict for several rows.",
        )
    if len(row) != len(columns):
        raise InputError(
            f"The row has {len(row)} value(s); the model has {len(columns)} column(s): "
            f"{', '.join(short_repr(spec.name) for spec in columns[:8])}{' ...' if len(columns) > 8 else ''}.",
            given=len(row),
            needed=len(columns),
        )
    return list(row)


def _of_tree(tree: Tree) -> Any:
    from hornbeam import _native

    labels = list(tree.schema.classes) if tree.is_class else None
    answer = tree.nodes.answer if tree.is_class else np.zeros(0)
    return _native.RowPredictor.of_tree(
        walk.walker_of(tree), walk.node_values(tree), answer, _columns(tree.schema.columns), labels
    )


def _of_forest(forest: Forest) -> Any:
    from hornbeam import _native

    if forest.combine == "median":
        raise InputError(
            "A predictor of one row needs trees whose predictions are added.", hint="Use hornbeam.predict."
        )
    is_sum = forest.combine == "sum"
    return _native.RowPredictor.of_forest(
        forest_walk.walker_of(forest),
        np.array(forest.base) if is_sum else np.zeros(forest.width),
        1.0 if is_sum else float(forest.weights.sum()),
        forest_walk.link_code(forest),
        _columns(forest.schema.columns),
        list(forest.schema.classes) if forest.is_class else None,
    )


def _columns(columns: tuple[ColumnSpec, ...]) -> list[tuple[str, dict[Any, int] | None, bool]]:
    """The columns for the row reader of the core: name, code of each level, whether all levels are text."""
    return [
        (
            spec.name,
            {level: code for code, level in enumerate(spec.levels)} if spec.has_levels else None,
            all(isinstance(level, str) for level in spec.levels),
        )
        for spec in columns
    ]
