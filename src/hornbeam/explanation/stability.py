"""Would other rows of the same sort have grown the same tree?

Models are grown on resamples of the table (n rows drawn with replacement), and held beside the one of the whole table:

    first question   how often each column is asked first
    used             how often each column is asked at all
    leaves, depth    mean and standard deviation
    agreement        share of the table's rows of which a resample's model says the same (numbers: within a tenth of the
                     standard deviation of what is told)
    unsteady rows    rows that fewer than three quarters of the models tell the same

Single trees are unsteady; that the columns change places while the answers stay says that several trees fit as well.
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
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import columns_of, predict
from hornbeam.tree.text import percent
from hornbeam.tree.text_tables import aligned_text, html_table

_STEADY = 0.75
_SAME = 0.1


@dataclasses.dataclass(frozen=True, eq=False)
class Stability:
    """What stays the same over resamples; one number a column, a model or a row."""

    names: tuple[str, ...]
    first: Floats
    used: Floats
    leaves: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]
    agreement: Floats
    steadiness: Floats

    @property
    def unsteady(self) -> npt.NDArray[np.int64]:
        """The rows that fewer than three quarters of the models tell the same, the worst first."""
        rows = np.flatnonzero(self.steadiness < _STEADY)
        return rows[np.argsort(self.steadiness[rows], kind="stable")]

    def rows(self) -> list[list[str]]:
        """One line a column, those asked first most often on top."""
        order = np.lexsort((np.arange(len(self.names)), -self.used, -self.first))
        lines = [["column", "asked first", "used"]]
        return lines + [
            [self.names[c], percent(float(self.first[c])), percent(float(self.used[c]))] for c in order.tolist()
        ]

    def _head(self) -> list[str]:
        n = len(self.leaves)
        spread = [float(array.std(ddof=1)) if n > 1 else 0.0 for array in (self.leaves, self.depths)]
        return [
            f"{n} models grown on resamples",
            f"leaves {self.leaves.mean():.1f} ± {spread[0]:.1f}, depth {self.depths.mean():.1f} ± {spread[1]:.1f}",
            f"a resample says the same of {percent(float(self.agreement.mean()))} of the rows; "
            f"{len(self.unsteady)} of {len(self.steadiness)} rows are unsteady",
        ]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "models": len(self.leaves),
            "first": dict(zip(self.names, self.first.tolist(), strict=True)),
            "used": dict(zip(self.names, self.used.tolist(), strict=True)),
            "leaves": self.leaves.tolist(),
            "depths": self.depths.tolist(),
            "agreement": self.agreement.tolist(),
            "unsteady": self.unsteady.tolist(),
        }

    def __str__(self) -> str:
        return "\n".join([*self._head(), aligned_text(self.rows())])

    def __repr__(self) -> str:
        return f"<Stability over {len(self.leaves)} resamples: agreement {self.agreement.mean():.2f}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{line}</p>" for line in self._head()) + html_table(self.rows())


def stability(table: Table, fit: Callable[[Table], Any], *, repeats: int = 20, seed: Any = 0) -> Stability:
    """Grow on resamples of a table by `fit`, such as `lambda part: hb.grow(part, "cart")`, and compare."""
    table = only_table(table, "Stability")
    if table.target is None:
        raise InputError("The table has no target to grow on.")
    whole = unwrapped(fit(table))
    columns = columns_of(whole.schema, table)
    said = _answers(whole, columns)
    near = _SAME * float(np.std(said)) if not whole.schema.is_class else 0.0
    first, used = np.zeros(len(columns)), np.zeros(len(columns))
    leaves, depths, same = [], [], []
    for sample in bootstrap_splits(len(table), repeats, seed):
        model = unwrapped(fit(table.take(sample.train)))
        trees = (model,) if isinstance(model, Tree) else model.trees
        asked = [_columns_asked(tree) for tree in trees]
        for root, _ in asked:
            first[list(root)] += 1.0 / len(trees)
        used[sorted({c for _, every in asked for c in every})] += 1.0
        leaves.append(round(sum(tree.n_leaves for tree in trees) / len(trees)))
        depths.append(max(tree.depth for tree in trees))
        same.append(np.abs(_answers(model, columns_of(model.schema, table)) - said) <= near)
    steady = np.array(same, dtype=np.float64)
    return Stability(
        whole.schema.names,
        first / repeats,
        used / repeats,
        np.array(leaves),
        np.array(depths),
        steady.mean(axis=1),
        steady.mean(axis=0),
    )


def _answers(model: Any, columns: Any) -> Floats:
    """The class codes of what is said, in the order of the classes; or numbers."""
    told = predict(model, columns)
    return told.codes.astype(np.float64) if told.is_class else told.numbers


def _columns_asked(tree: Tree) -> tuple[tuple[int, ...], set[int]]:
    """The columns of the first question, and of all."""
    inner = ~tree.nodes.is_leaf
    if not inner.any():
        return (), set()
    asked = np.unique(tree.nodes.question[inner])
    every = {int(c) for c in tree.questions.column[asked] if c >= 0}
    for row in asked[tree.questions.column[asked] < 0].tolist():
        every |= set(tree.questions[row].columns)
    return tree.question(0).columns, every
