"""The report in a real browser: what is clicked, typed and heard; nothing asked from outside; hostile names as text."""

from __future__ import annotations

import numpy as np
import pytest
from tests.page.chromium import PROGRAM, Browser
from tests.unit.drawing.trees import HOSTILE, grown, hostile_table, numbers_table

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")

HEADING = "document.querySelector('.panel h3').textContent"
ITEMS = "document.querySelectorAll('[role=treeitem]').length"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    try:
        found = Browser(tmp_path_factory.mktemp("profile"))
    except (OSError, TimeoutError) as error:
        pytest.skip(f"Chromium does not start here: {error}")
    yield found
    found.close()


@pytest.fixture(scope="module")
def prostate(tmp_path_factory):
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    training, test = table.taken(rows[rows % 3 > 0]), table.taken(rows[rows % 3 == 0])
    tree = grown(training)
    path = tmp_path_factory.mktemp("report") / "prostate.html"
    report(tree, training, test, path=path, positive="cancer")
    return tree, test, path


def test_nothing_is_asked_from_outside_and_no_rule_is_broken(browser, prostate):
    browser.events.clear()
    browser.open(prostate[2])
    asked = [each["request"]["url"] for each in browser.seen("Network.requestWillBeSent")]
    assert asked == [prostate[2].as_uri()]
    assert browser.seen("Runtime.exceptionThrown") == []
    assert browser.seen("Log.entryAdded") == []  # a breach of the policy would be told here
    issues = [each["issue"]["code"] for each in browser.seen("Audits.issueAdded")]
    assert "ContentSecurityPolicyIssue" not in issues


def test_hostile_names_are_shown_as_text(browser, tmp_path):
    table = hostile_table()
    path = tmp_path / "hostile.html"
    report(grown(table), table, path=path, title=HOSTILE[1], more_cautions=HOSTILE)
    browser.events.clear()
    browser.open(path)
    assert browser.run("document.querySelectorAll('img, iframe, object, [onmouseover], [onerror]').length") == 0
    assert browser.run("document.scripts.length") == 2
    shown = browser.run("document.body.innerText")
    for name in HOSTILE[:5]:
        assert name in shown
    assert "49 " not in shown.split("{{7*7}}")[0][-4:]
    assert browser.seen("Page.javascriptDialogOpening") == []
    assert browser.seen("Log.entryAdded") == []


def test_a_click_tells_a_nodes_facts_and_its_knob_folds_it(browser, prostate):
    browser.open(prostate[2])
    before = browser.run(ITEMS)
    browser.run("document.querySelector('[data-node=\"2\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert browser.run(HEADING).startswith("Node 2:")
    browser.run(
        "document.querySelector('[data-node=\"0\"] .knob').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert browser.run(ITEMS) == 1 < before
    assert browser.run("document.querySelector('[data-node=\"0\"]').getAttribute('aria-expanded')") == "false"


def test_the_tree_is_walked_by_keyboard(browser, prostate):
    browser.open(prostate[2])
    browser.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    browser.press("ArrowRight")
    assert browser.run(HEADING).startswith("Node 1:")
    assert browser.run("document.activeElement.dataset.node") == "1"
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert browser.run(HEADING).startswith("Node 0:")
    assert browser.run("document.querySelectorAll('[role=treeitem][tabindex=\"0\"]').length") == 1
    labels = browser.run("[...document.querySelectorAll('[role=treeitem]')].every(e => e.getAttribute('aria-label'))")
    assert labels is True


def chosen(browser, place):
    """Choose a sampled row in the page and read the answer."""
    return browser.run(
        "(() => { const s = document.querySelector('[aria-label=\"What if\"] select');"
        f"s.value = '{place}'; s.dispatchEvent(new Event('change', {{bubbles: true}}));"
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(document.querySelector('.answer').textContent)))); })()"
    )


def test_the_page_answers_rows_as_the_tree_does(browser, prostate):
    tree, test, path = prostate
    browser.open(path)
    said = hb.predict(tree, test)
    rows = np.unique(np.linspace(0, len(test) - 1, 100).astype(int))
    for place in range(0, 100, 9):
        told = chosen(browser, place)
        row = int(rows[place])
        share = said.shares[row].max()
        if share > 0.5:
            assert told.startswith(f"{said.labels[row]}, "), row
        assert f"at node {said.nodes[row]} " in told


def test_numbers_are_answered_as_the_tree_does(browser, tmp_path):
    table = numbers_table()
    tree = grown(table)
    path = tmp_path / "numbers.html"
    report(tree, table, path=path)
    browser.open(path)
    said = hb.predict(tree, table)
    rows = np.unique(np.linspace(0, len(table) - 1, 100).astype(int))
    for place in range(0, 100, 11):
        assert f"at node {said.nodes[int(rows[place])]} " in chosen(browser, place)


def test_the_slider_prunes_down_to_the_root(browser, prostate):
    browser.open(prostate[2])
    told = browser.run(
        "(() => { const s = document.querySelector('[aria-label=Pruning] input'); s.value = s.max;"
        "s.dispatchEvent(new Event('input', {bubbles: true}));"
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(document.querySelector('[aria-label=Pruning] dl').textContent)))); })()"
    )
    tree, test, _ = prostate
    wrong = int((test.target.values != tree.nodes.answer[0]).sum())
    assert told.startswith("leaves1wrong")
    assert f"({wrong} of {len(test)})" in told
    assert browser.run("document.querySelector('#questionnaire').textContent").count("always") == 1


def test_a_search_finds_and_opens_what_lies_deep(browser, prostate):
    browser.open(prostate[2])
    told = browser.run(
        "(() => { const s = document.querySelector('input[type=search]'); s.value = 'age';"
        "s.dispatchEvent(new Event('input', {bubbles: true}));"
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(document.querySelector('.notice').textContent)))); })()"
    )
    assert told.endswith("found")
    assert browser.run("document.querySelectorAll('.chip.found').length") > 0


def test_fifty_thousand_nodes_open_folded(browser, tmp_path):
    rng = np.random.default_rng(0)
    n = 80_000
    columns = tuple(numeric(f"x{i}", rng.normal(size=n)) for i in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 2, n), ("no", "yes")))
    tree = grown(table)
    assert len(tree) > 45_000
    path = tmp_path / "big.html"
    report(tree, table, path=path)
    assert browser.open(path) < 10  # about one second; slow machines have room
    assert 1 < browser.run(ITEMS) <= 1500
