"""What if another column is asked instead?  A surrogate sends rows as the first question does (rpart; definition 7.3).

    l, r        weight that the first question sends to branch 0 and 1 (rows with a known answer), M = max(l, r)
    A           weight that a surrogate sends the same way, of rows where both are known
    agree       A / (l + r)                       style "all": its own missing values count as disagreement
                A / weight with both known        style "known"
    adjusted    (agree - M / (l + r)) / (1 - M / (l + r)), M and l + r of the rows that `agree` is taken over

    numeric, ordinal   the cut of most agreement, at least 2 rows on each side, either side may be branch 0
    nominal            each level goes where it has more weight (tie: the majority's side; then branch 1), at least 2
                       rows each way

Every other column offers its best; those with adjusted > 1e-10 are kept, best agreement first, at most `max_surrogates`.
Rows that no surrogate can place follow the branch of larger known weight (on a tie they stay), or stay. Columns are
judged on their known rows as by skip_column. Only questions of two branches have surrogates, and those about many
columns at once need none: they say themselves what stands in for a missing value.

`by = "inference"` finds surrogates as partykit does (`inferred.py`): ranked by a permutation test, at most `max_surrogates`,
whatever they agree in; the plain grower finds them.

rpart asks of a nominal surrogate that 2 rows agree and 2 disagree, where 2 rows each way are meant: it rejects the best
ones and keeps some that set a single row apart. That is not copied, nor that rows stay where it keeps no surrogates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import option
from hornbeam.parts.criteria.machinery.column_tests import STATISTICS
from hornbeam.parts.missing.base import Missing, Surrogate, majority_branch, refuse_many_branches
from hornbeam.parts.missing.machinery.inferred_surrogates import infer_surrogate
from hornbeam.parts.node import Candidate, Floats, NodeView
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.table.column import Column, Kind
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import Subset, Threshold

if TYPE_CHECKING:
    from hornbeam.parts.criteria import Criterion
    from hornbeam.parts.searches import Search

_LEAST_ROWS = 2
_LEAST_ADJUSTED = 1e-10
# Agreements that differ by less than this share of the weight are equal.
_TIE = 1e-10


@dataclass(frozen=True)
class Surrogates(Missing):
    """Ask another column that agrees with the first; at last follow the majority."""

    name: ClassVar[str] = "surrogates"
    max_surrogates: int = option(5, "how many surrogates a node keeps", at_least=0, at_most=1000)
    by: str = option("agreement", "how they are found: rpart's way, or partykit's", choices=("agreement", "inference"))
    teststat: str = option("quadratic", "the statistic of the test, by inference", choices=STATISTICS)
    style: str = option("all", "whether agreement is a share of all rows or of known ones", choices=("all", "known"))
    route: str = option("majority", "where rows go that no surrogate can place", choices=("majority", "stay"))

    def check(self, criterion: Criterion | None, searches: Sequence[Search]) -> None:
        """Raise for searches of many branches."""
        refuse_many_branches(self.name, "stand in for questions of two branches", searches)

    def direction(self, node: NodeView, chosen: Candidate) -> int:
        """The branch of larger known weight; STAY on a tie, or if rows shall stay."""
        low, high = float(chosen.weight.min()), float(chosen.weight.max())
        is_tie = high - low <= _TIE * (high + low)
        return STAY if self.route == "stay" or is_tie else majority_branch(chosen.weight)

    def surrogates(self, node: NodeView, chosen: Candidate) -> list[Surrogate]:
        """The best question of every other column that agrees, best first."""
        if getattr(chosen.question, "fill", ()):
            return []
        columns = node.sample.columns
        asked = {position: columns[position].take(node.rows) for position in chosen.question.columns}
        branch = chosen.question.branch([asked.get(position) for position in range(len(columns))])  # type: ignore[misc]
        others = [position for position in range(len(columns)) if position not in asked]
        if self.by == "inference":
            return self._inferred(node, others, branch)
        found = []
        for position in others:
            offer = self._best(position, columns[position].take(node.rows), branch, node.weights)
            if offer is not None:
                found.append(offer)
        return sorted(found, key=lambda each: -round(each.agree / _TIE))[: self.max_surrogates]

    def _inferred(self, node: NodeView, others: Sequence[int], branch: npt.NDArray[np.int32]) -> list[Surrogate]:
        """Those of the smallest p, as partykit takes them."""
        offers = (
            infer_surrogate(
                position, node.sample.columns[position].take(node.rows), branch, node.weights, self.teststat
            )
            for position in others
        )
        kept = sorted((each for each in offers if each is not None), key=lambda each: each.rank)[: self.max_surrogates]
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
        if int(both.sum()) < 2 * _LEAST_ROWS:
            return None
        find = _best_levels if column.kind is Kind.NOMINAL else _best_cut
        agreed = find(position, column, branch, weights, sides)
        if agreed is None:
            return None
        weight, question, is_flipped = agreed
        if self.style == "all":
            answered = branch >= 0
            sides = np.bincount(branch[answered], weights=weights[answered], minlength=2).astype(np.float64)
        total, majority = float(sides.sum()), float(sides.max())
        if majority >= total:
            return None
        agree = weight / total
        adjusted = (agree - majority / total) / (1 - majority / total)
        return Surrogate(question, is_flipped, agree, adjusted) if adjusted > _LEAST_ADJUSTED else None


def _column_of(question: Threshold | Subset, node: NodeView) -> Column:
    return node.sample.columns[question.column].take(node.rows)


Agreed = tuple[float, Threshold | Subset, bool]


def _best_cut(
    position: int, column: Column, branch: npt.NDArray[np.int32], weights: Floats, sides: Floats
) -> Agreed | None:
    """The cut of most agreement. Rows without an answer to the first question only move the midpoints."""
    known = ~column.is_missing
    distinct, group = np.unique(column.values[known].astype(np.float64), return_inverse=True)
    there, weight = branch[known], weights[known]
    held = [np.bincount(group[there == b], weights=weight[there == b], minlength=len(distinct)) for b in (0, 1)]
    rows = np.cumsum(np.bincount(group[there >= 0], minlength=len(distinct)))
    below = np.cumsum(np.stack(held), axis=1)[:, :-1]
    fits = (rows[:-1] >= _LEAST_ROWS) & (rows[-1] - rows[:-1] >= _LEAST_ROWS)
    best, chosen = float(sides.max()), None
    slack = _TIE * float(sides.sum())
    for place in np.flatnonzero(fits).tolist():
        straight = float(below[0, place] + sides[1] - below[1, place])
        # rpart's order: below the cut to the second branch first.
        for is_flipped, agreed in ((True, float(sides.sum()) - straight), (False, straight)):
            if agreed - best > slack:
                best, chosen = agreed, (place, is_flipped)
    if chosen is None:
        return None
    place, is_flipped = chosen
    low, high = float(distinct[place]), float(distinct[place + 1])
    return best, Threshold(position, midpoint(low, high)), is_flipped


def _best_levels(
    position: int,
    column: Column,
    branch: npt.NDArray[np.int32],
    weights: Floats,
    sides: Floats,
    least: int = _LEAST_ROWS,
) -> Agreed | None:
    """Each level to the side where it weighs more."""
    codes, n_levels = column.values, len(column.levels)
    both = (codes >= 0) & (branch >= 0)
    held = [
        np.bincount(codes[both & (branch == b)], weights=weights[both & (branch == b)], minlength=n_levels)
        for b in (0, 1)
    ]
    rows = np.bincount(codes[both], minlength=n_levels)
    slack = _TIE * float(sides.sum())
    majority = 0 if sides[0] - sides[1] > slack else 1
    apart = held[0] - held[1]
    side = np.where(np.abs(apart) <= slack, majority, np.where(apart > 0, 0, 1))
    present = rows > 0
    sent = np.bincount(side[present], weights=rows[present], minlength=2)
    if sent.min() < least:
        return None
    inside, outside = (tuple(np.flatnonzero(present & (side == b)).tolist()) for b in (0, 1))
    agreed = float(sum(held[b][side == b].sum() for b in (0, 1)))
    return agreed, Subset(position, inside, outside, n_levels), False
