"""What must hold for a row to go down a branch of a node?  The question's answer, and what missing values do there.

    answer b                              the branch's own rows
    unknown, `missing_branch` is b        "(or missing)"; with surrogates: as the first that can be answered says
    level without a branch                as if missing, the heaviest branch, the node itself, or refused

A row that stays at a node, or is shared out from it, takes the branch STAY: it gets a rule of its own, which says what
the node says. A share over several leaves cannot be said by one rule; the walk calls the same node such a row's end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from hornbeam.rules.conditions import REFUSED, Between, BranchIs, Condition, OneOf, RoutedTo
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
    """What sends a row down a branch of a node, or with STAY makes it end there: exactly what the walk does."""
    otherwise = max(int(tree.nodes.missing_branch[node]), STAY)  # ALL_BRANCHES: the row ends at this node
    unseen = _unseen(tree, node)
    surrogates = tuple((question, is_flipped) for question, is_flipped, _, _ in tree.surrogates(node))
    question = tree.question(node)
    if surrogates:
        return (RoutedTo(question, surrogates, otherwise, unseen, branch),)
    answers = {branch} if 0 <= branch < question.n_branches else set()
    if otherwise == branch:
        answers.add(UNKNOWN)
    if (otherwise if unseen is None else unseen) == branch:
        answers.add(UNSEEN_LEVEL)
    return conditions_of(question, answers, tree.schema)


def question_conditions(tree: Tree, node: int, branch: int) -> tuple[Condition, ...]:
    """The question's answer is the branch; missing values and new levels do not satisfy it, as in C4.5rules."""
    question = tree.question(node)
    answers = {branch} if branch < question.n_branches else {UNKNOWN}
    return conditions_of(question, answers, tree.schema)


def _unseen(tree: Tree, node: int) -> int | None:
    if tree.unseen == "as_missing":
        return None
    if tree.unseen == "majority":
        return majority_branch(tree, node)
    return STAY if tree.unseen == "stay" else REFUSED


def conditions_of(question: Question, answers: Collection[int], schema: Schema) -> tuple[Condition, ...]:
    """Conditions that hold together where a question's answer is one of `answers`."""
    missing, unseen = UNKNOWN in answers, UNSEEN_LEVEL in answers
    if isinstance(question, Threshold | Intervals):
        cuts = (question.cut,) if isinstance(question, Threshold) else question.cuts
        spec = schema.columns[question.column]
        if spec.kind is Kind.NUMERIC:
            return _interval(question.column, cuts, sorted(each for each in answers if each >= 0), missing)
        branches = np.searchsorted(np.asarray(cuts), np.arange(len(spec.levels)), side="left").tolist()
        return (_set(question.column, spec, branches, answers, missing, unseen),)
    if isinstance(question, Subset | Multiway):
        spec = schema.columns[question.column]
        branches = list(question.branch_of) if isinstance(question, Multiway) else _of_subset(question)
        return (_set(question.column, spec, branches, answers, missing, unseen),)
    if isinstance(question, IsMissing):
        return (_known(question.column, schema.columns[question.column], answers),)
    if isinstance(question, Combined) and set(answers) == {int(question.is_any)}:
        # All literals are known and hold (or, of "any", fail): each is a condition of its own.
        parts = ((each.question, int(each.negated) ^ int(question.is_any)) for each in question.literals)
        return tuple(each for inner, answer in parts for each in conditions_of(inner, {answer}, schema))
    return (BranchIs(question, tuple(sorted(answers))),)


def _interval(column: int, cuts: tuple[float, ...], branches: list[int], missing: bool) -> tuple[Condition, ...]:
    if not branches:
        return (Between(column, np.inf, None, missing),)
    low = cuts[branches[0] - 1] if branches[0] > 0 else None
    high = cuts[branches[-1]] if branches[-1] < len(cuts) else None
    return (Between(column, low, high, missing),)


def _set(
    column: int, spec: ColumnSpec, branches: Iterable[int], answers: Collection[int], missing: bool, unseen: bool
) -> OneOf:
    """The levels whose branch is among the answers; -1 marks a level without a branch."""
    codes = tuple(code for code, b in enumerate(branches) if (b in answers if b >= 0 else unseen))
    return OneOf(column, codes, len(spec.levels), missing, unseen)


def _of_subset(question: Subset) -> list[int]:
    branches = [-1] * question.n_levels
    for branch, codes in enumerate((question.inside, question.outside)):
        for code in codes:
            branches[code] = branch
    return branches


def _known(column: int, spec: ColumnSpec, answers: Collection[int]) -> Condition:
    """Missing (0) or known (1); a new level counts as known."""
    is_in, is_known = 0 in answers, 1 in answers
    if spec.kind is Kind.NUMERIC:
        return Between(column, None if is_known else np.inf, None, is_in)
    codes = tuple(range(len(spec.levels))) if is_known else ()
    return OneOf(column, codes, len(spec.levels), is_in, is_known)
