"""Contracts of every ensemble method of the registry, and of one that another package adds."""

import dataclasses
import importlib.metadata
import pickle
import sys
import tomllib
import types

import numpy as np
import pytest
from tests import own_package

import hornbeam as hb
from hornbeam import functions
from hornbeam.ensembles.methods import EnsembleMethod, ensembles
from hornbeam.errors import OptionError
from hornbeam.options import settings_of
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.stored import stored_recipe
from hornbeam.toml_text import toml_text
from hornbeam.tree.file.files import from_bytes, to_bytes

IRIS = hb.datasets.load("iris")
EVERY = [pytest.param(kind, id=kind.name) for kind in ensembles]

# An installed package: its module, named by an entry point of the group `hornbeam.parts`.
SUBAGGING = (own_package.SOURCE / "own_parts" / "subagging.py").read_text("utf-8")


@dataclasses.dataclass
class EntryPoint:
    name: str
    part: type

    def load(self):
        return self.part


@pytest.fixture
def subagging(monkeypatch):
    """The registry with an ensemble that is registered by an entry point."""
    module = types.ModuleType("other_package")
    monkeypatch.setitem(sys.modules, "other_package", module)
    exec(SUBAGGING, module.__dict__)
    entry = EntryPoint("subagging", module.Subagging)
    find = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda **key: [entry] if key == {"group": functions.GROUP} else find(**key)
    )
    functions.registered.cache_clear()
    ensembles.refresh()
    yield module.Subagging
    monkeypatch.undo()
    functions.registered.cache_clear()
    module.Subagging.name = ""  # an empty name is not registered
    ensembles.refresh()


def small(kind):
    """The ensemble with few trees, grown fast."""
    count = "n_rounds" if any(each.name == "n_rounds" for each in settings_of(kind)) else "n_trees"
    return kind(**{count: 3})


@pytest.mark.parametrize("kind", EVERY)
def test_an_ensemble_is_a_frozen_part_in_a_file_of_its_name(kind):
    part = kind()
    assert part == kind()
    assert kind.__module__ == f"{ensembles.package}.{kind.name}"
    assert kind.part_type == "ensemble"
    assert kind.text()
    with pytest.raises(dataclasses.FrozenInstanceError):
        part.anything = 1


@pytest.mark.parametrize("kind", EVERY)
def test_an_ensemble_is_found_by_name_by_table_and_by_value(kind):
    assert ensembles.part(kind.name) == kind()
    assert ensembles.part({"name": kind.name}) == kind()
    part = small(kind)
    assert ensembles.part(part) is part


@pytest.mark.parametrize("kind", EVERY)
def test_an_ensemble_survives_toml_and_pickling(kind):
    for part in (kind(), small(kind)):
        assert ensembles.part(tomllib.loads(toml_text(part.as_table()))) == part
        assert pickle.loads(pickle.dumps(part)) == part


@pytest.mark.parametrize("kind", EVERY)
def test_every_setting_is_described_and_a_misspelled_one_is_reported(kind):
    assert all(setting.option.text for setting in settings_of(kind))
    with pytest.raises(OptionError, match="Unknown setting 'frobnicate'"):
        ensembles.part({"name": kind.name, "frobnicate": 1})


@pytest.mark.parametrize("kind", EVERY)
def test_an_ensemble_grows_a_forest_and_reports_its_steps(kind):
    steps = []
    recipe = Recipe(name="any", target="class", ensemble=small(kind))
    forest = hb.grow(IRIS, recipe, progress=steps.append)
    assert isinstance(forest, hb.Forest)
    assert 1 <= steps[-1] <= recipe.ensemble.n_steps == 3  # AdaBoost may stop early
    assert (hb.predict(forest, IRIS).codes == IRIS.target.values).mean() > 0.9
    assert hb.estimate(IRIS, recipe).in_memory > 0


@pytest.mark.parametrize("kind", EVERY)
def test_a_saved_forest_can_be_grown_again_from_its_stored_recipe(kind):
    forest = hb.grow(IRIS, Recipe(target="class", ensemble=small(kind)), seed=4)
    loaded = from_bytes(to_bytes(forest))
    again = hb.grow(IRIS, stored_recipe(loaded), seed=4)
    assert to_bytes(again) == to_bytes(forest)


def test_nested_settings_are_given_as_values_or_as_tables():
    by_table = ensembles.part({"name": "forest", "sampling": {"method": "balanced"}, "honest": {"fraction": 0.4}})
    by_value = ensembles.part("forest").replace(
        sampling=hb.ensembles.RowSampling(method="balanced"), honest=hb.ensembles.Honesty(fraction=0.4)
    )
    assert by_table == by_value
    with pytest.raises(OptionError, match="Unknown setting 'fractoin' of RowSampling"):
        ensembles.part({"name": "bagging", "sampling": {"fractoin": 0.5}})
    with pytest.raises(OptionError, match=r"RowSampling\.fraction .*must"):
        ensembles.part({"name": "bagging", "sampling": {"fraction": 0.0}})
    with pytest.raises(OptionError, match=r"Bagging\.sampling .*must be"):
        ensembles.part({"name": "bagging", "sampling": "rows"})


def test_an_ensemble_of_another_package_works_in_a_recipe(subagging, tmp_path):
    assert "subagging" in ensembles.names()
    text = 'name = "halves"\nensemble = { name = "subagging", n_trees = 5 }\npruning = "pessimistic"\n'
    (tmp_path / "halves.toml").write_text(text, encoding="utf-8")
    recipe = hb.recipe(tmp_path / "halves.toml")
    assert recipe.ensemble == subagging(n_trees=5)
    steps = []
    forest = hb.grow(IRIS, recipe, seed=2, progress=steps.append)
    assert steps == [1, 2, 3, 4, 5]
    assert all(tree.metadata["prunings"] for tree in forest.trees)
    hb.save(forest, tmp_path / "halves.tree")
    loaded = hb.load(tmp_path / "halves.tree")
    np.testing.assert_array_equal(hb.predict(loaded, IRIS).codes, hb.predict(forest, IRIS).codes)
    assert (hb.predict(loaded, IRIS).codes == IRIS.target.values).mean() > 0.9
    assert to_bytes(hb.grow(IRIS, stored_recipe(loaded), seed=2)) == to_bytes(forest)


def test_an_ensemble_without_grow_cannot_be_made():
    with pytest.raises(TypeError, match="abstract method"):
        EnsembleMethod()
