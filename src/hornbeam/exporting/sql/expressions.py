"""SQL expressions for questions and routes.

The branch of a question is NULL where its outcome is undefined, so COALESCE of a question and its surrogates is the
first that is defined. A level without a branch is NULL too; `unseen` finds it where a model treats it differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam.exporting.model import Route, level_branches
from hornbeam.rules.sql_text import identifier, literal, number
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap, Plane


def double(expression: str) -> str:
    """An expression as a double: some databases read number literals as decimals."""
    return f"CAST({expression} AS DOUBLE PRECISION)"


def route_sql(route: Route, schema: Schema) -> str:
    """The branch of a row, or a negative result; never NULL."""
    own = branch_sql(route.form, schema)
    short = _with_default(route, schema)
    if short is not None:
        return short
    if isinstance(route.form, Cuts) and route.form.missing_answer >= 0:
        found = own
    else:
        others = [_flipped(branch_sql(form, schema), is_flipped) for form, is_flipped in route.surrogates]
        separator = ",\n      " if others else ", "
        found = f"COALESCE({separator.join([own, *others, str(route.missing)])})"
    unseen = None if route.unseen is None else unseen_sql(route.form, schema)
    return found if unseen is None else f"CASE WHEN {unseen} THEN {route.unseen} ELSE {found} END"


def _flipped(expression: str, is_flipped: bool) -> str:
    return f"1 - {expression}" if is_flipped else expression


def _with_default(route: Route, schema: Schema) -> str | None:
    """A route of two branches without surrogates: one condition, and the default for all other rows."""
    form = route.form
    if route.surrogates or route.missing not in (0, 1) or isinstance(form, (Plane, Ball, Junction)):
        return None
    spec = schema.columns[form.column]
    other = 1 - route.missing
    if isinstance(form, Cuts) and not spec.has_levels:
        if len(form.cuts) != 1 or form.first != 0:
            return None
        sign = "<=" if other == 0 else ">"
        test = f"{identifier(spec.name)} {sign} {number(form.cuts[0])}"
    else:
        branches = level_branches(form, len(spec.levels))
        if max(branches, default=0) > 1 or not form_cuts(form) or route.unseen not in (None, route.missing):
            return None
        levels = [level for level, branch in zip(spec.levels, branches, strict=True) if branch == other]
        if not levels:
            return None
        test = is_one_of(spec, levels)
    return f"CASE WHEN {test} THEN {other} ELSE {route.missing} END"


def form_cuts(form: Cuts | LevelMap) -> bool:
    """Whether a question about levels divides them (and does not test whether the value is missing)."""
    return isinstance(form, LevelMap) or bool(form.cuts)


def branch_sql(form: Form, schema: Schema) -> str:
    """The branch of a question; NULL where it is undefined."""
    if isinstance(form, (Cuts, LevelMap)):
        spec = schema.columns[form.column]
        if isinstance(form, Cuts) and not form.cuts:
            known = f"CASE WHEN {identifier(spec.name)} IS NULL THEN {form.missing_answer} ELSE {form.first} END"
            return known.replace("THEN -1", "THEN NULL")
        return _levels(spec, form) if spec.has_levels else _cuts(spec, form)
    if isinstance(form, Junction):
        joined = (" OR " if form.is_any else " AND ").join(_predicate(*each, schema) for each in form.literals)
        return f"CASE WHEN {joined} THEN 0 WHEN NOT ({joined}) THEN 1 END"
    return _sum(form, schema)


def _cuts(spec: ColumnSpec, form: Cuts | LevelMap) -> str:
    assert isinstance(form, Cuts)
    name = identifier(spec.name)
    whens = [f"WHEN {name} IS NULL THEN {form.missing_answer}"] if form.missing_answer >= 0 else []
    whens += [f"WHEN {name} <= {number(cut)} THEN {form.first + index}" for index, cut in enumerate(form.cuts)]
    last = f"WHEN {name} > {number(form.cuts[-1])} THEN {form.first + len(form.cuts)}"
    return f"CASE {' '.join([*whens, last])} END"


def _levels(spec: ColumnSpec, form: Cuts | LevelMap) -> str:
    branches = level_branches(form, len(spec.levels))
    whens = []
    for branch in sorted({each for each in branches if each >= 0}):
        levels = [level for level, each in zip(spec.levels, branches, strict=True) if each == branch]
        whens.append(f"WHEN {is_one_of(spec, levels)} THEN {branch}")
    return f"CASE {' '.join(whens)} END"


def is_one_of(spec: ColumnSpec, levels: Sequence[object]) -> str:
    """A column has one of some levels."""
    name = identifier(spec.name)
    if len(levels) == 1:
        return f"{name} = {literal(levels[0])}"
    return f"{name} IN ({', '.join(map(literal, levels))})"


def _predicate(form: Form, negated: bool, schema: Schema) -> str:
    """A literal of a junction as a condition that is unknown where its outcome is undefined."""
    if isinstance(form, Cuts) and len(form.cuts) == 1 and not schema.columns[form.column].has_levels:
        return f"{identifier(schema.columns[form.column].name)} {'>' if negated else '<='} {number(form.cuts[0])}"
    return f"({branch_sql(form, schema)}) = {int(negated)}"


def _sum(form: Plane | Ball, schema: Schema) -> str:
    """A sum over columns, added in the order of the columns, compared with its bound."""
    names = [identifier(schema.columns[position].name) for position in form.columns]
    values = [double(name) for name in names]
    if form.fill:  # a value replaces each missing value
        values = [double(f"COALESCE({name}, {number(fill)})") for name, fill in zip(names, form.fill, strict=True)]
    if isinstance(form, Plane):
        terms = [f"{double(number(weight))} * {value}" for weight, value in zip(form.weights, values, strict=True)]
        bound = form.bound
    else:
        steps = [
            f"(({value} - {double(number(center))}) / {double(number(scale))})"
            for value, center, scale in zip(values, form.center, form.scale, strict=True)
        ]
        terms, bound = [f"{step} * {step}" for step in steps], form.radius2
    known = "1 = 1" if form.fill else " AND ".join(f"{name} IS NOT NULL" for name in names)
    return f"CASE WHEN {' + '.join(terms)} <= {number(bound)} THEN 0 WHEN {known} THEN 1 END"


def unseen_sql(form: Form, schema: Schema) -> str | None:
    """The condition that the outcome is that of a level without a branch; None if it never is."""
    if isinstance(form, (Cuts, LevelMap)):
        spec = schema.columns[form.column]
        if not spec.has_levels or not form_cuts(form):
            return None
        branches = level_branches(form, len(spec.levels))
        known = [level for level, branch in zip(spec.levels, branches, strict=True) if branch >= 0]
        name = identifier(spec.name)
        return f"{name} NOT IN ({', '.join(map(literal, known))})" if known else f"{name} IS NOT NULL"
    if not isinstance(form, Junction):
        return None
    found = [each for each in (unseen_sql(literal_form, schema) for literal_form, _ in form.literals) if each]
    return f"({branch_sql(form, schema)}) IS NULL AND ({' OR '.join(found)})" if found else None
