"""SQL expressions for questions: a CASE that gives the branch, -1 where it is undefined, -2 for an unseen level.

The expression depends on the encoding of a question alone, so questions of any kind can be exported.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.rules.sql_text import NEVER, identifier, is_in, number
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap, Plane, form_of


def outcome_expression(question: Question, schema: Schema) -> str:
    """The branch of a question as an SQL expression in parentheses, never NULL."""
    return _expression(form_of(question), schema)


def _expression(form: Form, schema: Schema) -> str:
    if isinstance(form, Cuts):
        return _cuts(schema.columns[form.column], form)
    if isinstance(form, LevelMap):
        return _levels(schema.columns[form.column], form.branches)
    if isinstance(form, Junction):
        return _junction(form, schema)
    return _sum_of_columns(form, schema)


def _cuts(spec: ColumnSpec, form: Cuts) -> str:
    if spec.has_levels and form.cuts:
        below = np.searchsorted(np.asarray(form.cuts), np.arange(len(spec.levels)), side="left")
        return _levels(spec, (form.first + below).tolist(), form.missing_answer)
    name = identifier(spec.name)
    whens = [f"WHEN {name} IS NULL THEN {form.missing_answer}"]
    whens += [f"WHEN {name} <= {number(cut)} THEN {form.first + index}" for index, cut in enumerate(form.cuts)]
    return f"(CASE {' '.join(whens)} ELSE {form.first + len(form.cuts)} END)"


def _levels(spec: ColumnSpec, branches: Sequence[int], missing: int = UNKNOWN) -> str:
    name = identifier(spec.name)
    whens = []
    for branch in sorted({each for each in branches if each >= 0}):
        levels = [level for level, each in zip(spec.levels, branches, strict=True) if each == branch]
        whens.append(f"WHEN {is_in(name, levels)} THEN {branch}")
    return f"(CASE WHEN {name} IS NULL THEN {missing} {' '.join(whens)} ELSE {UNSEEN_LEVEL} END)"


def _junction(form: Junction, schema: Schema) -> str:
    """Kleene's logic: one deciding literal decides; else an unseen level, then a missing value, makes it undefined."""
    decisive = 0 if form.is_any else 1
    outcomes = [_expression(literal, schema) for literal, _ in form.literals]
    deciding = [
        f"{outcome} = {1 - decisive if negated else decisive}"
        for outcome, (_, negated) in zip(outcomes, form.literals, strict=True)
    ]
    unseen = " OR ".join(f"{outcome} = {UNSEEN_LEVEL}" for outcome in outcomes)
    unknown = " OR ".join(f"{outcome} = {UNKNOWN}" for outcome in outcomes)
    return (
        f"(CASE WHEN {' OR '.join(deciding)} THEN {decisive} WHEN {unseen} THEN {UNSEEN_LEVEL} "
        f"WHEN {unknown} THEN {UNKNOWN} ELSE {1 - decisive} END)"
    )


def _sum_of_columns(form: Plane | Ball, schema: Schema) -> str:
    """A sum over columns, added in the order of the columns, compared with its bound."""
    names = [identifier(schema.columns[position].name) for position in form.columns]
    missing = " OR ".join(f"{name} IS NULL" for name in names)
    if form.fill:  # a value replaces each missing value
        names = [f"COALESCE({name}, {number(fill)})" for name, fill in zip(names, form.fill, strict=True)]
        missing = NEVER
    if isinstance(form, Plane):
        terms = [f"{number(w)} * {name}" for w, name in zip(form.weights, names, strict=True)]
        bound = form.bound
    else:
        steps = [
            f"(({name} - {number(c)}) / {number(s)})" for name, c, s in zip(names, form.center, form.scale, strict=True)
        ]
        terms, bound = [f"{step} * {step}" for step in steps], form.radius2
    total = " + ".join(terms)
    return f"(CASE WHEN {missing} THEN {UNKNOWN} WHEN {total} <= {number(bound)} THEN 0 ELSE 1 END)"
