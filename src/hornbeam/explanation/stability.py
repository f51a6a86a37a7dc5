"""Stability: whether models grown on resamples of the rows are the same.

Models are grown on resamples of the table (n rows sampled with replacement) and compared with that of the whole table:

    root            how often each column is in the question of the root
    used            how often each column is used at all
    leaves, depth   mean and standard deviation
    agreement       fraction of the table's rows for which a resample's model predicts the same (regression: within a
                    tenth of the standard deviation of the predictions)
    unstable rows   rows for which fewer than three quarters of the models predict the same

Single trees are unstable. If the columns differ but the predictions agree, several trees fit the data equally well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.evaluation.folds import bootstrap_splits
from hornbeam.explanation.models import Floats
from hornbeam.table.table import Table, only_table
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import predict
from hornbeam.tree.text import percent
from hornbeam.tree.text_tables import aligned_text, html_table

_MIN_AGREEMENT = 0.75
_TOLERANCE = 0.1


@dataclasses.dataclass(frozen=True, eq=False)
class Stability:
    """What is the same over resamples; one value per column, per model or per row (`row_agreement`)."""

    names: tuple[str, ...]
    root: Floats
    used: Floats
    leaves: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]
    agreement: Floats
    row_agreement: Floats

    @property
    def unstable_rows(self) -> npt.NDArray[np.int64]:
        """The rows for which fewer than three quarters of the models predict the same, lowest agreement first."""
        rows = np.flatnonzero(self.row_agreement < _MIN_AGREEMENT)
        return rows[np.argsort(self.row_agreement[rows], kind="stable")]

    def rows(self) -> list[list[str]]:
        """One row of a table per column, those most often at the root first."""
        order = np.lexsort((np.arange(len(self.names)), -self.used, -self.root))
        lines = [["column", "at the root", "used"]]
        return lines + [
            [self.names[c], percent(float(self.root[c])), percent(float(self.used[c]))] for c in order.tolist()
        ]

    def _head(self) -> list[str]:
        n = len(self.leaves)
        spread = [float(array.std(ddof=1)) if n > 1 else 0.0 for array in (self.leaves, self.depths)]
        return [
            f"{n} models grown on resamples",
            f"leaves {self.leaves.mean():.1f} ± {spread[0]:.1f}, depth {self.depths.mean():.1f} ± {spread[1]:.1f}",
            f"the models agree with that of all rows on {percent(float(self.agreement.mean()))} of the rows; "
            f"{len(self.unstable_rows):,} of {len(self.row_agreement):,} rows are unstable",
        ]

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "models": len(self.leaves),
            "root": dict(zip(self.names, self.root.tolist(), strict=True)),
            "used": dict(zip(self.names, self.used.tolist(), strict=True)),
            "leaves": self.leaves.tolist(),
            "depths": self.depths.tolist(),
            "agreement": self.agreement.tolist(),
            "unstable_rows": self.unstable_rows.tolist(),
        }

    def __str__(self) -> str:
        return "\n".join([*self._head(), aligned_text(self.rows())])

    def __repr__(self) -> str:
        return f"<Stability over {len(self.leaves)} resamples: agreement {self.agreement.mean():.2f}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{line}</p>" for line in self._head()) + html_table(self.rows())


def stability(table: Table, fit: Callable[[Table], Any], *, repeats: int = 20, seed: Any = 0) -> Stability:
    """Grow models on resamples of a table by `fit`, such as `lambda rows: hb.grow(rows, "cart")`, and compare them."""
    table = only_table(table, "Stability")
    if table.target is None:
        raise InputError("The table has no target to grow on.")
    whole = unwrapped(fit(table))
    columns = model_table(whole.schema, table).columns
    expected = _predictions(whole, columns)
    tolerance = _TOLERANCE * float(np.std(expected)) if not whole.schema.is_class else 0.0
    root, used = np.zeros(len(columns)), np.zeros(len(columns))
    leaves, depths, same = [], [], []
    for sample in bootstrap_splits(len(table), repeats, seed):
        model = unwrapped(fit(table.take(sample.train)))
        trees = (model,) if isinstance(model, Tree) else model.trees
        used_columns = [_used_columns(tree) for tree in trees]
        for first, _ in used_columns:
            root[list(first)] += 1.0 / len(trees)
        used[sorted({c for _, every in used_columns for c in every})] += 1.0
        leaves.append(round(sum(tree.n_leaves for tree in trees) / len(trees)))
        depths.append(max(tree.depth for tree in trees))
        predictions = _predictions(model, model_table(model.schema, table).columns)
        same.append(np.abs(predictions - expected) <= tolerance)
    is_same = np.array(same, dtype=np.float64)
    return Stability(
        whole.schema.names,
        root / repeats,
        used / repeats,
        np.array(leaves),
        np.array(depths),
        is_same.mean(axis=1),
        is_same.mean(axis=0),
    )


def _predictions(model: Any, columns: Any) -> Floats:
    """The predicted class codes, in the order of the classes; or the predicted numbers."""
    found = predict(model, columns)
    return found.codes.astype(np.float64) if found.is_class else found.numbers


def _used_columns(tree: Tree) -> tuple[tuple[int, ...], set[int]]:
    """The columns of the root's question, and those of all questions."""
    inner = ~tree.nodes.is_leaf
    if not inner.any():
        return (), set()
    questions = np.unique(tree.nodes.question[inner])
    every = {int(c) for c in tree.questions.column[questions] if c >= 0}
    for row in questions[tree.questions.column[questions] < 0].tolist():
        every |= set(tree.questions[row].columns)
    return tree.question(0).columns, every
