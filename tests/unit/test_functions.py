"""Functions that recipes name: only those of trusted recipes are imported."""

from __future__ import annotations

import importlib.metadata

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import functions
from hornbeam.cli.main import main
from hornbeam.errors import DataFileError, ModelFileError, OptionError
from hornbeam.parts.criteria.custom import Custom
from hornbeam.parts.searches.custom_questions import CustomQuestions
from hornbeam.parts.searches.machinery.question_tables import read_tables
from hornbeam.recipes.stored import stored_recipe

RECIPE = 'name = "mine"\ncriterion = {name = "custom", function = "own_functions:apart"}\n'
QUESTIONS = '[[questions]]\ncolumn = "Outlook"\npredicate = "own_functions:is_long"\n'
MODULE = """
import numpy as np
def apart(parent, branches):
    return np.abs(branches[:, 0, 0] - branches[:, 1, 0]) + 1.0
def is_long(level):
    return len(level) > 5
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "own_functions.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(RECIPE, encoding="utf-8")
    (tmp_path / "questions.toml").write_text(QUESTIONS, encoding="utf-8")
    (tmp_path / "given.toml").write_text(
        'searches = [{name = "custom_questions", file = "questions.toml"}]\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def same_score(parent, branches):
    return np.ones(len(branches))


def entry_point(name, value):
    class Entry:
        def load(self):
            return value

    entry = Entry()
    entry.name = name
    return entry


@pytest.fixture
def plugin(monkeypatch):
    """An installed package that registers `same_score` under the name 'same'."""
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [entry_point("same", same_score)])
    functions.registered.cache_clear()
    yield same_score
    functions.registered.cache_clear()


@pytest.mark.parametrize("file", ["mine.toml", "given.toml"])
def test_a_recipe_that_names_a_function_is_run_only_when_it_is_trusted(folder, file):
    table = hb.datasets.load("play_tennis")
    with pytest.raises(OptionError, match=r"could name any function.*trust=True to recipe"):
        hb.grow(table, file)
    with pytest.raises(OptionError, match="not imported"):
        hb.recipe(file)
    assert len(hb.grow(table, file, trust=True)) > 1
    assert len(hb.grow(table, hb.recipe(file, trust=True))) > 1


def test_the_command_line_trusts_a_recipe_with_a_flag(folder, capsys):
    rows = [f"{'abc'[i % 3] * (i % 9 + 1)},{'yes' if i % 2 else 'no'}" for i in range(30)]
    (folder / "d.csv").write_text("\n".join(["Outlook,play", *rows]), encoding="utf-8")
    words = ["grow", "d.csv", "--target", "play"]
    for more in (
        ["--recipe", "mine.toml"],
        ["--search", "custom_questions", "--custom-questions-file", "questions.toml"],
    ):
        assert main([*words, *more]) == 2
        assert "--trust-recipe" in capsys.readouterr().err
        assert main([*words, *more, "--trust-recipe"]) == 0
    for words in (["recipes", "mine.toml"], ["compare", "d.csv", "--target", "play", "--recipe", "mine.toml"]):
        assert main(words) == 2
        assert main([*words, "--trust-recipe"]) == 0


def test_a_function_passed_in_python_needs_no_permission(folder):
    recipe = hb.recipe("plain").with_changes(criterion=Custom(function=same_score))
    assert len(hb.grow(hb.datasets.load("play_tennis"), recipe)) > 1
    assert len(CustomQuestions(questions=read_tables("questions.toml", trust=True)).questions) == 1


def test_a_registered_function_is_found_by_its_name(plugin):
    assert Custom(function="same").as_table()["function"] == "same"
    assert Custom(function=plugin).as_table()["function"] == "same"
    tree = hb.grow(hb.datasets.load("play_tennis"), hb.recipe("plain").with_changes(criterion=Custom(function=plugin)))
    assert stored_recipe(tree).criterion == Custom(function="same")


def test_the_recipe_of_a_model_names_neither_functions_nor_files(folder):
    import dataclasses

    tree = hb.grow(hb.datasets.load("play_tennis"), hb.recipe("mine.toml", trust=True))
    with pytest.raises(ModelFileError, match=r"inside the model cannot be run again.*own_functions:apart"):
        stored_recipe(tree)
    given = dataclasses.replace(tree, recipe={"searches": [{"name": "custom_questions", "file": "questions.toml"}]})
    with pytest.raises(ModelFileError, match="names a file"):
        stored_recipe(given)


@pytest.mark.parametrize("address", ["no.such:thing", "numpy:no_such", "numpy:__version__", ":x"])
def test_what_cannot_be_imported_from_a_trusted_recipe_is_named(address):
    with pytest.raises(OptionError, match=r"Cannot import the function|is not a function"):
        hb.Recipe.from_table({"criterion": {"name": "custom", "function": address}}, trust=True)


def test_excessive_nesting_is_an_error(tmp_path):
    deep = "x = " + "[" * 5000 + "]" * 5000
    with pytest.raises(DataFileError, match="nested too deeply"):
        hb.Recipe.from_toml(deep)
    (tmp_path / "deep.toml").write_text(deep, encoding="utf-8")
    with pytest.raises(DataFileError, match="nested too deeply"):
        hb.recipe(str(tmp_path / "deep.toml"))
    table: dict = {"column": "x", "above": 1}
    for _ in range(5000):
        table = {"all": [table]}
    for trust in (False, True):
        with pytest.raises(hb.errors.HornbeamError, match="nested"):
            hb.Recipe.from_table({"searches": [{"name": "custom_questions", "questions": [table]}]}, trust=trust)
    with pytest.raises(hb.errors.HornbeamError):
        hb.recipe("plain").with_changes(stops=[table])


@pytest.mark.parametrize("path", ["nul\0.toml", "missing.toml"])
def test_a_recipe_that_cannot_be_opened_is_a_data_file_error(path):
    with pytest.raises(DataFileError, match="cannot be read"):
        hb.recipe(path)


def test_a_recipe_is_read_from_a_regular_file_of_bounded_size(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(DataFileError, match="regular file"):
        hb.recipe(str(tmp_path / "pipe.toml"))
