"""The values that lead to a leaf, as boxes: per column an interval, a set of levels, or a missing value.

    number    low < x <= high
    levels    a set of codes
    missing   None where either is accepted, True or False where the path requires it

A conjunction that is false is a union of boxes, so a leaf may have several. Hyperplanes and spheres have no boxes.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

from hornbeam.errors import InputError
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import (
    Combined,
    Intervals,
    IsMissing,
    Literal,
    Multiway,
    Named,
    Question,
    Subset,
    Threshold,
)
from hornbeam.tree.walk import path

_MAX_BOXES = 4096


@dataclasses.dataclass(frozen=True)
class ColumnBounds:
    """The condition of a box on one column."""

    low: float = -math.inf
    high: float = math.inf
    levels: frozenset[int] | None = None
    is_missing: bool | None = None

    def within(self, other: ColumnBounds) -> ColumnBounds | None:
        """The conjunction of both conditions; None if no value satisfies it."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        levels = self.levels if other.levels is None else other.levels if self.levels is None else None
        if self.levels is not None and other.levels is not None:
            levels = self.levels & other.levels
        known = {side.is_missing for side in (self, other)} - {None}
        if len(known) > 1:
            return None
        is_missing = known.pop() if known else None
        needs_value = low > -math.inf or high < math.inf or levels is not None
        if is_missing:
            # Another question on the path needs a known value: rows with a missing one arrive by the missing strategy.
            return ColumnBounds(is_missing=True) if not needs_value else None
        if not low < high or (levels is not None and not levels):
            return None
        return ColumnBounds(low, high, levels, is_missing)


Box = dict[int, ColumnBounds]


def boxes_of(tree: Tree, leaf: int) -> list[Box]:
    """The boxes of a leaf: every row inside one of them that has no missing value ends there."""
    nodes = path(tree, leaf)
    found: list[Box] = [{}]
    for above, node in itertools.pairwise(nodes):
        branch = node - int(tree.nodes.first_child[above])
        branches = _branch_boxes(tree.question(above), branch, tree.schema)
        found = [joined for box in found for each in branches if (joined := _both(box, each)) is not None]
        if len(found) > _MAX_BOXES:
            raise InputError(f"Leaf {leaf} has more than {_MAX_BOXES} boxes.", leaf=leaf)
    return found


def _both(box: Box, other: Box) -> Box | None:
    out = dict(box)
    for column, side in other.items():
        joined = out[column].within(side) if column in out else side
        if joined is None:
            return None
        out[column] = joined
    return out


def _branch_boxes(question: Question, branch: int, schema: Schema) -> list[Box]:
    """The boxes whose rows take a branch of one question."""
    if isinstance(question, Named):
        return _branch_boxes(question.question, branch, schema)
    if branch >= question.n_branches and len(question.columns) == 1:  # the branch of missing values
        return [{question.columns[0]: ColumnBounds(is_missing=True)}]
    if isinstance(question, (Threshold, Intervals)):
        cuts = (question.cut,) if isinstance(question, Threshold) else question.cuts
        low = -math.inf if branch == 0 else cuts[branch - 1]
        high = math.inf if branch == len(cuts) else cuts[branch]
        return [{question.column: ColumnBounds(low, high, is_missing=False)}]
    if isinstance(question, (Subset, Multiway)):
        if isinstance(question, Subset):
            codes = question.inside if branch == 0 else question.outside
        else:
            codes = tuple(code for code, b in enumerate(question.branch_of) if b == branch)
        return [{question.column: ColumnBounds(levels=frozenset(codes), is_missing=False)}]
    if isinstance(question, IsMissing):
        return [{question.column: ColumnBounds(is_missing=branch == 0)}]
    if isinstance(question, Combined):
        return _combined(question, branch, schema)
    raise InputError(
        "A counterfactual requires questions about single columns, or combinations of them; this tree has another: "
        f"{question.text(schema)}."
    )


def _combined(question: Combined, branch: int, schema: Schema) -> list[Box]:
    """All literals true, or one of them false (for `any`: all false, or one of them true)."""

    def of(literal: Literal, holds: bool) -> list[Box]:
        return _branch_boxes(literal.question, 0 if holds != literal.negated else 1, schema)

    if question.is_any == (branch == 0):
        return [box for literal in question.literals for box in of(literal, branch == 0)]
    found: list[Box] = [{}]
    for literal in question.literals:
        found = [both for box in found for each in of(literal, branch == 0) if (both := _both(box, each)) is not None]
    return found
