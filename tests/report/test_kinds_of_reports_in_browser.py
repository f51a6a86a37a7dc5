"""Reports of ensembles, of regressions and with hidden counts, in a browser."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.chromium import PROGRAM
from tests.unit.drawing.trees import numbers_table

import hornbeam as hb
from hornbeam.drawing import report

if PROGRAM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)


@pytest.fixture(scope="module")
def prostate():
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    return table.take(rows[rows % 3 > 0]), table.take(rows[rows % 3 == 0])


def opened(browser, path):
    """Open a page without an error or a breach of its policy, and read its text."""
    browser.events.clear()
    browser.open(path)
    assert browser.seen("Runtime.exceptionThrown") == []
    assert browser.seen("Log.entryAdded") == []
    return browser.run("document.body.textContent")


def test_the_page_of_a_forest_shows_the_surrogate_and_the_forest(browser, prostate, tmp_path):
    training, test = prostate
    path = tmp_path / "forest.html"
    report(hb.grow(training, "forest"), training, test, path=path)
    text = opened(browser, path)
    assert "The tree predicts the class that the forest of 100 trees predicts for" in text
    assert browser.run("document.querySelectorAll('.plots figure').length") == 5
    assert browser.run("document.querySelectorAll('.calibration .dot').length") > 3
    assert browser.run("document.querySelectorAll('#ensemble details pre').length") == 3
    assert "What if, by the surrogate" in text


def test_the_page_of_a_regression_has_spreads_and_no_legend(browser, tmp_path):
    table = numbers_table()
    path = tmp_path / "numbers.html"
    report(hb.grow(table, "plain"), table, table, path=path)
    text = opened(browser, path)
    assert browser.run("document.querySelectorAll('.legend').length") == 0
    assert "test mean squared error" in text
    assert browser.run("document.querySelectorAll('.node .track').length") > 0


def test_hidden_counts_are_shown_as_below_the_minimum(browser, prostate, tmp_path):
    training, test = prostate
    path = tmp_path / "hidden.html"
    tree = hb.grow(training, "plain")
    report(tree, training, test, path=path, min_count=5)
    text = opened(browser, path)
    assert "fewer than 5 rows" in text
    assert "Counts are multiples of 5" in text
    leaf = int(np.flatnonzero(tree.nodes.is_leaf & (tree.nodes.rows < 5))[0])
    typed = (
        "(() => { const s = document.querySelector('input[type=search]'); s.value = 'node "
        f"{leaf}'; s.dispatchEvent(new Event('input', {{bubbles: true}}));"
        "return new Promise(done => setTimeout(() => done(document.querySelector("
        f"'[data-node=\"{leaf}\"]').textContent), 100)); }})()"
    )
    assert "<5" in browser.run(typed)


def test_a_page_states_whether_it_contains_rows(browser, prostate, tmp_path):
    training, _ = prostate
    tree = hb.grow(training, "cart")
    path = tmp_path / "rows.html"
    report(tree, training, path=path)
    assert "This file contains no row of the data." in opened(browser, path)
    assert browser.run("document.querySelector('#rows')") is None
    report(tree, training, path=path, rows=20)
    assert "This file contains the values of 20 of 266 training rows." in opened(browser, path)
    assert browser.run("document.querySelectorAll('#rows tbody tr').length") == 8
