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
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.forms import Cuts, Form, Junction, LevelMap, form_of
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
    if branch >= question.n_branches and len(question.columns) == 1:  # a separate branch for missing values
        return [{question.columns[0]: ColumnBounds(is_missing=True)}]
    found = _form_boxes(form_of(question), branch)
    if found is None:
        raise InputError(
            "The smallest change is found for questions about one column at a time; this tree has one about several: "
            f"{question.text(schema)}."
        )
    return found


def _form_boxes(form: Form, branch: int) -> list[Box] | None:
    """The boxes of one branch by the encoding of a question; None where it has no boxes."""
    if isinstance(form, Cuts):
        if branch == form.missing_answer:
            return [{form.column: ColumnBounds(is_missing=True)}]
        place = branch - form.first
        low = -math.inf if place == 0 else form.cuts[place - 1]
        high = math.inf if place == len(form.cuts) else form.cuts[place]
        return [{form.column: ColumnBounds(low, high, is_missing=False)}]
    if isinstance(form, LevelMap):
        return [{form.column: ColumnBounds(levels=frozenset(form.levels(branch)), is_missing=False)}]
    return _junction_boxes(form, branch) if isinstance(form, Junction) else None


def _junction_boxes(form: Junction, branch: int) -> list[Box] | None:
    """All literals together, or one of them that fails (for `is_any`: one that is true, or all that fail)."""
    each = [
        _form_boxes(literal, int(negated) if branch == 0 else 1 - int(negated)) for literal, negated in form.literals
    ]
    boxes = [found for found in each if found is not None]
    if len(boxes) < len(each):
        return None
    if form.is_any == (branch == 0):
        return [box for found in boxes for box in found]
    together: list[Box] = [{}]
    for found in boxes:
        together = [both for box in together for other in found if (both := _both(box, other)) is not None]
    return together
