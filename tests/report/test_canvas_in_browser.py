"""The tree canvas in a browser: the first view, what is drawn, folding, levels, many classes, narrow windows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.chromium import PROGRAM
from tests.unit.drawing.trees import grown

from hornbeam.drawing import report
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

if PROGRAM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
ITEMS = "document.querySelectorAll('[role=treeitem]').length"
OUTSIDE = (
    "(() => { const b = document.querySelector('.canvas').getBoundingClientRect();"
    "return [...document.querySelectorAll('.node .box, .node .pill')].map(each => each.getBoundingClientRect())"
    ".filter(a => a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1)"
    ".length; })()"
)


def noise(n, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    columns = tuple(numeric(f"a column with a long name {i}", rng.normal(size=n)) for i in range(3))
    classes = tuple(f"class {k}" for k in range(n_classes))
    return Table(columns, nominal("y", rng.integers(0, n_classes, n), classes))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    table = noise(13_000)
    tree = grown(table)
    assert len(tree) > 6_775
    path = tmp_path_factory.mktemp("report") / "large.html"
    report(tree, table, path=path)
    return tree, path


@pytest.mark.parametrize("width", [1400, 390])
def test_whole_levels_of_a_large_tree_are_in_the_first_view(browser, large, width):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=860, deviceScaleFactor=1, mobile=False)
    try:
        browser.open(large[1])
        assert browser.run(OUTSIDE) == 0
        assert 3 <= browser.run(ITEMS) < 100
        wide = browser.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1]
    finally:
        browser.call("Emulation.clearDeviceMetricsOverride")


def test_only_nodes_in_sight_are_drawn_and_the_overview_shows_where_they_are(browser, large):
    browser.open(large[1])
    assert browser.run("document.querySelectorAll('.minimap').length") == 0  # the first view is whole
    for _ in range(9):
        browser.run("document.querySelector('[aria-label=\"One level more\"]').click()")
        browser.run(SETTLED)
    assert browser.run("document.querySelectorAll('.minimap canvas').length") == 1
    assert browser.run(ITEMS) < 400
    browser.run("document.querySelector('.toolbar [aria-label^=\"Fit\"]').click()")
    browser.run(SETTLED)
    # Far away, cards are dots: one shape per color.
    assert browser.run("document.querySelectorAll('.dots path').length") <= 4
    assert browser.run(ITEMS) == 1


def test_a_selection_draws_two_cards_again_and_no_others(browser, large):
    browser.open(large[1])
    changed = browser.run(
        "(() => { const seen = new Set(); const watch = new MutationObserver(list => list.forEach(each =>"
        " { const node = each.target.closest?.('[role=treeitem]'); if (node) seen.add(node.dataset.node); }));"
        "watch.observe(document.querySelector('.drawing'), {subtree: true, attributes: true, childList: true});"
        "document.querySelector('[data-node=\"2\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        "return new Promise(done => setTimeout(() => done([...seen].sort()), 100)); })()"
    )
    assert changed == ["0", "2"]


def test_a_closed_node_shows_the_number_of_leaves_below_it(browser, large):
    tree, path = large
    browser.open(path)
    browser.run(
        "document.querySelector('[data-node=\"0\"] .knob').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    browser.run(SETTLED)
    assert browser.run("document.querySelector('[data-node=\"0\"] .knob').textContent") == f"+ {tree.n_leaves:,}"
    label = browser.run("document.querySelector('[data-node=\"0\"]').getAttribute('aria-label')")
    assert label.endswith(f"closed, {tree.n_leaves:,} leaves below")


def test_the_text_of_a_compact_card_never_runs_into_its_number_of_rows(browser, large):
    browser.open(large[1])
    for _ in range(3):
        browser.run("document.querySelector('[aria-label=\"One level more\"]').click()")
    browser.run(SETTLED)
    overlaps = browser.run(
        "[...document.querySelectorAll('.node')].filter(each => { const [a, b] = each.querySelectorAll('text');"
        "return a && b && a.getBoundingClientRect().right > b.getBoundingClientRect().left; }).length"
    )
    assert overlaps == 0


def test_many_classes_are_the_largest_three_and_the_others_on_request(browser, tmp_path):
    table = noise(600, n_classes=26)
    path = tmp_path / "classes.html"
    report(grown(table), table, path=path)
    browser.open(path)
    assert browser.run("document.querySelectorAll('.legend li').length") == 4
    assert browser.run("document.querySelector('.legend button').textContent") == "23 others"
    assert "23 other classes" in browser.run("document.querySelector('[aria-label=\"Details of the node\"]').innerText")
    browser.run("document.querySelector('.legend button').click()")
    browser.run(SETTLED)
    assert browser.run("document.querySelectorAll('.legend li').length") == 27
    bars = "[...document.querySelectorAll('.node')].map(each => each.querySelectorAll('rect[fill^=var]').length)"
    assert browser.run(f"Math.max(...{bars})") < 26 * 4


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A tree with a question of 40 branches, of which 12 have rows, and sets of many levels."""
    rng = np.random.default_rng(3)
    levels = tuple(f"level number {i}" for i in range(40))
    codes = rng.integers(0, 12, 400)
    table = Table((nominal("place", codes, levels),), nominal("y", codes % 2, ("no", "yes")))
    import hornbeam as hb

    folder = tmp_path_factory.mktemp("wide")
    report(hb.grow(table, hb.recipe("c45").with_changes(pruning=None)), table, path=folder / "multiway.html")
    subset = hb.grow(table, "plain")
    report(subset, table, path=folder / "subset.html")
    return folder


