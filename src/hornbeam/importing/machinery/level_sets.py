"""LevelSet: the test of a node whether a level is in a set, with the branches of missing and of unseen levels.

A `Subset` needs a level in both branches. Where a source's set holds all levels of the column or none, the column gets
one more level, which no row has (`levels_with_rest`).

A level that the model does not know follows the rule for missing values. Where a source sends unseen and missing values
to different branches, the node has a surrogate: "is the value missing?" is defined for both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from hornbeam.errors import ModelFileError
from hornbeam.table.table import Schema
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.is_missing import IsMissing
from hornbeam.tree.questions.subset import Subset

MAX_ENTRIES = 1 << 26  # levels of all sets of one model: limits the memory that a small file can take
REST = "(no level)"
REST_NUMBER = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class LevelSet:
    """Branch 0 iff the level code is in `inside`; `unseen` is the branch of levels that the model does not know."""

    column: int
    inside: frozenset[int]
    unseen: int

    def question(self, schema: Schema, missing: int) -> tuple[Question, list[tuple[Question, bool]]]:
        """The question, and the surrogates that separate unseen from missing values."""
        levels = schema.columns[self.column].levels
        n = len(levels)
        known = range(n - 1 if levels and levels[-1] in (REST, REST_NUMBER) else n)
        inside = tuple(code for code in known if code in self.inside) or (n - 1,)
        outside = tuple(code for code in known if code not in self.inside) or (n - 1,)
        separated = [] if missing == self.unseen else [(IsMissing(self.column, n), missing == 1)]
        return Subset(self.column, inside, outside, n), list(separated)


def levels_with_rest(levels: Sequence[Any], sets: Iterable[frozenset[int]], place: str) -> tuple[Any, ...]:
    """The levels of a column; with one more if a set holds all of them or none."""
    sets = list(sets)
    if len(sets) * len(levels) > MAX_ENTRIES:
        raise ModelFileError(
            f"{place} has {len(levels)} levels in {len(sets)} sets; at most {MAX_ENTRIES} entries are supported."
        )
    known = frozenset(range(len(levels)))
    if all(0 < len(each & known) < len(levels) for each in sets):
        return tuple(levels)
    return (*levels, REST if any(isinstance(level, str) for level in levels) else REST_NUMBER)
