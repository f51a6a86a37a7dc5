"""Explanations as pictures: everything named stands there as text, in both themes, whatever the names are."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.tree.example_trees import mixed_columns, mixed_tree

import hornbeam as hb
from hornbeam import drawing
from hornbeam.errors import InputError
from hornbeam.table.column import ColumnSpec, Kind


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contributions_lead_from_the_base_to_the_prediction(theme):
    found = hb.shap_values(mixed_tree(), mixed_columns(5))
    picture = drawing.contributions(found, row=3, theme=theme, most=2)
    for message in ("base", "prediction", "2 other columns", "probability of c", "weight = "):
        assert message in picture.svg
    assert picture.svg.count("<rect") >= 3 + 2


def test_hostile_names_are_text():
    table = hb.read({"<b>x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]}, target="y")
    tree = hb.grow(table, "plain")
    assert "<b>x" not in drawing.contributions(hb.shap_values(tree, table), row=0).svg
    assert "<b>x" not in drawing.dependence(hb.partial_dependence(tree, "<b>x", table, individual=True)).svg
    assert "<b>x" not in drawing.importance(hb.importance(tree)).svg


def test_dependence_is_drawn_as_steps_points_or_levels():
    table = hb.datasets.load("penguins")
    tree = hb.grow(table, "plain")
    steps = drawing.dependence(hb.partial_dependence(tree, "bill_length_mm", table))
    levels = drawing.dependence(hb.partial_dependence(tree, "island", table))
    assert steps.svg.count("<polyline") == 3
    assert levels.svg.count("<polyline") == 0
    assert levels.svg.count("<circle") == 9
    assert "Torgersen" in levels.svg


def test_too_many_levels_for_one_picture_are_rejected():
    spec = ColumnSpec("town", Kind.NOMINAL, tuple(f"t{i}" for i in range(50)))
    found = hb.explanation.PartialDependence(
        spec, np.arange(50.0), np.zeros((50, 1)), ("y",), "number", np.zeros(0), None, 0
    )
    with pytest.raises(InputError, match="at most 40 levels, got 50"):
        drawing.dependence(found)


def test_dependence_goes_onto_matplotlib_axes():
    plt = pytest.importorskip("matplotlib.pyplot")
    table = hb.datasets.load("penguins")
    tree = hb.grow(table, "cart")
    figure, axes = plt.subplots(1, 2)
    drawing.plot_dependence(axes[0], hb.partial_dependence(tree, "bill_length_mm", table))
    drawing.plot_dependence(axes[1], hb.partial_dependence(tree, "island", table))
    assert axes[0].get_xlabel() == "bill_length_mm"
    assert len(axes[1].lines) == 3
    plt.close(figure)
