"""Model files of format 1.0, written before names replaced numbers, load as the models that they were."""

import dataclasses
import pathlib

import numpy as np
import pytest
from tests.unit.tree.example_trees import mixed_columns, mixed_tree

import hornbeam as hb
from hornbeam.ensembles.methods import ensembles
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import ModelFileError
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses
from hornbeam.parts.missing import missing
from hornbeam.parts.orders import orders
from hornbeam.parts.prunings import prunings
from hornbeam.parts.searches import searches
from hornbeam.parts.stops import stops
from hornbeam.rules.files import load_rules, rules_from_bytes, rules_to_bytes
from hornbeam.tree import walk
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.file.older_formats import upgrade_description
from hornbeam.tree.file.older_recipes import PART_SETTINGS, PARTS, RECIPE_SETTINGS, SAMPLING, upgrade_recipe
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
        ("kinds", [f"kind {i}" for i in range(8)], "Unknown kind of question 'kind 0'"),
        ("kinds", ["named", *"bcdefgh"], "Unknown kind of question|another encoding"),
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


RECIPE_1_0 = {
    "name": "notes",
    "criterion": {"name": "of_loss", "loss": {"name": "zero_one"}},
    "searches": [
        {"name": "sorted_cuts", "least": "plain"},
        {"name": "each_value", "admits_zero": True},
        {"name": "one_value", "by": "ratio"},
    ],
    "missing": {"name": "fill", "by": "median"},
    "stops": [{"name": "depth", "at_most": 7}, {"name": "max_leaves", "at_most": 9}, {"name": "min_gain", "beta": 0.5}],
    "pruning": "by_hand",
    "ensemble": {"name": "forest", "trees": 3, "by": "classes", "share": 0.5, "honest": True},
    "price": {"threshold": 2.0},
    "admits_zero": True,
}


def test_a_recipe_of_format_1_0_has_the_present_names_of_parts_and_settings():
    assert upgrade_recipe(RECIPE_1_0) == {
        "name": "lecture_notes",
        "criterion": {"name": "loss_decrease", "loss": {"name": "zero_one"}},
        "searches": [
            {"name": "sorted_cuts", "min_size": "min_leaf"},
            {"name": "multiway", "allow_zero_gain": True},
            {"name": "level_vs_rest", "method": "ratio"},
        ],
        "missing": {"name": "impute", "method": "median"},
        "stops": [
            {"name": "max_depth", "depth": 7},
            {"name": "max_leaves", "leaves": 9},
            {"name": "min_gain", "beta": 0.5},
        ],
        "pruning": "manual",
        "ensemble": {
            "name": "forest",
            "n_trees": 3,
            "sampling": {"method": "classes", "fraction": 0.5},
            "honest": True,
        },
        "split_penalty": {"threshold": 2.0},
        "allow_zero_gain": True,
    }


def test_an_upgraded_recipe_is_valid():
    recipe = hb.Recipe(**upgrade_recipe(RECIPE_1_0))
    assert recipe.stops[0] == stops.part({"name": "max_depth", "depth": 7})


def test_every_part_and_setting_that_an_upgrade_writes_exists():
    parts = {}
    for registry in (criteria, losses, missing, orders, prunings, searches, stops, ensembles):
        for name in registry.names():
            parts.setdefault(name, set()).update(field.name for field in dataclasses.fields(registry.part_class(name)))
    assert set(PARTS.values()) <= set(parts)
    assert not set(PARTS) & set(parts)
    for name, settings in PART_SETTINGS.items():
        assert set(settings.values()) <= parts[name], name
    assert set(RECIPE_SETTINGS.values()) <= {field.name for field in dataclasses.fields(hb.Recipe)}
    assert set(SAMPLING.values()) == {field.name for field in dataclasses.fields(RowSampling)}


def test_a_forest_of_format_1_0_has_the_present_name_of_row_sampling():
    forest = hb.load(FORMATS.parent / "models" / "forest-0.1.0.tree")
    assert forest.metadata["sampling"] == {"method": "rows", "with_replacement": True, "fraction": 1.0}
    assert "draw" not in forest.metadata
    boosted = hb.load(FORMATS.parent / "models" / "boosted-0.1.0.tree")
    assert boosted.recipe == {"name": "boosting", "n_rounds": 3}
    tree = hb.load(FORMATS.parent / "models" / "classes-0.1.0.tree")
    assert tree.recipe["stops"][-1] == {"name": "max_depth"}


def test_the_prunings_of_format_1_0_have_their_present_names():
    description = {"facts": {"prunings": [{"pruning": {"name": "critical_value", "at_least": 0.5}}, 3]}, "recipe": []}
    upgraded = upgrade_description(description, "tree")
    assert upgraded["metadata"] == {"prunings": [{"pruning": {"name": "critical_value", "threshold": 0.5}}, 3]}
    assert upgraded["recipe"] == []


def test_a_recipe_of_format_1_0_that_names_a_file_to_read_is_rejected():
    arrays, about, _ = container.read_container((FORMATS / "tree-1.0.tree").read_bytes())
    description = plain_values.parse_canonical_json(arrays["description"].tobytes())
    description["recipe"] = {"searches": [{"name": "given", "file": "questions.toml"}]}
    changed = {**arrays, "description": np.frombuffer(plain_values.canonical_json(description), dtype=np.uint8)}
    with pytest.raises(ModelFileError, match="names a file to read"):
        from_bytes(container.write_container(changed, about))


def test_names_of_format_1_1_that_changed_before_its_release_are_read():
    tree = hb.grow(hb.datasets.load("penguins"), hb.recipe("plain").with_changes(missing="impute"))
    arrays, about, _ = container.read_container(to_bytes(tree))
    description = plain_values.parse_canonical_json(arrays["description"].tobytes())
    metadata = description["metadata"]
    metadata["fills"], metadata["gaps"] = metadata.pop("fill_values"), metadata.pop("columns_with_missing")
    description["recipe"]["missing"] = {"name": "impute", "by": "median", "scope": "table"}
    arrays = {**arrays, "description": np.frombuffer(plain_values.canonical_json(description), dtype=np.uint8)}
    loaded = from_bytes(container.write_container(arrays, about))
    assert loaded.metadata == tree.metadata
    assert loaded.recipe["missing"]["method"] == "median"


def test_rules_that_stored_how_they_predict_under_another_name_are_read():
    rules = hb.extract_rules(hb.grow(hb.datasets.load("iris"), "plain")).replace(predict_by="vote")
    arrays, about, _ = container.read_container(rules_to_bytes(rules))
    description = plain_values.parse_canonical_json(arrays["description"].tobytes())
    description["answers_by"] = description.pop("predict_by")
    arrays = {**arrays, "description": np.frombuffer(plain_values.canonical_json(description), dtype=np.uint8)}
    assert rules_from_bytes(container.write_container(arrays, about)).predict_by == "vote"
