"""Rules of leaves: their message, their figures, how they answer, and the worked examples E4.5 and E6.9."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.rules.c45 import candidate_rules
from hornbeam.rules.code_length import column_bits, naming_bits, rule_bits, set_bits
from hornbeam.rules.conditions import Between, OneOf
from hornbeam.rules.generalizing import ConditionCoverage
from hornbeam.rules.matching import matches
from hornbeam.rules.postpruning import drop_conditions, rule_value
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.rule_metrics import rule_metrics
from hornbeam.rules.training import TrainingRows, training_rows
from hornbeam.table.column import ColumnSpec, Kind, nominal, numeric, ordinal
from hornbeam.table.table import Schema, Table

YES_NO = ("no", "yes")


@pytest.fixture(scope="module")
def iris():
    return hb.datasets.load("iris")


def test_conditions_about_one_column_are_drawn_together(iris):
    rules = hb.extract_rules(hb.grow(iris, "plain"))
    deepest = max(rules, key=lambda rule: len(rule.conditions))
    columns = [column for condition in deepest.conditions for column in condition.columns]
    assert len(columns) == len(set(columns)) <= 4
    # The plain tree tests petal_length > 2.45, petal_width <= 1.75, petal_length <= 4.95, petal_width > 1.65.
    assert ("2.45 < petal_length <= 4.95", "1.65 < petal_width <= 1.75") in [rule.condition_text() for rule in rules]


def test_without_simplifying_there_is_one_condition_per_node(iris):
    tree = hb.grow(iris, "plain")
    whole = hb.extract_rules(tree, simplify=False)
    assert [len(rule) for rule in whole] == [int(tree.nodes.depth[rule.node]) for rule in whole]


def test_a_stump_has_one_rule_that_always_holds(iris):
    stump = hb.extract_rules(hb.grow(iris, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 0}])))
    assert str(stump) == "if always then setosa   (150 rows, 33% right)"


def test_a_set_of_ordered_levels_reads_as_an_interval():
    schema = Schema((ColumnSpec("grade", Kind.ORDINAL, ("low", "mid", "high", "top")),), None)
    message = {codes: OneOf(0, codes, 4).text(schema) for codes in [(0, 1), (2, 3), (1, 2), (1,), (0, 2), (0, 1, 2, 3)]}
    assert list(message.values()) == [
        "grade <= mid",
        "grade > mid",
        "low < grade <= high",
        "grade = mid",
        "grade in {low, high}",
        "grade is known",
    ]


def test_intervals_that_do_not_meet_are_never_satisfied():
    empty = Between(0, None, 1.0, missing=True).meet(Between(0, 1.0, None, missing=False))
    assert empty.is_never
    missing_only = Between(0, None, 1.0, missing=True).meet(Between(0, 1.0, None, missing=True))
    assert not missing_only.is_never
    schema = Schema((ColumnSpec("size", Kind.NUMERIC),), None)
    assert missing_only.text(schema) == "size is missing"


def test_a_chain_of_many_nodes_becomes_short_rules():
    # 400 rows whose class changes at every step make a tree as deep as it can be unbalanced; one column, one condition.
    x = np.arange(400.0)
    table = Table((numeric("x", x),), nominal("y", np.arange(400) % 2, YES_NO))
    rules = hb.extract_rules(hb.grow(table, "plain"))
    assert len(rules) == 400
    assert {len(rule.conditions) for rule in rules} == {1}


def rule(schema, conditions, answer, stats):
    return Rule(schema, tuple(conditions), float(answer), tuple(map(float, stats)), int(sum(stats)))


@pytest.fixture
def small():
    """Two rules that overlap: size > 1 predicts yes (3 of 4), size > 2 predicts no (1 of 1); of 10 rows 4 are yes."""
    schema = Schema((ColumnSpec("size", Kind.NUMERIC),), ColumnSpec("ripe", Kind.NOMINAL, YES_NO))
    rules = (rule(schema, [Between(0, 1.0)], 1, (1, 3)), rule(schema, [Between(0, 2.0)], 0, (1, 0)))
    return RuleSet(schema, rules, rule(schema, [], 0, (5, 1)), (6.0, 4.0), 10)


def test_the_first_rule_that_holds_predictions_and_the_default_the_rest(small):
    predicted = small.predict({"size": [0.0, 1.5, 3.0, None]})
    assert predicted.labels.tolist() == ["no", "yes", "yes", "no"]
    assert predicted.nodes.tolist() == [2, 0, 0, 2]
    assert predicted.probabilities[1].tolist() == [0.25, 0.75]


def test_votes_count_with_their_estimated_accuracy(small):
    predicted = small.replace(predict_by="vote").predict({"size": [0.0, 1.5, 3.0]})
    # yes votes (3 + 1) / (4 + 2), no votes (1 + 1) / (1 + 2): a tie at 2/3 goes to the first class.
    assert predicted.labels.tolist() == ["no", "yes", "no"]
    assert predicted.probabilities[2].tolist() == pytest.approx([0.5, 0.5])


def test_figures_have_wilson_intervals(small):
    found = rule_metrics(small, small[0])
    assert (found.cover.value, found.support.value, found.accuracy.value) == (0.4, 0.3, 0.75)
    assert found.lift.value == pytest.approx(0.75 / 0.4)
    # R: prop.test(3, 4, correct = FALSE)$conf.int gives 0.3006418 to 0.9544127.
    assert (found.accuracy.low, found.accuracy.high) == pytest.approx((0.3006418, 0.9544127), abs=1e-6)


def test_a_rule_that_covers_nothing_has_no_accuracy(small):
    empty = rule(small.schema, [Between(0, 9.0)], 1, (0, 0))
    assert empty.accuracy is None
    assert rule_metrics(small, empty).accuracy.value is None
    assert str(empty) == "if size > 9 then yes   (0 rows)"


def test_measured_counts_the_figures_on_other_rows(small):
    table = Table((numeric("size", [0, 2, 2, 3]),), nominal("ripe", [0, 1, 0, 0], YES_NO))
    found = hb.rules.measure_rules(small, table)
    assert [each.stats for each in found] == [(2.0, 1.0), (1.0, 0.0)]
    assert found.default.stats == (1.0, 0.0)
    assert found.rows == 4


def test_rules_without_a_default_refuse_a_row_that_none_covers(small):
    with pytest.raises(InputError, match="Row 1 satisfies no rule"):
        small.replace(default=None).predict({"size": [3.0, 0.0]})


def test_numbers_have_rules_with_a_mean_and_a_deviation():
    table = Table((numeric("x", [1, 2, 3, 4]),), numeric("y", [1.0, 1.0, 4.0, 6.0]))
    rules = hb.extract_rules(hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 1}])))
    assert str(rules) == "if x <= 2.5 then 1   (2 rows)\nif x > 2.5 then 5   (2 rows)"
    assert rules.as_rows()[1]["deviation"] == 1.0
    assert rules.predict({"x": [9.0]}).numbers.tolist() == [5.0]
    assert rules.replace(predict_by="vote").predict({"x": [9.0]}).numbers.tolist() == [5.0]


def test_options_are_checked(small, iris):
    tree = hb.grow(iris, "plain")
    with pytest.raises(OptionError, match="predict_by must be one of first, vote, got 'best'"):
        small.replace(predict_by="best")
    with pytest.raises(OptionError, match="confidence must be above 0"):
        hb.rules.c45rules(tree, iris, confidence=0.0)
    with pytest.raises(OptionError, match="redundancy must be above 0"):
        hb.rules.c45rules(tree, iris, redundancy=-1)
    with pytest.raises(OptionError, match="estimate must be one of laplace, pessimistic, got 'best'"):
        hb.rules.postprune_rules(tree, iris, estimate="best")
    with pytest.raises(InputError, match="requires rows with a class"):
        hb.rules.c45rules(tree, iris.without_target())


def test_rules_survive_pickling(small, iris):
    rules = hb.extract_rules(hb.grow(iris, "plain"))
    assert pickle.loads(pickle.dumps(rules)).rules == rules.rules


def test_e4_5_bits_of_golf(golf_table):
    """Branch bits, rule bits, subsets and the final order, as the compiled C4.5rules printed them."""
    expected = EXAMPLES["E4.5"]["expected"]
    table = golf_table
    tree = hb.grow(table, hb.recipe("c45").with_changes(pruning=None))
    data = training_rows(tree.schema, table, "the test")
    per_column = column_bits(data)
    naming = naming_bits(per_column)
    assert per_column.tolist() == pytest.approx(expected["branch_bits"], abs=1e-9)
    assert naming == pytest.approx(expected["att_test_bits"], abs=1e-9)
    found = candidate_rules(data, tree, 0.25)
    by_bits = {round(rule_bits(each.unmerged, per_column, naming, 1.0), 6) for each in found}
    assert by_bits == {round(each["bits"], 6) for each in expected["rules"]}
    errors = sorted(1 - each.rule.estimate for each in found)
    assert errors == pytest.approx(sorted(each["error"] for each in expected["rules"]), abs=1e-6)
    rules = hb.rules.c45rules(tree, table)
    order = [next(r for r in expected["rules"] if r["id"] == number) for number in expected["final_order"]]
    assert [str(each.label) for each in rules] == [each["cls"] for each in order]
    assert str(rules.default.label) == expected["default"]
    assert (rules.predict(table).codes != table.target.values).sum() == expected["training_errors"]


def test_e4_5_code_lengths_of_every_subset(golf_table):
    expected = EXAMPLES["E4.5"]["expected"]
    tree = hb.grow(golf_table, hb.recipe("c45").with_changes(pruning=None))
    data = training_rows(tree.schema, golf_table, "the test")
    per_column = column_bits(data)
    naming = naming_bits(per_column)
    found = candidate_rules(data, tree, 0.25)
    fires = matches([each.rule for each in found], data.columns)
    place_of = {}
    for place, each in enumerate(found):
        same = [
            r for r in expected["rules"] if r["cls"] == str(each.rule.label) and len(r["conds"]) == len(each.unmerged)
        ]
        near = [r for r in same if math.isclose(1 - each.rule.estimate, r["error"], abs_tol=1e-6)]
        place_of[near[0]["id"]] = place
    assert len(place_of) == len(expected["rules"]) == len(found)
    for name, value in expected["subset_values"].items():
        label, _, listed = name.partition(":")
        places = [place_of[number] for number in json.loads(listed)]
        right = data.codes == [str(each) for each in tree.schema.classes].index(label)
        covered = np.logical_or.reduce(fires[places], axis=0) if places else np.zeros(14, dtype=bool)
        total = sum(rule_bits(found[place].unmerged, per_column, naming, 1.0) for place in places)
        true, false = np.array([(covered & right).sum()]), np.array([(covered & ~right).sum()])
        found_bits = set_bits(np.array([total]), np.array([len(places)]), 14.0, true, false, float(right.sum()))
        assert found_bits[0] == pytest.approx(value, abs=1e-6)


@pytest.fixture(scope="module")
def golf_table():
    """The 14 days of golf with numbers (C4.5's own example)."""
    outlook, temperature, humidity, windy, play = zip(*EXAMPLES["E4.2"]["input"]["rows"], strict=True)
    skies = ("sunny", "overcast", "rain")
    return Table(
        (
            nominal("outlook", [skies.index(each) for each in outlook], skies),
            numeric("temperature", temperature),
            numeric("humidity", humidity),
            nominal("windy", [("true", "false").index(str(each).lower()) for each in windy], ("true", "false")),
        ),
        nominal("play", [("Play", "Don't Play").index(each) for each in play], ("Play", "Don't Play")),
    )


def test_e6_9_conditions_go_while_laplace_gets_no_worse():
    given = EXAMPLES["E6.9"]
    cells = np.array([row for row, _ in given["input"]["validation"]])
    columns = tuple(nominal(f"x{place}", cells[:, place], ("0", "1")) for place in range(3))
    codes = np.array([answer for _, answer in given["input"]["validation"]], dtype=np.int32)
    schema = Schema(tuple(column.spec for column in columns), ColumnSpec("y", Kind.NOMINAL, ("0", "1")))
    data = TrainingRows(schema, columns, codes, np.ones(len(codes)))
    conditions = [OneOf(0, (1,), 2), OneOf(1, (1,), 2), OneOf(2, (0,), 2)]
    rule = ConditionCoverage(data, conditions, 1)
    estimate = drop_conditions(rule, rule_value("laplace", 0.25))
    steps = given["expected"]["steps"]
    assert rule.kept == [0, 1]
    assert estimate == pytest.approx(steps[-1]["estimate"])
    for place, value in enumerate(steps[0]["without"].values()):
        without = [each for i, each in enumerate(conditions) if i != place]
        held = np.logical_and.reduce([each.holds(columns) for each in without])
        right = (codes[held] == 1).sum()
        assert (right + 1) / (held.sum() + 2) == pytest.approx(value)


def test_levels_may_be_ordinal_in_rules_learned_from_a_tree():
    grade = ordinal("grade", [0, 0, 1, 1, 2, 2, 2, 0], ("low", "mid", "high"))
    table = Table((grade,), nominal("ripe", [0, 0, 1, 1, 1, 1, 1, 0], YES_NO))
    rules = hb.rules.c45rules(hb.grow(table, hb.recipe("c45").with_changes(pruning=None)), table)
    assert rules.predict(table).codes.tolist() == table.target.values.tolist()
    assert {message for each in rules for message in each.condition_text()} <= {"grade <= low", "grade > low"}
