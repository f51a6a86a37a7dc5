"""`--group` and `--time`, `evaluate MODEL DATA --folds`, `prune` by default, and pages of results."""

import re

import numpy as np
import pytest

import hornbeam as hb


@pytest.fixture
def visits(run):
    """A file of 24 patients with four visits each, in the folder of the test."""
    random = np.random.default_rng(3)
    lines = ["patient,visit,blood,ill"]
    for patient in range(24):
        level = patient + random.uniform()
        lines += [
            f"P{patient:02d},2021-0{visit + 1}-1{patient % 9},{level + visit / 9:.2f},{'yes' if patient % 3 else 'no'}"
            for visit in range(4)
        ]
    with open("visits.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return "visits.csv"


@pytest.fixture
def grown(run, visits):
    """A tree of the visits, not pruned."""
    flags = ["--target", "ill", "--group", "patient", "--time", "visit", "--recipe", "plain", "-o", "v.tree"]
    assert run("grow", visits, *flags).code == 0
    return "v.tree"


def test_groups_and_times_are_no_inputs_and_a_note_reports_it(run, visits):
    ran = run("grow", visits, "--target", "ill", "--group", "patient", "--time", "visit", "--json")
    assert [column["name"] for column in ran.json["columns"]] == ["blood"]
    assert "column 'patient' divides the rows and is not an input" in ran.json["notes"]
    assert "column 'visit' divides the rows and is not an input" in ran.json["notes"]


def test_evaluate_keeps_groups_together_and_goes_forward_in_time(run, visits):
    rows = ["evaluate", visits, "--target", "ill", "--folds", "4", "--recipe", "plain", "--drop", "patient"]
    split = run(*rows, "--drop", "visit", "--json").json
    assert split["divided"] == ""
    assert split["metrics"]["accuracy"]["mean"]["value"] > 0.8
    grouped = run(*rows[:-2], "--group", "patient", "--drop", "visit", "--json").json
    assert grouped["divided"] == "by 'patient' (24 groups)"
    assert grouped["metrics"]["accuracy"]["mean"]["value"] < 0.7
    timed = run(*rows, "--time", "visit")
    assert timed.out.startswith("4 folds, forward in time by 'visit'\n")


def test_a_saved_model_is_grown_again_in_each_fold_and_a_note_reports_it(run, visits, grown):
    ran = run("evaluate", grown, visits, "--folds", "3", "--group", "patient", "--json")
    assert ran.code == 0, ran.err
    assert any("grown again in each fold by its own recipe ('plain')" in note for note in ran.json["notes"])
    table = hb.read(visits, "ill", groups="patient", columns=["blood"])
    expected = hb.cross_validate(table, "plain", 3, seed=None)["accuracy"].values
    assert ran.json["metrics"]["accuracy"]["folds"] == pytest.approx(list(expected))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "v.tree", "visits.csv", "--group", "patient"], "--group divides the rows of a cross-validation"),
        (["evaluate", "v.tree", "--folds", "3"], "DATA is missing"),
        (["evaluate", "v.tree", "visits.csv", "--folds", "3", "--recipe", "cart"], "--recipe changes how a tree"),
        (["evaluate", "v.tree", "fruit.csv", "--folds", "3"], "DATA lacks the column 'blood' of the model"),
        (["evaluate", "v.tree", "visits.csv", "--folds", "99", "--group", "patient"], "Pass --folds 24"),
        (["compare", "visits.csv", "--target", "ill", "--group", "patent"], "Did you mean 'patient'"),
        (["compare", "visits.csv", "--target", "ill", "--time", "patient"], "Pass --kind patient=date or patient="),
        (["prune", "v.tree", "--time", "visit"], "--time requires the training rows"),
        (["prune", "v.tree", "--training", "visits.csv", "--group", "blood"], "is an input of the model"),
    ],
)
def test_wrong_uses_are_explained(run, visits, grown, arguments, message):
    ran = run(*arguments)
    assert ran.code == 2
    assert message in ran.err


def test_prune_without_flags_prunes_by_the_statistics_of_the_tree(run, grown):
    ran = run("prune", grown)
    assert ran.code == 0, ran.err
    assert "pruned by error_based, confidence 0.05; with --training DATA" in ran.err
    tree = hb.load(grown)
    assert f"{tree.n_leaves} leaves, now {hb.prune(tree).n_leaves}" in ran.err


def test_prune_with_the_training_rows_chooses_the_size_by_folds(run, visits, grown):
    ran = run("prune", grown, "--training", visits, "--group", "patient", "--json")
    table = hb.read(visits, "ill", groups="patient", columns=["blood"])
    expected = hb.prune(hb.load(grown), table)
    assert ran.json["pruning"]["pruning"] == {"name": "cost_complexity", "rule": "minimum"}
    assert ran.json["leaves"] == expected.n_leaves
    leaky = run("prune", grown, "--training", visits, "--json").json["leaves"]
    assert expected.n_leaves < leaky


def test_a_rule_is_the_name_of_a_pruning(run, visits, grown):
    ran = run("prune", grown, "--training", visits, "--pruning", "one_se", "--folds", "4", "--json")
    assert ran.json["pruning"]["pruning"] == {"name": "cost_complexity", "rule": "one_se"}


def test_the_default_pruning_of_a_regression_tree_requires_rows(run):
    run("grow", "fruit.csv", "--target", "size", "-o", "size.tree", "--recipe", "plain")
    ran = run("prune", "size.tree")
    assert ran.code == 2
    assert "--training FILE" in ran.err
    assert run("prune", "size.tree", "--training", "fruit.csv", "--folds", "3").code == 0


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (["evaluate", "v.tree", "visits.csv", "--positive", "yes"], ["sensitivity", "ROC", "Calibration"]),
        (["evaluate", "v.tree", "visits.csv", "--folds", "3"], ["Cross-validation", "training rows", "accuracy"]),
        (["compare", "visits.csv", "--target", "ill", "--recipe", "cart", "--recipe", "c45"], ["two standard errors"]),
        (["compare", "visits.csv", "--target", "ill", "--prunings", "--folds", "2"], ["pessimistic", "leaves"]),
    ],
)
def test_results_are_written_as_a_page_that_loads_nothing(run, visits, grown, arguments, texts):
    ran = run(*arguments, "-o", "page.html")
    assert ran.code == 0, ran.err
    with open("page.html", encoding="utf-8") as file:
        page = file.read()
    assert all(text in page for text in texts)
    policy = re.search(r'Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"<script|https?://|\sstyle=|\son\w+=|url\(", page)
    assert "prefers-color-scheme: dark" in page
    assert run(*arguments, "-o", "page.html").code == 2  # the file exists


def test_failed_checks_are_on_the_page(run, visits, grown):
    ran = run("evaluate", grown, visits, "--fail-under", "kappa=1.1", "-o", "page.html")
    assert ran.code == 1
    with open("page.html", encoding="utf-8") as file:
        assert 'class="failed">failed: kappa is' in file.read()


def test_costs_are_named_by_class(run, visits, grown):
    flags = ("evaluate", grown, visits, "--json", "--costs")
    by_name, matrix = run(*flags, '{"yes": {"no": 5}}').json, run(*flags, "[[0, 1], [5, 0]]").json
    assert by_name["metrics"]["average_cost"] == matrix["metrics"]["average_cost"]
    assert "costs name 'ye'" in run(*flags[:3], "--costs", '{"ye": {"no": 5}}').err
