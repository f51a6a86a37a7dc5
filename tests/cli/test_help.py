"""Help of at most forty lines, names that users guess, and lists of columns."""

from __future__ import annotations

import pytest

from hornbeam.cli import guesses
from hornbeam.cli.command import command_names, command_parser

GROW = ("grow", "fruit.csv", "--target", "ripe", "--drop", "id")
GUESSED = ("--max-depth", "--min-leaf", "--max-leaves", "--columns", "--drop", "--trace", "--seed")


@pytest.mark.parametrize("name", command_names())
def test_the_help_of_a_command_has_at_most_forty_lines_and_an_example(run, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = run(name, "--help").out.splitlines()
    assert len(lines) <= 40
    assert "example:" in lines
    assert any(f"hornbeam {name} --help-all" in line for line in lines[-2:])


def test_the_list_of_commands_has_at_most_forty_lines(run):
    lines = run("--help").out.splitlines()
    assert len(lines) <= 40
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in command_names())


def test_the_help_of_grow_lists_the_flags_that_users_guess(run):
    text = run("grow", "--help").out
    assert [flag for flag in GUESSED if flag not in text] == []
    assert "--binned-cuts-bins" not in text


def test_help_all_lists_every_flag(run):
    text = run("grow", "--help-all").out
    assert [flag for flag in command_parser("grow").flags() if flag not in text] == []


def test_hornbeam_help_prints_the_help_of_a_command(run):
    assert run("help", "grow").out == run("grow", "--help").out
    assert run("help", "grow", "--all").out == run("grow", "--help-all").out
    assert run("help").out == run("--help").out
    assert "Did you mean 'grow'?" in run("help", "gorw").err
    assert "hornbeam parts max_depth" in run("help", "max_depth").err


@pytest.mark.parametrize(
    ("flag", "meant"),
    [
        ("--max_depth", "--max-depth"),
        ("--maxdepth", "--max-depth"),
        ("--depth", "--max-depth"),
        ("--min-samples-leaf", "--min-leaf"),
        ("--max_leaf_nodes", "--max-leaves"),
        ("--features", "--columns"),
        ("--exclude", "--drop"),
        ("--random-state", "--seed"),
        ("-t", "--target"),
    ],
)
def test_a_guessed_flag_is_corrected(run, flag, meant):
    ran = run(*GROW, flag, "3")
    assert ran.code == 2
    assert f"Did you mean {meant}?" in ran.err


@pytest.mark.parametrize(
    ("name", "meant"), [("train", "grow"), ("fit", "grow"), ("plot", "draw"), ("evalute", "evaluate")]
)
def test_a_guessed_command_is_corrected(run, name, meant):
    assert f"Did you mean '{meant}'?" in run(name).err


def test_every_guess_means_a_name_that_exists():
    flags = {flag for name in command_names() for flag in command_parser(name).flags()}
    assert set(guesses.FLAGS.values()) <= flags
    assert set(guesses.COMMANDS.values()) <= set(command_names())
    assert not set(guesses.COMMANDS) & set(command_names())


def test_columns_and_drop_take_lists(run):
    only = run("grow", "fruit.csv", "--target", "ripe", "--columns", "colour,size").out
    assert only == run("grow", "fruit.csv", "--target", "ripe", "--columns", "size", "--columns", "colour").out
    assert only == run("grow", "fruit.csv", "--target", "ripe", "--drop", "id,grade").out
    unknown = run("grow", "fruit.csv", "--target", "ripe", "--columns", "colour,siz")
    assert "--columns: unknown column 'siz'" in unknown.err
    assert "Did you mean 'size'?" in unknown.err


def test_a_column_name_with_a_comma_is_not_split(run, tmp_path):
    (tmp_path / "d.csv").write_text('"a,b",c,y\n1,1,p\n2,1,q\n', encoding="utf-8")
    assert "a,b" in run("grow", "d.csv", "--target", "y", "--columns", "a,b").out


def test_trace_prints_the_candidates_before_the_tree(run):
    text = run(*GROW, "--trace").out
    assert text.startswith("Node 0: 12 rows")
    assert text.endswith(run(*GROW).out)
    assert "Gain(S, colour = green)" in run(*GROW, "--trace", "--json").json["trace"]


def test_max_leaves_uses_the_best_questions_first(run):
    found = run(*GROW, "--max-leaves", "2", "--json").json
    assert (found["leaves"], found["recipe"]["order"]["name"]) == (2, "best_first")
    found = run(*GROW, "--max-leaves", "2", "--order", "level_wise", "--json").json
    assert found["recipe"]["order"]["name"] == "level_wise"


def test_recipes_lists_what_each_is_for(run):
    from hornbeam.cli.commands.recipes import purpose
    from hornbeam.recipes.recipe import recipe_names

    text = run("recipes").out
    assert all(purpose(name).split()[0] in text for name in recipe_names())
    assert "a small tree to read" in text
    assert run("recipes", "--json").json["recipes"][0]["purpose"]
