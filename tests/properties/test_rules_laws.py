"""Laws of rules on random trees of every question kind, with missing values, infinities and new levels (B72 to B75)."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.strategies import tables, trees_with_rows

from hornbeam.errors import InputError
from hornbeam.growing.in_python import grow
from hornbeam.recipes import recipe
from hornbeam.rules import c45rules, extract_rules, postprune_rules
from hornbeam.rules.files import rules_from_bytes, rules_to_bytes
from hornbeam.rules.generalizing import ConditionCoverage
from hornbeam.rules.matching import matches, packed_matches, unpacked
from hornbeam.rules.postpruning import ESTIMATES, drop_conditions, rule_value
from hornbeam.rules.prediction import first_fired
from hornbeam.rules.sql import where_clause
from hornbeam.rules.training import training_rows
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.tree import walk
from hornbeam.tree.prediction import predict

SAYING = ("as_missing", "majority", "stay")
CLASSES = ColumnSpec("y", Kind.NOMINAL, ("s", "t", "u"))


@given(trees_with_rows(unseen=SAYING), st.booleans(), st.integers(1, 9))
def test_every_row_satisfies_exactly_one_rule_which_predicts_what_the_tree_predicts(case, simplify, block):
    tree, columns = case
    rules = extract_rules(tree, simplify=simplify)
    held = matches(rules.rules, columns)
    assert (held.sum(axis=0) == 1).all()
    nodes = np.array([rule.node for rule in rules])
    assert nodes[held.argmax(axis=0)].tolist() == walk.leaves(tree, columns).tolist()
    parts = [unpacked(bits, stop - start) for start, stop, bits in packed_matches(rules.rules, columns, block)]
    assert not parts or np.array_equal(np.concatenate(parts, axis=1), held)
    by_tree, by_rules = predict(tree, columns), rules.predict(columns)
    whole = ~by_tree.is_fractional
    assert np.array_equal(by_rules.values[whole], by_tree.values[whole])
    if tree.is_class:
        assert np.array_equal(by_rules.codes[whole], by_tree.codes[whole])


@given(trees_with_rows(unseen=("error",), most_rows=4), st.booleans())
@settings(max_examples=50)
def test_a_level_that_the_tree_refuses_satisfies_no_rule(case, simplify):
    tree, columns = case
    held = matches(extract_rules(tree, simplify=simplify).rules, columns).sum(axis=0)
    for row in range(len(held)):
        one = [column.take(np.array([row])) for column in columns]
        try:
            walk.leaves(tree, one)
        except InputError:
            assert held[row] == 0
        else:
            assert held[row] == 1


@given(trees_with_rows())
def test_simplified_rules_hold_where_the_unsimplified_do(case):
    tree, columns = case
    whole, simple = extract_rules(tree, simplify=False), extract_rules(tree)
    rows = {rule.node: held for rule, held in zip(whole, matches(whole.rules, columns), strict=True)}
    for rule, held in zip(simple, matches(simple.rules, columns), strict=True):
        assert np.array_equal(held, rows.pop(rule.node))
    assert not any(held.any() for held in rows.values())  # what was left out can hold for no row


@given(trees_with_rows())
@settings(max_examples=60)
def test_a_where_clause_finds_exactly_the_rows_of_its_rule(case):
    tree, columns = case
    rules = extract_rules(tree)
    assume(len(columns[0]))
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        names = ", ".join(f'c{place} AS "{spec.name}"' for place, spec in enumerate(tree.schema.columns))
        base.execute("CREATE TABLE raw (place INTEGER, " + ", ".join(f"c{p}" for p in range(len(columns))) + ")")
        cells = zip(*(_cells(column) for column in columns), strict=True)
        rows = [(place, *values) for place, values in enumerate(cells)]
        base.executemany(f"INSERT INTO raw VALUES ({', '.join('?' * (len(columns) + 1))})", rows)
        base.execute(f"CREATE VIEW data AS SELECT place, {names} FROM raw")
        for rule, held in zip(rules, matches(rules.rules, columns), strict=True):
            query = f"SELECT place FROM data WHERE {where_clause(rule)} ORDER BY place"
            if any(np.isinf(column.values).any() for column in columns if not column.levels):
                # inf - inf has no SQL
                assume(all(condition.columns == (condition.key,) for condition in rule.conditions))
            assert [place for (place,) in base.execute(query)] == np.flatnonzero(held).tolist()


def _cells(column):
    if not column.levels:
        return [None if np.isnan(value) else value for value in column.values.tolist()]
    known = {place: level for place, level in enumerate(column.levels)} | {-1: None, -2: "a unseen level"}
    return [known[code] for code in column.values.tolist()]


@given(trees_with_rows(most_rows=6))
@settings(max_examples=60)
def test_rules_come_back_from_their_bytes_as_they_were(case):
    tree, columns = case
    rules = extract_rules(tree)
    data = rules_to_bytes(rules)
    again = rules_from_bytes(data)
    assert rules_to_bytes(again) == data
    assert again.rules == rules.rules
    assert np.array_equal(matches(again.rules, columns), matches(rules.rules, columns))


@given(tables(target=CLASSES), st.sampled_from(ESTIMATES))
@settings(max_examples=40)
def test_post_pruning_never_lowers_the_estimate(table, estimate):
    assume(table.weights is None or (table.weights > 0).any())
    tree = grow(table, recipe("c45"))
    data = training_rows(tree.schema, table, "the law")
    whole = extract_rules(tree, simplify=False)
    value = rule_value(estimate, 0.25)
    for rule in whole:
        answer, conditions = int(rule.answer), list(rule.conditions)
        before = drop_conditions(ConditionCoverage(data, [], answer), value)
        fallible = ConditionCoverage(data, conditions, answer)
        after = drop_conditions(fallible, value)
        held = np.logical_and.reduce([c.holds(data.columns) for c in conditions] or [np.ones(len(data), bool)])
        stats = data.stats_of(held)
        rows, right = float(stats.sum()), float(stats[answer])
        if estimate == "laplace":
            assert after >= (right + 1) / (rows + 2) - 1e-12
        if not fallible.kept:
            assert after == before


@given(tables(target=CLASSES))
@settings(max_examples=30)
def test_the_default_and_the_first_rule_that_holds_answer_together(table):
    assume(table.weights is None or (table.weights > 0).any())
    tree = grow(table, recipe("c45"))
    for rules in (c45rules(tree, table), postprune_rules(tree, table)):
        by_rules = rules.predict(table)
        held = matches(rules.rules, table.columns)
        for row in range(len(table)):
            fired = np.flatnonzero(held[:, row])
            rule = rules[int(fired[0])] if len(fired) else rules.default
            assert by_rules.codes[row] == rule.answer
        assert np.array_equal(first_fired(rules.rules, table.columns) < 0, ~held.any(axis=0))


@given(tables(target=CLASSES))
@settings(max_examples=30)
def test_a_row_of_weight_two_counts_as_two_rows(table):
    weights = np.ones(len(table)) if table.weights is None else np.minimum(np.floor(table.weights), 3)
    assume((weights > 0).any())
    weighted = dataclasses.replace(table, weights=weights)
    repeated = dataclasses.replace(table.take(np.repeat(np.arange(len(table)), weights.astype(int))), weights=None)
    tree = grow(weighted, recipe("c45"))
    for make in (c45rules, postprune_rules):
        one, other = make(tree, weighted), make(tree, repeated)
        assert [(r.conditions, r.answer) for r in one] == [(r.conditions, r.answer) for r in other]
        assert one.default.answer == other.default.answer
