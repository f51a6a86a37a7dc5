"""Which values lead to a leaf?  Every leaf is a box, one side a column: an interval, a set of levels, or missing.

    number    low < x <= high
    levels    a set of codes
    missing   None where either will do, True or False where the path asks for it

A conjunction that fails is a union of boxes, so a leaf may have several. Hyperplanes and spheres have no boxes.
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

_MOST_BOXES = 4096


@dataclasses.dataclass(frozen=True)
class ColumnBounds:
    """What a box asks of one column."""

    low: float = -math.inf
    high: float = math.inf
    levels: frozenset[int] | None = None
    is_missing: bool | None = None

    def within(self, other: ColumnBounds) -> ColumnBounds | None:
        """Both at once; None when nothing satisfies both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        levels = self.levels if other.levels is None else other.levels if self.levels is None else None
        if self.levels is not None and other.levels is not None:
            levels = self.levels & other.levels
        known = {side.is_missing for side in (self, other)} - {None}
        if len(known) > 1:
            return None
        is_missing = known.pop() if known else None
        asks_value = low > -math.inf or high < math.inf or levels is not None
        if is_missing:
            # A known value is asked for elsewhere on the path: rows with a missing one come here by the rule for them.
            return ColumnBounds(is_missing=True) if not asks_value else None
        if not low < high or (levels is not None and not levels):
            return None
        return ColumnBounds(low, high, levels, is_missing)


Box = dict[int, ColumnBounds]


def boxes_of(tree: Tree, leaf: int) -> list[Box]:
    """The boxes of a leaf: every row inside one of them, with known values, ends there."""
    nodes = path(tree, leaf)
    found: list[Box] = [{}]
    for above, node in itertools.pairwise(nodes):
        branch = node - int(tree.nodes.first_child[above])
        ways = _ways(tree.question(above), branch, tree.schema)
        found = [joined for box in found for way in ways if (joined := _both(box, way)) is not None]
        if len(found) > _MOST_BOXES:
            raise InputError(f"Leaf {leaf} has more than {_MOST_BOXES} boxes.", leaf=leaf)
    return found


def _both(box: Box, other: Box) -> Box | None:
    out = dict(box)
    for column, side in other.items():
        joined = out[column].within(side) if column in out else side
        if joined is None:
            return None
        out[column] = joined
    return out


def _ways(question: Question, branch: int, schema: Schema) -> list[Box]:
    """The boxes whose rows take a branch of one question."""
    if isinstance(question, Named):
        return _ways(question.question, branch, schema)
    if branch >= question.n_branches and len(question.columns) == 1:  # a branch of their own for missing values
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
        "The smallest change is found for questions about one column at a time; this tree has one about several: "
        f"{question.text(schema)}."
    )


def _combined(question: Combined, branch: int, schema: Schema) -> list[Box]:
    """All literals together, or one of them that fails (or, for `any`, the other way round)."""

    def of(literal: Literal, holds: bool) -> list[Box]:
        return _ways(literal.question, 0 if holds != literal.negated else 1, schema)

    if question.is_any == (branch == 0):
        return [box for literal in question.literals for box in of(literal, branch == 0)]
    found: list[Box] = [{}]
    for literal in question.literals:
        found = [both for box in found for way in of(literal, branch == 0) if (both := _both(box, way)) is not None]
    return found
