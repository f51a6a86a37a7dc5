"""Commands and their output."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

import hornbeam as hb
from hornbeam.cli.command import command_module, command_names

GROW = ("grow", "fruit.csv", "--target", "ripe", "--drop", "id")
# By hand: green is always 'no' (6 rows); of the red, sizes 1 and 2 are 'no', 6 to 9 'yes'; the cut is midway, at 4.
TREE = """\
ripe: no 67%, yes 33%   (12 / 4)
├─ colour = green: no   (6 / 0)   no 100%
└─ colour = red
   ├─ size <= 4: no     (2 / 0)   no 100%
   └─ size > 4: yes     (4 / 0)   yes 100%
"""


def test_grow_prints_the_tree_on_stdout_and_nothing_else(run):
    ran = run(*GROW)
    assert (ran.code, ran.out) == (0, TREE)
    assert ran.err == "note: column size: read as missing: 1 x '?'\n"


def test_grow_notes_on_stderr_the_saved_file_and_an_id_column(run):
    ran = run("grow", "fruit.csv", "--target", "ripe", "-o", "f.tree")
    assert ran.code == 0
    assert "note: column 'id' is excluded: it looks like an id" in ran.err
    assert "--keep-ids keeps it" in ran.err
    assert "note: saved f.tree: " in ran.err


def test_quiet_prints_only_the_result(run):
    ran = run("grow", "fruit.csv", "--target", "ripe", "-o", "f.tree", "-q")
    assert ran.err == ""
    assert ran.out


def test_verbose_notes_the_run_time(run):
    assert "note: growing a tree on 12 rows: " in run(*GROW, "-v").err


def test_flags_of_parts_change_the_tree(run):
    assert run(*GROW, "--max-depth", "1").out.count("\n") == 3
    assert run(*GROW, "--stop", "max_depth", "--criterion", "entropy").out == TREE
    assert run(*GROW, "--min-leaf", "4").out.count("\n") == 3  # six red ones cannot be two leaves of four


def test_a_recipe_file_is_the_same_as_flags(run):
    text = run("recipes", "plain").out
    pathlib.Path("mine.toml").write_text(text.replace('{ name = "pure" }', '{ name = "max_depth", depth = 1 }'))
    assert run(*GROW, "--recipe", "mine.toml").out == run(*GROW, "--max-depth", "1").out


def test_grow_as_json_lists_every_node(run):
    found = run(*GROW, "--json").json
    assert [entry["condition"] for entry in found["tree"]] == [
        None,
        "colour = green",
        "colour = red",
        "size <= 4",
        "size > 4",
    ]
    assert [entry["prediction"] for entry in found["tree"]] == ["no", "no", "yes", "no", "yes"]
    assert found["tree"][2]["children"] == [3, 4]


def test_json_has_the_numbers_of_a_question_with_all_digits(run):
    lines = [
        "income,place,ripe",
        *(f"{10_000 * row},{'ab'[row % 2]},{'yes' if row > 9 else 'no'}" for row in range(20)),
    ]
    pathlib.Path("d.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = run("grow", "d.csv", "--target", "ripe", "--json").json["tree"]
    assert found[1]["condition"] == "income <= 95,000"
    assert found[0]["question"] == {"kind": "threshold", "columns": ["income"], "cuts": [95000.0]}
    assert run(*GROW, "--json").json["tree"][0]["question"]["levels"] == [["green"], ["red"]]


def test_show_prints_what_grow_printed(run, model):
    assert run("show", model).out == TREE


def test_show_collapses_below_a_depth_and_prints_ascii(run, model):
    ran = run("show", model, "--depth", "1", "--ascii")
    assert "`- colour = red: yes    (6 / 2)   yes 67%, no 33%   ... 2 nodes below" in ran.out
    assert ran.out.isascii()


def test_show_as_json_stops_at_the_depth(run, model):
    assert len(run("show", model, "--depth", "1", "--json").json["tree"]) == 3


def test_predict_writes_csv_with_probabilities_and_nodes(run, model):
    ran = run("predict", model, "-", stdin="size,colour,grade\n8,red,mid\n1,red,low\n")
    assert ran.out == "row,prediction,node,probability_no,probability_yes\n0,yes,4,0.0,1.0\n1,no,3,1.0,0.0\n"


def test_predict_writes_json_lines(run, model):
    lines = run("predict", model, "fruit.csv", "--json").out.splitlines()
    assert json.loads(lines[2]) == {
        "row": 2,
        "prediction": "yes",
        "node": 4,
        "probabilities": {"no": 0.0, "yes": 1.0},
    }
    assert len(lines) == 12


def test_the_suffix_decides_the_format_of_predictions(run, model):
    assert run("predict", model, "fruit.csv", "-o", "predicted.csv").out == "wrote predicted.csv: 12 rows\n"
    assert pathlib.Path("predicted.csv").read_text() == run("predict", model, "fruit.csv").out
    assert run("predict", model, "fruit.csv", "-o", "predicted.jsonl").code == 0
    assert pathlib.Path("predicted.jsonl").read_text() == run("predict", model, "fruit.csv", "--json").out


def test_predict_notes_unseen_levels(run, model):
    ran = run("predict", model, "-", stdin="size,colour,grade\n8,blue,mid\n")
    assert "note: 1 row(s) have a level that was not seen in training" in ran.err


def test_predict_returns_numbers_for_a_numeric_target(run):
    run("grow", "fruit.csv", "--target", "size", "--drop", "id", "--max-depth", "0", "-o", "n.tree")
    # The mean of the eleven known sizes: 68 / 11.
    assert run("predict", "n.tree", "fruit.csv").out.splitlines()[1] == f"0,{68 / 11!r},0"


def test_evaluate_counts_correct_predictions(run, model):
    ran = run("evaluate", model, "fruit.csv", "--positive", "yes")
    assert ran.code == 0
    # Wilson's interval of 12 of 12: 1 / (1 + 1.96^2 / 12) = 0.7575.
    assert re.search(r"^accuracy +100.0% +75.8% to 100.0% +12/12$", ran.out, re.MULTILINE)


def test_evaluate_as_json_has_null_and_a_reason_for_what_is_undefined(run, model):
    found = run("evaluate", model, "fruit.csv", "--positive", "yes", "--json").json
    # No false alarm at all: sensitivity / (1 - specificity) is infinite, which JSON cannot represent.
    assert found["metrics"]["lr_plus"]["value"] is None
    assert found["metrics"]["lr_plus"]["reason"]
    assert found["confusion"] == [[8, 0], [0, 4]]


@pytest.mark.parametrize(("limit", "code"), [("accuracy=0.9", 0), ("accuracy=1.01", 1), ("lr_plus=1", 0)])
def test_fail_under_makes_the_exit_code(run, model, limit, code):
    ran = run("evaluate", model, "fruit.csv", "--positive", "yes", "--fail-under", limit)
    assert ran.code == code
    assert ("failed: " in ran.out) == (code == 1)


def test_evaluate_reads_weights_and_excludes_rows_without_a_target(run, model):
    text = "colour,size,grade,n,ripe\nred,9,low,3,yes\nred,1,low,1,yes\nred,1,low,5,?\n"
    ran = run("evaluate", model, "-", "--weights", "n", "--json", stdin=text)
    # The row of weight 3 is predicted correctly, the row of weight 1 is not.
    assert ran.json["metrics"]["accuracy"]["value"] == 0.75
    assert "1 row(s) with a missing target are excluded" in ran.json["notes"]


@pytest.mark.parametrize("flags", [["--drop", "id"], ["--max-depth", "2"], ["--recipe", "other"]])
def test_flags_of_growing_are_rejected_for_a_saved_tree(run, model, flags):
    ran = run("evaluate", model, "fruit.csv", *flags)
    assert ran.code == 2
    assert "changes how a tree is grown" in ran.err


def test_cross_validation_grows_one_tree_per_fold(run):
    ran = run("evaluate", "fruit.csv", "--target", "ripe", "--drop", "id", "--folds", "3", "--json")
    assert ran.code == 0
    assert len(ran.json["metrics"]["accuracy"]["folds"]) == 3


def test_the_seed_decides_the_folds(run):
    def folds(seed: str):
        flags = ("--target", "ripe", "--drop", "id", "--folds", "3", "--json", "--seed", seed)
        return run("evaluate", "fruit.csv", *flags).json["metrics"]["accuracy"]["folds"]

    assert folds("1") == folds("1")
    assert len({tuple(folds(str(seed))) for seed in range(6)}) > 1


def test_prune_explains_each_node(run, model):
    ran = run(
        "prune", model, "--pruning", "cost_complexity", "--cost-complexity-alpha", "0.2", "--explain", "-o", "s.tree"
    )
    # 4 of 12 wrong at the root, 0 below: (4/12) / 2 leaves = 0.1667 each, below 0.2.
    assert ran.err == "note: saved s.tree: 3 leaves, now 1, alpha 0.2\n"
    assert "node 0: cut: collapses at alpha 0.166667" in ran.out
    assert run("show", "s.tree").out == "ripe: no 67%, yes 33%   (12 / 4)\n"


def test_a_setting_implies_its_pruning(run, model):
    assert "now 1" in run("prune", model, "--cost-complexity-alpha", "0.2").err


def test_prune_accepts_a_pruning_set(run, model):
    pathlib.Path("other.csv").write_text("colour,size,grade,ripe\nred,1,low,yes\nred,9,low,yes\ngreen,4,low,no\n")
    ran = run("prune", model, "--pruning", "reduced_error", "--pruning-set", "other.csv")
    assert "note: 3 leaves, now 2" in ran.err


def test_prune_chooses_by_cross_validation(run, model):
    flags = ("--cost-complexity-rule", "minimum", "--training", "fruit.csv", "--folds", "3")
    assert run("prune", model, *flags).code == 0


def test_inspect_prints_the_reason_and_the_flag_that_changes_the_kind(run):
    out = run("inspect", "fruit.csv", "--target", "ripe").out
    assert "size           numeric  1 to 9" in out
    assert "--kind 'grade=high<low<mid'" in out
    assert "column 'id' is excluded: it looks like an id" in out


def test_the_flag_that_inspect_recommends_works(run):
    out = run("inspect", "fruit.csv", "--kind", "grade=low<mid<high").out
    assert re.search(r"^grade +ordinal +low < mid < high ", out, re.MULTILINE)


def test_inspect_names_the_columns_that_cannot_be_used(run):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"x": [1, 2], "lists": [[1], [2]], "y": ["u", "v"]}), "odd.parquet")
    ran = run("inspect", "odd.parquet", "--target", "y")
    assert ran.code == 0, ran.err
    assert "column 'lists' is nested" in ran.out
    assert run("grow", "odd.parquet", "--target", "y", "--drop", "lists").code == 0
    assert "Flatten it into simple columns, or drop it" in run("grow", "odd.parquet", "--target", "y").err


def test_inspect_describes_a_model(run, model):
    out = run("inspect", model).out
    assert "fruit.tree: a tree that predicts ripe (one of no, yes)" in out
    assert "5 nodes, 3 leaves, depth 2; grown on 12 rows" in out
    assert "* colour  nominal: green, red" in out
    assert "  grade  nominal" in out


def test_inspect_as_json_describes_columns(run, model):
    names = [each["name"] for each in run("inspect", "fruit.csv", "--keep-ids", "--json").json["columns"]]
    assert names[:2] == ["id", "colour"]
    assert run("inspect", model, "--json").json["leaves"] == 3


def test_compare_ranks_the_best_recipe_first(run):
    stump = 'name = "stump"\nstops = [{ name = "max_depth", depth = 0 }]\n'
    pathlib.Path("stump.toml").write_text(stump)
    ran = run(
        *("compare", "fruit.csv", "--target", "ripe", "--drop", "id", "--folds", "3", "--json"),
        *("--recipe", "stump.toml", "--recipe", "plain"),
    )
    assert [each["recipe"] for each in ran.json["recipes"]] == ["plain", "stump"]


def test_compare_excludes_recipes_that_do_not_support_the_data_unless_they_are_named(run):
    flags = ("compare", "fruit.csv", "--target", "ripe", "--drop", "id", "--folds", "3")
    ran = run(*flags)
    assert ran.code == 0
    assert "note: id3 is excluded: " in ran.err  # it supports categories only, and size is numeric
    assert run(*flags, "--recipe", "id3").code == 2
    assert "Did you mean 'yes'?" in run(*flags, "--positive", "yess").err


def test_compare_evaluates_every_recipe_that_supports_the_target_and_notes_the_others(run):
    flags = ("--folds", "2", "--threads", "1", "--json")
    classes = run("compare", "fruit.csv", "--target", "ripe", "--drop", "id", *flags)
    many = {"forest", "extra_trees", "bagging", "boosting", "adaboost"}
    assert many <= {each["recipe"] for each in classes.json["recipes"]}
    assert any(note.startswith("regression is excluded: ") for note in classes.json["notes"])
    assert all(each["low"] <= each["mean"] <= each["high"] for each in classes.json["recipes"])
    numbers = run("compare", "fruit.csv", "--target", "size", "--drop", "id", *flags)
    assert many - {"adaboost"} <= {each["recipe"] for each in numbers.json["recipes"]}
    assert any(note.startswith("adaboost is excluded: ") for note in numbers.json["notes"])


def test_parts_describes_a_part_with_its_flags(run):
    out = run("parts", "cost_complexity").out
    assert "alpha  (--cost-complexity-alpha)" in out
    assert "(must be at least 0; default: 0.0)" in out
    assert run("parts", "max_depth", "--json").json["parts"][0]["settings"][0]["default"] == 30


def test_demo_writes_a_report_and_prints_its_path(run, tmp_path):
    ran = run("demo")
    assert ran.code == 0
    page = (tmp_path / "hornbeam-demo.html").read_text(encoding="utf-8")
    assert f"The report: {tmp_path / 'hornbeam-demo.html'}" in ran.out
    assert "PSA density" in ran.out
    assert "sensitivity" in page
    assert "PSA density" in page
    # Names of XML vocabularies look like addresses; nothing is requested from the network.
    assert not re.findall(r"https?://(?!www\.w3\.org/)", page)
    assert run("demo").code == 0  # an earlier report may be replaced


def test_demo_never_replaces_another_file(run, tmp_path):
    (tmp_path / "hornbeam-demo.html").write_text("mine")
    assert run("demo").code == 2
    assert (tmp_path / "hornbeam-demo.html").read_text() == "mine"


def test_several_files_and_patterns_are_concatenated(run):
    head, *rows = pathlib.Path("fruit.csv").read_text().splitlines(keepends=True)
    pathlib.Path("part1.csv").write_text(head + "".join(rows[:7]))
    pathlib.Path("part2.csv").write_text(head + "".join(rows[7:]))
    flags = ("--target", "ripe", "--drop", "id")
    assert run("grow", "part*.csv", *flags).out == TREE
    assert run("grow", "part1.csv", "part2.csv", *flags).out == TREE


def test_the_standard_input_is_read(run):
    text = pathlib.Path("fruit.csv").read_text()
    assert run("grow", "-", "--target", "ripe", "--drop", "id", stdin=text).out == TREE


def test_a_table_of_a_database_is_read(run):
    import sqlite3

    rows = [line.split(",") for line in pathlib.Path("fruit.csv").read_text().splitlines()[1:]]
    with sqlite3.connect("fruit.db") as base:
        base.execute("create table fruit (id text, colour text, size real, grade text, ripe text)")
        base.executemany("insert into fruit values (?, ?, nullif(?, '?'), ?, ?)", rows)
    base.close()
    assert run("grow", "fruit.db::fruit", "--target", "ripe", "--drop", "id").out == TREE


def test_priors_and_class_weights_are_given_per_class(run):
    assert run(*GROW, "--class-weight", "yes=3").code == 0
    assert run(*GROW, "--class-weight", "balanced", "--priors", "equal").code == 0
    assert "NUMBER" in run(*GROW, "--class-weight", "yes=many").err


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_a_summary_help_and_json(run, name):
    module = command_module(name)
    assert module.SUMMARY
    assert module.EXAMPLE.startswith(f"hornbeam {name}")
    ran = run(name, "--help")
    assert ran.code == 0
    assert "--json" in ran.out
    assert "-q, --quiet" in ran.out
    assert "0x" not in ran.out  # no object printed by accident


def test_prune_prints_the_table_of_complexities_without_pruning(run, model):
    flags = ("prune", model, "--complexity-table")
    assert run(*flags).out.splitlines()[0].split() == ["CP", "nsplit", "rel", "error"]
    evaluated = run(*flags, "--training", "fruit.csv", "--folds", "3", "--json").json
    assert evaluated["rows"][0]["nsplit"] == 0
    assert "xerror" in evaluated["rows"][0]
    assert "<- 1-SE" in run(*flags, "--training", "fruit.csv", "--folds", "3").out


def test_compare_shows_every_pruning_of_one_tree_and_draws_it(run):
    flags = ("compare", "fruit.csv", "--target", "ripe", "--drop", "id", "--folds", "3")
    found = run(*flags, "--prunings", "-o", "prunings.svg")
    assert found.code == 0, found.err
    assert "cross-validated" in found.out
    assert "reduced_error" in found.out
    assert "<svg" in pathlib.Path("prunings.svg").read_text()
    assert run(*flags, "--recipe", "cart", "-o", "recipes.svg").code == 0
    assert "cart" in pathlib.Path("recipes.svg").read_text()


def test_folds_choose_alpha_if_none_is_given(run):
    # Classes alternate, so the neighbours of a held-out row predict it wrongly: the whole tree is pruned.
    lines = ["x,ripe", *(f"{x},{'yes' if x % 2 else 'no'}" for x in range(120))]
    pathlib.Path("noise.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run("grow", "noise.csv", "--target", "ripe", "--recipe", "plain", "-o", "noise.tree", "-q").code == 0
    folds = ("--training", "noise.csv", "--folds", "5", "--json")
    ran = run("prune", "noise.tree", "--pruning", "cost_complexity", *folds)
    assert ran.code == 0
    assert "one_se" in " ".join(ran.json["notes"])
    assert ran.json["pruning"]["alpha"] > 0
    given = run("prune", "noise.tree", "--cost-complexity-alpha", "0.001", *folds)
    assert given.json["pruning"]["alpha"] == 0.001


def test_grow_prints_from_how_many_leaves_it_pruned(run):
    lines = ["x,ripe", *(f"{x},{'yes' if x % 2 else 'no'}" for x in range(60))]
    pathlib.Path("noise.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    flags = ("grow", "noise.csv", "--target", "ripe")
    note = "pruned from 60 to 1 leaves by cost-complexity pruning; --no-pruning keeps the whole tree"
    assert note in run(*flags).err
    assert note in run(*flags, "--json").json["notes"]
    whole = run(*flags, "--no-pruning")
    assert "pruned" not in whole.err
    assert whole.out.count("\n") > 60


def test_flags_change_the_settings_of_the_default_recipe(run):
    flags = ("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "-o", "f.tree", "--force", "--json")
    assert run(*flags, "--min-leaf", "3", "--cost-complexity-rule", "one_se").code == 0
    stored = hb.load("f.tree").recipe
    assert {"name": "min_leaf", "rows": 3} in stored["stops"]
    assert stored["pruning"]["rule"] == "one_se"
    assert stored["pruning"]["choose_by"] == "brier"
