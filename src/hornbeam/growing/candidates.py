"""The best question about every column at one node, without growing a tree.

One search of the whole node by the core, or by the reference implementation where a part has no kernel. Questions that
the rule between columns excludes, such as those of less than average gain in C4.5, are searched column by column.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.growing import in_core, in_python
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData
from hornbeam.number_text import short_number_text
from hornbeam.parts.cache import Cache
from hornbeam.parts.node import Floats, Sample, sum_by_group
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.pure import Pure
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Question
from hornbeam.tree.text_tables import aligned_text


@dataclasses.dataclass(frozen=True, eq=False)
class BranchStatistics:
    """The rows of one branch: their number, weight and statistics, as a node of a tree stores them.

    `stats` are the weights of the classes, or weight, mean and sum of squared deviations of a numeric target.
    """

    rows: int
    weight: float
    stats: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class Candidate:
    """The best question about a column, with its gain, its score and its branches.

    Rows whose value is missing are in no branch: `missing` are their number. `is_excluded`: the method's rule between
    columns does not allow the question.
    """

    question: Question
    gain: float
    score: float
    branches: tuple[BranchStatistics, ...]
    missing: int
    is_excluded: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Candidates:
    """The best questions about the columns of a node, the best first; `rows` is the number of rows of the node."""

    schema: Schema
    rows: int
    questions: tuple[Candidate, ...]

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.questions)

    def __getitem__(self, index: int) -> Candidate:
        return self.questions[index]

    def __str__(self) -> str:
        lines = [["question", "gain", "score", "rows"]]
        for each in self.questions:
            sizes = " ".join(f"{branch.rows:,}" for branch in each.branches)
            numbers = [short_number_text(each.gain), short_number_text(each.score)]
            note = " excluded" if each.is_excluded else ""
            lines.append([each.question.text(self.schema), *numbers, f"{sizes}{note}"])
        return aligned_text(lines)


def search_method(method: Method, n_columns: int) -> Method:
    """The method of one search: a stump with all questions, of stops only those that limit the questions."""
    kept = tuple(stop for stop in method.stops if isinstance(stop, (MinLeaf, Pure)))
    return dataclasses.replace(
        method,
        stops=(*kept, MaxDepth(depth=1)),
        competitors=n_columns,
        max_features=None,
        first_question=None,
        collapse=False,
    )


def candidates_of(start: PreparedData, threads: int = 0) -> Candidates:
    """The best question about every column of a sample; `start` is prepared with a `search_method`."""
    found = list(_questions(_stump(start, threads)))
    listed = [_candidate(start, *each) for each in found]
    excluded = [_candidate(start, *each, is_excluded=True) for each in _excluded(start, found, threads)]
    listed += sorted(excluded, key=lambda each: -each.score)
    return Candidates(start.table.schema, start.sample.n_rows, tuple(listed))


def _stump(start: PreparedData, threads: int) -> Tree:
    return in_python.grow_prepared(start) if without_kernel(start) else in_core.grow(start, threads=threads)


def _questions(stump: Tree) -> Iterator[tuple[Question, float, float]]:
    """The question of the root and its competitors, each with gain and score."""
    nodes = stump.nodes
    if nodes.first_child[0] >= 0:
        yield stump.question(0), float(nodes.gain[0]), float(nodes.score[0])
        yield from stump.competitors(0)


def _excluded(
    start: PreparedData, found: list[tuple[Question, float, float]], threads: int
) -> Iterator[tuple[Question, float, float]]:
    """The best questions about the columns that the search of all columns did not list."""
    sample, searches = start.sample, start.method.searches
    if (sample.target == sample.target[0]).all() or any(each.uses_many_columns for each in searches):
        return
    listed = {column for question, _, _ in found for column in question.columns}
    for position in range(len(sample.columns)):
        if position in listed:
            continue
        alone = _stump(dataclasses.replace(start, sample=_column_alone(sample, position)), threads)
        moved = dataclasses.replace(alone.questions, column=np.full_like(alone.questions.column, position))
        yield from itertools.islice(_questions(dataclasses.replace(alone, questions=moved)), 1)


def _column_alone(sample: Sample, position: int) -> Sample:
    only = slice(position, position + 1)
    return dataclasses.replace(
        sample,
        columns=sample.columns[only],
        column_costs=sample.column_costs[only],
        fill_values=sample.fill_values[only],
        cache=Cache(),
    )


def _candidate(
    start: PreparedData, question: Question, gain: float, score: float, *, is_excluded: bool = False
) -> Candidate:
    branch = question.branch(start.sample.columns)
    n_missing = int(np.count_nonzero(branch < 0))
    branches = _branch_statistics(start, branch if not n_missing else branch + 1, question.n_branches + bool(n_missing))
    return Candidate(question, gain, score, branches[bool(n_missing) :], n_missing, is_excluded)


def _branch_statistics(start: PreparedData, branch: npt.NDArray[Any], n: int) -> tuple[BranchStatistics, ...]:
    sample = start.sample
    if sample.n_classes:
        cell = branch.astype(np.int64) * sample.n_classes + sample.target
        counted = np.bincount(cell, minlength=n * sample.n_classes)
        is_unit = bool((sample.weights[:1] == 1.0).all()) and sample.weights.strides == (0,)
        weights = counted if is_unit else sum_by_group(cell, sample.weights, n * sample.n_classes)
        counts = weights.reshape(n, -1) * start.factors
        rows = counted.reshape(n, -1).sum(axis=1).tolist()
        return tuple(BranchStatistics(size, float(stats.sum()), stats) for size, stats in zip(rows, counts))
    rows = np.bincount(branch, minlength=n).tolist()
    weight = sum_by_group(branch, sample.weights, n)
    mean = _fraction(sum_by_group(branch, sample.weights * sample.target, n), weight)
    squares = sum_by_group(branch, sample.weights * (sample.target - mean[branch]) ** 2, n)
    moments = np.stack([weight, mean, squares], axis=1)
    return tuple(BranchStatistics(size, float(stats[0]), stats) for size, stats in zip(rows, moments))


def _fraction(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return found
