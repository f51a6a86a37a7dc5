"""Model files and recipes from strangers: no module is imported because of them, nothing is run, nothing is inflated.

The files are written here with correct hashes and given to child processes, one that watches imports, processes and
opened files (`sys.addaudithook`), one whose address space is limited.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.guarantees.hostile import (
    WATCHED,
    all_inner,
    crafted,
    lengths,
    limited,
    overlapping,
    small_forest,
    strange_parents,
    wide_nothing,
)

import hornbeam as hb
from hornbeam.errors import ModelFileError
from hornbeam.rules.files import rules_to_bytes, save_rules
from hornbeam.toml_text import toml_text
from hornbeam.tree.file.files import from_bytes, to_bytes

ROOT = Path(__file__).resolve().parents[2]
USER = {"criterion": {"name": "custom", "function": "stranger:attack"}}
PREDICATE = {
    "searches": [{"name": "custom_questions", "questions": [{"column": "petal_width", "predicate": "stranger:attack"}]}]
}
FILE = {"searches": [{"name": "custom_questions", "file": "secret.toml"}]}
HOSTILE = {"user": USER, "predicate": PREDICATE, "file": FILE}
STRANGER = "import pathlib\npathlib.Path('imported').touch()\ndef attack(*_):\n    pathlib.Path('called').touch()\n"


def test_no_module_is_imported_and_no_process_started_because_of_a_model_or_a_recipe(tmp_path):
    (tmp_path / "stranger.py").write_text(STRANGER, encoding="utf-8")
    secret = '[[questions]]\ncolumn = "petal_width"\npredicate = "stranger:attack"\n'
    (tmp_path / "secret.toml").write_text(secret, encoding="utf-8")
    iris = hb.datasets.load("iris")
    rows = [[column.shown_value(i) for column in (*iris.columns, iris.target)] for i in range(0, len(iris), 3)]
    text = [",".join(spec.name for spec in (*iris.columns, iris.target)), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "d.csv").write_text("\n".join(text).replace("'", "") + "\n", encoding="utf-8")
    table = hb.read(str(tmp_path / "d.csv"), target="species")
    tree, forest = hb.grow(table, "plain"), hb.forest(table, n_trees=3)
    models, recipes = [], []
    for name, recipe in HOSTILE.items():
        hb.save(dataclasses.replace(tree, recipe=recipe), tmp_path / f"{name}.tree")
        members = tuple(dataclasses.replace(each, recipe=recipe) for each in forest.trees)
        hb.save(dataclasses.replace(forest, recipe=recipe, trees=members), tmp_path / f"{name}-forest.tree")
        (tmp_path / f"{name}.toml").write_text(toml_text(recipe), encoding="utf-8")
        models += [f"{name}.tree", f"{name}-forest.tree"]
        # A recipe's file may name a file of questions: it is read as data. A model's recipe may not.
        recipes += [f"{name}.toml"] if name != "file" else []
    with pytest.raises(ModelFileError, match="names a file to read"):
        hb.load(tmp_path / "file.tree")
    hb.save(hb.boost(table, n_rounds=3), tmp_path / "boosted.tree")
    save_rules(dataclasses.replace(hb.extract_rules(tree), metadata={**USER, **PREDICATE}), tmp_path / "all.rules")
    models.append("boosted.tree")
    words = [sys.executable, "-c", WATCHED, ",".join(models), ",".join(recipes), "all.rules"]
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    ran = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["seen"] == []
    assert found["faults"] == []
    assert {"grow", "prune", "stability", "compare_prunings", "TreeClassifier", "complexity_table"} <= set(
        found["called"]
    )
    assert not (tmp_path / "imported").exists()
    assert not (tmp_path / "called").exists()


@pytest.mark.parametrize(
    "facts",
    [
        {"fill_values": [1.0]},
        {"fill_values": ["a"] * 4},
        {"missing_fractions": [2.0] * 4},
        {"columns_with_missing": 3},
        {"prunings": [{}]},
        {"prunings": [{"pruning": {"name": 1}, "nodes": [1, 2], "leaves": [1, 2]}]},
        {"sampling": {"method": "rows", "lambda": 1}},
        {"rows": -1},
        {"seed": "x"},
        {"steps": [1]},
        {"notes": "abc"},
        {"class_factors": {"a": 1}},
        {"costs": [[1], 2]},
    ],
    ids=lambda facts: next(iter(facts)),
)
def test_facts_that_steer_later_work_must_have_their_form(facts):
    iris = hb.datasets.load("iris")
    tree, forest = hb.grow(iris, "plain"), hb.forest(iris, n_trees=2)
    for model in (
        dataclasses.replace(tree, metadata=facts),
        dataclasses.replace(forest, metadata=facts),
        dataclasses.replace(forest, trees=(dataclasses.replace(forest[0], metadata=facts), forest[1])),
    ):
        with pytest.raises(ModelFileError, match="wrong form"):
            from_bytes(to_bytes(model))


# ----- what a file may allocate -----


def test_a_small_file_of_a_forest_takes_little_memory(tmp_path):
    forest = small_forest()
    files = {
        "wide.tree": crafted(forest, all_inner(20_000, 8_000)),
        "overlap.tree": crafted(forest, overlapping(30_000)),
        "long.tree": crafted(forest, lengths([[2**31 - 1] * 5] * 2)),
        "negative.tree": crafted(forest, lengths([[-1] * 5] * 2)),
        "nothing.tree": crafted(forest, wide_nothing),
        "parents.tree": crafted(forest, strange_parents),
    }
    assert all(len(data) < 800_000 for data in files.values())
    for name, result in zip(files, limited(tmp_path, files), strict=True):
        assert result.startswith("ModelFileError"), (name, result)


def test_many_trees_over_many_levels_are_checked_level_by_level_once(tmp_path):
    table = hb.read({"x": [1.0, 2.0], "y": ["a", "b"]}, target="y")
    leaf = hb.grow(table, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 0}]))
    levels = tuple(f"level {i}" for i in range(20_000))
    spec = dataclasses.replace(leaf.schema.columns[0], kind=hb.table.Kind.NOMINAL, levels=levels)
    schema = hb.table.Schema((spec,), leaf.schema.target)
    forest = hb.tree.combine_trees([dataclasses.replace(leaf, schema=schema)] * 1_500)
    assert limited(tmp_path, {"many.tree": to_bytes(forest)}) == ["loaded"]


def test_a_small_file_of_one_tree_takes_little_memory(tmp_path):
    tree = hb.grow(hb.datasets.load("iris"), "plain")

    def deep(arrays, text):
        arrays["nodes.depth"] = arrays["nodes.depth"] + 10**6

    def many_branches(arrays, text):
        arrays["nodes.n_branches"] = np.where(arrays["nodes.n_branches"] > 0, 2**31 - 1, 0).astype(np.int32)

    def far_pools(arrays, text):
        arrays["questions.reals_start"] = arrays["questions.reals_start"] * 2**40

    def surrogates(arrays, text):
        arrays["nodes.surrogate_start"] = (
            arrays["nodes.surrogate_start"] + np.arange(len(arrays["nodes.surrogate_start"]), dtype=np.int64) * 2**40
        )

    changes = (deep, many_branches, far_pools, surrogates, wide_nothing)
    files = {f"{change.__name__}.tree": crafted(tree, change) for change in changes}
    for name, result in zip(files, limited(tmp_path, files), strict=True):
        assert result.startswith("ModelFileError"), (name, result)


def test_a_small_file_of_a_boosted_model_takes_little_memory(tmp_path):
    boosted = hb.boost(hb.datasets.load("iris"), n_rounds=2)

    def many_outputs(arrays, text):
        arrays["forest.output"] = np.full(len(arrays["forest.output"]), 2**31 - 1, dtype=np.int32)

    def long_base(arrays, text):
        arrays["forest.base"] = np.zeros(20_000)

    def wide(arrays, text):
        arrays["nodes.stats"] = np.zeros((np.count_nonzero(arrays["nodes.first_child"] < 0), 100_000), dtype=np.int8)

    def no_members(arrays, text):
        text["about"] = []

    changes = (many_outputs, long_base, wide, no_members, wide_nothing)
    files = {f"{change.__name__}.tree": crafted(boosted, change) for change in changes}
    for name, result in zip(files, limited(tmp_path, files), strict=True):
        assert result.startswith("ModelFileError"), (name, result)


def test_rules_whose_questions_hold_each_other_are_made_once(tmp_path):
    """Each combined question holds the one before it twice over; in full they would take gigabytes."""
    rules = hb.extract_rules(hb.grow(hb.datasets.load("iris"), "plain"))
    n, nested = 60_000, 120

    def change(arrays, text):
        text["kinds"] = ["combined", "threshold"]
        rows = np.arange(n)
        is_cut = rows % nested < 2
        kind = np.where(is_cut, 1, 0)
        whole = [[] if cut else [0, row - 1, 0, row - row % nested, 1] for row, cut in zip(rows.tolist(), is_cut)]
        counts = np.array([len(each) for each in whole])
        arrays["questions.kind"] = kind.astype(np.int8)
        arrays["questions.encoding"] = np.where(is_cut, 0, 4).astype(np.int8)
        arrays["questions.column"] = np.where(is_cut, 0, -1).astype(np.int32)
        arrays["questions.first"] = np.zeros(n, dtype=np.int32)
        arrays["questions.missing_answer"] = np.full(n, -1, dtype=np.int32)
        arrays["questions.name"] = np.full(n, -1, dtype=np.int32)
        arrays["questions.whole"] = np.array([each for some in whole for each in some], dtype=np.int32)
        arrays["questions.reals"] = np.zeros(int(is_cut.sum()))
        arrays["questions.whole_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        arrays["questions.reals_start"] = np.concatenate([[0], np.cumsum(is_cut)]).astype(np.int64)

    def huge_numbers(arrays, text):
        text["rows"] = 10**400

    data = rules_to_bytes(rules)
    files = {"nested.rules": crafted(data, change), "huge.rules": crafted(data, huge_numbers)}
    nested_result, huge_result = limited(tmp_path, files, 300 << 20)
    assert nested_result == "loaded"
    assert huge_result.startswith("ModelFileError")
