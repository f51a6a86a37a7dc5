"""What does every part on every shelf promise?  A new part is tested here with no new test."""

import dataclasses
import importlib
import pickle
import pkgutil
import tomllib

import numpy as np
import pytest

from hornbeam.errors import OptionError
from hornbeam.functions import import_functions
from hornbeam.options import defaults_of, settings_of
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses
from hornbeam.parts.missing import missing
from hornbeam.parts.orders import orders
from hornbeam.parts.prunings import prunings
from hornbeam.parts.searches import searches
from hornbeam.parts.stops import stops
from hornbeam.toml_text import toml_text
from hornbeam.tree.nodes import REASONS

SHELVES = (criteria, losses, missing, orders, prunings, searches, stops)
# Parts that cannot be made without a setting.
NEEDED = {
    ("criterion", "custom"): {"function": np.zeros_like},
    ("search", "custom_questions"): {"questions": [{"name": "old", "column": "age", "above": 60}]},
}
EVERY = [pytest.param(shelf, kind, id=f"{shelf.part_type}-{kind.name}") for shelf in SHELVES for kind in shelf]
BAD = {int: -(10**9), float: float("nan"), str: "no such word", bool: "yes"}


def made(shelf, kind):
    return kind(**NEEDED.get((shelf.part_type, kind.name), {}))


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_a_part_is_frozen_and_equal_to_its_like(shelf, kind):
    part = made(shelf, kind)
    assert part == made(shelf, kind)
    with pytest.raises(dataclasses.FrozenInstanceError):
        part.anything = 1


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_a_part_lives_in_a_file_of_its_name_and_says_what_it_is(shelf, kind):
    assert kind.__module__ == f"{shelf.package}.{kind.name}"
    assert kind.text()
    assert (importlib.import_module(kind.__module__).__doc__ or "").split("\n")[0]
    assert kind.part_type == shelf.part_type


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.part_type)
def test_the_files_of_a_registry_folder_are_its_parts(shelf):
    folder = importlib.import_module(shelf.package).__path__
    files = {module.name for module in pkgutil.iter_modules(folder)} - {"base", "machinery"}
    assert files == {kind.name for kind in shelf if kind.__module__.startswith(f"{shelf.package}.")}


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_a_part_is_found_by_name_by_table_and_by_value(shelf, kind):
    part = made(shelf, kind)
    assert shelf.part(part) is part
    assert shelf.part({"name": kind.name, **NEEDED.get((shelf.part_type, kind.name), {})}) == part


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_a_part_survives_toml_and_pickling(shelf, kind):
    part = made(shelf, kind)
    assert shelf.part(import_functions(tomllib.loads(toml_text(part.as_table())))) == part
    assert pickle.loads(pickle.dumps(part)) == part


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_every_setting_has_words_and_refuses_a_bad_value(shelf, kind):
    for setting in settings_of(kind):
        assert setting.option.words
        base = setting.type if setting.type in BAD else type(defaults_of(kind)[setting.name])
        bad = BAD.get(base)
        if bad is None or (base is str and setting.option.choices is None):
            continue
        with pytest.raises(OptionError, match=f"{kind.__name__}.{setting.name}"):
            made(shelf, kind).replace(**{setting.name: bad})


@pytest.mark.parametrize(("shelf", "kind"), EVERY)
def test_a_misspelt_setting_is_named(shelf, kind):
    with pytest.raises(OptionError, match="no setting 'frobnicate'"):
        shelf.part({"name": kind.name, "frobnicate": 1})


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.part_type)
def test_a_misspelt_name_is_answered_with_the_nearest(shelf):
    name = max(shelf.names(), key=len)
    with pytest.raises(OptionError, match=f"Did you mean.*'{name}'"):
        shelf.part(name[:-1] + "q")


def test_every_stop_names_a_reason_that_model_files_know():
    for kind in stops:
        assert (kind.reason.__doc__ or "").split("'")[1] in REASONS
