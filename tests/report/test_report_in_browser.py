"""The report in a browser: clicks, keys and accessibility; no requests; hostile names are text."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from tests.report.chromium import PROGRAM
from tests.unit.drawing.trees import HOSTILE, grown, hostile_table, numbers_table

import hornbeam as hb
from hornbeam.drawing import report

if PROGRAM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
HEADING = "document.querySelector('[aria-label=\"Details of the node\"] h3').textContent"
ITEMS = "document.querySelectorAll('[role=treeitem]').length"


@pytest.fixture(scope="module")
def prostate(tmp_path_factory):
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    training, test = table.take(rows[rows % 3 > 0]), table.take(rows[rows % 3 == 0])
    tree = grown(training)
    path = tmp_path_factory.mktemp("report") / "prostate.html"
    report(tree, training, test, path=path, rows=200)
    return tree, test, path


def test_nothing_is_used_from_outside_and_no_rule_is_broken(browser, prostate):
    browser.events.clear()
    browser.open(prostate[2])
    requested = [each["request"]["url"] for each in browser.seen("Network.requestWillBeSent")]
    assert requested == [prostate[2].as_uri()]
    assert browser.seen("Runtime.exceptionThrown") == []
    assert browser.seen("Log.entryAdded") == []  # a breach of the policy would be text here
    issues = [each["issue"]["code"] for each in browser.seen("Audits.issueAdded")]
    assert "ContentSecurityPolicyIssue" not in issues


def test_hostile_names_are_shown_as_text(browser, tmp_path):
    table = hostile_table()
    path = tmp_path / "hostile.html"
    report(grown(table), table, path=path, title=HOSTILE[1], more_diagnostics=HOSTILE)
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


def test_a_click_shows_the_details_of_a_node_and_its_knob_folds_it(browser, prostate):
    browser.open(prostate[2])
    before = browser.run(ITEMS)
    browser.run("document.querySelector('[data-node=\"2\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert browser.run(HEADING).endswith("node 2")
    browser.run(
        "document.querySelector('[data-node=\"0\"] .knob').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert browser.run(ITEMS) == 1 < before
    assert browser.run("document.querySelector('[data-node=\"0\"]').getAttribute('aria-expanded')") == "false"


def panel(browser, node):
    """Click a node and read its details."""
    browser.run(
        f"document.querySelector('[data-node=\"{node}\"]').dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    )
    browser.run(SETTLED)
    return browser.run("document.querySelector('[aria-label=\"Details of the node\"]').textContent")


def test_a_click_shows_competitors_surrogates_and_the_rows_that_reach_the_node(browser, tmp_path):
    table = hb.datasets.load("prostate")
    tree = hb.grow(table, "cart")
    path = tmp_path / "cart.html"
    report(tree, table, path=path, rows=500)
    browser.open(path)
    for node in range(len(tree)):
        text = panel(browser, node)
        assert ("Competitors" in text) == any(True for _ in tree.competitors(node)), node
        for question, gain, _ in tree.competitors(node):
            assert f"(gain {float(f'{gain:.4g}'):g})" in text, (node, question)
        assert text.count("agreement ") == len(list(tree.surrogates(node)))
    predicted = hb.predict(tree, table)
    leaf = int(np.flatnonzero(tree.nodes.is_leaf)[1])
    panel(browser, leaf)
    shown = browser.run("[...document.querySelectorAll('.rows-here tbody th')].map(each => Number(each.textContent))")
    assert shown == np.flatnonzero(predicted.nodes == leaf)[: len(shown)].tolist()
    assert 0 < len(shown) <= 8


def test_the_questionnaire_has_surrogates_for_missing_values(browser, tmp_path):
    table = hb.datasets.load("prostate")
    tree = hb.grow(table, "cart")
    path = tmp_path / "cart.html"
    report(tree, table, path=path)
    browser.open(path)
    text = browser.run("document.querySelector('#questionnaire .surrogates').textContent")
    # The root's surrogates, in their order: PSA, lesion, volume (flipped), age.
    assert text.startswith("If missing: “≤ 0.165” if PSA ≤ 7.65, else “> 0.165”; if that is missing too, ")
    assert text.count(" if ") == 2 * len(list(tree.surrogates(0))) - 1


def test_a_row_of_a_node_shows_its_way(browser, prostate):
    browser.open(prostate[2])
    browser.run("document.querySelector('.rows-here tbody button').click()")
    browser.run(SETTLED)
    training_row = browser.run("document.querySelector('.rows-here tbody th').textContent")
    assert training_row.isdigit()
    assert browser.run("document.querySelectorAll('.node.on-path').length") > 1


def test_the_tree_can_be_saved_as_a_picture_that_stands_alone(browser, prostate, tmp_path):
    browser.events.clear()
    browser.open(prostate[2])
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.run("document.querySelector('[aria-label=\"Save as SVG\"]').click()")
    file = tmp_path / "tree.svg"
    for _ in range(200):
        if file.exists() and file.stat().st_size:
            break
        browser.run("new Promise(done => setTimeout(() => done(1), 20))")
    root = ElementTree.fromstring(file.read_text("utf-8"))
    assert "var(" not in file.read_text("utf-8")
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"PSA density", "lesion"} <= texts
    assert browser.seen("Log.entryAdded") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast(browser, prostate, theme):
    # WCAG 2.2, 1.4.3: text has at least 4.5 to 1 against its ground.
    browser.open(prostate[2])
    if browser.run("document.documentElement.dataset.theme") != theme:
        browser.run("document.querySelector('header .buttons button').click()")
        browser.run(SETTLED)
    colors = browser.run(
        "['--ink', '--soft', '--accent', '--mark', '--ground', '--card', '--canvas', '--wash'].map(name =>"
        " getComputedStyle(document.documentElement).getPropertyValue(name).trim())"
    )
    light = [luminance(each) for each in colors]
    for message in light[:4]:
        for ground in light[4:]:
            high, low = max(message, ground), min(message, ground)
            assert (high + 0.05) / (low + 0.05) >= 4.5


def luminance(color):
    """The relative luminance of #rgb or #rrggbb, as WCAG defines it."""
    digits = color[1:] if len(color) == 7 else "".join(2 * each for each in color[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    line = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]


def test_a_narrow_window_needs_no_sideways_scrolling(browser, prostate):
    browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
    try:
        browser.open(prostate[2])
        wide = browser.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1]
    finally:
        browser.call("Emulation.clearDeviceMetricsOverride")


