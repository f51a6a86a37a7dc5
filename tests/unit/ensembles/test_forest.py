"""Forests: predictions, continued growth, invalid settings, progress, honesty."""

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam import datasets
from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.progress import TimedProgress, duration_text
from hornbeam.errors import InputError, MemoryLimitError, OptionError
from hornbeam.growing.memory import likely_nodes
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table import memory
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree import prediction, walk
from hornbeam.tree.forest import combine_trees

IRIS = datasets.load("iris")


def test_a_forest_predicts_the_mean_of_its_trees():
    """B59."""
    forest = hb.forest(IRIS, n_trees=7, seed=3)
    mean = np.mean([walk.values(tree, IRIS.columns) for tree in forest], axis=0)
    np.testing.assert_allclose(hb.predict(forest, IRIS).probabilities, mean, atol=1e-12)


def leaf_of(probabilities):
    """A tree of one leaf, trained on twenty rows of these class frequencies."""
    counts = np.round(20 * np.array(probabilities)).astype(int)
    classes = nominal("y", np.repeat([0, 1], counts), ("no", "yes"))
    return hb.grow(Table((numeric("x", np.zeros(20)),), classes), "plain")


def test_the_mean_of_the_trees_and_their_vote_predict_different_classes():
    """E10.2: (.9, .1), (.4, .6), (.45, .55) average to class 0; two of three trees vote for class 1."""
    example = EXAMPLES["E10.2"]
    trees = [leaf_of(each) for each in example["input"]["tree_probabilities"]]
    rows = (numeric("x", [0.0]),)
    mean = hb.predict(combine_trees(trees, combine="mean"), rows)
    vote = hb.predict(combine_trees(trees, combine="vote"), rows)
    np.testing.assert_allclose(mean.probabilities, [example["expected"]["average"]], rtol=1e-12)
    assert mean.codes.tolist() == [0]
    np.testing.assert_allclose(vote.probabilities, [[1 / 3, 2 / 3]], rtol=1e-12)
    assert vote.codes.tolist() == [example["expected"]["majority"]] == [1]


def test_all_columns_and_all_rows_give_the_single_tree():
    """B58."""
    forest = hb.forest(IRIS, n_trees=2, max_features=4, sampling=hb.ensembles.RowSampling(method="none"))
    plain = hb.grow(IRIS, "plain")
    for tree in forest:
        np.testing.assert_array_equal(tree.nodes.rows, plain.nodes.rows)
        np.testing.assert_array_equal(tree.nodes.answer, plain.nodes.answer)


def test_a_continued_forest_has_the_trees_of_one_run():
    half = hb.forest(IRIS, n_trees=4, seed=5)
    whole = hb.forest(IRIS, n_trees=9, seed=5)
    longer = hb.forest(IRIS, n_trees=9, seed=5, continue_from=half)
    assert longer.trees[:4] == half.trees
    for one, other in zip(longer, whole, strict=True):
        np.testing.assert_array_equal(one.nodes.stats, other.nodes.stats)
    with pytest.raises(OptionError, match="at least the 4 trees of the forest"):
        hb.forest(IRIS, n_trees=3, seed=5, continue_from=half)
    with pytest.raises(OptionError, match="other rows"):
        hb.forest(IRIS, n_trees=9, seed=6, continue_from=half)


@pytest.mark.parametrize("trees", [0, -1, 2.5, True, "many"])
def test_a_forest_without_trees_is_rejected(trees):
    """A129."""
    with pytest.raises(OptionError, match=r"n_trees \(number of trees\) must be"):
        hb.forest(IRIS, n_trees=trees)


