"""Model files of format 1.0, written before names replaced numbers, load as the models that they were."""

import pathlib

import numpy as np
import pytest
from tests.unit.tree.example_trees import mixed_columns, mixed_tree

import hornbeam as hb
from hornbeam.errors import ModelFileError
from hornbeam.rules.files import load_rules, rules_from_bytes, rules_to_bytes
from hornbeam.tree import walk
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.name_codes import REASONS

FORMATS = pathlib.Path(__file__).parents[2] / "data" / "formats"


def questions(tree):
    return [tree.question(node) for node in np.flatnonzero(~tree.nodes.is_leaf).tolist()]


def leaf_reasons(tree):
    return [tree.reason(node) for node in np.flatnonzero(tree.nodes.is_leaf).tolist()]


def test_a_tree_of_format_1_0_has_its_questions_reasons_and_metadata():
    tree = hb.load(FORMATS / "tree-1.0.tree")
    assert questions(tree) == questions(mixed_tree())
    assert leaf_reasons(tree) == list(REASONS[1:12])
    assert tree.metadata == {"rows": 41, "notes": ["made by hand"]}
    assert len(list(tree.competitors(0))) == 2
    rows = mixed_columns(200)
    assert (walk.leaves(tree, rows) == walk.leaves(mixed_tree(unseen="majority"), rows)).all()


def test_a_forest_of_format_1_0_has_its_reasons():
    forest = hb.load(FORMATS / "forest-1.0.tree")
    assert leaf_reasons(forest[0]) == list(REASONS[1:12])
    assert leaf_reasons(forest[1]) == list(REASONS[10:])
    assert forest.metadata == {"rows": 41}


def test_rules_of_format_1_0_load():
    rules = load_rules(FORMATS / "rules-1.0.rules")
    assert [str(rule) for rule in rules] == [str(rule) for rule in hb.extract_rules(hb.load(FORMATS / "tree-1.0.tree"))]
    assert rules_to_bytes(rules_from_bytes(rules_to_bytes(rules))) == rules_to_bytes(rules)


@pytest.mark.parametrize("name", ["tree-1.0.tree", "forest-1.0.tree"])
def test_what_was_loaded_is_saved_in_the_present_format(name):
    model = hb.load(FORMATS / name)
    data = to_bytes(model)
    assert to_bytes(from_bytes(data)) == data
    arrays, _, _ = container.read_container(data)
    description = plain_values.parse_canonical_json(arrays["description"].tobytes())
    assert "facts" not in description
    assert description["reasons"] == sorted(description["reasons"])


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("reasons", ["a", "a"], "must be different"),
        ("reasons", [], "does not exist"),
        ("reasons", "pure", "list of at most 127 names"),
        ("reasons", [1, 2], "list of at most 127 names"),
        ("reasons", [f"reason {i}" for i in range(128)], "list of at most 127 names"),
        ("reasons", [f"reason {i}" for i in range(120)], "127 different names"),
        ("reasons", ["\n"] * 1 + [f"reason {i}" for i in range(20)], "printable text"),
        ("kinds", ["combined"], "does not exist"),
        ("kinds", [f"kind {i}" for i in range(8)], "no kind of question called 'kind 0'"),
        ("kinds", ["named", *"bcdefgh"], "no kind of question called|another encoding"),
        ("facts", {}, "must have the keys"),
    ],
)
def test_wrong_names_in_a_description_are_rejected(key, value, words):
    arrays, about, _ = container.read_container(to_bytes(mixed_tree()))
    arrays = dict(arrays)
    description = plain_values.parse_canonical_json(arrays["description"].tobytes())
    description[key] = value
    arrays["description"] = np.frombuffer(plain_values.canonical_json(description), dtype=np.uint8)
    with pytest.raises(ModelFileError, match=words):
        from_bytes(container.write_container(arrays, about))
