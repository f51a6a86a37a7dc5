"""A package adds parts of every type through the entry point group `hornbeam.parts`, one class each and nothing else.

Each part is grown with, saved, loaded, shown by the command line, and keeps what all parts promise.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys

import numpy as np
import pytest
from tests.contracts import test_every_question as every_question
from tests.contracts.part_checks import CHECKS
from tests.contracts.test_every_part import REGISTRIES

import hornbeam as hb
from hornbeam import functions
from hornbeam.cli.main import main
from hornbeam.errors import OptionError
from hornbeam.recipes.stored import stored_recipe
from hornbeam.tree.nodes import STAY

MODULE = "tests.contracts.outside_package"
# part: its type, a flag of the command line, and the flag's value as a setting
PARTS = {
    "tsallis": ("criterion", ["--tsallis-q", "2.5"], {"q": 2.5}),
    "quantile_cut": ("search", ["--quantile-cut-quantile", "0.25", "--search", "quantile_cut"], {"quantile": 0.25}),
    "min_fraction": ("stop", ["--min-fraction", "0.4"], {"fraction": 0.4}),
    "largest_error": ("loss", ["--loss", "largest_error"], {}),
    "newest_first": ("order", ["--order", "newest_first"], {}),
    "fixed_branch": ("missing", ["--fixed-branch-branch", "0"], {"branch": 0}),
    "laplace_error": ("pruning", ["--laplace-error-prior", "3"], {"prior": 3.0}),
}
FIELDS = {"search": "searches", "stop": "stops"}


class Entry:
    """The entry point of an installed package: loading it imports the module that defines the parts."""

    name = "outside"

    def load(self):
        return importlib.import_module(MODULE)


def forget_package():
    """Remove the package, so that no other test finds its parts: a class without a name is not a part."""
    module = sys.modules.pop(MODULE, None)
    for kind in vars(module).values() if module else ():
        if getattr(kind, "__module__", "") == MODULE:
            kind.name = ""
    functions.registered.cache_clear()
    every_question.table.cache_clear()
    for registry in REGISTRIES:
        registry.refresh()


@pytest.fixture
def package(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Entry()])
    forget_package()
    yield
    monkeypatch.undo()
    forget_package()
    assert not {name for registry in REGISTRIES for name in registry.names()} & set(PARTS)


def registry_of(part_type):
    return next(registry for registry in REGISTRIES if registry.part_type == part_type)


def table_for(name):
    """Flowers, a fifth of the lengths missing; the petal width as the target of the loss of numbers."""
    iris = hb.datasets.load("iris")
    columns = {column.name: np.array(column.values, dtype=float) for column in iris.columns}
    columns["petal_length"][::5] = np.nan
    if name == "largest_error":
        return hb.read({**columns, "petal_width": columns["petal_width"]}, target="petal_width")
    labels = np.array(iris.target.levels)[iris.target.values]
    return hb.read({**columns, "species": labels}, target="species")


def recipe_with(name, settings):
    part_type = PARTS[name][0]
    changes = {FIELDS.get(part_type, part_type): {"name": name, **settings}}
    return hb.recipe("plain").with_changes(**{"stops": [{"name": "max_depth", "depth": 3}], **changes})


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PARTS)
def test_it_keeps_what_all_parts_promise(package, name, check):
    registry = registry_of(PARTS[name][0])
    check(registry, registry.part_class(name), {})


@pytest.mark.parametrize("name", PARTS)
def test_trees_are_grown_with_it_saved_and_loaded(package, name, tmp_path):
    table, recipe = table_for(name), recipe_with(name, PARTS[name][2])
    tree = hb.grow(table, recipe, seed=1)
    assert len(tree) > 1
    hb.save(tree, tmp_path / "outside.tree")
    loaded = hb.load(tmp_path / "outside.tree")
    assert loaded.recipe == tree.recipe
    field = FIELDS.get(PARTS[name][0], PARTS[name][0])
    assert getattr(stored_recipe(loaded), field) == getattr(recipe, field)
    assert list(hb.predict(loaded, table).labels) == list(hb.predict(tree, table).labels)


@pytest.mark.parametrize("name", [name for name in PARTS if name != "laplace_error"])
def test_the_core_names_it_and_the_reference_implementation_grows_it(package, name):
    table, recipe = table_for(name), recipe_with(name, {})
    with pytest.raises(OptionError, match=f"no kernel for the .*{name}"):
        hb.grow(table, recipe, engine="core")
    assert str(hb.grow(table, recipe)) == str(hb.grow(table, recipe, engine="python"))


@pytest.mark.parametrize("name", PARTS)
def test_the_command_line_shows_it_and_takes_its_flag(package, name, tmp_path, capsys):
    part_type, flag, settings = PARTS[name]
    assert main(["parts", name]) == 0
    shown = capsys.readouterr().out
    assert registry_of(part_type).part_class(name).text() in shown
    assert flag[0] in shown
    table = table_for(name)
    data, model = tmp_path / "rows.csv", tmp_path / "rows.tree"
    values = [np.asarray(column.values, dtype=float) for column in table.columns]
    lines = [",".join([*table.names, "y"])]
    for row, cells in enumerate(zip(*values, strict=True)):
        texts = ["" if np.isnan(cell) else repr(float(cell)) for cell in cells]
        lines.append(",".join([*texts, table.target.shown_value(row)]))
    data.write_text("\n".join(lines), encoding="utf-8")
    assert main(["grow", str(data), "--target", "y", "--recipe", "plain", *flag, "-o", str(model)]) == 0
    stored = hb.load(model).recipe[FIELDS.get(part_type, part_type)]
    found = stored if isinstance(stored, dict) else next(each for each in stored if each["name"] == name)
    assert found == {"name": name, **settings}


def test_its_questions_are_walked_saved_printed_and_drawn(package):
    tree = hb.grow(every_question.table("quantile_cut"), every_question.recipe("quantile_cut"), seed=3)
    every_question.check_questions(tree, "quantile_cut")


def test_the_criterion_scores_the_splits(package):
    tree = hb.grow(table_for("tsallis"), recipe_with("tsallis", {"q": 2.0}))
    gini = hb.grow(table_for("tsallis"), recipe_with("tsallis", {}).with_changes(criterion="gini"))
    assert tree.nodes.gain == pytest.approx(gini.nodes.gain, abs=1e-12)  # at q = 2 it is Gini's impurity


def test_the_stop_gives_its_reason(package):
    tree = hb.grow(table_for("min_fraction"), recipe_with("min_fraction", {"fraction": 0.9}))
    assert [tree.reason(node) for node in range(len(tree))] == ["", "pure", "rows to split"]


def test_an_undeclared_reason_is_an_error(package, monkeypatch):
    kind = registry_of("stop").part_class("min_fraction")
    monkeypatch.setattr(kind, "reason", lambda self, node, candidate: "too small")
    with pytest.raises(OptionError, match="'min_fraction' returned the reason 'too small'"):
        hb.grow(table_for("min_fraction"), recipe_with("min_fraction", {}))


def test_the_loss_decides_what_leaves_predict(package):
    table = table_for("largest_error")
    tree = hb.grow(table, recipe_with("largest_error", {}))
    target = np.asarray(table.target.values)
    assert tree.nodes.answer[0] == pytest.approx((target.min() + target.max()) / 2, abs=1e-12)


def test_the_order_decides_which_nodes_are_split(package):
    table, limit = table_for("newest_first"), [{"name": "max_leaves", "leaves": 4}]
    newest = hb.grow(table, recipe_with("newest_first", {}).with_changes(stops=limit))
    usual = hb.grow(table, recipe_with("newest_first", {}).with_changes(order="depth_first", stops=limit))
    assert newest.n_leaves == usual.n_leaves == 4
    assert str(newest) != str(usual)


@pytest.mark.parametrize("branch", [0, 1])
def test_the_strategy_for_missing_values_routes_rows(package, branch):
    tree = hb.grow(table_for("fixed_branch"), recipe_with("fixed_branch", {"branch": branch}))
    inner = tree.nodes.missing_branch[~tree.nodes.is_leaf]
    assert set(inner.tolist()) == {branch}
    assert set(tree.nodes.missing_branch[tree.nodes.is_leaf].tolist()) == {STAY}


def test_the_pruning_prunes(package):
    table = table_for("laplace_error")
    tree = hb.grow(table, hb.recipe("plain"))
    pruned = hb.prune(tree, {"name": "laplace_error", "prior": 3.0})
    assert pruned.n_leaves < tree.n_leaves
    assert pruned.metadata["prunings"][-1]["pruning"] == {"name": "laplace_error", "prior": 3.0}
