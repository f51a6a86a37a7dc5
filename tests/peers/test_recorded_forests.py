"""Our forests have the out-of-bag errors of ranger and randomForest, and find the same columns important.

500 trees, labels by vote. ranger takes levels as ordered numbers, randomForest groups them. Both leave a node of five
drawn rows unsplit for numbers (repeated draws counted), so the least weight of a node is 6. The recorded range is mean
plus or minus four standard deviations over their seeds, or their extremes widened by a fifth.

Ours may err otherwise, for two reasons. If no drawn column varies at a node, ours draws on (as scikit-learn does) and
theirs make a leaf: on tables of few columns with few values ours errs less, on made_many_levels as numbers a little
more, but within the range (scikit-learn's trees err as often as ours there). A row whose level has no row at a node
goes to the larger branch in ours; randomForest appears to send it always to the same side, so it errs more often on
tables with a column of thirty or forty levels.
"""

import numpy as np
import pytest
from tests.peers import shared

import hornbeam as hb

COPIED = ["iris_r", "wdbc", "checkerboard4", "contact_lenses"]
MADE = ["made_mixed", "made_classes", "made_numeric", "made_levels", "made_many_levels", "made_rare", "made_grid"]
MADE += ["made_number", "made_number_numeric", "made_number_levels"]
MORE = shared.outside("birthwt", "boston_housing", "cpu", "glass", "kyphosis", "zoo", "car", "servo")
BETTER = {("car", "ranger_default"), ("servo", "randomForest_default"), ("made_number_levels", "ranger_default")}
BETTER |= {(name, "randomForest_default") for name in ("made_number_levels", "made_number", "made_many_levels")}
CONFIGS = ["ranger_default", "ranger_mtry_all", "randomForest_default"]


def grown(data, columns, trees=500):
    is_class = data.schema.is_class
    stops = ["pure"] if is_class else ["pure", {"name": "min_split", "rows": 2, "weight": 6.0}]
    settings = {"combine": "vote" if is_class else "mean", "seed": 1, "threads": 1}
    return hb.forest(data, hb.Recipe(stops=stops), n_trees=trees, max_features=columns, **settings)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("name", [*COPIED, *MADE, *MORE])
def test_the_error_out_of_bag_is_in_the_recorded_range(name, config):
    recorded = shared.answers("forests", name)[config]
    data = shared.table(name)
    d = len(data.columns)
    by_third = config == "randomForest_default" and not data.schema.is_class
    columns = d if config == "ranger_mtry_all" else max(1, d // 3) if by_third else "sqrt"
    data = data if config == "randomForest_default" else shared.as_numbers(data)
    error = hb.out_of_bag(grown(data, columns), data).error
    wider = 0.2 * (recorded["max"] - recorded["min"])
    low = min(recorded["min"] - wider, recorded["mean"] - 4 * recorded["sd"])
    high = max(recorded["max"] + wider, recorded["mean"] + 4 * recorded["sd"])
    assert error <= high
    assert error >= low or (name, config) in BETTER


def assert_near(found, recorded, names, slack):
    """Each column within six of ranger's standard deviations over ten seeds of 500 trees (ours: one seed of fewer).

    In iris the two petal columns tie at many nodes; ranger takes either, we take the first: their sum is compared. In
    made_classes ties at small nodes move impurity to the first columns, so it is not compared there.
    """
    mean, spread = (np.array([recorded[what][name] for name in names]) for what in ("mean", "sd"))
    if "Petal.Length" in names:
        found, mean, spread = (np.array([*each[:2], each[2:].sum()]) for each in (found, mean, spread))
    assert (np.abs(found - mean) <= 6 * spread + slack).all()


@pytest.mark.parametrize("name", ["iris_r", "wdbc", "made_numeric", "made_classes"])
def test_shuffled_columns_cost_as_much_as_in_ranger(name):
    recorded = shared.answers("forests", name)["ranger_permutation_importance"]
    data = shared.as_numbers(shared.table(name))
    found = hb.importance(grown(data, "sqrt", trees=150), data, "out_of_bag")
    assert_near(found.values, recorded, data.names, 0.005)


@pytest.mark.parametrize("name", ["iris_r", "wdbc", "made_numeric"])
def test_columns_bring_as_much_impurity_as_in_ranger(name):
    """The decrease times the weight of the node, summed over a tree; mean over trees."""
    recorded = shared.answers("forests", name)["ranger_impurity_importance"]
    data = shared.as_numbers(shared.table(name))
    forest = grown(data, "sqrt", trees=300)
    total = np.zeros(len(data.columns))
    for tree in forest:
        inner = np.flatnonzero(~tree.nodes.is_leaf)
        columns = tree.questions.column[tree.nodes.question[inner]]
        total += np.bincount(columns, tree.nodes.weight[inner] * tree.nodes.gain[inner], len(total))
    assert_near(total / len(forest), recorded, data.names, 0.02 * max(recorded["mean"].values()))
