"""Rules as SQL: the condition of a WHERE clause that is true for exactly the rows that a rule covers.

    ("size" > 2.0e0 AND "size" <= 5.0e0) AND "colour" IN ('red')

The SQL is standard and runs unchanged in SQLite, DuckDB and PostgreSQL: names are in double quotes, text in single
quotes, each doubled inside; numbers are doubles written with an exponent. A missing value is NULL. MySQL needs the
modes ANSI_QUOTES and NO_BACKSLASH_ESCAPES. A condition of any other kind compares the question's outcome, a CASE that
is the branch, -1 for a missing value and -2 for a level without a branch. No clause is ever NULL, so NOT of it is safe.
"""

from __future__ import annotations

from hornbeam.rules.conditions import Between, BranchIs, Condition, OneOf, RoutedTo
from hornbeam.rules.rule import Rule
from hornbeam.rules.sql_questions import outcome_expression
from hornbeam.rules.sql_text import ALWAYS, NEVER, identifier, is_in, literal, number
from hornbeam.table.table import Schema
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL


def where_clause(rule: Rule) -> str:
    """The rows that a rule covers."""
    return " AND ".join(condition_sql(condition, rule.schema) for condition in rule.conditions) or ALWAYS


def condition_sql(condition: Condition, schema: Schema) -> str:
    """One condition as SQL that is true or false for every row."""
    if isinstance(condition, Between):
        return _between(condition, identifier(schema.columns[condition.column].name))
    if isinstance(condition, OneOf):
        return _one_of(condition, schema)
    if isinstance(condition, BranchIs):
        outcomes = ", ".join(map(str, condition.outcomes))
        return f"{outcome_expression(condition.question, schema)} IN ({outcomes})"
    assert isinstance(condition, RoutedTo)
    return f"{_routed(condition, schema)} = {condition.branch}"


def _between(condition: Between, name: str) -> str:
    if condition.is_empty:
        return f"{name} IS NULL" if condition.missing else NEVER
    ends = [f"{name} > {number(condition.low)}"] if condition.low is not None else []
    ends += [f"{name} <= {number(condition.high)}"] if condition.high is not None else []
    if not ends:
        return ALWAYS if condition.missing else f"{name} IS NOT NULL"
    inside = " AND ".join(ends)
    return f"({name} IS NULL OR {inside})" if condition.missing else f"({name} IS NOT NULL AND {inside})"


def _one_of(condition: OneOf, schema: Schema) -> str:
    spec = schema.columns[condition.column]
    name = identifier(spec.name)
    inside = set(condition.codes)
    if condition.unseen:
        outside = [level for code, level in enumerate(spec.levels) if code not in inside]
        known = f"{name} NOT IN ({', '.join(map(literal, outside))})" if outside else ALWAYS
    else:
        known = is_in(name, [spec.levels[code] for code in condition.codes])
    if condition.missing:
        return f"({name} IS NULL OR {known})"
    return known if known == NEVER else f"({name} IS NOT NULL AND {known})"


def _routed(condition: RoutedTo, schema: Schema) -> str:
    """The branch to which a node with surrogates sends a row, as a CASE."""
    own = outcome_expression(condition.question, schema)
    whens = [f"WHEN {own} >= 0 THEN {own}"]
    if condition.unseen is not None:
        whens.append(f"WHEN {own} = {UNSEEN_LEVEL} THEN {condition.unseen}")
    for question, is_flipped in condition.surrogates:
        other = outcome_expression(question, schema)
        whens.append(f"WHEN {other} > {UNKNOWN} THEN {f'1 - {other}' if is_flipped else other}")
    return f"(CASE {' '.join(whens)} ELSE {condition.otherwise} END)"
