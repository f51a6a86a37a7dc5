"""The tree chosen after growth is the one where growth would have stopped; and the bounds of the Bayes risk."""

import json

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.errors import InputError
from hornbeam.evaluation.bayes_risk import bayes_risk_bounds, neighbor_error
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings import Folds, PruningData
from hornbeam.parts.prunings.best_size import BestSize
from hornbeam.parts.prunings.held_out import HeldOut, stopping_index
from hornbeam.parts.prunings.machinery.growth_order import steps_of
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.risk_threshold import RiskThreshold, cover_hart
from hornbeam.recipes.grow import grow as grow_recipe
from hornbeam.recipes.recipe import recipe
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.prediction import predict


def rows(seed, n=160, numbers=False):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 3)).round(1)
    colour = random.integers(0, 4, n).astype(np.int32)
    signal = x[:, 0] + x[:, 1] * (colour == 2) + random.normal(size=n)
    columns = (*(numeric(f"x{i}", x[:, i]) for i in range(3)), nominal("c", colour, tuple("pqrs")))
    return Table(columns, numeric("y", signal) if numbers else nominal("y", (signal > 0).astype(np.int32), ("a", "b")))


def limited(table, most, **method):
    """The tree of best-first growth with at most a given number of leaves."""
    return grow(table, Method(order={"name": "best_first"}, stops=({"name": "max_leaves", "leaves": most},), **method))


def loss(tree, table):
    predicted = predict(tree, table)
    if tree.is_class:
        return float((predicted.codes != table.target.values).mean())
    return float(((predicted.numbers - table.target.values) ** 2).mean())


def leaves_of(tree):
    return sorted(map(tuple, tree.nodes.stats[tree.nodes.is_leaf].round(9).tolist()))


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_steps_are_those_of_best_first_growth_with_a_limit(seed, numbers):
    table = rows(seed, numbers=numbers)
    full = grow(table, Method(stops=()))
    step = steps_of(full.nodes)
    assert sorted(step[step >= 0]) == list(range(int((~full.nodes.is_leaf).sum())))
    for most in (1, 2, 3, 5, 9, 17):
        shown = prune(full, {"name": "manual", "nodes": np.flatnonzero(step >= most - 1).tolist()})
        assert leaves_of(shown) == leaves_of(limited(table, most))


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_held_out_keeps_what_a_growth_watched_question_by_question_keeps(seed, numbers):
    table, held_out = rows(seed, numbers=numbers), rows(seed + 100, numbers=numbers)
    full = grow(table, Method(stops=()))
    losses = [loss(limited(table, most), held_out) for most in range(1, full.n_leaves + 1)]
    for patience in (1, 3, 20):
        best, since = 0, 0
        for k, each in enumerate(losses):
            if each < losses[best] - 1e-12:
                best, since = k, 0
            elif k:
                since += 1
                if since >= patience:
                    break
        stopped = prune(full, HeldOut(patience=patience), PruningData(pruning_set=held_out))
        assert stopped.n_leaves == best + 1
        assert leaves_of(stopped) == leaves_of(limited(table, best + 1))
        assert stopped.metadata["prunings"][0]["held_out_loss"] == pytest.approx(losses[best])


def test_patience_is_what_sees_over_a_hill():
    hill = np.array([5.0, 4.0, 4.5, 4.5, 3.0, 3.0])
    assert stopping_index(hill, 2) == 1
    assert stopping_index(hill, 3) == 4


def test_nodes_cut_by_held_out_rows_report_it():
    table, held_out = rows(1), rows(101)
    stopped = prune(grow(table, Method(stops=())), HeldOut(), PruningData(pruning_set=held_out))
    assert "validation" in {stopped.reason(node) for node in range(len(stopped))}
    words = stopped.metadata["prunings"][0]["verdicts"]
    assert words["0"] == f"kept: question 1 of best-first growth, among the first {stopped.n_leaves - 1}"


