"""Curves, bars and regions: well-formed, and on the user's axes."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.unit.drawing.trees import hostile_table, numbers_table

import hornbeam as hb
from hornbeam import drawing
from hornbeam.drawing.axes import ticks
from hornbeam.drawing.regions import regions_of
from hornbeam.errors import InputError, OptionError
from hornbeam.parts.prunings.machinery.complexity_table import complexity_table

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def cancer():
    table = hb.datasets.load("breast_cancer")
    tree = hb.grow(table, "plain")
    truth = np.array(table.target.levels)[table.target.values]
    rng = np.random.default_rng(0)
    probabilities = hb.predict(tree, table).probabilities * 0.6 + 0.4 * rng.dirichlet([1, 1], len(table))
    return table, tree, hb.evaluate(truth, probabilities, classes=table.target.levels, positive="malignant")


def test_the_curves_are_well_formed_and_show_the_area(cancer):
    _, tree, scores = cancer
    roc = drawing.roc(scores)
    assert f"AUC {scores['auc'].value_text}" in roc.svg
    assert drawing.roc(scores.roc, theme="dark").svg != roc.svg
    for picture in (roc, drawing.calibration(scores), drawing.complexity(complexity_table(tree))):
        ET.fromstring(picture.svg)


def test_importances_stand_the_largest_first():
    picture = drawing.importance({"a": 0.1, "<b>": 0.7, "c": 0.2}, most=2)
    texts = [element.text for element in ET.fromstring(picture.svg).iter(f"{SVG}text")]
    assert texts.index("<b>") < texts.index("c")
    assert "a" not in texts


def test_plots_refuse_what_they_cannot_show(cancer):
    table, tree, _ = cancer
    numbers = hb.evaluate([1.0, 2.0], [1.5, 2.5])
    with pytest.raises(InputError, match="no ROC"):
        drawing.roc(numbers)
    with pytest.raises(InputError, match="bins"):
        drawing.calibration(numbers)
    with pytest.raises(InputError, match="importances"):
        drawing.importance({})
    with pytest.raises(OptionError, match="theme"):
        drawing.regions(tree, table, theme="grey")


def test_regions_answer_as_the_tree_does():
    table = hb.datasets.load("iris")
    tree = hb.grow(table.select(["petal_length", "petal_width"]), "plain")
    found = regions_of(tree, table)
    predicted = hb.predict(tree, table).codes
    columns = [table[tree.schema.columns[c].name].values for c in found.columns]
    x, y = (np.searchsorted(edges, v, "left") - 1 for edges, v in zip((found.across, found.up), columns))
    assert (found.predictions[y, x] == predicted).all()


def test_regions_are_drawn_for_classes_and_numbers():
    for table in (hb.datasets.load("iris"), numbers_table(), hostile_table()):
        picture = drawing.regions(hb.grow(table, "plain"), table)
        assert "rect" in {element.tag.removeprefix(SVG) for element in ET.fromstring(picture.svg).iter()}


def test_regions_need_two_numeric_columns():
    table = hb.datasets.load("play_tennis")
    with pytest.raises(InputError, match="two different numeric"):
        drawing.regions(hb.grow(table, "plain"), table)
    mixed = numbers_table()
    with pytest.raises(InputError, match="group"):
        drawing.regions(hb.grow(mixed, "plain"), mixed, x="group")
    with pytest.raises(OptionError, match="level"):
        drawing.regions(hb.grow(mixed, "plain"), mixed, at={"group": "z"})


def test_everything_is_drawn_on_the_users_axes(cancer):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    table, tree, scores = cancer
    axes = Figure().subplots(1, 5)
    assert drawing.plot_roc(axes[0], scores) is axes[0]
    drawing.plot_calibration(axes[1], scores)
    drawing.plot_complexity(axes[2], complexity_table(tree))
    drawing.plot_importance(axes[3], {"a": 1.0, "b": 2.0})
    drawing.plot_regions(axes[4], tree, table)
    assert axes[0].get_xlabel() == "1 - specificity"
    assert [text.get_text() for text in axes[3].get_yticklabels()] == ["a", "b"]
    assert axes[4].collections


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 12, [0, 5, 10]), (1e-9, 3e-9, [1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9])],
)
def test_ticks_are_round_numbers(low, high, found):
    assert ticks(low, high) == pytest.approx(found)
