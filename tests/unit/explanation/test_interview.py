"""An interview requests the columns on the path of a row, and follows the tree's rule for missing values."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.explanation.interview import Interview


def table() -> hb.Table:
    """40 rows: size decides, then colour; `double` is size on another scale, so it is a surrogate."""
    size = np.arange(40.0)
    colour = np.where(np.arange(40) % 2 == 0, "red", "blue")
    target = np.where(size < 20, "low", np.where(colour == "red", "warm", "cold"))
    return hb.read({"size": size, "colour": colour, "double": size * 10, "y": target}, "y")


def named(interview: Interview) -> str | None:
    column = interview.next_column()
    return None if column is None else interview.tree.schema.columns[column].name


def answer(interview: Interview, value: object) -> None:
    interview.answer(interview.next_column(), value)


def test_only_the_columns_of_the_path_are_requested():
    interview = Interview(hb.grow(table(), "plain"))
    assert named(interview) == "size"
    answer(interview, 3)
    assert interview.next_column() is None
    assert interview.explanation().prediction == "low"


def test_a_value_can_be_taken_back():
    interview = Interview(hb.grow(table(), "plain"))
    answer(interview, 30)
    assert named(interview) == "colour"
    assert interview.back() == 0
    assert named(interview) == "size"
    assert Interview(interview.tree).back() is None


def test_a_missing_value_requests_the_surrogate():
    interview = Interview(hb.grow(table(), hb.recipe("cart").with_changes(pruning=None)))
    answer(interview, None)
    assert named(interview) == "double"
    answer(interview, 350)
    assert named(interview) == "colour"
    answer(interview, "red")
    found = interview.explanation()
    assert (found.prediction, found.steps[0].how) == ("warm", "surrogate")


def test_a_fractional_tree_requests_the_columns_of_all_branches():
    interview = Interview(hb.grow(table().select(["size", "colour"]), "c45"))
    answer(interview, None)
    assert named(interview) == "colour"
    answer(interview, "blue")
    assert interview.next_column() is None
    assert interview.explanation().probabilities["low"] == pytest.approx(0.5)


@pytest.mark.parametrize("recipe", ["plain", "cart", "c45", "ctree"])
def test_the_prediction_is_that_of_the_whole_row(recipe):
    rows = hb.datasets.load("penguins")
    tree = hb.grow(rows, recipe)
    predicted = tree.predict(rows)
    for row in range(0, len(rows), 17):
        interview = Interview(tree)
        while (column := interview.next_column()) is not None:
            values = rows.columns[column]
            is_missing = bool(values.is_missing[row])
            value = values.levels[values.values[row]] if values.levels else values.values[row]
            interview.answer(column, None if is_missing else value)
        assert interview.explanation().prediction == predicted.labels[row]


def test_a_level_that_the_column_does_not_have_is_an_error():
    interview = Interview(hb.grow(table(), "plain"))
    answer(interview, 30)
    with pytest.raises(InputError, match="'rde' is not a level of 'colour'"):
        answer(interview, "rde")
