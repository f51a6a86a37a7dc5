"""Files of rules: the same rules are the same bytes, any damage is noticed, and what they say is checked."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import ModelFileError
from hornbeam.rules.files import load_rules, rules_from_bytes, rules_to_bytes
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.files import from_bytes
from hornbeam.tree.file.tree_arrays import TEXT


@pytest.fixture(scope="module")
def rules():
    penguins = hb.datasets.load("penguins")
    return hb.rules.c45rules(hb.grow(penguins, hb.recipe("c45").with_changes(pruning=None)), penguins)


def test_saved_rules_come_back_and_predict_the_same(rules, tmp_path):
    rules.save(tmp_path / "p.rules")
    again = hb.load(tmp_path / "p.rules")
    penguins = hb.datasets.load("penguins")
    assert again.rules == rules.rules
    assert again.default == rules.default
    assert (again.method, again.predict_by, again.totals) == ("c45rules", "first", rules.totals)
    assert again.predict(penguins).codes.tolist() == rules.predict(penguins).codes.tolist()


def test_the_same_rules_are_the_same_bytes(rules):
    data = rules_to_bytes(rules)
    assert rules_to_bytes(rules_from_bytes(data)) == data


def test_any_changed_byte_is_noticed(rules):
    data = rules_to_bytes(rules)
    for place in np.linspace(0, len(data) - 1, 60).astype(int).tolist():
        broken = bytearray(data)
        broken[place] ^= 0x41
        with pytest.raises(ModelFileError):
            rules_from_bytes(bytes(broken))


def test_a_file_of_a_tree_has_no_rules_and_a_file_of_rules_no_tree(rules, tmp_path):
    with pytest.raises(ModelFileError, match="a tree or a forest is needed") as caught:
        from_bytes(rules_to_bytes(rules))
    assert caught.value.hint == "Use hornbeam.load or the command rules to read it."
    hb.save(hb.grow(hb.datasets.load("iris"), "plain"), tmp_path / "i.tree")
    with pytest.raises(ModelFileError, match="must contain rules"):
        load_rules(tmp_path / "i.tree")


def test_load_and_save_take_rules_too(rules, tmp_path):
    hb.save(rules, tmp_path / "p.rules")
    assert (tmp_path / "p.rules").read_bytes() == rules_to_bytes(rules)
    assert isinstance(hb.load(tmp_path / "p.rules"), hb.rules.RuleSet)


def changed(rules, change):
    """The bytes of a file whose description was changed and hashed again, as a forger would."""
    arrays, about, _ = container.read_container(rules_to_bytes(rules))
    content = plain_values.parse_canonical_json(arrays[TEXT].tobytes())
    change(content)
    arrays[TEXT] = np.frombuffer(plain_values.canonical_json(content), dtype=np.uint8)
    return container.write_container(arrays, about)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("method"), "must have the keys"),
        (lambda content: content.update(predict_by="luck"), "predict_by"),
        (lambda content: content.update(rules={}), "must be a list"),
        (lambda content: content.update(totals=[1.0]), "statistics must be 3 numbers"),
        (lambda content: content["rules"][0].update(answer=7.0), "Rule 0: its prediction must be a class"),
        (lambda content: content["rules"][0].update(estimate=1.5), "its estimate must be between 0 and 1"),
        (lambda content: content["rules"][0].update(stats=[-1.0, 0.0, 0.0]), "a weight must not be negative"),
        (lambda content: content["rules"][0].update(rows=-1), "its rows must be an integer"),
        (lambda content: content["rules"][0].update(conditions=[["between", 99, None, None, True]]), "does not exist"),
        (lambda content: content["rules"][0].update(conditions=[["between", 0, None, None, True]]), "numeric column"),
        (
            lambda content: content["rules"][0].update(conditions=[["one_of", 0, [5], True, True]]),
            "its levels must exist",
        ),
        (lambda content: content["rules"][0].update(conditions=[["answered", 0, [0]]]), "does not exist"),
        (lambda content: content["rules"][0].update(conditions=[["guess", 0, 1]]), "does not exist|unknown"),
        (
            lambda content: content["default"].update(conditions=[["one_of", 0, [0], False, False]]),
            "must not have conditions",
        ),
    ],
)
def test_what_a_file_contains_is_checked(rules, change, message):
    with pytest.raises(ModelFileError, match=message):
        rules_from_bytes(changed(rules, change))
