"""c45rules gives the rules that C4.5rules (release 8) itself printed.

The recorded lists were printed before release 8 polished them: rules that its text drops afterwards ("Drop rule 12")
are taken off first. Where a class has more than ten rules to choose from, release 8 climbs from its own random starts:
on most data both climbs end at the same rules; on five they do not, and there the code lengths are compared.

Left out: glass, labor, hepatitis, pima_missing and soybean, whose trees differ from release 8's by ties decided in
float32.
"""

import functools
import re

import numpy as np
import pytest
from tests.peers.shared import answers, outside, table

from hornbeam.recipes import recipe
from hornbeam.recipes.grow import grow
from hornbeam.rules.c45 import c45rules, candidate_rules
from hornbeam.rules.code_length import column_bits, naming_bits, rule_bits, set_bits
from hornbeam.rules.matching import matches
from hornbeam.rules.subsets import best_subset
from hornbeam.rules.training import training_rows

EQUAL = ["checkerboard4", "contact_lenses", "iris_r", "penguins", "wdbc", "xor4"]
EQUAL += outside("birthwt", "car", "colic", "credit_a", "heart_c", "ionosphere", "iris", "iris_unicode", "kyphosis")
EQUAL += outside("pima", "segment", "sonar", "stagec", "tic_tac_toe", "titanic_survival", "vote", "vowel")
EQUAL += outside("weather_nominal", "weather_numeric", "wine", "zoo")
CLIMBED = ["attrition", *outside("breast_cancer", "credit_g", "dna", "vehicle")]


def recorded_rules(name):
    """What c4.5rules printed."""
    return answers("c45", name)["rules"]


@functools.cache
def grown(name):
    data = table(name, ordered=False)
    return data, grow(data, recipe("c45").with_changes(pruning=None))


def theirs_of(recorded):
    """The rules as printed, without those that were dropped afterwards."""
    dropped = {int(number) for number in re.findall(r"Drop rule (\d+)", recorded.get("text") or "")}
    return [rule for rule in recorded["parsed"] if rule["rule"] not in dropped]


@pytest.mark.parametrize("name", EQUAL)
def test_the_rules_are_those_of_release_8(name):
    recorded = recorded_rules(name)
    data, tree = grown(name)
    rules = c45rules(tree, data)
    theirs = theirs_of(recorded)
    assert [str(rule.label) for rule in rules] == [rule["class"] for rule in theirs]
    percent = [100 * rule.estimate for rule in rules]
    assert percent == pytest.approx([rule["accuracy_percent"] for rule in theirs], abs=0.0501)
    assert str(rules.default.label) == recorded["default_class"]
    assert rules.predict(data).codes.tolist() == recorded["predictions"]


@pytest.mark.parametrize("name", EQUAL)
def test_the_conditions_are_those_of_release_8(name):
    recorded = recorded_rules(name)
    data, tree = grown(name)
    for ours, theirs in zip(c45rules(tree, data), theirs_of(recorded), strict=True):
        assert {column for each in ours.conditions for column in each.columns} == {
            tree.schema.position(column) for column, _, _ in theirs["if"]
        }


@pytest.mark.parametrize("name", CLIMBED)
def test_where_climbs_end_elsewhere_our_code_is_as_good_within_one_percent(name):
    recorded = recorded_rules(name)
    data, tree = grown(name)
    rows = training_rows(tree.schema, data, "the test")
    found = candidate_rules(rows, tree, 0.25)
    per_column = column_bits(rows)
    naming = naming_bits(per_column)
    bits = [rule_bits(each.unmerged, per_column, naming, 1.0) for each in found]
    fires = matches([each.rule for each in found], rows.columns)
    words = [frozenset(each.text(tree.schema) for each in rule.unmerged) for rule in found]
    for code, label in enumerate(tree.schema.classes):
        own = [place for place, each in enumerate(found) if int(each.rule.answer) == code]
        chosen = best_subset(fires[own], rows.codes == code, rows.weights, [bits[p] for p in own], 0, code)
        printed = [_words(rule["if"]) for rule in recorded["parsed"] if rule["class"] == str(label)]
        theirs = [place for place in own if words[place] in printed]
        assert len(theirs) == len(printed), "a rule of theirs is not among our candidates"
        length = [_length(rows, fires, bits, code, places) for places in ([own[p] for p in chosen], theirs)]
        assert length[0] <= 1.01 * length[1]  # measured: from 0.84 % shorter to 0.55 % longer


def _words(conditions):
    return frozenset(f"{name} {sign} {value if sign == '=' else f'{value:g}'}" for name, sign, value in conditions)


def _length(rows, fires, bits, code, places):
    covered = np.logical_or.reduce(fires[places], axis=0) if places else np.zeros(len(rows), dtype=bool)
    right = rows.codes == code
    true, false = np.array([(covered & right).sum()]), np.array([(covered & ~right).sum()])
    total, count = np.array([sum(bits[p] for p in places)]), np.array([len(places)])
    return set_bits(total, count, float(len(rows)), true, false, float(right.sum()))[0]
