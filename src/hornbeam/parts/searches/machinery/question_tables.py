"""Questions written by a user as small tables, in Python or in a TOML file.

    name, column     its name (optional) and its column, and one of
      in = ["m", "n"]           the level is one of these; levels that the data lack are ignored
      like = ["m-*"]            the level matches a shell pattern: * ? [abc]
      matches = "^[aeiou]"      the level contains a match of a regular expression (`text_patterns.py`)
      predicate = is_long       a function of the level, or its registered name (`functions.py`), returns true, false,
                                or None for no branch
      at_most = 61.4            the number (or the ordinal level) is at most this
      above = 61.4              it is above this
      between = [18, 65]        it is above the first and at most the second
      is_missing = true         the value is missing
    all = [..], any = [..]      tables of this form: all of them are true, or one is
    not = true                  with any of these: the opposite

Each becomes a question of the tree's own kinds with fixed levels: a model file needs neither pattern nor function.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hornbeam.errors import DataFileError, OptionError, did_you_mean, short_repr
from hornbeam.functions import as_function, import_functions
from hornbeam.parts.searches.machinery.text_patterns import compile_pattern
from hornbeam.table.column import Column, Kind
from hornbeam.toml_text import read_toml
from hornbeam.tree.questions import Combined, IsMissing, Literal, Named, Question, Subset, Threshold

Tables = tuple[Mapping[str, Any], ...]

OF_LEVELS = ("in", "like", "matches", "predicate")
OF_ORDER = ("at_most", "above", "between")
OF_ONE = (*OF_LEVELS, *OF_ORDER, "is_missing")
OF_MANY = ("all", "any")
MAX_NESTED = 16
_KEYS = ("name", "column", "not", *OF_ONE, *OF_MANY)


def read_tables(path: str, *, trust: bool = False) -> Tables:
    """The questions of a TOML file: its list `questions`. `trust` imports the functions that it names."""
    found = read_toml(path, f"The file of questions {short_repr(path, 300)}")
    tables = found.get("questions")
    if set(found) != {"questions"} or not isinstance(tables, list):
        raise DataFileError(
            f"{path} must contain one list called questions, got {', '.join(map(str, found)) or 'nothing'}.",
            hint="Begin every question with a line [[questions]].",
        )
    return tuple(import_functions(tables) if trust else tables)


def check_table(table: Any, where: str, depth: int = 0) -> None:
    """Raise an error unless a table is a valid question with one test."""
    if depth > MAX_NESTED:
        raise _wrong(f"Questions must not be nested more than {MAX_NESTED} levels deep.")
    if not isinstance(table, Mapping):
        raise _wrong(f"{where} must be a table, got {short_repr(table)}.")
    for key in table:
        if key not in _KEYS:
            raise _wrong(f"{where} has an unknown key {short_repr(key)}.", did_you_mean(str(key), _KEYS))
    tests = [key for key in (*OF_ONE, *OF_MANY) if key in table]
    if len(tests) != 1:
        got = " and ".join(tests) or "none"
        raise _wrong(f"{where} must have one of {', '.join((*OF_ONE, *OF_MANY))}; got {got}.")
    if (tests[0] in OF_ONE) != ("column" in table):
        raise _wrong(f"{where} has {tests[0]}, which requires {'a' if tests[0] in OF_ONE else 'no'} column.")
    for key, kind, expected in (("name", str, "text"), ("column", str, "text"), ("not", bool, "true or false")):
        if not isinstance(table.get(key, kind()), kind):
            raise _wrong(f"{where}: {key} must be {expected}, got {short_repr(table[key])}.")
    _check_value(tests[0], table[tests[0]], where, depth)


def _check_value(key: str, value: Any, where: str, depth: int) -> None:
    if key in ("in", "like", *OF_MANY):
        if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence) or not value:
            raise _wrong(f"{where}: {key} must be a list that is not empty, got {short_repr(value)}.")
        if key in OF_MANY:
            for index, inner in enumerate(value):
                check_table(inner, f"{where}, part {index}", depth + 1)
    elif key == "matches":
        try:
            compile_pattern(value)
        except (re.error, TypeError, OverflowError, RecursionError) as error:
            raise _wrong(
                f"{where}: matches must be a regular expression of limited time, got {short_repr(value)}: {error}.",
                "Use in, like, or a predicate.",
            ) from None
    elif key == "predicate":
        as_function(value, f"{where}: predicate")
    elif key == "is_missing" and value is not True:
        raise _wrong(f"{where}: is_missing must be true, got {short_repr(value)}.", "Use not = true for the opposite.")
    elif key == "between" and (isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2):
        raise _wrong(f"{where}: between must be a list of two values, got {short_repr(value)}.")


def _wrong(message: str, hint: str = "") -> OptionError:
    return OptionError(message, hint=hint, option="questions")


def question_of(table: Mapping[str, Any], columns: Sequence[Column], where: str) -> Question:
    """A checked table as a question about these columns."""
    many = next((key for key in OF_MANY if key in table), None)
    if many is not None:
        parts = [question_of(inner, columns, f"{where}, part {index}") for index, inner in enumerate(table[many])]
        question: Question = Combined(tuple(Literal(part) for part in parts), is_any=many == "any")
    else:
        question = _of_column(table, columns, where)
    if table.get("not", False):
        question = Combined((Literal(question, negated=True),))
    return Named(table["name"], question) if table.get("name") else question


def _of_column(table: Mapping[str, Any], columns: Sequence[Column], where: str) -> Question:
    names = [column.name for column in columns]
    if table["column"] not in names:
        raise _wrong(
            f"{where} names {short_repr(table['column'])}, which is not a column.", did_you_mean(table["column"], names)
        )
    position = names.index(table["column"])
    column = columns[position]
    key = next(key for key in OF_ONE if key in table)
    if key == "is_missing":
        return IsMissing(position, len(column.levels))
    if key in OF_LEVELS and column.kind is Kind.NUMERIC:
        raise _wrong(
            f"{where} has {key}, but column {short_repr(column.name)} is numeric.", "Ask at_most, above or between."
        )
    if key in OF_ORDER and column.kind is Kind.NOMINAL:
        raise _wrong(
            f"{where} has {key}, but the levels of column {short_repr(column.name)} have no order.",
            "Ask in or matches.",
        )
    if key in OF_LEVELS:
        return _of_levels(key, table[key], column, position, where)
    if key == "between":
        low, high = (_cut(each, column, where) for each in table[key])
        return Combined((Literal(Threshold(position, low), negated=True), Literal(Threshold(position, high))))
    cut = Threshold(position, _cut(table[key], column, where))
    return cut if key == "at_most" else Combined((Literal(cut, negated=True),))


def _cut(value: Any, column: Column, where: str) -> float:
    """A number, or the position of an ordinal level."""
    if column.kind is Kind.ORDINAL:
        levels = [str(level) for level in column.levels]
        if str(value) not in levels:
            raise _wrong(
                f"{where}: {short_repr(value)} is not a level of {short_repr(column.name)}.",
                did_you_mean(str(value), levels),
            )
        return float(levels.index(str(value)))
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise _wrong(f"{where}: the value for {short_repr(column.name)} must be a number, got {short_repr(value)}.")
    return float(value)


def _of_levels(key: str, value: Any, column: Column, position: int, where: str) -> Subset:
    """The question by the levels of each branch; some levels may have no branch."""
    matcher = {"in": _in, "like": _like, "matches": _matches}.get(key)
    test = as_function(value, f"{where}: predicate") if matcher is None else matcher(value)
    outcomes = [test(level) for level in column.levels]
    inside = tuple(code for code, outcome in enumerate(outcomes) if outcome is not None and bool(outcome))
    outside = tuple(code for code, outcome in enumerate(outcomes) if outcome is not None and not bool(outcome))
    return Subset(position, inside, outside, len(column.levels))


def _in(levels: Sequence[Any]) -> Callable[[Any], bool]:
    texts = {str(each) for each in levels}
    return lambda level: str(level) in texts


def _like(patterns: Sequence[str]) -> Callable[[Any], bool]:
    return lambda level: any(fnmatch.fnmatchcase(str(level), str(pattern)) for pattern in patterns)


def _matches(expression: str) -> Callable[[Any], bool]:
    contains = compile_pattern(expression)
    return lambda level: contains(str(level))
