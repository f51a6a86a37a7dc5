"""Where candidates are equally good, the core and the reference grower choose the same one (decision 7)."""

import numpy as np
import pytest
from tests.fuzz.compare import assert_equal_trees

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.ranking import best_first
from hornbeam.parts.searches.many_levels import pooled_levels
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SEEDS = range(4)
STOPS = ("pure", {"name": "min_split", "rows": 2})


def both(table, **settings):
    """The trees of the core and of the reference grower."""
    method = Method(**{"stops": STOPS, **settings})
    return grow(table, method, engine="core", threads=1), grow(table, method, engine="python")


def wide_numbers(rng, n):
    """Positive numbers of very different size: sums of small ones are lost next to large ones."""
    return np.exp(3 * rng.normal(size=n))


def codes_and_numbers(rng, n):
    """Columns of levels, and numeric columns that partition the rows in the same ways."""
    codes = rng.integers(0, 3, (5, n))
    named = [nominal(f"c{i}", each, tuple("abc")) for i, each in enumerate(codes)]
    return (*named, *(numeric(f"x{i}", each.astype(float)) for i, each in enumerate(codes)))


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("cuts", ["sorted_cuts", "binned_cuts"])
@pytest.mark.parametrize("missing", ["skip_column", "own_branch", "learned"])
def test_one_partition_has_one_score_whichever_column_describes_it(criterion, cuts, missing):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(40, 100))
        table = Table(codes_and_numbers(rng, n), numeric("y", wide_numbers(rng, n)), wide_numbers(rng, n))
        searches = [cuts, "all_subsets"] if rng.random() < 0.5 else ["all_subsets", cuts]
        assert_equal_trees(*both(table, criterion=criterion, searches=searches, missing=missing), table)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("search", ["ordered_categories", {"name": "many_levels", "many": 1, "min_level_weight": 0.3}])
def test_levels_of_equal_means_are_ordered_by_code(criterion, search):
    stops = (*STOPS, {"name": "min_leaf", "rows": 4})  # too many for a branch of the three missing values alone
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(10, 20))
        codes = np.where(np.arange(n) < 3, -1, rng.integers(0, 6, n))
        target = np.where(np.arange(n) < 1, 0.0, 0.1)
        table = Table((nominal("c", codes, tuple("abcdef")),), numeric("y", target), rng.random(n) + 0.05)
        method = {"criterion": criterion, "searches": [search], "missing": "learned", "stops": stops}
        assert_equal_trees(*both(table, **method))


@pytest.mark.parametrize("criterion", ["twoing", "cart_measure", "chi_square", "hellinger"])
def test_a_gain_within_the_tolerance_is_0_where_gain_0_is_allowed(criterion):
    weights = np.array([1e3, 1e3, 1e3, 1e3, 1e-3])
    x = numeric("x", np.array([0.0, 0.0, 1.0, 1.0, 1.0]))
    table = Table((x,), nominal("y", np.array([0, 0, 0, 0, 1]), ("A", "B")), weights)
    core, reference = both(table, criterion=criterion, searches=["sorted_cuts"], allow_zero_gain=True)
    assert len(core) > 1
    assert core.nodes.gain[0] == reference.nodes.gain[0] == 0.0


@pytest.mark.parametrize("search", ["kd_median", "pca_median", "ball"])
def test_a_weight_that_lacks_rounding_alone_reaches_half(search):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        weights = rng.permutation(np.repeat([0.1, 0.2, 0.3, 0.7], 6))
        x = tuple(numeric(f"x{i}", rng.normal(size=len(weights))) for i in range(2))
        table = Table(x, nominal("y", rng.integers(0, 2, len(weights)), ("A", "B")), weights)
        assert_equal_trees(*both(table, criterion="gini", searches=[search]))


