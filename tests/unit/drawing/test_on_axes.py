"""A tree on Matplotlib axes: every node and answer is there, inside the axes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.drawing.trees import numbers_table

import hornbeam as hb
from hornbeam.drawing import plot_tree_cards

pytest.importorskip("matplotlib")


@pytest.fixture
def axes():
    from matplotlib.figure import Figure

    return Figure(figsize=(10, 6)).subplots()


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_every_node_has_its_question_or_prediction_and_links_have_the_outcomes(axes):
    table = hb.datasets.load("play_tennis")
    assert plot_tree_cards(axes, hb.grow(table, "id3")) is axes
    # The notes' tree of play tennis: Outlook, then Humidity and Wind, five leaves.
    assert {"Outlook", "Humidity", "Wind", "Sunny", "Overcast", "Rain", "14 rows"} <= set(texts(axes))
    assert sum(text.endswith(" 100%") for text in texts(axes)) == 5


def test_links_are_as_wide_as_the_rows_that_take_them(axes):
    tree = hb.grow(hb.datasets.load("prostate"), "cart")
    plot_tree_cards(axes, tree)
    widths = [line.get_linewidth() for line in axes.lines]
    rows = np.sort(tree.nodes.rows[1:])
    assert len(widths) == len(tree) - 1
    # The widest link to that of half its rows or so: in proportion, as both are above the least width.
    assert max(widths) / sorted(widths)[-2] == pytest.approx(rows[-1] / rows[-2])


def test_boxes_are_inside_the_axes_and_do_not_overlap(axes):
    plot_tree_cards(axes, hb.grow(hb.datasets.load("prostate"), "plain"), depth=4)
    boxes = [each.get_bbox() for each in axes.patches if hasattr(each, "get_boxstyle")]
    (left, right), (floor, top) = axes.get_xlim(), axes.get_ylim()
    for box in boxes:
        assert left <= box.x0 < box.x1 <= right
        assert top <= box.y0 < box.y1 <= floor
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0
            assert apart
    assert any(text.startswith("+") and text.endswith("nodes") for text in texts(axes))


def test_numbers_are_drawn_too(axes):
    tree = hb.grow(numbers_table(), "plain")
    plot_tree_cards(axes, tree, depth=2, theme="dark")
    assert len(axes.texts) > 5
