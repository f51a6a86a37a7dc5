"""The outcome of a question in SQL: a CASE that is the branch, -1 for a missing value, -2 for a level without one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.errors import InputError
from hornbeam.rules.sql_text import NEVER, identifier, is_in, number
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.questions import (
    UNKNOWN,
    UNSEEN_LEVEL,
    Combined,
    Hyperplane,
    Intervals,
    IsMissing,
    Multiway,
    Named,
    Question,
    Sphere,
    Subset,
    Threshold,
)


def outcome_expression(question: Question, schema: Schema) -> str:
    """The outcome of a question as an SQL expression in parentheses, never NULL."""
    if isinstance(question, Named):
        return outcome_expression(question.question, schema)
    if isinstance(question, IsMissing):
        name = identifier(schema.columns[question.column].name)
        return f"(CASE WHEN {name} IS NULL THEN 0 ELSE 1 END)"
    if isinstance(question, Threshold | Intervals):
        cuts = (question.cut,) if isinstance(question, Threshold) else question.cuts
        return _cuts(schema.columns[question.column], cuts)
    if isinstance(question, Subset):
        inside, outside = set(question.inside), set(question.outside)
        branches = [0 if c in inside else 1 if c in outside else -1 for c in range(question.n_levels)]
        return _levels(schema.columns[question.column], branches)
    if isinstance(question, Multiway):
        return _levels(schema.columns[question.column], question.branch_of)
    if isinstance(question, Combined):
        return _combined(question, schema)
    if isinstance(question, Hyperplane | Sphere):
        return _distance(question, schema)
    raise InputError(f"Questions of the kind {question.kind} cannot be written as SQL.")


def _cuts(spec: ColumnSpec, cuts: Sequence[float]) -> str:
    if spec.has_levels:
        return _levels(spec, np.searchsorted(np.asarray(cuts), np.arange(len(spec.levels)), side="left").tolist())
    name = identifier(spec.name)
    whens = " ".join(f"WHEN {name} <= {number(cut)} THEN {branch}" for branch, cut in enumerate(cuts))
    return f"(CASE WHEN {name} IS NULL THEN {UNKNOWN} {whens} ELSE {len(cuts)} END)"


def _levels(spec: ColumnSpec, branches: Sequence[int]) -> str:
    name = identifier(spec.name)
    whens = []
    for branch in sorted({each for each in branches if each >= 0}):
        levels = [level for level, each in zip(spec.levels, branches, strict=True) if each == branch]
        whens.append(f"WHEN {is_in(name, levels)} THEN {branch}")
    return f"(CASE WHEN {name} IS NULL THEN {UNKNOWN} {' '.join(whens)} ELSE {UNSEEN_LEVEL} END)"


def _combined(question: Combined, schema: Schema) -> str:
    """Kleene's logic: one decisive literal decides; else an unseen level, then a missing value, makes it undefined."""
    decisive = 0 if question.is_any else 1
    outcomes = [outcome_expression(each.question, schema) for each in question.literals]
    deciding = [
        f"{outcome} = {1 - decisive if each.negated else decisive}"
        for outcome, each in zip(outcomes, question.literals, strict=True)
    ]
    unseen = " OR ".join(f"{outcome} = {UNSEEN_LEVEL}" for outcome in outcomes)
    missing = " OR ".join(f"{outcome} = {UNKNOWN}" for outcome in outcomes)
    return (
        f"(CASE WHEN {' OR '.join(deciding)} THEN {decisive} WHEN {unseen} THEN {UNSEEN_LEVEL} "
        f"WHEN {missing} THEN {UNKNOWN} ELSE {1 - decisive} END)"
    )


def _distance(question: Hyperplane | Sphere, schema: Schema) -> str:
    """A sum over columns, in the order of the terms, compared with its bound."""
    names = [identifier(schema.columns[position].name) for position in question.terms]
    missing = " OR ".join(f"{name} IS NULL" for name in names)
    if question.fill:  # every missing value is imputed with a number
        names = [f"COALESCE({name}, {number(fill)})" for name, fill in zip(names, question.fill, strict=True)]
        missing = NEVER
    if isinstance(question, Hyperplane):
        terms = [f"{number(w)} * {name}" for w, name in zip(question.weights, names, strict=True)]
        bound = question.bound
    else:
        steps = [
            f"(({name} - {number(c)}) / {number(s)})"
            for name, c, s in zip(names, question.centre, question.scale, strict=True)
        ]
        terms, bound = [f"{step} * {step}" for step in steps], question.radius2
    total = " + ".join(terms)
    return f"(CASE WHEN {missing} THEN {UNKNOWN} WHEN {total} <= {number(bound)} THEN 0 ELSE 1 END)"
