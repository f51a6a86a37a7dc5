"""Joint rounds of boosting: with more than two classes, two of three rounds grow one tree for all of them."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.ensembles.boosting.class_groups import class_group, derivatives
from hornbeam.ensembles.methods.boosting import boost
from hornbeam.errors import OptionError
from hornbeam.estimators.boosted import BoostedClassifier
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_walk import forest_totals

ENGINES = ("core", "python")


def four_classes(n: int = 240, levels: tuple[str, ...] = tuple("abcd"), is_weighted: bool = False) -> Table:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 3))
    y = np.digitize(x[:, 0] + 0.5 * x[:, 1] ** 2 + 0.3 * rng.normal(size=n), [-0.5, 0.3, 1.0])
    columns = tuple(numeric(f"x{j}", x[:, j]) for j in range(3))
    return Table(columns, nominal("y", y, levels), rng.integers(1, 5, n) / 3 if is_weighted else None)


def questions(forest: Forest, number: int) -> list[bytes]:
    """What determines the splits of a tree."""
    tree = forest.trees[number]
    arrays = tree.nodes.arrays()
    return [arrays["first_child"].tobytes(), *(array.tobytes() for array in tree.questions.arrays().values())]


def rounds_with_equal_splits(forest: Forest) -> list[int]:
    k = len(forest.base)
    n_rounds = len(forest) // k
    return [
        number
        for number in range(n_rounds)
        if all(questions(forest, number * k) == questions(forest, number * k + other) for other in range(1, k))
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_two_of_three_rounds_have_the_same_splits_for_all_classes(engine: str) -> None:
    forest = boost(four_classes(), n_rounds=6, engine=engine)
    assert rounds_with_equal_splits(forest) == [1, 2, 4, 5]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("settings", [{"joint_trees": False}, {"monotone_constraints": {"x0": 1}}])
def test_without_joint_trees_and_with_monotone_columns_every_class_has_its_own_splits(
    engine: str, settings: dict[str, object]
) -> None:
    assert rounds_with_equal_splits(boost(four_classes(), n_rounds=3, engine=engine, **settings)) == []


def test_two_classes_have_one_tree_per_round_with_or_without_joint_trees() -> None:
    table = four_classes()
    y = nominal("y", table.target.values > 1, ("no", "yes"))
    table = Table(table.columns, y, None)
    forests = [boost(table, n_rounds=3, joint_trees=joint) for joint in (True, False)]
    assert [questions(forests[0], t) for t in range(3)] == [questions(forests[1], t) for t in range(3)]
    assert [len(forest) for forest in forests] == [3, 3]


@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_leaf_of_a_joint_tree_has_the_newton_step_of_each_class(is_weighted: bool) -> None:
    """The value is -rate G / (H + l2) with the sums of the class; h has the factor K / (K - 1); l2 is 0.25 / K."""
    table = four_classes(is_weighted=is_weighted)
    forest = boost(table, n_rounds=2, learning_rate=0.3, max_leaves=2)
    before = forest_totals(boost(table, n_rounds=1, learning_rate=0.3, max_leaves=2), table.columns).totals
    after = forest_totals(forest, table.columns).totals
    raised = np.exp(before - before.max(axis=1, keepdims=True))
    p = raised / raised.sum(axis=1, keepdims=True)
    w = table.row_weights / table.row_weights.mean()
    steps = np.unique(np.round(after - before, 12), axis=0)
    assert len(steps) == 2
    for step in steps:
        rows = np.isclose(after - before, step, atol=1e-9).all(axis=1)
        for k in range(4):
            g = (w * (p[:, k] - (table.target.values == k)))[rows].sum()
            h = (w * p[:, k] * (1 - p[:, k]))[rows].sum() * 4 / 3
            assert step[k] == pytest.approx(-0.3 * g / (h + 0.25 / 4), rel=1e-6)


def test_the_groups_have_half_of_the_classes_that_have_rows() -> None:
    groups = [class_group([0, 2, 3, 5, 6], 7, seed=1, number=number) for number in range(40)]
    assert {int(group.sum()) for group in groups} == {2}
    assert {tuple(np.flatnonzero(group)) for group in groups} == {
        (a, b) for a in (0, 2, 3, 5, 6) for b in (0, 2, 3, 5, 6) if a < b
    }


def test_the_gradients_of_a_group_are_those_of_its_probability() -> None:
    scores = np.log(np.array([[0.5], [0.2], [0.3]]))
    g, h = derivatives(scores, np.array([2.0]), np.array([True, False, True]))
    assert g[0] == pytest.approx(0.8 - 1)
    assert h[0] == pytest.approx(0.8 * 0.2)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_class_without_rows_is_in_no_group_and_stays_improbable(engine: str) -> None:
    forest = boost(four_classes(levels=tuple("abcde")), n_rounds=6, engine=engine)
    totals = forest_totals(forest, four_classes().columns).totals
    assert (totals[:, 4] < -30).all()
    assert rounds_with_equal_splits(forest) == [1, 2, 4, 5]


def test_an_l2_of_zero_does_not_make_steps_without_bound() -> None:
    """Rows of a rare class among certain rows: H of that class is almost 0 in their leaf."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 2))
    y = np.digitize(x[:, 0], [-0.5, 0.5])
    y[:2] = 3
    table = Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(2)), nominal("y", y, tuple("abcd")), None)
    for l2 in (0.0, None):
        forest = boost(table, n_rounds=100, l2=l2, min_f=0.0, min_rows=1)
        assert np.abs(forest_totals(forest, table.columns).totals).max() < 60


def test_rounds_continue_where_a_forest_ends() -> None:
    table = four_classes()
    whole, part = boost(table, n_rounds=5), boost(table, n_rounds=2)
    more = boost(table, n_rounds=5, continue_from=part)
    assert [questions(whole, t) for t in range(20)] == [questions(more, t) for t in range(20)]


def test_joint_trees_is_a_parameter_of_the_classifier_and_must_be_a_boolean() -> None:
    table = four_classes()
    X, y = np.stack([column.values for column in table.columns], axis=1), table.target.values
    separate = BoostedClassifier(max_iter=3, joint_trees=False).fit(X, y)
    assert rounds_with_equal_splits(separate.forest_) == []
    with pytest.raises(OptionError, match="joint_trees"):
        BoostedClassifier(max_iter=3, joint_trees="some").fit(X, y)
    with pytest.raises(OptionError, match="joint_trees"):
        boost(table, joint_trees=2)
