"""Poisson trees: no leaf without events while its node has some, and rates shrunken as rpart shrinks them."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.method import Method
from hornbeam.parts.criteria.poisson import Poisson
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

ENGINES = ("core", "python")
STUMP = [{"name": "max_depth", "depth": 1}, {"name": "min_leaf", "rows": 10}]
# Two events in the first half; 1 to 3 a row in the second.
COUNTS = np.array([0, 0, 0, 0, 1, *[0] * 13, 1, 0, *[1, 2, 3, 2] * 5], dtype=float)

# rpart 4.1.19: rpart(y ~ x, method = "poisson", parms = list(shrink = k), minbucket = 10, maxdepth = 1).
SHRUNKEN = [(0.5, 0.252, 1.848), (1.0, 0.143181818, 1.956818182), (2.0, 0.111176471, 1.988823529)]
# The same with cbind(exposure, y) ~ x and shrink = 1.
EXPOSED = [0.84, 0.114545455, 1.565454545]


def counts_of(y: np.ndarray, weights: np.ndarray | None = None) -> Table:
    return Table((numeric("x", np.arange(1.0, len(y) + 1)),), numeric("y", y), weights)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("searches", [["sorted_cuts"], ["binned_cuts"], ["intervals"]])
def test_no_leaf_predicts_that_nothing_ever_happens(engine, searches):
    y = np.r_[np.zeros(30), np.ones(5), np.arange(20) % 4]
    method = Method(criterion="poisson", searches=searches, stops=[{"name": "min_leaf", "rows": 2}])
    tree = hb.grow(counts_of(y), method, engine=engine)
    assert len(tree) > 1
    assert tree.nodes.answer.min() > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_levels_without_events_are_joined_with_others(engine):
    codes = np.repeat(np.arange(4), 10)
    y = np.array([0.0, 0.0, 1.0, 4.0])[codes]
    table = Table((nominal("c", codes, tuple("abcd")),), numeric("y", y))
    tree = hb.grow(table, Method(criterion="poisson", searches=["best_subset"], stops=["pure"]), engine=engine)
    assert tree.nodes.answer[tree.nodes.is_leaf].tolist() == pytest.approx([4.0, 1 / 3])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_a_node_where_nothing_happens_is_a_leaf_and_others_split(engine, shift):
    nothing = hb.grow(counts_of(np.zeros(20)), Method(criterion="poisson"), engine=engine)
    assert len(nothing) == 1
    some = hb.grow(counts_of(COUNTS + shift), Method(criterion="poisson", stops=STUMP), engine=engine)
    assert len(some) == 3


def test_the_tree_is_that_of_scikit_learn():
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 3))
    y = rng.poisson(np.exp(X[:, 0] - 2)).astype(float)
    theirs = DecisionTreeRegressor(criterion="poisson", max_depth=4, min_samples_leaf=5).fit(X, y)
    ours = hb.TreeRegressor(criterion="poisson", max_depth=4, min_samples_leaf=5).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    assert theirs.predict(X).min() > 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("shrink", "left", "right"), SHRUNKEN)
def test_rates_are_shrunken_as_by_rpart(engine, shrink, left, right):
    method = Method(criterion="poisson", loss={"name": "poisson", "shrink": shrink}, stops=STUMP)
    tree = hb.grow(counts_of(COUNTS), method, engine=engine)
    assert tree.nodes.answer.tolist() == pytest.approx([COUNTS.mean(), left, right], abs=1e-8)


@pytest.mark.parametrize("engine", ENGINES)
def test_rates_of_exposures_are_shrunken_as_by_rpart(engine):
    exposure = np.tile([0.5, 2.0], 20)
    method = Method(criterion="poisson", loss={"name": "poisson", "shrink": 1.0}, stops=STUMP)
    tree = hb.grow(counts_of(COUNTS / exposure, exposure), method, engine=engine)
    assert tree.nodes.answer.tolist() == pytest.approx(EXPOSED, abs=1e-8)


def test_a_negative_shrinkage_is_an_error():
    with pytest.raises(OptionError, match=r"Poisson\.shrink \(.*\) must be between 0 and"):
        Method(criterion="poisson", loss={"name": "poisson", "shrink": -1.0})


def test_distances_of_large_counts_are_those_of_small_counts():
    """A mean of counts near 10^9 is known to about 1e-7, the distance between two of them is not."""
    small, each = np.array([0.0, 1.0, 4.0, 9.0]), np.eye(4)
    center = np.array([0.25, 0.5, 1.0, 0.75])
    found = Poisson().divergence(each, center, small + 1e9)
    assert found.tolist() == Poisson().divergence(each, center, small).tolist()
    assert found.tolist() == pytest.approx(((small - small @ center / center.sum()) ** 2).tolist(), rel=1e-14)