def test_too_many_trees_are_rejected_before_growing(monkeypatch):
    """A129: 10^6 trees of iris would take some gigabytes."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 2**30)
    with pytest.raises(MemoryLimitError, match="Grow fewer trees"):
        hb.forest(IRIS, n_trees=1_000_000)


def test_a_tiny_fraction_of_the_columns_is_one_column():
    """A113."""
    forest = hb.forest(IRIS, n_trees=3, max_features=0.0001)
    one = hb.forest(IRIS, n_trees=3, max_features=1)
    assert [len(tree) for tree in forest] == [len(tree) for tree in one]


@pytest.mark.parametrize("recipe", ["c45", "cart", "plain"])
def test_any_recipe_grows_the_trees_of_a_forest(recipe):
    penguins = datasets.load("penguins")
    forest = hb.bag(penguins, recipe, n_trees=3)
    assert len(forest) == 3
    assert (hb.predict(forest, penguins).codes == penguins.target.values).mean() > 0.9


def test_parts_without_a_kernel_grow_trees_in_python():
    """Fractional rows have no kernel."""
    penguins = datasets.load("penguins").take(np.arange(0, 344, 4))
    forest = hb.forest(penguins, hb.Recipe(missing="fractional", criterion="entropy"), n_trees=2)
    assert hb.predict(forest, penguins).probabilities.shape == (86, 3)


def test_bagged_trees_of_a_recipe_are_pruned():
    grown = hb.bag(IRIS, hb.recipe("cart").with_changes(pruning=None), n_trees=5, seed=1)
    pruned = hb.bag(IRIS, "cart", n_trees=5, seed=1)
    assert pruned.n_nodes < grown.n_nodes
    assert (hb.predict(pruned, IRIS).codes == IRIS.target.values).mean() > 0.9


def test_progress_is_reported_and_may_stop_growing():
    reported = []
    hb.forest(IRIS, n_trees=6, progress=reported.append)
    assert reported[-1] == 6
    assert reported == sorted(reported)

    def refuses(done):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hb.bag(IRIS, n_trees=6, progress=refuses)


def test_the_remaining_time_is_reported():
    messages = []
    timed = TimedProgress(4, messages.append, every=0.0)
    timed(1)
    timed(4)
    assert messages[0].startswith("1 of 4 trees, ")
    assert messages[1] == "4 of 4 trees, 0 s left"
    assert [duration_text(seconds) for seconds in (12, 240, 7200)] == ["12 s", "4 min", "2.0 h"]


def test_honest_leaves_predict_from_rows_that_did_not_choose_the_splits():
    """Definition 12.5: the two halves are disjoint; together they are the sampled rows."""
    from hornbeam.ensembles.honest import divide_rows
    from hornbeam.ensembles.members import row_counts
    from hornbeam.growing.method import Method
    from hornbeam.growing.sample import prepare

    start = prepare(IRIS, Method(), seed=1)
    times = row_counts(start, hb.ensembles.RowSampling(), 0)
    shaping, filling = divide_rows(start, times, 0.5, 0)
    assert not ((shaping > 0) & (filling > 0)).any()
    np.testing.assert_array_equal(shaping + filling, times)
    for k in range(3):
        rows = (start.sample.target == k) & (times > 0)
        assert (shaping[rows] > 0).sum() == -(-rows.sum() // 2)
    forest = hb.forest(IRIS, n_trees=5, honest=True, seed=1)
    for index, tree in enumerate(forest):
        _, filling = divide_rows(start, row_counts(start, hb.ensembles.RowSampling(), index), 0.5, index)
        assert tree.nodes.rows[0] == (filling > 0).sum()
        np.testing.assert_allclose(tree.nodes.stats[0], np.bincount(start.sample.target, weights=filling, minlength=3))
        inner = np.flatnonzero(~tree.nodes.is_leaf)
        below = tree.nodes.rows[tree.nodes.first_child[inner]] + tree.nodes.rows[tree.nodes.first_child[inner] + 1]
        np.testing.assert_array_equal(below, tree.nodes.rows[inner])
    assert (hb.predict(forest, IRIS).codes == IRIS.target.values).mean() > 0.9


def test_honest_regression_leaves_are_means_of_the_estimation_rows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    table = hb.table.table_from_arrays(
        {"x": x, "z": rng.normal(size=300)}, x + rng.normal(size=300) * 0.1, target_kind="numeric"
    )
    forest = hb.forest(table, n_trees=3, honest=hb.ensembles.Honesty(fraction=0.4, min_rows=3), seed=1)
    for tree in forest:
        leaves = tree.nodes.is_leaf & (tree.nodes.rows >= 3)
        weighted = (tree.nodes.stats[leaves, 0] * tree.nodes.stats[leaves, 1]).sum()
        assert tree.nodes.rows[0] < 0.7 * 300
        assert leaves.any()
        assert np.isfinite(weighted)
    assert np.corrcoef(hb.predict(forest, table).numbers, x)[0, 1] > 0.9


@pytest.mark.parametrize("recipe", ["forest", "boosting"])
def test_memory_is_reported_before_the_first_tree(recipe):
    messages = []
    hb.grow(hb.datasets.load("iris"), recipe, progress=TimedProgress(100, messages.append))
    assert messages[0].startswith("about ")
    assert messages[0].endswith("B of memory")
    assert messages[-1] == "100 of 100 trees, 0 s left"


def test_predictions_do_not_depend_on_the_batch():
    """B83: the trees are larger than the cache, so that batches of rows are large and a single row is small."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(20_001, 4))
    forest = hb.ForestClassifier(30, random_state=1).fit(x[:4000], rng.integers(0, 2, 4000))
    whole = forest.predict_proba(x)
    for size in (1, 2, 7, 4096):
        last = min(len(x), 50 * size)
        pieces = [forest.predict_proba(x[at : at + size]) for at in range(0, last, size)]
        assert np.concatenate(pieces).tobytes() == whole[: sum(map(len, pieces))].tobytes()
    assert forest.set_params(n_jobs=3).predict_proba(x).tobytes() == whole.tobytes()


def test_a_large_matrix_is_predicted_in_batches_and_errors_name_the_row(monkeypatch):
    monkeypatch.setattr(prediction, "_ROWS_AT_ONCE", 100)
    rng = np.random.default_rng(6)
    x = rng.normal(size=(250, 3)).astype(np.float32)
    forest = hb.ForestRegressor(5, random_state=1).fit(x, x[:, 0] ** 2)
    parts = [forest.predict(x[at : at + 50]) for at in range(0, 250, 50)]
    assert forest.predict(x).tobytes() == np.concatenate(parts).tobytes()
    x[201, 1] = np.inf
    with pytest.raises(InputError, match="row 201"):
        forest.predict(x)


@pytest.mark.parametrize("classes", [2, 5])
def test_the_nodes_of_extra_trees_are_estimated_within_a_factor_of_three(classes):
    """Memory is estimated before growing; random cuts give smaller leaves than other cuts."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2000, 6))
    target = nominal("y", np.digitize(x[:, 0] + x[:, 1] * x[:, 2], np.linspace(-1, 1, classes - 1)), "abcde"[:classes])
    table = Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(6)), target)
    method = Method(searches=("random_cuts",), max_features=2)
    grown = grow_forest(table, method, n_trees=3, sampling=hb.ensembles.RowSampling(method="none"))
    reported = 3 * likely_nodes(prepare(table, method))
    assert reported / 3 < grown.n_nodes < 3 * reported
