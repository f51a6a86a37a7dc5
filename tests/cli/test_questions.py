"""Custom questions, conjunctions and penalties on the command line."""

from __future__ import annotations

import pathlib

GROW = ("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "-q")
QUESTIONS = """
[[questions]]
name = "large and red"
all = [{ column = "size", above = 4 }, { column = "colour", in = ["red"] }]
"""


def test_a_file_of_questions_is_used_and_not_needed_to_predict(run):
    pathlib.Path("mine.toml").write_text(QUESTIONS, encoding="utf-8")
    ran = run(*GROW, "--search", "custom_questions", "--custom-questions-file", "mine.toml", "-o", "fruit.tree")
    assert ran.code == 0, ran.err
    assert "├─ large and red: yes" in ran.out
    pathlib.Path("mine.toml").unlink()
    assert run("predict", "fruit.tree", "fruit.csv", "-q").code == 0
    assert run("show", "fruit.tree").out == ran.out


def test_questions_can_be_given_as_json(run):
    ran = run(
        *GROW, "--search", "custom_questions", "--custom-questions-questions", '[{"column": "colour", "matches": "^g"}]'
    )
    assert ran.code == 0, ran.err
    assert "colour = green: no" in ran.out


def test_a_conjunction_needs_one_node(run):
    ran = run(*GROW, "--search", "conjunctions")
    assert ran.code == 0, ran.err
    # The cut is the best one of all rows; among red ones alone it would be at 4.
    assert "colour = red and size > 5.5: yes" in ran.out


def test_a_price_keeps_a_kind_of_question_out(run):
    searches = ("--search", "sorted_cuts", "--search", "best_subset", "--search", "conjunctions")
    assert " and " not in run(*GROW, *searches, "--split-penalty", "combined=5").out
    refused = run(*GROW, *searches, "--split-penalty", "combind=5")
    assert refused.code == 2
    assert "Did you mean 'combined'" in refused.err
    assert run(*GROW, "--split-penalty", "combined=much").code == 2


def test_unseen_levels_are_rejected_if_the_policy_is_error(run):
    new = pathlib.Path("new.csv")
    text = pathlib.Path("fruit.csv").read_text(encoding="utf-8")
    new.write_text(text.replace("green", "blue"), encoding="utf-8")
    grow = (*GROW, "--drop", "size", "--drop", "grade", "-o", "fruit.tree", "--force")
    assert run(*grow, "--unseen", "error").code == 0
    ran = run("predict", "fruit.tree", "new.csv", "-q")
    assert ran.code != 0
    assert "not in the training data" in ran.err
    assert "hint: Pass --unseen as_missing, majority or stay to hornbeam grow." in ran.err
    first = next(n for n, line in enumerate(new.read_text(encoding="utf-8").split("\n")[1:]) if "blue" in line)
    assert (
        f"Row {first}: column 'colour' has a level" in run("explain", "fruit.tree", "new.csv", "--row", f"{first}").err
    )
    assert run(*grow, "--unseen", "stay").code == 0
    assert "have a level that was not seen in training" in run("predict", "fruit.tree", "new.csv").err
    assert "as_missing, majority, stay, error" in run(*grow, "--unseen", "pray").err


def test_dropped_rows_are_noted(run):
    text = pathlib.Path("fruit.csv").read_text(encoding="utf-8")
    pathlib.Path("missing.csv").write_text(text.replace("green", "", 1), encoding="utf-8")
    grow = ("grow", "missing.csv", "--target", "ripe", "--drop", "id")
    assert "2 of 12 rows with missing values were excluded" in run(*grow, "--missing", "drop_rows").err
    assert "were excluded" in run(*grow, "--missing", "drop_rows", "--recipe", "bagging").err
    assert "left out" not in run(*grow, "--missing", "skip_column").err


def test_an_incompatible_strategy_for_missing_values_is_rejected_with_flags_that_work(run):
    ran = run(
        *GROW, "--missing", "impute", "--impute-scope", "node", "--search", "binned_cuts", "--search", "best_subset"
    )
    assert ran.code == 2
    assert "hint: Pass --impute-method median, or --impute-scope global." in ran.err


def test_a_first_question_is_given_as_json(run):
    first = '{"column": "size", "above": 6, "yes": {"column": "colour", "in": ["red"]}}'
    ran = run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "--max-depth", "0", "--first-question", first)
    assert ran.code == 0
    assert [line.split(":")[0].strip("├─│└ ") for line in ran.out.splitlines()[1:]] == [
        "size > 6",
        "colour = red",
        "colour = green",
        "not (size > 6)",
    ]
    assert run("grow", "fruit.csv", "--target", "ripe", "--first-question", "{").code == 2
