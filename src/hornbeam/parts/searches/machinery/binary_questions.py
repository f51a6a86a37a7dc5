"""Scores of many questions of two branches at once, from matrices of bits: one row per question, one column per row.

`yes` and `no` mark the rows of branch 0 and branch 1; a row marked in neither has no known branch: it is excluded, and
the score is multiplied by the fraction of weight whose branch is known (definition 7.2). Sums over rows are products of
the marks with the statistics of the rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Groups, Integers, Limits, NodeView, TriedCandidate
from hornbeam.parts.searches.machinery.candidates import make_candidate
from hornbeam.tree.questions import Question

Marks = npt.NDArray[np.bool_]

# Marks are converted to floats in blocks of at most this many.
_BLOCK = 4_000_000


@dataclasses.dataclass(frozen=True, eq=False)
class ScoredQuestions:
    """Questions with the statistics (C, 2, S), rows and weight (C, 2) of their branches, and their scores.

    The score of a question whose branches are too small is minus infinity.
    """

    branches: Floats
    rows: Integers
    weight: Floats
    unknown: Floats
    scores: Floats

    def candidate(self, node: NodeView, index: int, question: Question, criterion: Criterion) -> Candidate:
        """One of the questions as a candidate."""
        groups = Groups(
            values=np.arange(2.0),
            stats=self.branches[index],
            rows=self.rows[index],
            weight=self.weight[index],
            unknown=float(self.unknown[index]),
        )
        return make_candidate(
            node,
            question.columns[0],
            question,
            float(self.scores[index]),
            groups,
            self.branches[index],
            self.rows[index],
            self.weight[index],
            criterion,
            int((self.scores > -np.inf).sum()),
        )

    def record(self, node: NodeView, question: Callable[[int], Question]) -> None:
        """Record every admissible question for the trace."""
        if node.tried_candidates is not None:
            for index in np.flatnonzero(self.scores > -np.inf).tolist():
                each = question(index)
                node.tried_candidates.append(TriedCandidate(each.columns[0], each, float(self.scores[index])))


def score_questions(node: NodeView, yes: Marks, no: Marks, criterion: Criterion, limits: Limits) -> ScoredQuestions:
    """The statistics and the score of every question."""
    marks = np.stack([yes, no], axis=1)
    rows = marks.sum(axis=2).astype(np.int64)
    weight = _summed(marks, node.weights[:, None])[..., 0]
    unknown = np.where(
        rows.sum(axis=1) < node.n_rows, _summed(~(yes | no)[:, None], node.criterion_weights[:, None])[:, 0, 0], 0
    )
    branches = _branches(node, marks)
    scores = np.full(len(yes), -np.inf)
    fits = limits.allows(rows, weight).all(axis=1) & (rows > 0).all(axis=1)
    whole = np.flatnonzero(fits & (rows.sum(axis=1) == node.n_rows))
    if len(whole):
        scores[whole] = criterion.score(node.stats, branches[whole], 0.0, node.targets)
    for index in np.flatnonzero(fits & (rows.sum(axis=1) < node.n_rows)).tolist():
        parent = branches[index].sum(axis=0)
        one = branches[index : index + 1]
        scores[index] = criterion.score(parent, one, float(unknown[index]), node.targets)[0]
    return ScoredQuestions(branches, rows, weight, unknown, scores)


def _branches(node: NodeView, marks: Marks) -> Floats:
    """The statistics of both branches of every question."""
    if node.targets is None:
        return _summed(marks, node.table(np.arange(node.n_rows), node.n_rows))
    # A distribution has one entry per distinct target: too wide for a table of rows.
    found = []
    for yes, no in marks:
        known = yes | no
        found.append(node.table(np.where(yes[known], 0, 1), 2, known))
    return np.array(found)


def _summed(marks: Marks, numbers: Floats) -> Floats:
    """The sums (C, B, S) of the numbers (n, S) over the marked rows (C, B, n)."""
    step = max(1, _BLOCK // max(1, marks.shape[1] * marks.shape[2]))
    blocks = [marks[at : at + step].astype(np.float64) @ numbers for at in range(0, len(marks), step)]
    return np.concatenate(blocks)