def test_branches_without_rows_are_one_card(browser, wide):
    browser.open(wide / "multiway.html")
    group = "document.querySelector('.node.group')"
    assert browser.run(f"{group}.textContent").endswith("28 empty")
    before = browser.run(ITEMS)
    browser.run(f"{group}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    browser.run(SETTLED)
    assert browser.run(f"{group} === null") is True
    assert browser.run(ITEMS) > before


def test_lists_of_levels_have_their_number_and_all_levels_are_in_the_rules(browser, wide):
    browser.open(wide / "subset.html")
    label = browser.run("document.querySelector('.link text').childNodes[0].textContent")
    assert label.endswith(" +5")  # one of six levels by name
    for section in ("#rules", "#questionnaire"):
        text = browser.run(f"document.querySelector('{section}').textContent")
        assert "…" not in text
        assert all(f"level number {i}" in text for i in range(12))


def test_the_first_view_of_a_tree_without_questions_is_its_leaf(browser, tmp_path):
    table = Table((numeric("x", np.zeros(20)),), nominal("y", np.zeros(20, dtype=int), ("no", "yes")))
    path = tmp_path / "leaf.html"
    report(grown(table), table, path=path)
    browser.open(path)
    assert browser.run(ITEMS) == 1


def test_fifty_thousand_nodes_open_folded(browser, tmp_path):
    table = noise(80_000)
    tree = grown(table)
    assert len(tree) > 45_000
    path = tmp_path / "big.html"
    report(tree, path=path)
    browser.open(path)
    assert 1 < browser.run(ITEMS) <= 100


def mouse(browser, kind, x, y, **more):
    """One event of the mouse at a position of the window."""
    browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, **more)


def center_of(browser, selector):
    """The middle of an element in the window."""
    return browser.run(
        f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();"
        "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
    )


def test_a_click_selects_and_a_drag_moves_the_tree(browser, large):
    browser.open(large[1])
    selected = "document.querySelector('.node.selected').dataset.node"
    x, y = center_of(browser, '[data-node="2"] .title')
    mouse(browser, "mousePressed", x, y, buttons=1)
    mouse(browser, "mouseReleased", x, y)
    browser.run(SETTLED)
    assert browser.run(selected) == "2"
    x, y = center_of(browser, '[data-node="1"] .title')
    mouse(browser, "mousePressed", x, y, buttons=1)
    mouse(browser, "mouseMoved", x + 30, y + 10, buttons=1)
    mouse(browser, "mouseMoved", x + 60, y + 40, buttons=1)
    mouse(browser, "mouseReleased", x + 60, y + 40)
    browser.run(SETTLED)
    assert browser.run(selected) == "2"
    moved = center_of(browser, '[data-node="1"] .title')
    assert [round(moved[0] - x), round(moved[1] - y)] == [60, 40]


def test_the_wheel_zooms_with_control_only_and_at_the_pointer(browser, large):
    browser.open(large[1])
    x, y = center_of(browser, '[data-node="1"] .title')
    width = "document.querySelector('[data-node=\"1\"] .box').getBoundingClientRect().width"
    before = browser.run(width)
    for modifiers, is_larger in ((0, False), (2, True)):
        browser.call(
            "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-200, modifiers=modifiers
        )
        browser.run(SETTLED)
        browser.run("scrollTo(0, 0)")
        assert (browser.run(width) > before * 1.1) is is_larger
    assert center_of(browser, '[data-node="1"] .title') == pytest.approx([x, y], abs=1.5)
