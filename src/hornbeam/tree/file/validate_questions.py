"""Checks the questions of a tree; part of `validate.py`.

The rules depend on the encoding alone, so they apply to kinds from other packages too: columns exist and have the right
type, all numbers are finite, all branches exist. Then the class of each kind decides whether a row is one of its own
(`Question.accepts`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, ModelFileError
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema
from hornbeam.tree.questions import Encoding, Question, QuestionTable, question_kind

MAX_LITERALS = 256  # in one combined question, including those of nested ones: limits depth and work

Need = Callable[[npt.NDArray[np.bool_], str, str], None]
Mask = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True, eq=False)
class Levels:
    """The kind and the number of levels of each column, computed once per schema."""

    kinds: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, schema: Schema) -> Levels:
        """The columns of a schema."""
        order = list(Kind)
        kinds = np.array([order.index(spec.kind) for spec in schema.columns], dtype=np.int64)
        return cls(kinds, np.array([len(spec.levels) for spec in schema.columns], dtype=np.int64))


def check_questions(table: QuestionTable, levels: Levels, need: Need) -> npt.NDArray[np.int64]:
    """Check all questions; return the number of branches of each."""
    _check_frame(table, need)
    _check_names(table, need)
    classes = _check_kinds(table, need)
    branches = np.full(len(table), 2, dtype=np.int64)
    _check_columns(table, levels, need)
    _check_cuts(table, levels, need, branches)
    _check_maps(table, levels, need, branches)
    _check_planes_and_balls(table, levels, need)
    _check_combined(table, need, branches)
    for code, kind in classes.items():
        rows = np.flatnonzero(table.kind == code)
        fits = np.ones(len(table), dtype=np.bool_)
        fits[rows] = kind.accepts(table, rows)
        need(fits, "questions.kind", f"the arrays are not those of a question of the kind {kind.kind}")
    return branches


def _check_frame(table: QuestionTable, need: Need) -> None:
    """Lengths and pools."""
    m = len(table)
    pools = ("whole", "reals")
    for name, array in table.arrays().items():
        length = len(array) if name in pools else m + 1 if name.endswith("_start") else m
        if array.shape != (length,):
            raise ModelFileError(
                f"Array questions.{name} has shape {array.shape}; ({length},) is needed.",
                array=f"questions.{name}",
                index=0,
            )
    for name in pools:
        start = getattr(table, f"{name}_start")
        if start[0] != 0 or start[-1] != len(getattr(table, name)):
            raise ModelFileError(
                f"Pool questions.{name} must be used from its beginning to its end.",
                array=f"questions.{name}_start",
                index=0,
            )
        need(np.diff(start) >= 0, f"questions.{name}_start", "the ranges of a pool must follow each other")


def _check_names(table: QuestionTable, need: Need) -> None:
    names = table.names
    need((table.name >= -1) & (table.name < len(names)), "questions.name", "the name does not exist")
    if list(names) != sorted(set(names)) or set(table.name.tolist()) - {-1} != set(range(len(names))) or "" in names:
        raise ModelFileError("The names of questions must be sorted, different and in use.")


def _check_kinds(table: QuestionTable, need: Need) -> dict[int, type[Question]]:
    """The classes of the kinds in use, by number; each has the encoding that the table states."""
    need((table.kind >= 0) & (table.kind < len(table.kinds)), "questions.kind", "the kind does not exist")
    classes: dict[int, type[Question]] = {}
    for code in np.unique(table.kind).tolist():
        try:
            classes[code] = question_kind(table.kinds[code])
        except InputError as error:
            raise ModelFileError(error.message, hint=error.hint, array="questions.kind") from None
        encoding = getattr(classes[code], "encoding", None)
        is_same = np.zeros(len(table), dtype=np.bool_) if encoding is None else table.encoding == encoding
        need((table.kind != code) | is_same, "questions.encoding", "the kind has another encoding")
    return classes


def _check_columns(table: QuestionTable, levels: Levels, need: Need) -> None:
    """CUTS and MAP have one column, the others none; only CUTS may have a branch for missing values."""
    has_column = np.isin(table.encoding, [Encoding.CUTS, Encoding.MAP])
    in_range = (table.column >= 0) & (table.column < len(levels.counts))
    need(np.where(has_column, in_range, table.column == -1), "questions.column", "the column does not exist")
    may_be_one = (table.first == 0) | ((table.first == 1) & (table.encoding == Encoding.CUTS))
    need(may_be_one, "questions.first", "the first branch must be 0, or 1 where missing values have branch 0")
    need(
        table.missing_answer == np.where(table.first == 1, 0, -1),
        "questions.missing_answer",
        "missing values have branch 0 where the first branch is 1, and no branch elsewhere",
    )


def _check_cuts(table: QuestionTable, levels: Levels, need: Need, branches: npt.NDArray[np.int64]) -> None:
    is_cuts = table.encoding == Encoding.CUTS
    n_cuts, n_whole = np.diff(table.reals_start), np.diff(table.whole_start)
    has_reals = np.isin(table.encoding, [Encoding.CUTS, Encoding.PLANE, Encoding.BALL])
    need(has_reals | (n_cuts == 0), "questions.reals_start", "this encoding has no floats")
    need(~is_cuts | (n_cuts + table.first >= 1), "questions.reals_start", "a question needs two branches or more")
    nominal = np.zeros(len(table), dtype=np.bool_)
    nominal[is_cuts] = levels.kinds[table.column[is_cuts]] == list(Kind).index(Kind.NOMINAL)
    need(~nominal | (n_cuts == 0), "questions.column", "a nominal column has no order to cut")
    need(~is_cuts | (n_whole <= 1), "questions.whole_start", "cuts have one integer at most")
    has_count = np.flatnonzero(is_cuts & (n_whole == 1))
    fits = np.ones(len(table), dtype=np.bool_)
    fits[has_count] = table.whole[table.whole_start[has_count]] == levels.counts[table.column[has_count]]
    need(fits, "questions.whole", "its integer must be the number of levels of the column")
    owner = np.repeat(np.arange(len(table)), n_cuts)
    finite = np.isfinite(table.reals) | (np.isneginf(table.reals) & is_cuts[owner])
    need(_all_of_owner(finite, owner, len(table)), "questions.reals", "one of its numbers is not finite")
    ascending = (table.reals[1:] > table.reals[:-1]) | (np.diff(owner) > 0) | ~is_cuts[owner[1:]]
    need(_all_of_owner(ascending, owner[1:], len(table)), "questions.reals", "cuts must be ascending")
    branches[is_cuts] = (table.first + n_cuts + 1)[is_cuts]


def _all_of_owner(condition: Mask, owner: npt.NDArray[Any], count: int) -> Mask:
    """For each owner: whether the condition is true for all of its entries."""
    out: Mask = np.bincount(owner[~condition], minlength=count) == 0
    return out


def _check_maps(table: QuestionTable, levels: Levels, need: Need, branches: npt.NDArray[np.int64]) -> None:
    is_map = table.encoding == Encoding.MAP
    numeric = np.zeros(len(table), dtype=np.bool_)
    numeric[is_map] = levels.kinds[table.column[is_map]] == list(Kind).index(Kind.NUMERIC)
    need(~numeric, "questions.column", "a numeric column has no levels")
    fits = np.ones(len(table), dtype=np.bool_)
    for row in np.flatnonzero(is_map).tolist():
        of_level = table.whole_of(row)
        used = np.unique(of_level)
        used = used[used != -1]
        count = len(used)
        fits[row] = len(of_level) == levels.counts[table.column[row]] and count >= 2
        fits[row] &= count >= 2 and used[0] == 0 and used[-1] == count - 1
        branches[row] = count
    need(fits, "questions.whole", "each branch needs a level, and each level of the column a branch or -1")


def _check_planes_and_balls(table: QuestionTable, levels: Levels, need: Need) -> None:
    """Numeric columns, each once; the right number of floats."""
    is_numeric = levels.kinds == list(Kind).index(Kind.NUMERIC)
    good_columns = np.ones(len(table), dtype=np.bool_)
    good_reals = np.ones(len(table), dtype=np.bool_)
    for row in np.flatnonzero(np.isin(table.encoding, [Encoding.PLANE, Encoding.BALL])).tolist():
        columns, reals = table.whole_of(row), table.reals_of(row)
        n = len(columns)
        in_range = n > 0 and columns.min() >= 0 and columns.max() < len(levels.counts)
        good_columns[row] = in_range and len(np.unique(columns)) == n and bool(is_numeric[columns].all())
        # One value per column that replaces missing values may follow.
        if table.encoding[row] == Encoding.PLANE:
            good_reals[row] = len(reals) in (n + 1, 2 * n + 1) and bool(np.any(reals[:n] != 0))
        else:
            has_length = len(reals) in (2 * n + 1, 3 * n + 1)
            good_reals[row] = has_length and bool(np.all(reals[n : 2 * n] > 0)) and reals[2 * n] >= 0
    need(good_columns, "questions.whole", "its columns must exist, be numeric and appear once")
    need(good_reals, "questions.reals", "weights, scales or radius have the wrong number or sign")


def _check_combined(table: QuestionTable, need: Need, branches: npt.NDArray[np.int64]) -> None:
    """Literals come before the question, are binary and appear once."""
    fits = np.ones(len(table), dtype=np.bool_)
    literals = np.zeros(len(table), dtype=np.int64)
    for row in np.flatnonzero(table.encoding == Encoding.COMBINED).tolist():
        whole = table.whole_of(row).astype(np.int64)
        inside, negated = whole[1::2], whole[2::2]
        has_frame = len(whole) >= 3 and len(whole) % 2 == 1 and whole[0] in (0, 1)
        has_frame = has_frame and bool(np.isin(negated, (0, 1)).all())
        fits[row] = has_frame and inside.min() >= 0 and inside.max() < row and len(np.unique(inside)) == len(inside)
        if fits[row]:
            literals[row] = 1 + np.maximum(literals[inside], 1).sum()
            fits[row] = bool((branches[inside] == 2).all()) and literals[row] <= MAX_LITERALS
    need(fits, "questions.whole", f"a combined question has up to {MAX_LITERALS} binary questions that come before it")