def test_print_shows_the_whole_tree_and_no_rows_of_the_data(browser, prostate):
    browser.open(prostate[2])
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        browser.run(SETTLED)
        box = "document.querySelector('.canvas').getBoundingClientRect()"
        outside = browser.run(
            f"[...document.querySelectorAll('.node')].map(each => [each.getBoundingClientRect(), {box}]).filter("
            "([a, b]) => a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom).length"
        )
        assert outside == 0
        assert browser.run("getComputedStyle(document.querySelector('#rows')).display") == "none"
        assert browser.run("getComputedStyle(document.querySelector('.toolbar')).display") == "none"
        assert browser.run("document.querySelectorAll('#questionnaire .tick').length") > 0
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


def test_threshold_and_prevalence_change_the_rates(browser, tmp_path):
    test, path = hb.datasets.load("prostate"), tmp_path / "cart.html"
    tree = hb.grow(test, "cart")
    report(tree, test, test, path=path, positive="cancer")
    browser.open(path)

    def slid(place, value):
        browser.run(
            f"(() => {{ const s = document.querySelectorAll('.roc input')[{place}]; s.value = '{value}';"
            "s.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )
        browser.run(SETTLED)
        return browser.run("[...document.querySelectorAll('.roc td:nth-child(2)')].map(each => each.textContent)")

    # By Bayes: PPV = s q / (s q + (1 - p)(1 - q)), NPV = p (1 - q) / (p (1 - q) + (1 - s) q).
    sensitivity, specificity, _, _ = (float(each.rstrip("%")) / 100 for each in slid(0, 2))
    text = hb.predict(tree, test).probabilities[:, tree.schema.classes.index("cancer")]
    cut = np.unique(text)[::-1][1]  # the third point of the curve; the first is (0, 0)
    is_cancer = test.target.values == tree.schema.classes.index("cancer")
    found, alarmed = (text[is_cancer] >= cut).mean(), (text[~is_cancer] >= cut).mean()
    assert sensitivity == pytest.approx(found, abs=6e-4)
    assert specificity == pytest.approx(1 - alarmed, abs=6e-4)
    ppv = float(slid(1, 0.05)[2].rstrip("%")) / 100
    assert ppv == pytest.approx(found * 0.05 / (found * 0.05 + alarmed * 0.95), abs=6e-4)


def test_arrows_follow_the_drawing(browser, prostate):
    browser.open(prostate[2])
    browser.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    for inward, onward, outward in (("ArrowRight", "ArrowDown", "ArrowLeft"), ("ArrowDown", "ArrowRight", "ArrowUp")):
        browser.press(inward)
        assert browser.run(HEADING).endswith("node 1")
        assert browser.run("document.activeElement.dataset.node") == "1"
        browser.press(onward)
        assert browser.run("document.activeElement.dataset.node") == "2"
        browser.press(outward)
        assert browser.run(HEADING).endswith("node 0")
        browser.press("Enter")
        assert browser.run(ITEMS) == 1
        browser.press(inward)  # opens a closed node
        assert browser.run(ITEMS) > 1
        browser.run("document.querySelector('[aria-label=\"Turn the tree\"]').click()")
        browser.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    assert browser.run("document.querySelectorAll('[role=treeitem][tabindex=\"0\"]').length") == 1
    labels = browser.run("[...document.querySelectorAll('[role=treeitem]')].every(e => e.getAttribute('aria-label'))")
    assert labels is True


def chosen(browser, place):
    """Choose an included row in the page and read its prediction."""
    return browser.run(
        "(() => { const s = document.querySelector('[aria-label=\"What if\"] select');"
        f"s.value = '{place}'; s.dispatchEvent(new Event('change', {{bubbles: true}}));"
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done(document.querySelector('.row-prediction').textContent)))); })()"
    )


