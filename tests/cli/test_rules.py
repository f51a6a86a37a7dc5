"""The command `rules`."""

from __future__ import annotations

import csv
import io
import pathlib
import sqlite3

import pytest

LEARNED = ("--training", "fruit.csv")


def test_there_is_one_rule_per_leaf(run, model):
    assert run("rules", model).out.splitlines() == [
        "if colour = green then no   (6 rows, 100% right)",
        "if colour = red and size <= 4 then no   (2 rows, 100% right)",
        "if colour = red and size > 4 then yes   (4 rows, 100% right)",
    ]


def test_show_missing_prints_where_missing_values_go(run, model):
    # The majority branch takes them: green and red weigh the same, so the first; of the red, four of six are larger.
    assert run("rules", model, "--show-missing").out.splitlines() == [
        "if colour = green (or missing or unseen) then no   (6 rows, 100% right)",
        "if colour = red and size <= 4 then no   (2 rows, 100% right)",
        "if colour = red and size > 4 (or missing) then yes   (4 rows, 100% right)",
    ]


def test_markdown_has_metrics_with_intervals(run, model):
    # Wilson's 95 % interval of 6 of 12 is 25.4 % to 74.6 %, of 6 of 6 it starts at 61.0 %; lift = 1 / (8 / 12).
    assert run("rules", model, "--as", "markdown").out.splitlines()[:3] == [
        "|  | if | then | rows | cover | accuracy | lift |",
        "|---|---|---|---|---|---|---|",
        "| 1 | colour = green | no | 6 | 50% (25 to 75) | 100% (61 to 100) | 1.50 (0.91 to 1.50) |",
    ]


def test_sql_predicts_what_the_tree_predicts(run, model):
    query = run("rules", model, "--as", "sql").out
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (colour TEXT, size REAL, grade TEXT)")
    rows = [("red", 1.0), ("red", 4.0), ("red", 4.5), ("red", None), ("green", 9.0), (None, 9.0), ("blue", 9.0)]
    base.executemany("INSERT INTO data VALUES (?, ?, NULL)", rows)
    labels = [row[3] for row in base.execute(query)]
    assert labels == ["no", "no", "yes", "yes", "no", "no", "no"]
    base.close()


def test_csv_has_one_line_per_rule(run, model):
    lines = list(csv.DictReader(io.StringIO(run("rules", model, "--as", "csv").out)))
    assert [line["answer"] for line in lines] == ["no", "no", "yes"]
    assert lines[0]["where"] == """("colour" IS NULL OR "colour" NOT IN ('red'))"""


@pytest.mark.parametrize("flags", [("--json",), ("--as", "json")])
def test_json_contains_the_method_and_the_metrics(run, model, flags):
    found = run("rules", model, *flags).json
    assert found["method"] == "leaves"
    assert [rule["conditions"] for rule in found["rules"]][2] == "colour = red and size > 4"
    assert found["rules"][2]["accuracy"] == 1.0


def test_post_pruned_rules_drop_what_does_not_help(run, model):
    # Two rows without an error may still be half wrong (0.25^(1/2)); all twelve with four errors look better than that,
    # so the rule of the small red ones loses all its conditions and the default covers it.
    ran = run("rules", model, "--method", "postpruned", *LEARNED, "-q")
    assert ran.out.splitlines() == [
        "if colour = green then no   (6 rows, 100% right)",
        "if colour = red and size > 4 then yes   (4 rows, 100% right)",
        "otherwise no   (2 rows, 100% right)",
    ]


def test_post_pruning_accepts_validation_rows(run, model):
    pathlib.Path("other.csv").write_text("colour,size,grade,ripe\nred,1,low,yes\nred,9,low,yes\ngreen,4,low,no\n")
    ran = run("rules", model, "--method", "postpruned", *LEARNED, "--validation", "other.csv", "--json")
    assert ran.code == 0
    best = ran.json["rules"][0]
    # Of the validation rows both red ones are 'yes': 'colour = red' is right on 2 of 2, (2 + 1) / (2 + 2).
    assert (best["conditions"], best["answer"], best["estimate"]) == ("colour = red", "yes", 0.75)


def test_c45rules_order_classes_and_name_a_default(run):
    run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "--recipe", "c45", "--no-pruning", "-o", "c.tree")
    ran = run("rules", "c.tree", "--method", "c45rules", *LEARNED, "-q")
    # C4.5 splits the red ones by grade (ratio 0.918 / 1.585); 'no' makes no false alarm and comes first.
    assert ran.out.splitlines() == [
        "if colour = green then no   (6 rows, 100% right)",
        "if grade = low then no   (4 rows, 100% right)",
        "if colour = red and grade = high then yes   (2 rows, 100% right)",
        "if colour = red and grade = mid then yes   (2 rows, 100% right)",
        "otherwise no   (0 rows)",
    ]


def test_c45rules_of_a_pruned_tree_are_noted(run):
    run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "--recipe", "c45", "-o", "c.tree")
    assert "was pruned" in run("rules", "c.tree", "--method", "c45rules", *LEARNED).err


def test_saved_rules_are_shown_and_predict(run, model):
    assert run("rules", model, "-o", "fruit.rules").code == 0
    assert run("rules", "fruit.rules").out == run("rules", model).out
    ran = run("predict", "fruit.rules", "fruit.csv", "-q")
    predicted = [line["prediction"] for line in csv.DictReader(io.StringIO(ran.out))]
    assert predicted == ["no", "no", "yes", "yes", "yes", "yes", *["no"] * 6]


@pytest.mark.parametrize("name", ["r.txt", "r.md", "r.sql", "r.csv", "r.json"])
def test_the_suffix_decides_the_format_of_rules(run, model, name):
    assert run("rules", model, "-o", name).code == 0
    shape = {"txt": "text", "md": "markdown"}.get(name[2:], name[2:])
    assert pathlib.Path(name).read_text("utf-8") == run("rules", model, "--as", shape).out


def test_errors_name_what_is_missing(run, model):
    ran = run("rules", model, "--method", "c45rules")
    assert (ran.code, "requires the training rows of the tree" in ran.err) == (2, True)
    run("rules", model, "-o", "fruit.rules")
    assert "require a tree, but the model is a file of rules" in run("rules", "fruit.rules", "--method", "leaves").err
    assert "Use hornbeam.load or the command rules to read it" in run("show", "fruit.rules").err
    assert (
        "cannot be combined with a pruning" in run("grow", "fruit.csv", "--no-pruning", "--pruning", "pessimistic").err
    )
