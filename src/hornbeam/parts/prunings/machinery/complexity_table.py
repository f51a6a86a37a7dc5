"""The table of complexities, as in rpart: one row per tree of the weakest-link sequence.

    CP         alpha as a fraction of the root's risk; the tree of the row is best from this CP up to the CP of the row
               above
    nsplit     number of questions
    rel error  risk as a fraction of the root's risk
    xerror     the same on held-out rows: the fold trees, cut at the geometric mean of this CP and the one above
               (10 times CP in the first row), errors summed over all folds
    xstd       its standard error: sqrt(sum w e^2 - (sum w e)^2 / W) / root risk

The choice is the least xerror (fewest questions on ties), or by the 1-SE rule the fewest questions with an xerror
within one xstd of the least. Costs are costs[truth][predicted] here too (rpart transposes them on held-out rows), and
held-out rows count by the priors of the whole table.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.parts.prunings.base import Numbers
from hornbeam.parts.prunings.cost_complexity import Sequence, sequence
from hornbeam.parts.prunings.machinery.nested_prunings import Losses, choose_member, losses_along
from hornbeam.parts.prunings.machinery.pruning_data import Folds, GrownFolds, class_factors
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True, eq=False)
class ComplexityTable:
    """The table, from the root alone to the largest tree; `xerror` and `xstd` are None without folds.

    `tree` is the whole tree, for `prune(table.tree, CostComplexity(alpha=table.alpha(row)))`.
    """

    cp: Numbers
    n_splits: npt.NDArray[np.int64]
    relative_error: Numbers
    xerror: Numbers | None
    xstd: Numbers | None
    root_risk: float
    tree: Tree | None = None

    def __len__(self) -> int:
        return len(self.cp)

    def chosen(self, rule: str = "one_se") -> int:
        """The row that a rule chooses: minimum or one_se."""
        if self.xerror is None or self.xstd is None:
            raise InputError("Choosing a row requires errors on held-out rows, and this table has none.")
        return choose_member(self.xerror, self.xstd, rule)

    def alpha(self, row: int) -> float:
        """The alpha of a row's tree, in units of risk."""
        return float(self.cp[row]) * self.root_risk

    def text(self, rule: str = "one_se") -> str:
        """The table as text, the chosen row marked."""
        heads = ["CP", "nsplit", "rel error"] + (["xerror", "xstd"] if self.xerror is not None else [])
        lines = [
            [f"{self.cp[i]:.5g}", str(self.n_splits[i]), f"{self.relative_error[i]:.5f}"] for i in range(len(self))
        ]
        if self.xerror is not None and self.xstd is not None:
            for i, line in enumerate(lines):
                line += [f"{self.xerror[i]:.5f}", f"{self.xstd[i]:.5f}"]
        widths = [max(len(row[j]) for row in [heads, *lines]) for j in range(len(heads))]
        chosen = self.chosen(rule) if self.xerror is not None else None
        label = "minimum" if rule == "minimum" else "1-SE"
        texts = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [heads, *lines]
        ]
        return "\n".join(
            text + (f"  <- {label}" if chosen is not None and i == chosen + 1 else "") for i, text in enumerate(texts)
        )

    def __str__(self) -> str:
        return self.text()

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dict per row, with the column names of rpart."""
        columns: dict[str, Any] = {"CP": self.cp, "nsplit": self.n_splits, "rel error": self.relative_error}
        if self.xerror is not None and self.xstd is not None:
            columns |= {"xerror": self.xerror, "xstd": self.xstd}
        return [{name: values[row].item() for name, values in columns.items()} for row in range(len(self))]

    def _repr_html_(self) -> str:
        rows = self.as_dicts()
        mark = self.chosen() if self.xerror is not None else -1
        lines = [f"<tr>{''.join(f'<th>{name}</th>' for name in rows[0])}</tr>"]
        for at, row in enumerate(rows):
            weight = ' style="font-weight:bold"' if at == mark else ""
            lines.append(f"<tr{weight}>{''.join(f'<td>{value:.5g}</td>' for value in row.values())}</tr>")
        return f"<table>{''.join(lines)}</table>"


def complexity_table(
    tree: Tree,
    folds: Folds | GrownFolds | None = None,
    *,
    measure: str | None = None,
    costs: Numbers | None = None,
    lowest: float | None = None,
    exact: bool = True,
) -> ComplexityTable:
    """The table of a tree, cross-validated if folds are given.

    `lowest` is the cp that the tree was grown with (the CP of the last row); if None, the last row is the tree of
    alpha 0. `exact=False` uses rpart's one-step alphas, which reproduce its tables to the digit.
    """
    line = sequence(tree, measure, costs=costs, exact=exact)
    if line.root_risk <= 0:
        zero = np.zeros(1)
        return ComplexityTable(zero, np.zeros(1, dtype=np.int64), zero, None, None, 0.0)
    cp, splits, relative = _rows(line, lowest)
    if folds is None:
        return ComplexityTable(cp, splits, relative, None, None, line.root_risk)
    betas = np.append(10 * cp[0], np.sqrt(cp[:-1] * cp[1:])) * line.root_risk
    total: Losses | None = None
    for grown, held_out in folds.trees:
        level = sequence(grown, line.measure, costs=costs, exact=exact).collapse
        part = losses_along(grown, level, betas, held_out, costs, class_factors(tree))
        total = part if total is None else total + part
    if total is None:
        raise InputError("folds must not be empty: the training table has no rows.")
    scale = line.root_risk * float(tree.nodes.weight[0]) * folds.tested_fraction
    return ComplexityTable(cp, splits, relative, total.total / scale, total.spread / scale, line.root_risk)


def _rows(line: Sequence, lowest: float | None) -> tuple[Numbers, npt.NDArray[np.int64], Numbers]:
    """CP, splits and relative error from the root to the largest tree; trees at or below `lowest` are excluded."""
    cp = line.alphas / line.root_risk
    keep = np.ones(len(cp), dtype=bool) if lowest is None else cp > lowest * (1 + 1e-12)
    # The tree of row i is the one just before the alpha of row i - 1 cuts it: the last tree not above `lowest`.
    last = np.flatnonzero(~keep)[-1:] if lowest is not None else np.zeros(0, dtype=np.int64)
    order = np.append(last, np.flatnonzero(keep))[::-1].astype(np.int64)
    shown_cp = cp[order]
    if len(last):
        shown_cp[-1] = lowest if lowest is not None else shown_cp[-1]
    return shown_cp, line.splits[order], line.risks[order] / line.root_risk
