"""WHERE clauses: hostile names and levels stay data, values at a cut fall where the tree puts them."""

from __future__ import annotations

import datetime
import sqlite3

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.rules.conditions import Between, BranchIs, RoutedTo
from hornbeam.rules.matching import matches
from hornbeam.rules.rule import Rule
from hornbeam.rules.sql import condition_sql, where_clause
from hornbeam.rules.sql_text import identifier, literal, number
from hornbeam.table.column import Column, ColumnSpec, Kind, nominal, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree.questions import Hyperplane, Named, Sphere, Threshold

HOSTILE = [
    'size"; DROP TABLE data; --',
    "it's",
    'a""b',
    "back\\slash",
    "/* comment */",
    "new\nline",
    "ß 木 \u202e right to left",
    "%s {0} $1 :name ?",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_and_level_cannot_leave_their_quotes(name):
    values = np.array([1.0, 2.0, 3.0, 4.0])
    table = Table(
        (numeric(name, values), nominal(f"{name}!", [0, 1, 0, 1], (name, "other"))),
        nominal("y", [0, 0, 1, 1], (name, "b")),
    )
    rules = hb.extract_rules(hb.grow(table, "plain"))
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE data ({identifier(name)} REAL, {identifier(f'{name}!')} TEXT)")
    base.executemany("INSERT INTO data VALUES (?, ?)", zip(values.tolist(), [name, "other"] * 2, strict=True))
    predicted = [
        label for (label,) in base.execute(f"SELECT prediction FROM ({hb.export(rules, format='sql').rstrip()[:-1]})")
    ]
    assert predicted == [name, name, "b", "b"]
    assert base.execute("SELECT count(*) FROM data").fetchone() == (4,)
    base.close()


def test_a_nul_character_is_rejected():
    with pytest.raises(InputError, match="NUL"):
        identifier("a\0b")
    with pytest.raises(InputError, match="NUL"):
        literal("a\0b")


def test_values_are_written_as_the_database_reads_them():
    assert literal(True) == "TRUE"
    assert literal(3) == "3"
    assert literal(datetime.date(2024, 2, 29)) == "'2024-02-29'"
    assert [number(value) for value in (4.0, 0.1, 1e308, -5e-324)] == ["4.0e0", "0.1e0", "1e+308", "-5e-324"]
    with pytest.raises(InputError, match="the number inf"):
        number(float("inf"))


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_a_value_at_the_cut_and_its_neighbours_fall_where_the_tree_puts_them(engine):
    cut = 0.1 + 0.2
    around = [np.nextafter(cut, 0), cut, np.nextafter(cut, 1), None]
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    for missing in (False, True):
        rule = Rule(schema, (Between(0, None, cut, missing),), 0.0, (1.0, 0.0), 1)
        column = numeric("x", [np.nan if value is None else value for value in around])
        expected = matches([rule], [column])[0].tolist()
        assert _found(engine, around, where_clause(rule)) == expected == [True, True, False, missing]


def _found(engine, values, clause):
    """Whether each value satisfies a clause, and that it is never NULL."""
    if engine == "sqlite":
        base = sqlite3.connect(":memory:")
        base.execute("CREATE TABLE d (place INTEGER, x REAL)")
    else:
        base = pytest.importorskip("duckdb").connect(":memory:")
        base.execute("CREATE TABLE d (place INTEGER, x DOUBLE)")
    base.executemany(
        "INSERT INTO d VALUES (?, ?)", [(i, None if v is None else float(v)) for i, v in enumerate(values)]
    )
    found = [bool(held) for (held,) in base.execute(f"SELECT ({clause}) FROM d ORDER BY place").fetchall()]
    assert base.execute(f"SELECT count(*) FROM d WHERE ({clause}) IS NULL").fetchone() == (0,)
    base.close()
    return found


def test_measured_questions_fill_missing_values_where_the_question_does():
    plane = Hyperplane((0,), (2.0,), 1.0, fill=(0.25,))
    ball = Sphere((0,), (0.0,), (2.0,), 1.0, fill=(9.0,))
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), None)
    values = [0.5, 0.6, 2.0, 2.1, None]
    column = Column("x", Kind.NUMERIC, np.array([np.nan if v is None else v for v in values]))
    for question in (plane, ball, Named("near", ball), Threshold(0, 0.5)):
        for answers in ((0,), (1,), (-1, 0)):
            condition = BranchIs(question, answers)
            assert _found("sqlite", values, condition_sql(condition, schema)) == condition.holds([column]).tolist()


def test_surrogates_are_a_case_of_their_own():
    routed = RoutedTo(Threshold(0, 1.0), ((Threshold(0, 5.0), True),), otherwise=1, unseen=None, branch=1)
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), None)
    column = Column("x", Kind.NUMERIC, np.array([0.0, 2.0, np.nan]))
    held = routed.holds([column]).tolist()
    assert _found("sqlite", [0.0, 2.0, None], condition_sql(routed, schema)) == held == [False, True, True]
    assert routed.text(schema) == "x > 1"
    assert routed.text(schema, show_missing=True) == "x > 1 (if missing: x <= 5, else otherwise yes)"
