"""Surrogates: another column that agrees with the first question decides where its value is missing (definition 7.3).

    l, r        weight that the first question sends to branch 0 and 1 (rows of known branch), M = max(l, r)
    A           weight that a surrogate sends to the same branch, over the rows where both are known
    agree       A / (l + r)                       style "all": its own missing values count as disagreement
                A / weight with both known        style "known"
    adjusted    (agree - M / (l + r)) / (1 - M / (l + r)), M and l + r of the rows that `agree` is computed on

    numeric, ordinal   the cut of most agreement, at least 2 rows on each side; either side may be branch 0
    nominal            each level goes where it has more weight (tie: the majority's side; then branch 1), at least 2
                       rows per branch

Every other column is tried. Surrogates with adjusted > 1e-10 are stored, best agreement first, up to `max_surrogates`.
Rows that no surrogate can route follow the branch of larger known weight (on a tie they stay), or stay. Columns are
scored on their known rows as with skip_column. Only questions of two branches have surrogates; those about many columns
need none, as they store imputed values.

With `method = "inference"` surrogates are found as in partykit (`machinery/inferred_surrogates.py`): ranked by a
permutation test, up to `max_surrogates`, regardless of agreement; only the reference implementation does this.

rpart requires of a nominal surrogate that 2 rows agree and 2 disagree, where 2 rows per branch are meant: it rejects
the best ones and stores some that separate a single row. This is not copied, nor that rows stay without surrogates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria.machinery.column_tests import STATISTICS
from hornbeam.parts.missing.base import Missing, Surrogate, majority_branch, require_two_branches
from hornbeam.parts.missing.machinery.inferred_surrogates import infer_surrogate
from hornbeam.parts.node import Candidate, Floats, NodeView
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.table.column import Column, Kind
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import Subset, Threshold

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search

_MIN_ROWS = 2
_MIN_ADJUSTED = 1e-10
# Agreements that differ by less than this fraction of the weight are equal.
_TIE = 1e-10


@dataclass(frozen=True)
class Surrogates(Missing):
    """Use another column that agrees with the first; rows that none can route follow the majority."""

    name: ClassVar[str] = "surrogates"
    uses_sums: ClassVar[bool] = True
    max_surrogates: int = option(5, "maximum number of surrogates of a node", at_least=0, at_most=1000)
    method: str = option(
        "agreement",
        "how surrogates are found: by agreement as in rpart, or by inference as in partykit",
        choices=("agreement", "inference"),
    )
    teststat: str = option("quadratic", "test statistic with method = inference", choices=STATISTICS)
    style: str = option(
        "all",
        "rows that agreement is a fraction of: all rows of known branch, or those where both values are known",
        choices=("all", "known"),
    )
    route: str = option(
        "majority",
        "where rows go that no surrogate can route: to the majority branch, or they stay",
        choices=("majority", "stay"),
    )

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise an error for searches of many branches."""
        require_two_branches(self.name, searches)

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch of larger known weight; STAY on a tie, or if `route` is "stay"."""
        low, high = float(chosen.weight.min()), float(chosen.weight.max())
        is_tie = high - low <= _TIE * (high + low)
        return STAY if self.route == "stay" or is_tie else majority_branch(chosen.weight)

    def surrogates(self, node: NodeView, chosen: Candidate) -> list[Surrogate]:
        """The best question of every other column that agrees, best first."""
        if getattr(chosen.question, "fill", ()):
            return []
        columns = node.sample.columns
        used = {position: columns[position].take(node.rows) for position in chosen.question.columns}
        branch = chosen.question.branch([used.get(position) for position in range(len(columns))])  # type: ignore[misc]
        others = [position for position in range(len(columns)) if position not in used]
        if self.method == "inference":
            return self._inferred(node, others, branch)
        found = []
        for position in others:
            surrogate = self._best(position, columns[position].take(node.rows), branch, node.weights)
            if surrogate is not None:
                found.append(surrogate)
        return sorted(found, key=lambda each: -round(each.agree / _TIE))[: self.max_surrogates]

    def _inferred(self, node: NodeView, others: Sequence[int], branch: npt.NDArray[np.int32]) -> list[Surrogate]:
        """The surrogates of smallest p, as in partykit."""
        candidates = (
            infer_surrogate(
                position, node.sample.columns[position].take(node.rows), branch, node.weights, self.teststat
            )
            for position in others
        )
        kept = sorted((each for each in candidates if each is not None), key=lambda each: each.rank)[
            : self.max_surrogates
        ]
        found = []
        for each in kept:
            known = (branch >= 0) & (True if self.style == "all" else ~_column_of(each.question, node).is_missing)
            sides = np.bincount(branch[known], weights=node.weights[known], minlength=2)
            total, majority = float(sides.sum()), float(sides.max())
            agree = each.agreed / total
            adjusted = (agree - majority / total) / (1 - majority / total) if majority < total else 0.0
            found.append(Surrogate(each.question, each.is_flipped, agree, adjusted))
        return found

    def _best(self, position: int, column: Column, branch: npt.NDArray[np.int32], weights: Floats) -> Surrogate | None:
        known = ~column.is_missing
        both = known & (branch >= 0)
        sides: Floats = np.bincount(branch[both], weights=weights[both], minlength=2).astype(np.float64)
        if int(both.sum()) < 2 * _MIN_ROWS:
            return None
        find = _best_levels if column.kind is Kind.NOMINAL else _best_cut
        agreed = find(position, column, branch, weights, sides)
        if agreed is None:
            return None
        weight, question, is_flipped = agreed
        if self.style == "all":
            is_known = branch >= 0
            sides = np.bincount(branch[is_known], weights=weights[is_known], minlength=2).astype(np.float64)
        total, majority = float(sides.sum()), float(sides.max())
        if majority >= total:
            return None
        agree = weight / total
        adjusted = (agree - majority / total) / (1 - majority / total)
        return Surrogate(question, is_flipped, agree, adjusted) if adjusted > _MIN_ADJUSTED else None


def _column_of(question: Threshold | Subset, node: NodeView) -> Column:
    return node.sample.columns[question.column].take(node.rows)


Agreed = tuple[float, Threshold | Subset, bool]


def _best_cut(
    position: int, column: Column, branch: npt.NDArray[np.int32], weights: Floats, sides: Floats
) -> Agreed | None:
    """The cut of most agreement. Rows of unknown branch only move the midpoints."""
    known = ~column.is_missing
    distinct, group = np.unique(column.values[known].astype(np.float64), return_inverse=True)
    side, weight = branch[known], weights[known]
    weights_at = [np.bincount(group[side == b], weights=weight[side == b], minlength=len(distinct)) for b in (0, 1)]
    rows = np.cumsum(np.bincount(group[side >= 0], minlength=len(distinct)))
    below = np.cumsum(np.stack(weights_at), axis=1)[:, :-1]
    fits = (rows[:-1] >= _MIN_ROWS) & (rows[-1] - rows[:-1] >= _MIN_ROWS)
    best, chosen = float(sides.max()), None
    slack = _TIE * float(sides.sum())
    for index in np.flatnonzero(fits).tolist():
        straight = float(below[0, index] + sides[1] - below[1, index])
        # rpart's order: below the cut to the second branch first.
        for is_flipped, agreed in ((True, float(sides.sum()) - straight), (False, straight)):
            if agreed - best > slack:
                best, chosen = agreed, (index, is_flipped)
    if chosen is None:
        return None
    index, is_flipped = chosen
    low, high = float(distinct[index]), float(distinct[index + 1])
    return best, Threshold(position, midpoint(low, high)), is_flipped


def _best_levels(
    position: int,
    column: Column,
    branch: npt.NDArray[np.int32],
    weights: Floats,
    sides: Floats,
    min_rows: int = _MIN_ROWS,
) -> Agreed | None:
    """Each level goes to the branch where it has more weight."""
    codes, n_levels = column.values, len(column.levels)
    both = (codes >= 0) & (branch >= 0)
    weights_at = [
        np.bincount(codes[both & (branch == b)], weights=weights[both & (branch == b)], minlength=n_levels)
        for b in (0, 1)
    ]
    rows = np.bincount(codes[both], minlength=n_levels)
    slack = _TIE * float(sides.sum())
    majority = 0 if sides[0] - sides[1] > slack else 1
    apart = weights_at[0] - weights_at[1]
    side = np.where(np.abs(apart) <= slack, majority, np.where(apart > 0, 0, 1))
    present = rows > 0
    sent = np.bincount(side[present], weights=rows[present], minlength=2)
    if sent.min() < min_rows:
        return None
    inside, outside = (tuple(np.flatnonzero(present & (side == b)).tolist()) for b in (0, 1))
    agreed = float(sum(weights_at[b][side == b].sum() for b in (0, 1)))
    return agreed, Subset(position, inside, outside, n_levels), False
