"""What a report reveals: no exact small count with min_count, and metrics that stay consistent."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.unit.drawing.test_report import values_of
from tests.unit.drawing.trees import numbers_table

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.drawing.report.curve import curve_values
from hornbeam.errors import OptionError
from hornbeam.parts.prunings.cost_complexity import sequence
from hornbeam.tree.edit import collapse
from hornbeam.tree.hiding import count_or_less, hide_counts
from hornbeam.tree.text import format_tree

K = 5


@pytest.fixture(scope="module")
def prostate():
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    training, test = table.take(rows[rows % 3 > 0]), table.take(rows[rows % 3 == 0])
    return hb.grow(training, "plain"), training, test


def counts_of(found):
    """Every count of rows in the values of a page."""
    nodes = found["nodes"]
    test = nodes["test"]
    yield from nodes["rows"]
    yield from (value for stats in nodes["stats"] for value in (stats if found["is_class"] else stats[:1]))
    yield from test["rows"]
    if found["is_class"]:
        yield from (*test["loss"], *test["ended"])
    yield from (n for each in found["profiles"].values() for bins in each["counts"] for n in bins)
    yield from (each[name] for each in found["roc"] for name in ("positives", "negatives"))
    for each in found["roc"]:
        yield from (round(rate * each["positives"]) for rate in each["true_rates"] if rate < 1)


def test_all_counts_of_the_page_are_multiples_of_the_minimum(prostate):
    tree, training, test = prostate
    assert int(tree.nodes.rows.min()) < K
    found = values_of(report(tree, training, test, min_count=K).html)
    assert {count % K for count in counts_of(found)} == {0}
    assert set(found["nodes"]["impurity"]) == set(found["nodes"]["gain"]) == {0}
    exact = values_of(report(tree, training, test).html)
    assert {count % K for count in counts_of(exact)} != {0}


def test_small_counts_are_not_in_the_texts_of_the_page(prostate):
    tree, training, test = prostate
    page = report(tree, training, test, min_count=K)
    found = values_of(page.html)
    assert not re.search(r"\d", " ".join(found["diagnostics"]))
    confusion = next(each for each in found["scores"]["tables"] if each["caption"] == "Confusion matrix")
    assert all(cell == "<5" or int(cell) % K == 0 for row in confusion["rows"] for cell in row[1:])
    assert "rows" not in found["scores"]["tables"][0]["head"]  # 48/55
    still = re.search(r"<noscript>(.*?)</noscript>", page.html, re.DOTALL)[1]
    numbers = {int(n) for n in re.findall(r">(\d+) rows?<", still)}
    assert all(n % K == 0 for n in numbers)
    assert found["privacy"][-1].startswith("Counts are multiples of 5; counts below 5 are hidden.")


def test_ends_of_ranges_are_shared_by_the_minimum_number_of_rows(prostate):
    tree, training, _ = prostate
    found = values_of(report(tree, training, min_count=K).html)
    for column, values in zip(training.columns, found["columns"], strict=True):
        if values["low"] is not None:
            known = column.values[~column.is_missing]
            assert (known <= values["low"]).sum() >= K
            assert (known >= values["high"]).sum() >= K
    assert "0.03 to 1.41" not in str(found["data"])


def test_numbers_are_hidden_too():
    table = numbers_table()
    found = values_of(report(hb.grow(table, "plain"), table, table, min_count=K).html)
    assert {count % K for count in counts_of(found)} == {0}


def test_rows_and_hidden_counts_exclude_each_other(prostate):
    tree, training, _ = prostate
    with pytest.raises(OptionError, match="cannot include rows: their values would reveal the counts"):
        report(tree, training, rows=10, min_count=K)
    with pytest.raises(OptionError, match=r"must be an integer from 0 to 1,000, got -1\."):
        report(tree, training, min_count=-1)


def test_counts_as_text():
    assert [count_or_less(n, K) for n in (0, 1, 4, 5, 7, 8, 1234)] == ["0", "<5", "<5", "5", "5", "10", "1,235"]
    assert count_or_less(3, 0) == "3"


def test_the_text_of_a_tree_hides_the_same_counts(prostate):
    text = format_tree(prostate[0], min_count=K)
    assert "(<5)" in text
    sizes = re.findall(r"\((\d+) / (<5|\d+)\)", text)
    assert sizes
    assert all(int(n) % K == 0 for n in re.findall(r"\d+", " ".join(f"{a} {b}" for a, b in sizes).replace("<5", "")))


def test_predictions_of_the_tree_stay_as_they_are(prostate):
    tree, _, _ = prostate
    assert hide_counts(tree, K).nodes.answer.tolist() == tree.nodes.answer.tolist()
    assert hide_counts(tree, 0) is tree


def test_the_positive_class_is_the_rarer_one_unless_chosen(prostate):
    tree, training, test = prostate
    found = values_of(report(tree, training, test).html)
    assert found["scores"]["tables"][0]["caption"] == "Metrics; positive: cancer (the rarer class)"
    assert [each["label"] for each in found["roc"] if each["is_positive"]] == ["cancer"]
    found = values_of(report(tree, training, test, positive="benign").html)
    assert found["scores"]["tables"][0]["caption"] == "Metrics; positive: benign"


def test_the_curve_has_the_leaves_and_errors_of_every_pruned_tree(prostate):
    tree, training, test = prostate
    found = values_of(report(tree, training, test).html)["pruning"]
    links = sequence(tree)
    for step in range(1, len(found["alphas"]), 3):
        limit = found["alphas"][step] * (1 + 1e-8)
        pruned = collapse(tree, np.flatnonzero(~tree.nodes.is_leaf & (links.collapse <= limit)))
        assert found["leaves"][step] == pruned.n_leaves
        for table, losses in ((training, found["training"]), (test, found["test"])):
            wrong = (hb.predict(pruned, table).codes != table.target.values).mean()
            assert losses[step] == pytest.approx(wrong, abs=1e-6)
    assert curve_values(tree, links, None, 0)["test"] is None
