"""Conjunctions of questions about different columns, such as "size > 20 and colour = green".

    pool      the questions about single columns that the other searches found, and their opposites: at most `pool`
              literals, by score; questions of many branches are none
    beam      the `beam` best literals; each is combined with every literal about another column, and the combinations
              that score more than their parts are extended, the `beam` best of them, up to `length` literals

Ties go to the literals that come first: by column, the question before its opposite (definition 1.4). A row is in
branch 0 if all literals are true, in branch 1 if one is false; otherwise its branch is unknown. The best question about
one column competes, and wins a tie.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.options import option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Floats, Limits, NodeView
from hornbeam.parts.ranking import best_first
from hornbeam.parts.searches.machinery.binary_questions import Marks, ScoredQuestions, score_questions
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.table.column import Kind
from hornbeam.tree.questions import Combined, Literal

# Kinds of questions that have two branches by chance only.
_OF_MANY_BRANCHES = ("multiway", "intervals")

# The indices of a conjunction's literals in the pool, ascending.
Indices = tuple[int, ...]


@dataclass(frozen=True)
class Conjunctions(ManyColumnSearch):
    """Several questions about different columns that must all be true."""

    name: ClassVar[str] = "conjunctions"
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    rank: ClassVar[int] = 5
    length: int = option(2, "maximum number of questions in a conjunction", at_least=2, at_most=16)
    beam: int = option(5, "number of conjunctions that are extended at a time", at_least=1, at_most=1000)
    pool: int = option(
        32, "maximum number of single questions and opposites that are combined", at_least=2, at_most=1000
    )

    def can_use(self, node: NodeView, column: int) -> bool:
        """Whether another search may still find a question about the column."""
        return column not in node.used_columns

    def varies(self, node: NodeView, column: int) -> bool:
        """Never: the other searches decide, whose questions it combines."""
        return False

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """None: there are no literals without candidates."""
        return None

    def with_candidates(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        found: Sequence[Candidate],
    ) -> Candidate | None:
        """The best conjunction of two or more literals."""
        literals = literals_of(node, found, criterion, self.pool)
        if len({literal.question.columns for literal in literals}) < 2:
            return None
        tolerance = criterion.tolerance(node.stats, node.targets)
        search = _Beam(node, literals, criterion, limits, tolerance)
        best: _Found | None = None
        beam = search.single()[: self.beam]
        for _ in range(1, self.length):
            beam = search.longer(beam)[: self.beam]
            if not beam:
                break
            if best is None or beam[0].score - best.score > tolerance:
                best = beam[0]
        if best is None:
            return None
        question = search.question(best.indices)
        return best.scored.candidate(node, best.row, question, criterion)


def literals_of(node: NodeView, found: Sequence[Candidate], criterion: Criterion, most: int) -> list[Literal]:
    """The questions of two branches and their opposites, in the order of columns; at most `most`, by score."""
    usable = [each for each in found if each.question.n_branches == 2 and each.question.kind not in _OF_MANY_BRANCHES]
    tolerance = criterion.tolerance(node.stats, node.targets)
    ranked = best_first(np.array([candidate.score for candidate in usable]), tolerance)
    kept = sorted(ranked[: max(1, most // 2)].tolist())
    return [Literal(usable[index].question, negated) for index in kept for negated in (False, True)]


@dataclasses.dataclass(frozen=True, eq=False)
class _Found:
    """A conjunction: its literals, its score, and its row among the scored questions."""

    indices: Indices
    score: float
    scored: ScoredQuestions
    row: int


class _Beam:
    """The literals of a node with the rows where they are true and where they are false."""

    def __init__(
        self, node: NodeView, literals: list[Literal], criterion: Criterion, limits: Limits, tolerance: float
    ) -> None:
        self.node, self.literals, self.criterion, self.limits = node, literals, criterion, limits
        self.tolerance = tolerance
        named = sorted({column for literal in literals for column in literal.question.columns})
        data = [column.take(node.rows[:0]) for column in node.sample.columns]
        for column in named:
            data[column] = node.sample.columns[column].take(node.rows)
        branch = np.array([literal.question.branch(data) for literal in literals])
        negated = np.array([literal.negated for literal in literals])[:, None]
        self.yes: Marks = np.where(negated, branch == 1, branch == 0)
        self.no: Marks = np.where(negated, branch == 0, branch == 1)

    def question(self, indices: Indices) -> Combined:
        """The question of a conjunction."""
        return Combined(tuple(self.literals[index] for index in indices))

    def single(self) -> list[_Found]:
        """The literals, best first. A literal with a branch that is too small may still be part of a conjunction."""
        found = score_questions(self.node, self.yes, self.no, self.criterion, Limits())
        return self._ranked([(index,) for index in range(len(self.literals))], found, np.full(len(self.yes), -np.inf))

    def longer(self, beam: list[_Found]) -> list[_Found]:
        """The conjunctions of one more literal that score more than their parts, best first."""
        minimum: dict[Indices, float] = {}
        for each in beam:
            used = {self.literals[index].question.columns for index in each.indices}
            for index, literal in enumerate(self.literals):
                if literal.question.columns not in used:
                    extended = tuple(sorted((*each.indices, index)))
                    minimum[extended] = min(each.score, minimum.get(extended, np.inf))
        if not minimum:
            return []
        sets = sorted(minimum)
        yes = np.array([self.yes[list(indices)].all(axis=0) for indices in sets])
        no = np.array([self.no[list(indices)].any(axis=0) for indices in sets])
        found = score_questions(self.node, yes, no, self.criterion, self.limits)
        found.record(self.node, lambda index: self.question(sets[index]))
        return self._ranked(sets, found, np.array([minimum[indices] for indices in sets]))

    def _ranked(self, sets: Sequence[Indices], found: ScoredQuestions, minimum: Floats) -> list[_Found]:
        """The conjunctions that score more than their minimum, best first; ties up to rounding keep their order."""
        kept = np.flatnonzero(np.isfinite(found.scores))
        kept = kept[found.scores[kept] - minimum[kept] > self.tolerance]
        order = kept[best_first(found.scores[kept], self.tolerance)].tolist()
        return [_Found(sets[index], float(found.scores[index]), found, index) for index in order]