def test_the_best_size_is_the_minimum_of_the_losses_summed_over_folds():
    table = rows(7)
    fold = np.arange(len(table)) % 4
    folds = Folds(table, fold, lambda part: grow(part, Method(stops=())))
    full = grow(table, Method(stops=()))
    sizes = range(1, full.n_leaves + 1)
    wrong = np.array(
        [
            sum(
                loss(limited(table.take(fold != part), most), table.take(fold == part)) * (fold == part).sum()
                for part in range(4)
            )
            for most in sizes
        ]
    )
    smaller = prune(full, BestSize(), PruningData(folds=folds))
    assert smaller.n_leaves == int(np.flatnonzero(wrong <= wrong.min() + 1e-9)[0]) + 1
    careful = prune(full, BestSize(rule="one_se"), PruningData(folds=folds))
    assert careful.n_leaves <= smaller.n_leaves


def test_the_risk_threshold_is_the_first_tree_good_enough():
    table, held_out = rows(2), rows(102)
    full = grow(table, Method(stops=()))
    losses = [loss(limited(table, most), held_out) for most in range(1, full.n_leaves + 1)]
    goal = min(losses) + 0.02
    enough = prune(full, RiskThreshold(bayes_risk=min(losses), within=0.02), PruningData(pruning_set=held_out))
    assert enough.n_leaves == next(k for k, each in enumerate(losses) if each <= goal + 1e-12) + 1
    never = prune(full, RiskThreshold(bayes_risk=0.0, within=0.0), PruningData(pruning_set=held_out))
    assert never.n_leaves == full.n_leaves


def test_a_recipe_finds_the_rows_and_the_bayes_risk_it_needs():
    table = rows(3)
    for name in ("held_out", "best_size", "risk_threshold"):
        tree = grow_recipe(table, recipe("plain").with_changes(pruning={"name": name}))
        assert tree.metadata["prunings"][0]["pruning"]["name"] == name
    assert tree.metadata["prunings"][0]["bayes_risk"] == pytest.approx(bayes_risk_bounds(table, n_trees=0).low)


def test_worked_example_e5_5_cover_and_harts_bound():
    example = json.loads(json.dumps(EXAMPLES["E5.5"]))
    given = zip(example["input"]["r_nn"], example["input"]["K"])
    assert [cover_hart(r, k) for r, k in given] == pytest.approx(example["expected"]["lower"], abs=1e-12)
    assert cover_hart(0.9, 3) == pytest.approx(2 / 3)  # beyond what K classes allow: the most there is
    assert cover_hart(0.0, 1) == 0.0


def test_the_nearest_neighbour_is_found_by_gowers_distance():
    x, c = [0.0, 10.0, 4.0, np.nan, 5.0], [0, 1, -1, 1, 0]
    y = [0, 1, 0, 1, 1]
    table = Table((numeric("x", x), nominal("c", c, ("p", "q"))), nominal("y", y, ("a", "b")))

    def apart(i, j):
        parts = []
        if not (np.isnan(x[i]) or np.isnan(x[j])):
            parts.append(abs(x[i] - x[j]) / 10)
        if c[i] >= 0 and c[j] >= 0:
            parts.append(float(c[i] != c[j]))
        return sum(parts) / len(parts) if parts else 1.0

    wrong = sum(y[min((j for j in range(5) if j != i), key=lambda j: apart(i, j))] != y[i] for i in range(5))
    assert neighbor_error(table) == wrong / 5


def test_the_bracket_holds_the_known_risk_of_noisy_labels():
    random = np.random.default_rng(4)
    x = random.uniform(size=2000)
    y = ((x > 0.5) ^ (random.random(2000) < 0.2)).astype(np.int32)  # the Bayes risk is 0.2
    found = bayes_risk_bounds(Table((numeric("x", x),), nominal("y", y, ("a", "b"))), n_trees=30)
    assert found.low <= 0.22
    assert found.high >= 0.18
    assert "Bayes risk at least about" in str(found)


def test_numbers_have_no_bracket():
    with pytest.raises(InputError, match="classification target"):
        bayes_risk_bounds(rows(1, numbers=True))
