"""The conditions under which a row goes to a branch of a node: the outcome and the routing of missing values.

    outcome b                             the rows of branch b
    missing, `missing_branch` is b        "(or missing)"; with surrogates: the first that has an outcome decides
    level without a branch                as if missing, the majority branch, the node itself, or rejected

A row that stays at a node, or is fractional from there, takes the branch STAY and has a rule of its own, with the
node's prediction. One rule cannot express a fractional row; the walk returns the same node as the end of such a row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from hornbeam.rules.conditions import REJECTED, Between, BranchIs, Condition, OneOf, RoutedTo
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import STAY, Tree
from hornbeam.tree.questions import (
    UNKNOWN,
    UNSEEN_LEVEL,
    Combined,
    Intervals,
    IsMissing,
    Multiway,
    Question,
    Subset,
    Threshold,
)
from hornbeam.tree.reference_walk import majority_branch


def branch_conditions(tree: Tree, node: int, branch: int) -> tuple[Condition, ...]:
    """The conditions that send a row to a branch of a node, or with STAY make it end there: those of the walk."""
    otherwise = max(int(tree.nodes.missing_branch[node]), STAY)  # ALL_BRANCHES: the row ends at this node
    unseen = _unseen(tree, node)
    surrogates = tuple((question, is_flipped) for question, is_flipped, _, _ in tree.surrogates(node))
    question = tree.question(node)
    if surrogates:
        return (RoutedTo(question, surrogates, otherwise, unseen, branch),)
    outcomes = {branch} if 0 <= branch < question.n_branches else set()
    if otherwise == branch:
        outcomes.add(UNKNOWN)
    if (otherwise if unseen is None else unseen) == branch:
        outcomes.add(UNSEEN_LEVEL)
    return conditions_of(question, outcomes, tree.schema)


def question_conditions(tree: Tree, node: int, branch: int) -> tuple[Condition, ...]:
    """The question's outcome is the branch; missing values and unseen levels do not satisfy it, as in C4.5rules."""
    question = tree.question(node)
    outcomes = {branch} if branch < question.n_branches else {UNKNOWN}
    return conditions_of(question, outcomes, tree.schema)


def _unseen(tree: Tree, node: int) -> int | None:
    if tree.unseen == "as_missing":
        return None
    if tree.unseen == "majority":
        return majority_branch(tree, node)
    return STAY if tree.unseen == "stay" else REJECTED


def conditions_of(question: Question, outcomes: Collection[int], schema: Schema) -> tuple[Condition, ...]:
    """Conditions that are all true where a question's outcome is one of `outcomes`."""
    missing, unseen = UNKNOWN in outcomes, UNSEEN_LEVEL in outcomes
    if isinstance(question, Threshold | Intervals):
        cuts = (question.cut,) if isinstance(question, Threshold) else question.cuts
        spec = schema.columns[question.column]
        if spec.kind is Kind.NUMERIC:
            return _interval(question.column, cuts, sorted(each for each in outcomes if each >= 0), missing)
        branches = np.searchsorted(np.asarray(cuts), np.arange(len(spec.levels)), side="left").tolist()
        return (_set(question.column, spec, branches, outcomes, missing, unseen),)
    if isinstance(question, Subset | Multiway):
        spec = schema.columns[question.column]
        branches = list(question.branch_of) if isinstance(question, Multiway) else _of_subset(question)
        return (_set(question.column, spec, branches, outcomes, missing, unseen),)
    if isinstance(question, IsMissing):
        return (_known(question.column, schema.columns[question.column], outcomes),)
    if isinstance(question, Combined) and set(outcomes) == {int(question.is_any)}:
        # All literals are known and true (or, for "any", false): each is a condition of its own.
        parts = ((each.question, int(each.negated) ^ int(question.is_any)) for each in question.literals)
        return tuple(each for inner, outcome in parts for each in conditions_of(inner, {outcome}, schema))
    return (BranchIs(question, tuple(sorted(outcomes))),)


def _interval(column: int, cuts: tuple[float, ...], branches: list[int], missing: bool) -> tuple[Condition, ...]:
    if not branches:
        return (Between(column, np.inf, None, missing),)
    low = cuts[branches[0] - 1] if branches[0] > 0 else None
    high = cuts[branches[-1]] if branches[-1] < len(cuts) else None
    return (Between(column, low, high, missing),)


def _set(
    column: int, spec: ColumnSpec, branches: Iterable[int], outcomes: Collection[int], missing: bool, unseen: bool
) -> OneOf:
    """The levels whose branch is one of the outcomes; -1 marks a level without a branch."""
    codes = tuple(code for code, b in enumerate(branches) if (b in outcomes if b >= 0 else unseen))
    return OneOf(column, codes, len(spec.levels), missing, unseen)


def _of_subset(question: Subset) -> list[int]:
    branches = [-1] * question.n_levels
    for branch, codes in enumerate((question.inside, question.outside)):
        for code in codes:
            branches[code] = branch
    return branches


def _known(column: int, spec: ColumnSpec, outcomes: Collection[int]) -> Condition:
    """Missing (0) or known (1); an unseen level counts as known."""
    is_in, is_known = 0 in outcomes, 1 in outcomes
    if spec.kind is Kind.NUMERIC:
        return Between(column, None if is_known else np.inf, None, is_in)
    codes = tuple(range(len(spec.levels))) if is_known else ()
    return OneOf(column, codes, len(spec.levels), is_in, is_known)
