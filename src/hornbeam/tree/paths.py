"""The path of one row through a tree, step by step, with what happened at missing values.

    psa <= 10
    gleason missing: surrogate stage (agrees for 91% of the rows): stage in {T1, T2}
    age missing: imputed with 67: age > 61.5

`path_steps` returns the steps as data, `format_path` as text. The steps are those of the reference walk. The path of a
row that goes down all branches ends there: its prediction is a mixture.
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

# How a branch was determined.
HOWS = ("known", "surrogate", "missing", "unseen", "fractional", "ends")


@dataclasses.dataclass(frozen=True)
class PathStep:
    """One inner node on the path of a row: the branch (below 0: none), how it was determined, and the step as text.

    `surrogate` is the index of the surrogate that was used, -1 for none.
    """

    node: int
    branch: int
    how: str
    text: str
    surrogate: int = -1


def path_steps(tree: Tree, rows: Any, row: int = 0) -> list[PathStep]:
    """The steps of one row from the root down; `rows` is anything that `predict` accepts."""
    tree = only_tree(tree, "A path", labels=False)
    columns = columns_of(tree.schema, rows)
    checked_columns(tree.schema, columns)
    if not 0 <= row < n_rows_of(columns):
        raise InputError(f"There are {n_rows_of(columns)} rows, numbered from 0; got row {row}.", row=row)
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
    """The steps of one row as text; a tree of one leaf has none."""
    return [each.text for each in path_steps(tree, rows, row)]


def _step(tree: Tree, node: int, one: Sequence[Column]) -> PathStep:
    question = tree.question(node)
    branch = int(step(tree, node, one, np.array([0]))[0][0])
    answer = int(question.branch(one)[0])
    taken = tree.branch_text(node, branch) if branch >= 0 else ""
    if answer >= 0:
        return PathStep(node, branch, "known", taken)
    about = _undefined(tree, question, answer, one)
    if answer == UNSEEN_LEVEL and tree.unseen != "as_missing":
        text = f"{about}: majority branch: {taken}" if branch >= 0 else f"{about}: ends here"
        return PathStep(node, branch, "unseen", text)
    for index, (other, is_flipped, agree, _) in enumerate(tree.surrogates(node)):
        second = int(other.branch(one)[0])
        if second >= 0:
            names = _names(tree, other)
            condition = other.text(tree.schema, second)
            text = f"{about}: surrogate {names} (agrees for {100 * agree:.0f}% of the rows): {condition}"
            return PathStep(node, 1 - second if is_flipped else second, "surrogate", text, index)
    if branch == ALL_BRANCHES:
        return PathStep(node, branch, "fractional", f"{about}: all branches with fractions ({_fractions(tree, node)})")
    if branch < 0:
        return PathStep(node, branch, "ends", f"{about}: ends here")
    return PathStep(node, branch, "missing", f"{about}: {_why(tree, node, branch, question)}")


def _names(tree: Tree, question: Question) -> str:
    return " and ".join(tree.schema.columns[position].name for position in question.columns)


def _undefined(tree: Tree, question: Question, answer: int, one: Sequence[Column]) -> str:
    """'psa missing', with the columns that are missing or have a level without a branch."""
    if answer == UNKNOWN:
        missing = [position for position in question.columns if one[position].is_missing[0]]
        return f"{' and '.join(tree.schema.columns[position].name for position in missing)} missing"
    as_if = ", treated as missing" if tree.unseen == "as_missing" else ""
    return f"{_names(tree, question)} has an unseen level{as_if}"


def _why(tree: Tree, node: int, branch: int, question: Question) -> str:
    """The reason why a missing value takes a branch, by the strategy for missing values."""
    taken = tree.branch_text(node, branch)
    strategy = tree.recipe.get("missing")
    name = strategy.get("name") if isinstance(strategy, dict) else strategy
    if branch >= question.n_branches:
        return "separate branch for missing values"
    if name == "learned":
        return f"learned branch: {taken}"
    if name == "impute":
        fill_values = tree.metadata.get("fill_values")
        spec = tree.schema.columns[question.columns[0]]
        if len(question.columns) > 1:
            return f"imputed at this node: {taken}"
        if fill_values is None or math.isnan(fill_values[question.columns[0]]):
            return f"imputed with {_imputed_text(strategy, spec.kind)} at this node: {taken}"
        value = float(fill_values[question.columns[0]])
        shown = cut_text(spec, value) if spec.kind != "nominal" else str(spec.levels[int(value)])
        return f"imputed with {shown}: {taken}"
    return f"majority branch: {taken}"


def _imputed_text(strategy: Any, kind: str) -> str:
    """The statistic that replaces a missing value, where a tree stores no value for it."""
    statistic = strategy.get("method", "mean") if isinstance(strategy, dict) else "mean"
    if kind == "nominal":
        return "the most frequent level"
    return "the median" if kind == "ordinal" and statistic == "mean" else f"the {statistic}"


def _fractions(tree: Tree, node: int) -> str:
    children = tree.nodes.children(node)
    weights = tree.nodes.weight[children.start : children.stop]
    total = float(weights.sum()) or 1.0
    return ", ".join(
        f"{100 * weight / total:.0f}% {tree.branch_text(node, branch)}" for branch, weight in enumerate(weights)
    )