def test_the_imputed_median_is_the_value_at_which_the_weight_reaches_half():
    x = np.array([1.0, 2.0, 3.0, np.nan, 5.0])
    table = Table(
        (numeric("x", x),), nominal("y", np.array([0, 0, 1, 0, 1]), ("A", "B")), np.array([0.6, 0.6, 0.8, 0.4, 0.4])
    )
    missing = {"name": "impute", "method": "median", "scope": "node"}
    core, reference = both(table, criterion="gini", searches=["sorted_cuts"], missing=missing)
    assert_equal_trees(core, reference)
    assert len(core) == 3
    assert core.nodes.missing_branch[0] == 0


def test_the_weight_of_fractional_rows_reaches_a_limit_up_to_rounding():
    thirds = np.cumsum([1 / 3] * 6)[-1]
    assert thirds < 2.0  # by rounding alone
    assert pooled_levels(np.array([thirds, 1.0, 3.0, 1.5]), 2.0).tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_a_light_leaf_has_the_mean_and_the_impurity_of_its_targets(criterion):
    weights = np.array([1e10, 1e10, 1e-3, 1e-3, 3e-3])
    x = numeric("x", np.array([0.0, 0.0, 1.0, 1.0, 1.0]))
    table = Table((x,), numeric("y", np.array([900.0, 900.0, 0.1, 0.2, 0.7])), weights)
    stops = (*STOPS, {"name": "max_depth", "depth": 1})
    core, reference = both(table, criterion=criterion, searches=["sorted_cuts"], stops=stops)
    np.testing.assert_allclose(core.nodes.stats[2, 1], 0.48, rtol=1e-2)
    np.testing.assert_allclose(core.nodes.stats, reference.nodes.stats, rtol=1e-13)
    np.testing.assert_allclose(core.nodes.impurity, reference.nodes.impurity, rtol=1e-13)


def test_scores_within_the_tolerance_are_equal_wherever_they_are():
    for middle in np.arange(0.0, 3.0, 0.25) * 1e-10:  # the edges of a grid of the tolerance among them
        scores = np.array([middle - 1e-14, middle + 1e-14, middle, middle + 2e-10])
        assert best_first(scores, 1e-10).tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("search", ["superclasses", "all_subsets", "chou", "level_vs_rest"])
def test_an_undefined_gain_ratio_is_never_chosen(search):
    # Branch weights of 1e-6 of the node: less than 1e-3 bits of split information.
    weights = np.array([1e6, 1e6, 0.5, 0.5])
    column = nominal("c", np.array([0, 0, 1, 1]), ("a", "b"))
    table = Table((column,), nominal("y", np.array([0, 1, 2, 2]), ("A", "B", "C")), weights)
    for tree in both(table, criterion="gain_ratio", searches=[search], allow_zero_gain=True):
        assert len(tree) == 1


def test_equal_targets_have_no_poisson_deviance():
    for seed in range(50):
        weights = wide_numbers(np.random.default_rng(seed), 50)
        column = nominal("c", np.arange(50) % 3, tuple("abc"))
        table = Table((column,), numeric("y", np.full(50, 2.5)), weights)
        search = {"name": "multiway", "allow_zero_gain": True, "once_per_path": False}
        core, reference = both(
            table, criterion="poisson", searches=[search], stops=({"name": "min_gain", "beta": 0.05},)
        )
        assert reference.nodes.impurity[0] == 0.0
        assert_equal_trees(core, reference)


def test_the_rest_of_a_sum_has_no_rounding_under_a_square_root():
    # Costs give the classes factors such as 0.65: the sum of the levels of one class is not exactly the whole of it.
    loss = {"name": "cost_matrix", "costs": {"A": {"B": 1.0}, "B": {"A": 3.0}}}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 7, 26)
        target = np.where(codes < 2, 1, rng.integers(0, 2, 26))
        table = Table((nominal("c", codes, tuple("abcdefg")),), nominal("y", target, ("A", "B")))
        method = {"criterion": "hellinger", "searches": ["ordered_categories"], "loss": loss}
        assert_equal_trees(*both(table, **method))
