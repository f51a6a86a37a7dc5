"""Figures about a model in one call: for trees, forests, boosted models and estimators, with tables and data frames."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.drawing import calibration, contributions, costs, dependence, ice, importance, roc
from hornbeam.drawing.class_scores import class_rows
from hornbeam.drawing.cost_plot import threshold_costs
from hornbeam.errors import InputError, OptionError

FIGURES = (importance, dependence, ice, contributions, roc, calibration, costs)
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture) -> list[str]:
    return [element.text for element in ET.fromstring(picture.svg).iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def prostate():
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    return table.take(rows % 2 == 0), table.take(rows % 2 == 1)


@pytest.fixture(scope="module")
def models(prostate):
    train, _ = prostate
    frame = as_frame(train)
    estimator = hb.TreeClassifier(max_depth=3).fit(frame.drop(columns="outcome"), frame["outcome"])
    return {
        "tree": hb.grow(train),
        "forest": hb.forest(train, n_trees=5),
        "boosted": hb.boost(train, n_rounds=5),
        "estimator": estimator,
    }


def as_frame(table):
    pandas = pytest.importorskip("pandas")
    columns = (*table.columns, table.target)
    values = {each.name: [*each.levels, None] for each in columns}  # the code of a missing value is -1
    return pandas.DataFrame(
        {
            each.name: [values[each.name][code] for code in each.values.tolist()] if each.levels else each.values
            for each in columns
        }
    )


@pytest.mark.parametrize("draw", FIGURES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("name", ["tree", "forest", "boosted", "estimator"])
def test_every_figure_takes_every_model_and_a_table_or_a_frame(draw, name, models, prostate):
    _, test = prostate
    light = draw(models[name], test)
    assert light.svg == draw(models[name], as_frame(test)).svg
    assert draw(models[name], test, theme="dark").svg != light.svg
    assert texts(draw(models[name], test, title="<b>"))[0] == "<b>"


def test_true_classes_can_be_passed_separately(models, prostate):
    frame = as_frame(prostate[1])
    inputs, y = frame.drop(columns="outcome"), frame["outcome"]
    for draw in (roc, calibration, costs):
        assert draw(models["estimator"], inputs, y).svg == draw(models["estimator"], frame).svg


def test_the_positive_class_is_the_rarer_one_or_the_one_that_is_named(models, prostate):
    assert texts(roc(models["tree"], prostate[1]))[0] == "ROC: cancer"
    assert texts(roc(models["tree"], prostate[1], positive="benign"))[0] == "ROC: benign"
    with pytest.raises(InputError, match="positive must be one of"):
        roc(models["tree"], prostate[1], positive="bengn")


def test_a_figure_of_a_model_and_of_its_scores_show_the_same_curve(models, prostate):
    scores = hb.evaluate(models["tree"], prostate[1], positive="cancer")
    assert f"AUC {scores['auc'].value_text}" in roc(models["tree"], prostate[1]).svg
    curves = [
        next(each.get("points") for each in list(ET.fromstring(picture.svg).iter(f"{SVG}polyline"))[1:])
        for picture in (roc(scores), roc(models["tree"], prostate[1]))
    ]
    assert curves[0] == curves[1]


def test_more_than_two_classes_have_a_curve_each():
    table = hb.datasets.load("penguins")
    forest = hb.forest(table, n_trees=3)
    for draw in (roc, calibration):
        drawn = " ".join(texts(draw(forest, table)))
        assert all(name in drawn for name in table.target.levels)
    rules = texts(costs(forest, table, costs={"Gentoo": {"Adelie": 5}}))
    assert {"least expected cost", "most probable class", "always Gentoo"} <= set(rules)


@pytest.mark.parametrize("given", [None, {"cancer": {"benign": 10}}, [[0, 3], [1, 0]]])
def test_the_cost_of_a_threshold_is_that_of_its_predictions(models, prostate, given):
    found = class_rows(models["tree"], prostate[1])
    matrix = np.array([[0, 1], [1, 0]] if given is None else [[0, 1], [10, 0]] if isinstance(given, dict) else given)
    thresholds, mean = threshold_costs(found, matrix, 1)
    for at in (*thresholds, 0.3, 1.5):
        predicted = (found.probabilities[:, 1] >= at).astype(int)
        expected = matrix[found.codes, predicted].mean()
        assert mean[np.searchsorted(thresholds, at, "left")] == pytest.approx(expected)
    assert "mean cost per row" in texts(costs(models["tree"], prostate[1], costs=given))


def test_training_rows_are_named_as_optimistic(prostate):
    train, test = prostate
    tree = hb.grow(train)
    assert "200 training rows, therefore optimistic" in texts(roc(tree, train))
    assert "200 rows" in texts(roc(tree, test))


def test_dependence_and_ice_show_the_most_important_column_by_default(models, prostate):
    for draw in (dependence, ice):
        assert draw(models["tree"], prostate[0]).svg == draw(models["tree"], prostate[0], "PSA density").svg


def test_ice_has_a_line_per_row_or_a_dot_per_row_and_level():
    table = hb.datasets.load("penguins")
    tree = hb.grow(table)
    assert ice(tree, table, "bill_length_mm").svg.count("<polyline") == 120 + 1
    assert ice(tree, table, "island", "Gentoo").svg.count("<circle") == 3 * 120 + 3


def test_dates_are_dates_on_the_axis(tmp_path):
    days = [f"2024-{month:02}-{day:02},{'late' if month > 6 else 'early'}" for month in range(1, 13) for day in (3, 17)]
    (tmp_path / "d.csv").write_text("day,y\n" + "\n".join(days), encoding="utf-8")
    table = hb.read(tmp_path / "d.csv", target="y")
    assert any(text.startswith("2024-") for text in texts(dependence(hb.grow(table, "plain"), table)))


def test_figures_without_rows_or_with_a_numeric_target_are_refused(models):
    numbers = hb.read({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 2.0, 2.5]}, target="y")
    tree = hb.grow(numbers, "plain")
    for draw in (roc, calibration, costs):
        with pytest.raises(InputError, match="numeric"):
            draw(tree, numbers)
        with pytest.raises(InputError, match="requires rows"):
            draw(models["tree"], None)
    for draw in (ice, contributions):
        with pytest.raises(InputError, match="require rows"):
            draw(models["tree"], None)
    with pytest.raises(OptionError, match="theme"):
        roc(models["tree"], hb.datasets.load("prostate"), theme="grey")
    assert contributions(tree, numbers).about == "Contributions to y"


def test_long_names_large_numbers_and_many_classes_stay_inside_the_figure():
    levels = [f"a level with a long name {k}" for k in range(9)]
    y = [1e7 * (k % 9 == 3) + k for k in range(90)]
    table = hb.read({"a" * 90: [float(k) for k in range(90)], "group": levels * 10, "y": y}, target="y")
    tree = hb.grow(table, "plain")
    slanted = dependence(tree, table, "group")
    assert slanted.svg.count("rotate(-38)") == 9
    assert slanted.height > dependence(tree, table, "a" * 90).height
    ticks = [each for each in ET.fromstring(slanted.svg).iter(f"{SVG}text") if each.get("text-anchor") == "end"]
    assert all(float(each.get("x")) > 62 for each in ticks if each.text == "10,000,000")
    many = hb.read({"x": np.arange(100.0), "y": [f"class number {k % 10}" for k in range(100)]}, target="y")
    forest = hb.forest(many, n_trees=2)
    assert "100 training rows, therefore optimistic; 8 of 10 classes" in texts(roc(forest, many))
    legend = [each for each in ET.fromstring(dependence(forest, many).svg).iter(f"{SVG}text") if "class" in each.text]
    assert len({each.get("y") for each in legend}) > 1
    assert all(float(each.get("x")) < 400 for each in legend)
