"""A predictor gives for one row what `predict` gives, however the row is passed; wrong rows are refused in words."""

import dataclasses
import pickle

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.column import nominal, numeric


@pytest.fixture(scope="module")
def iris():
    return hb.datasets.load("iris")


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(2)
    n = 400
    x = np.round(rng.normal(size=n), 1)
    x[rng.random(n) < 0.15] = np.nan
    colour = rng.integers(-1, 4, n)
    target = ((np.nan_to_num(x) > 0.3) | (colour > 2)).astype(np.int32)
    columns = (numeric("x", x), nominal("colour", colour, ("red", "green", "blue", "grey")))
    return hb.Table(columns=columns, target=nominal("y", target, ("no", "yes")))


def numbers():
    return hb.read({"a": np.arange(60.0), "b": np.arange(60) % 7, "y": np.arange(60.0) ** 0.5}, target="y")


MODELS = {
    "tree": lambda iris: hb.grow(iris, "cart"),
    "forest": lambda iris: hb.forest(iris, n_trees=7),
    "votes": lambda iris: hb.forest(iris, n_trees=7, combine="vote"),
    "confidence": lambda iris: hb.adaboost(iris, "c45", n_trees=4, algorithm="c50"),
    "softmax": lambda iris: hb.boost(iris, n_rounds=5),
    "logistic": lambda iris: hb.boost(two_classes(iris), n_rounds=5, min_rows=5),
    "number": lambda _: hb.grow(numbers(), "plain"),
    "squared": lambda _: hb.boost(numbers(), n_rounds=5, min_rows=5),
    "counts": lambda _: hb.boost(numbers(), n_rounds=5, loss="poisson", min_rows=5),
}


def two_classes(iris):
    kept = iris.take(iris.target.values > 0)
    target = nominal("species", kept.target.values - 1, iris.target.levels[1:])
    return dataclasses.replace(kept, target=target)


def by_name(model, rows):
    return [dict(zip(model.schema.names, row)) for row in rows]


@pytest.mark.parametrize("name", ["tree", "forest", "votes", "confidence", "softmax", "logistic"])
def test_a_predictor_gives_the_class_and_the_shares_that_predict_gives(iris, name):
    model = MODELS[name](iris)
    predictor = hb.Predictor(model)
    predicted = hb.predict(model, iris)
    rows = np.column_stack([column.values for column in iris.columns])
    assert [predictor(row) for row in rows.tolist()] == predicted.labels.tolist()
    assert [predictor.probabilities(tuple(row)) for row in rows] == [
        tuple(row) for row in predicted.probabilities.tolist()
    ]


@pytest.mark.parametrize("name", ["number", "squared", "counts"])
def test_a_predictor_gives_the_number_that_predict_gives(iris, name):
    model = MODELS[name](iris)
    predictor = hb.Predictor(model)
    rows = [[3.0, 4], [40.5, 0], [None, 2]]
    assert [predictor(row) for row in rows] == hb.predict(model, by_name(model, rows)).numbers.tolist()
    with pytest.raises(InputError, match="there are no class probabilities"):
        predictor.probabilities(rows[0])


def test_a_row_may_be_a_dict_a_list_a_tuple_an_array_or_a_series(iris):
    pandas = pytest.importorskip("pandas")
    predictor = hb.Predictor(hb.grow(iris, "cart"))
    row = [5.0, 3.4, 4.6, 1.7]
    names = predictor.model.schema.names
    ways = [
        row,
        tuple(row),
        np.array(row),
        np.array(row, dtype=np.float32),
        np.array([row, row])[:, ::1][1],
        np.array([[value, 0.0] for value in row])[:, 0],
        np.array(row, dtype=object),
        dict(zip(names, row)),
        {**dict(zip(reversed(names), reversed(row))), "id": 7},
        pandas.Series(row, index=names),
        [np.float64(value) for value in row],
    ]
    assert {predictor(way) for way in ways} == {predictor(row)}


@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogates", "own_branch", "skip_column"])
def test_missing_values_and_unseen_levels_go_where_the_tree_sends_them(mixed, missing):
    tree = hb.grow(mixed, hb.recipe("plain").with_changes(missing=missing))
    predictor = hb.Predictor(tree)
    rows = [[None, "red"], [float("nan"), None], [0.5, "violet"], [None, "violet"], [0, "grey"], [1, float("nan")]]
    predicted = hb.predict(tree, by_name(tree, rows))
    assert [predictor(row) for row in rows] == predicted.labels.tolist()
    assert [list(predictor.probabilities(row)) for row in rows] == predicted.probabilities.tolist()
    assert predictor({"colour": "violet", "x": None}) == predicted.labels[3]


def test_a_tree_that_refuses_unseen_levels_reports_it(mixed):
    predictor = hb.Predictor(dataclasses.replace(hb.grow(mixed, "plain"), unseen="error"))
    with pytest.raises(InputError, match="not in the training data"):
        predictor([None, "violet"])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([1.0, "red", 3.0], r"The row has 3 value\(s\); the model has 2 column\(s\): 'x', 'colour'"),
        (np.zeros(1), r"The row has 1 value\(s\)"),
        (np.zeros((2, 2)), "A row is a dict, a list, a tuple or an array of one dimension"),
        ("red", "A row is a dict"),
        (None, "A row is a dict"),
        ({"x": 1.0}, "'colour'"),
        ({"id": 1.0}, "names none of the model's columns"),
        (["many", "red"], "contains the text"),
        ([1.0, 2.0], "contains the number 2"),
        ([float("inf"), "red"], "infinite"),
    ],
)
def test_a_row_that_does_not_fit_is_an_error_in_words(mixed, row, words):
    predictor = hb.Predictor(hb.grow(mixed, hb.recipe("plain")))
    with pytest.raises(InputError, match=words):
        predictor(row)
    with pytest.raises(InputError, match=words):
        predictor.probabilities(row)


def test_a_predictor_is_made_of_an_estimator_and_survives_a_pickle(iris):
    estimator = hb.ForestClassifier(5, random_state=0).fit([[0.0], [1.0], [2.0], [3.0]] * 5, [0, 0, 1, 1] * 5)
    predictor = hb.Predictor(estimator)
    again = pickle.loads(pickle.dumps(predictor))
    assert predictor.classes == again.classes == (0, 1)
    assert predictor([0.2]) == again([0.2]) == 0
    with pytest.raises(InputError, match="a fitted estimator is needed; got 'int'"):
        hb.Predictor(3)
