"""How did a row come to its answer, step by step, and what was done where a value was unknown?

    psa <= 10
    gleason unknown: asked stage instead, which agrees in 91 %: stage in {T1, T2}
    age unknown: taken as 67: age > 61.5

`path_steps` gives the steps as data, `format_path` as sentences. The steps are those of the walk (`walk_plain.step`). A
row that is shared out over the branches is followed no further: its answer is a mixture.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError
from hornbeam.table.column import Column
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.prediction import columns_of
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question
from hornbeam.tree.questions.threshold import cut_text
from hornbeam.tree.reference_walk import step
from hornbeam.tree.walk import checked_columns, n_rows_of

# How the branch was found.
HOWS = ("answered", "surrogate", "missing", "unseen", "shared", "stays")


@dataclasses.dataclass(frozen=True)
class PathStep:
    """One inner node on a row's path: the branch taken (below 0: none), how it was found, and that in words.

    `surrogate` is the number of the surrogate that was asked, -1 for none.
    """

    node: int
    branch: int
    how: str
    words: str
    surrogate: int = -1


def path_steps(tree: Tree, rows: Any, row: int = 0) -> list[PathStep]:
    """The steps of one row from the root down; `rows` is anything `predict` takes."""
    tree = only_tree(tree, "A path", labels=False)
    columns = columns_of(tree.schema, rows)
    checked_columns(tree.schema, columns)
    if not 0 <= row < n_rows_of(columns):
        raise InputError(f"There are {n_rows_of(columns)} rows, from 0 on; got row {row}.", row=row)
    one = [column.take(np.array([row])) for column in columns]
    found: list[PathStep] = []
    node = 0
    while tree.nodes.first_child[node] >= 0:
        found.append(_step(tree, node, one))
        if found[-1].branch < 0:
            break
        node = int(tree.nodes.first_child[node]) + found[-1].branch
    return found


def format_path(tree: Tree, rows: Any, row: int = 0) -> list[str]:
    """The steps of one row as sentences; a leaf alone has none."""
    return [each.words for each in path_steps(tree, rows, row)]


def _step(tree: Tree, node: int, one: Sequence[Column]) -> PathStep:
    question = tree.question(node)
    branch = int(step(tree, node, one, np.array([0]))[0][0])
    answer = int(question.branch(one)[0])
    taken = tree.branch_text(node, branch) if branch >= 0 else ""
    if answer >= 0:
        return PathStep(node, branch, "answered", taken)
    about = _unanswered(tree, question, answer, one)
    if answer == UNSEEN_LEVEL and tree.unseen != "as_missing":
        words = f"{about}: followed the larger branch: {taken}" if branch >= 0 else f"{about}: stays here"
        return PathStep(node, branch, "unseen", words)
    for place, (other, is_flipped, agree, _) in enumerate(tree.surrogates(node)):
        second = int(other.branch(one)[0])
        if second >= 0:
            names = _names(tree, other)
            says = other.text(tree.schema, second)
            words = f"{about}: asked {names} instead, which agrees in {100 * agree:.0f} %: {says}"
            return PathStep(node, 1 - second if is_flipped else second, "surrogate", words, place)
    if branch == ALL_BRANCHES:
        return PathStep(node, branch, "shared", f"{about}: goes down every branch in part ({_shares(tree, node)})")
    if branch < 0:
        return PathStep(node, branch, "stays", f"{about}: stays here")
    return PathStep(node, branch, "missing", f"{about}: {_why(tree, node, branch, question)}")


def _names(tree: Tree, question: Question) -> str:
    return " and ".join(tree.schema.columns[position].name for position in question.columns)


def _unanswered(tree: Tree, question: Question, answer: int, one: Sequence[Column]) -> str:
    """'psa unknown', naming the columns that are missing or hold a level without a branch."""
    if answer == UNKNOWN:
        holes = [position for position in question.columns if one[position].is_missing[0]]
        return f"{' and '.join(tree.schema.columns[position].name for position in holes)} unknown"
    as_if = ", taken as missing" if tree.unseen == "as_missing" else ""
    return f"{_names(tree, question)} has a level never met here{as_if}"


def _why(tree: Tree, node: int, branch: int, question: Question) -> str:
    """Why a missing value takes a branch, as the way with missing values has it."""
    taken = tree.branch_text(node, branch)
    way = tree.recipe.get("missing")
    name = way.get("name") if isinstance(way, dict) else way
    if branch >= question.n_branches:
        return "such rows have a branch of their own here"
    if name == "learned":
        return f"such rows fit best with {taken}"
    if name == "impute":
        fills = tree.metadata.get("fills")
        spec = tree.schema.columns[question.columns[0]]
        if len(question.columns) > 1:
            return f"taken as the usual value here: {taken}"
        if fills is None or math.isnan(fills[question.columns[0]]):
            return f"taken as {_usual(way, spec.kind)} of the rows here: {taken}"
        value = float(fills[question.columns[0]])
        shown = cut_text(spec, value) if spec.kind != "nominal" else str(spec.levels[int(value)])
        return f"taken as {shown}: {taken}"
    return f"followed the larger branch: {taken}"


def _usual(way: Any, kind: str) -> str:
    """What stands in for a missing value of a column of some kind, where a tree keeps no value of it."""
    by = way.get("by", "mean") if isinstance(way, dict) else "mean"
    if kind == "nominal":
        return "the commonest level"
    return "the median" if kind == "ordinal" and by == "mean" else f"the {by}"


def _shares(tree: Tree, node: int) -> str:
    children = tree.nodes.children(node)
    weights = tree.nodes.weight[children.start : children.stop]
    total = float(weights.sum()) or 1.0
    return ", ".join(
        f"{100 * weight / total:.0f} % {tree.branch_text(node, branch)}" for branch, weight in enumerate(weights)
    )