def test_the_page_predicts_rows_as_the_tree_does(browser, prostate):
    tree, test, path = prostate
    browser.open(path)
    predicted = hb.predict(tree, test)
    rows = np.unique(np.linspace(0, len(test) - 1, 66).astype(int))  # a third of 200 rows
    for place in range(0, 66, 9):
        text = chosen(browser, place)
        row = int(rows[place])
        share = predicted.probabilities[row].max()
        if share > 0.5:
            assert text.startswith(f"{predicted.labels[row]}, "), row
        assert f"at node {predicted.nodes[row]} " in text


def test_numbers_are_predicted_as_by_the_tree(browser, tmp_path):
    table = numbers_table()
    tree = grown(table)
    path = tmp_path / "numbers.html"
    report(tree, table, path=path, rows=len(table))
    browser.open(path)
    predicted = hb.predict(tree, table)
    for row in range(0, len(table), 11):
        assert f"at node {predicted.nodes[row]} " in chosen(browser, row)


def test_the_slider_prunes_down_to_the_root_and_the_curve_marks_the_smallest_test_error(browser, prostate):
    browser.open(prostate[2])
    tree, test, _ = prostate
    curve = browser.run("document.querySelector('.prune-curve').getAttribute('aria-label')")
    assert "the test error is smallest with" in curve
    text = browser.run(
        "(() => { const s = document.querySelector('[aria-label=Pruning] input'); s.value = 0;"
        "s.dispatchEvent(new Event('input', {bubbles: true}));"
        "return new Promise(done => setTimeout(() => done(document.querySelector('[aria-label=Pruning]').innerText),"
        " 300)); })()"
    )
    wrong = int((test.target.values != tree.nodes.answer[0]).sum())
    assert "1 leaf" in text
    assert f"{100 * wrong / len(test):.1f}%" in text
    assert browser.run("document.querySelector('#questionnaire').textContent").count("always") == 1


def test_a_search_steps_through_its_hits(browser, prostate):
    browser.open(prostate[2])
    typed = (
        "(() => { const s = document.querySelector('input[type=search]'); s.focus(); s.value = 'age';"
        "s.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    browser.run(typed)
    browser.run(SETTLED)
    first, hits = browser.run("document.querySelector('.search output').textContent").split(" of ")
    assert first == "1"
    assert 1 < browser.run("document.querySelectorAll('.node.found').length") <= int(hits)  # others are folded
    before = browser.run(HEADING)
    browser.press("Enter")
    assert browser.run("document.querySelector('.search output').textContent") == f"2 of {hits}"
    assert browser.run(HEADING) != before


def test_a_print_has_all_rules_and_questions(browser, prostate):
    browser.open(prostate[2])
    counts = browser.run(
        "(() => { window.print = () => { window.printed = ['.rules > li', 'ol.questions > li'].map(each =>"
        " document.querySelectorAll(each).length); };"
        "document.querySelector('header [aria-label=Print]').click();"
        "return new Promise(done => setTimeout(() => done(window.printed), 300)); })()"
    )
    tree = prostate[0]
    assert counts == [tree.n_leaves, len(tree) - tree.n_leaves]
    assert browser.run("document.querySelectorAll('.rules > li').length") == 30  # the screen has the first ones
