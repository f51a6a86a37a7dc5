"""Is every question of a tree sound?  Part of the gate in `validate.py`.

Each kind has one encoding, looks at columns that exist and suit it, and says only finite numbers and branches that
exist.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError
from hornbeam.table.column import Kind
from hornbeam.table.table import Schema
from hornbeam.tree.questions import Encoding, QuestionTable
from hornbeam.tree.questions.base import KIND_NAMES

MOST_LITERALS = 256  # in one combined question, those of nested ones counted: bounds depth and work

_ENCODINGS = {
    "threshold": Encoding.CUTS,
    "intervals": Encoding.CUTS,
    "subset": Encoding.MAP,
    "multiway": Encoding.MAP,
    "is_missing": Encoding.CUTS,
    "hyperplane": Encoding.PLANE,
    "sphere": Encoding.BALL,
    "combined": Encoding.COMBINED,
}
Need = Callable[[npt.NDArray[np.bool_], str, str], None]


@dataclasses.dataclass(frozen=True, eq=False)
class Levels:
    """What questions may look at, found once per schema: the kind of every column and how many levels it has."""

    kinds: npt.NDArray[np.int64]
    counts: list[int]

    @classmethod
    def of(cls, schema: Schema) -> Levels:
        """The columns of a schema."""
        order = list(Kind)
        kinds = np.array([order.index(spec.kind) for spec in schema.columns], dtype=np.int64)
        return cls(kinds, [len(spec.levels) for spec in schema.columns])


def check_questions(table: QuestionTable, levels: Levels, need: Need) -> npt.NDArray[np.int64]:
    """Check all questions; the number of branches of each."""
    _check_frame(table, need)
    _check_names(table, need)
    _check_scalars(table, levels, need)
    branches = np.full(len(table), 2, dtype=np.int64)
    _check_cuts(table, need, branches)
    _check_maps(table, levels, need, branches)
    _check_measured(table, levels, need)
    _check_combined(table, need, branches)
    return branches


def _check_frame(table: QuestionTable, need: Need) -> None:
    """Lengths, pools, kinds and encodings."""
    m = len(table)
    pools = ("whole", "reals")
    for name, array in table.arrays().items():
        wanted = len(array) if name in pools else m + 1 if name.endswith("_start") else m
        if array.shape != (wanted,):
            raise ModelFileError(
                f"Array questions.{name} has shape {array.shape}; ({wanted},) is needed.",
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
        need(np.diff(start) >= 0, f"questions.{name}_start", "pools must follow each other")
    need((table.kind >= 0) & (table.kind < len(KIND_NAMES)), "questions.kind", "the kind is unknown")
    encodings = np.array([_ENCODINGS[name] for name in KIND_NAMES])
    need(table.encoding == encodings[table.kind], "questions.encoding", "the encoding does not suit the kind")


def _check_names(table: QuestionTable, need: Need) -> None:
    names = table.names
    need((table.name >= -1) & (table.name < len(names)), "questions.name", "the name does not exist")
    if list(names) != sorted(set(names)) or set(table.name.tolist()) - {-1} != set(range(len(names))) or "" in names:
        raise ModelFileError("The names of questions must be sorted, different and in use.")


def _of_kind(table: QuestionTable, *kinds: str) -> npt.NDArray[np.bool_]:
    return np.isin(table.kind, [KIND_NAMES.index(kind) for kind in kinds])


def _check_scalars(table: QuestionTable, levels: Levels, need: Need) -> None:
    """The column and the answers of cuts and maps; the others have none."""
    has_column = np.isin(table.encoding, [Encoding.CUTS, Encoding.MAP])
    in_range = (table.column >= 0) & (table.column < len(levels.counts))
    need(np.where(has_column, in_range, table.column == -1), "questions.column", "the column does not exist")
    is_missing = _of_kind(table, "is_missing")
    need(table.first == is_missing, "questions.first", "the first branch must be 0, or 1 for is_missing")
    answer = np.where(is_missing, 0, -1)
    need(table.missing_answer == answer, "questions.missing_answer", "only is_missing answers for missing values")
    kind = np.full(len(table), -1)
    kind[has_column] = levels.kinds[table.column[has_column]]
    for names, refused, words in (
        (("threshold", "intervals"), Kind.NOMINAL, "a nominal column has no order to cut"),
        (("subset", "multiway"), Kind.NUMERIC, "a numeric column has no levels"),
    ):
        wrong = _of_kind(table, *names) & (kind == list(Kind).index(refused))
        need(~wrong, "questions.column", words)


def _check_cuts(table: QuestionTable, need: Need, branches: npt.NDArray[np.int64]) -> None:
    lengths = np.diff(table.reals_start)
    whole = np.diff(table.whole_start)
    wanted = np.where(_of_kind(table, "threshold"), lengths == 1, True)
    wanted &= np.where(_of_kind(table, "intervals"), lengths >= 1, True)
    wanted &= np.where(_of_kind(table, "is_missing", "subset", "multiway", "combined"), lengths == 0, True)
    need(wanted, "questions.reals_start", "the question has another number of cuts")
    wanted = np.where(_of_kind(table, "threshold", "intervals"), whole == 0, True)
    need(
        wanted & np.where(_of_kind(table, "is_missing"), whole == 1, True), "questions.whole_start", "lengths are wrong"
    )
    owner = np.repeat(np.arange(len(table)), lengths)
    is_cuts = _of_kind(table, "threshold", "intervals")
    finite = np.isfinite(table.reals) | (np.isneginf(table.reals) & is_cuts[owner])
    need(_every(finite, owner, len(table)), "questions.reals", "a number of it is not finite")
    rising = (table.reals[1:] > table.reals[:-1]) | (np.diff(owner) > 0) | ~is_cuts[owner[1:]]
    need(_every(rising, owner[1:], len(table)), "questions.reals", "cuts must rise")
    branches[is_cuts] = lengths[is_cuts] + 1


def _every(holds: npt.NDArray[np.bool_], owner: npt.NDArray[Any], count: int) -> npt.NDArray[np.bool_]:
    """Per owner: whether all of its entries hold."""
    out: npt.NDArray[np.bool_] = np.bincount(owner[~holds], minlength=count) == 0
    return out


def _check_maps(table: QuestionTable, levels: Levels, need: Need, branches: npt.NDArray[np.int64]) -> None:
    n_levels = levels.counts
    fits = np.ones(len(table), dtype=np.bool_)
    for row in np.flatnonzero(_of_kind(table, "is_missing")).tolist():
        fits[row] = table.whole_of(row)[0] == n_levels[table.column[row]]
    need(fits, "questions.whole", "is_missing must know the number of levels")
    is_subset = _of_kind(table, "subset")
    for row in np.flatnonzero(_of_kind(table, "subset", "multiway")).tolist():
        of_level = table.whole_of(row)
        used = np.unique(of_level)
        used = used[used != -1]
        count = len(used)
        fits[row] = (
            len(of_level) == n_levels[table.column[row]] and count >= 2 and used[0] == 0 and used[-1] == count - 1
        )
        fits[row] &= not is_subset[row] or count == 2
        branches[row] = count
    need(fits, "questions.whole", "every branch needs a level, and every level of the column a branch or none")


def _check_measured(table: QuestionTable, levels: Levels, need: Need) -> None:
    """Hyperplanes and spheres: numeric columns, each once; as many numbers as they take."""
    is_numeric = levels.kinds == list(Kind).index(Kind.NUMERIC)
    good_terms = np.ones(len(table), dtype=np.bool_)
    good_reals = np.ones(len(table), dtype=np.bool_)
    for row in np.flatnonzero(_of_kind(table, "hyperplane", "sphere")).tolist():
        terms, reals = table.whole_of(row), table.reals_of(row)
        n = len(terms)
        in_range = n > 0 and terms.min() >= 0 and terms.max() < len(levels.counts)
        good_terms[row] = in_range and len(np.unique(terms)) == n and bool(is_numeric[terms].all())
        # What stands in for missing values may follow, one number a column.
        if table.encoding[row] == Encoding.PLANE:
            good_reals[row] = len(reals) in (n + 1, 2 * n + 1) and bool(np.any(reals[:n] != 0))
        else:
            is_long = len(reals) in (2 * n + 1, 3 * n + 1)
            good_reals[row] = is_long and bool(np.all(reals[n : 2 * n] > 0)) and reals[2 * n] >= 0
    need(good_terms, "questions.whole", "its columns must be numeric, exist and stand there once")
    need(good_reals, "questions.reals", "weights, scales or radius are wrong in number or sign")


def _check_combined(table: QuestionTable, need: Need, branches: npt.NDArray[np.int64]) -> None:
    """Literals come before the question, are binary and stand there once."""
    fits = np.ones(len(table), dtype=np.bool_)
    literals = np.zeros(len(table), dtype=np.int64)
    for row in np.flatnonzero(_of_kind(table, "combined")).tolist():
        whole = table.whole_of(row).astype(np.int64)
        asked, negated = whole[1::2], whole[2::2]
        is_framed = (
            len(whole) >= 3 and len(whole) % 2 == 1 and whole[0] in (0, 1) and bool(np.isin(negated, (0, 1)).all())
        )
        fits[row] = is_framed and asked.min() >= 0 and asked.max() < row and len(np.unique(asked)) == len(asked)
        if fits[row]:
            literals[row] = 1 + np.maximum(literals[asked], 1).sum()
            fits[row] = bool((branches[asked] == 2).all()) and literals[row] <= MOST_LITERALS
    need(
        fits, "questions.whole", f"a combined question takes up to {MOST_LITERALS} binary questions that come before it"
    )
