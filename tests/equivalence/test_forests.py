"""A forest grown all at once in the core is the forest of plain Python, tree by tree."""

import numpy as np
import pytest

from hornbeam.ensembles.forest import grow_forest
from hornbeam.ensembles.members import forest_job
from hornbeam.ensembles.row_sampling import RowSampling, reference_sample_counts, sample_counts
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.file.files import to_bytes


def made(seed, n_classes, grain):
    """200 rows, seven columns: continuous, or of few values, and one of ordered levels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 6))
    X = X if grain is None else np.round(X, grain)
    columns = [numeric(f"x{j}", X[:, j]) for j in range(6)]
    columns.append(ordinal("level", rng.integers(0, 4, 200), ("a", "b", "c", "d")))
    if n_classes:
        target = nominal("y", rng.integers(0, n_classes, 200), tuple(map(str, range(n_classes))))
    else:
        target = numeric("y", np.round(X[:, 0] + rng.normal(size=200), 1))
    return Table(tuple(columns), target)


def assert_same(core, python):
    for one, other in zip(core, python, strict=True):
        for name in ("parent", "first_child", "n_branches", "rows", "missing_branch", "depth", "reason"):
            np.testing.assert_array_equal(getattr(one.nodes, name), getattr(other.nodes, name), err_msg=name)
        for name in ("stats", "weight", "answer", "impurity", "gain", "score"):
            np.testing.assert_allclose(getattr(one.nodes, name), getattr(other.nodes, name), rtol=1e-9, atol=1e-9)
        questions = [[tree.question(node) for node in np.flatnonzero(~tree.nodes.is_leaf)] for tree in (one, other)]
        assert questions[0] == questions[1]
        assert one.metadata["rows"] == other.metadata["rows"]
        assert one.metadata["weight"] == other.metadata["weight"]


@pytest.mark.parametrize("grain", [None, 0, 2])
@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
@pytest.mark.parametrize(
    ("n_classes", "criterion"), [(2, "gini"), (2, "entropy"), (4, "gini"), (4, "entropy"), (0, "squared_error")]
)
def test_all_trees_at_once_are_the_plain_ones(n_classes, criterion, searches, grain):
    table = made(n_classes, n_classes, grain)
    method = Method(criterion=criterion, searches=(searches,), max_features=3)
    assert forest_job(prepare(table, method), 1) is not None
    core, python = (grow_forest(table, method, n_trees=3, seed=7, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)


STOPS = [
    {"name": "max_depth", "depth": 4},
    {"name": "min_leaf", "rows": 5},
    {"name": "min_leaf", "rows": 2, "weight": 9.0},
    {"name": "min_split", "rows": 20, "weight": 25.0},
    {"name": "eta", "rows": 12},
    {"name": "purity", "pi": 0.8},
    {"name": "min_gain", "beta": 0.0213},
    {"name": "min_decrease", "decrease": 0.0097},
]


# Purity is for classes.
STOPPED = [(stop, classes) for stop in STOPS for classes in (2, 3, 0) if classes or stop["name"] != "purity"]


@pytest.mark.parametrize(
    ("stop", "n_classes"), STOPPED, ids=lambda each: each["name"] if isinstance(each, dict) else str(each)
)
@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
def test_every_stop_holds_as_in_plain_python(stop, n_classes, searches):
    table = made(3, n_classes, 1)
    method = Method(searches=(searches,), stops=("pure", stop), max_features=2)
    core, python = (grow_forest(table, method, n_trees=2, seed=1, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_a_large_node_is_searched_as_a_small_one(precision):
    """20,000 rows: cells come column by column, keys are sorted by digits, and by 64 bits at the root."""
    rng = np.random.default_rng(0)
    columns = tuple(numeric(f"x{j}", rng.normal(size=20_000).astype(precision)) for j in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 2, 20_000), ("no", "yes")))
    stops = ("pure", {"name": "max_depth", "depth": 3})
    for searches in (("sorted_cuts",), ("random_cuts",)):
        method = Method(searches=searches, stops=stops, max_features=2)
        core, python = (grow_forest(table, method, n_trees=1, seed=3, engine=engine) for engine in ("core", "python"))
        assert_same(core, python)


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("n_classes", [2, 4, 0])
@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
def test_rows_that_all_count_once_grow_the_plain_forest(searches, n_classes, rows):
    """As in extra trees: how many rows are below a cut follows from their weight, and nothing is drawn."""
    table = made(4, n_classes, 2)
    method = Method(searches=(searches,), max_features=3, stops=("pure", {"name": "min_leaf", "rows": rows}))
    grown = {"n_trees": 3, "seed": 5, "sampling": RowSampling(method="none")}
    core, python = (grow_forest(table, method, engine=engine, **grown) for engine in ("core", "python"))
    assert_same(core, python)


@pytest.mark.parametrize("route", ["majority", "stay"])
@pytest.mark.parametrize("n_classes", [2, 3, 0])
@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
def test_large_trees_are_passed_whole(searches, n_classes, route):
    """1200 rows of noise: enough nodes that the core passes counts and the gains of inner nodes alone."""
    rng = np.random.default_rng(12)
    columns = tuple(numeric(f"x{j}", rng.normal(size=1200)) for j in range(4))
    target = numeric("y", rng.normal(size=1200))
    if n_classes:
        target = nominal("y", rng.integers(0, n_classes, 1200), tuple(map(str, range(n_classes))))
    table = Table(columns, target)
    missing = {"name": "skip_column", "route": route}
    for rows in (1, 2):  # leaves that are pure, and leaves that are not
        stops = ("pure", {"name": "min_leaf", "rows": rows})
        method = Method(searches=(searches,), max_features=2, missing=missing, stops=stops)
        core, python = (grow_forest(table, method, n_trees=1, seed=6, engine=engine) for engine in ("core", "python"))
        assert core.trees[0].nodes.stored("rows").dtype.kind == "u"
        assert_same(core, python)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 3, 0])
def test_many_columns_at_once_are_cut_as_one_after_another(n_classes, precision):
    """30 of 31 columns at every node: more than are added up next to each other in one turn."""
    rng = np.random.default_rng(8)
    columns = [numeric(f"x{j}", rng.normal(size=150).astype(precision)) for j in range(31)]
    target = numeric("y", np.round(rng.normal(size=150), 2))
    if n_classes:
        target = nominal("y", rng.integers(0, n_classes, 150), tuple(map(str, range(n_classes))))
    method = Method(searches=("random_cuts",), max_features=30)
    table = Table(tuple(columns), target)
    core, python = (grow_forest(table, method, n_trees=2, seed=3, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)


def test_what_is_grown_tree_by_tree_is_the_plain_forest_too():
    """Categories and gaps are for the general grower."""
    rng = np.random.default_rng(5)
    numbers = rng.normal(size=120)
    numbers[rng.random(120) < 0.2] = np.nan
    groups = nominal("c", rng.integers(0, 4, 120), ("p", "q", "r", "s"))
    columns = (numeric("x", numbers), groups, numeric("z", rng.normal(size=120)))
    table = Table(columns, nominal("y", rng.integers(0, 3, 120), ("a", "b", "c")))
    method = Method(max_features=2)
    assert forest_job(prepare(table, method), 1) is None
    core, python = (grow_forest(table, method, n_trees=3, seed=2, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)


@pytest.mark.parametrize("by", ["none", "rows", "classes", "balanced"])
@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("share", [1.0, 0.632])
def test_the_core_draws_the_rows_of_the_plain_draw(by, replace, share):
    target = np.random.default_rng(1).integers(0, 3, 83)
    draw = RowSampling(method=by, with_replacement=replace, fraction=share)
    for tree in range(4):
        np.testing.assert_array_equal(
            sample_counts(draw, target, 3, 11, tree), reference_sample_counts(draw, target, 3, 11, tree)
        )


def test_heavy_rows_drawn_often_stay_within_the_tables():
    """Whole weights multiply with how often a row is drawn: the sum may exceed that of the table."""
    rng = np.random.default_rng(3)
    base = made(1, 2, 1)
    table = Table(base.columns, base.target, rng.choice([1.0, 2.0, 50.0], 200))
    for criterion in ("gini", "entropy"):
        method = Method(criterion=criterion, max_features=2)
        assert forest_job(prepare(table, method), 1) is not None
        core, python = (grow_forest(table, method, n_trees=4, seed=8, engine=engine) for engine in ("core", "python"))
        assert_same(core, python)


@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
def test_any_number_of_threads_grows_the_same_bytes(searches):
    table = made(9, 2, None)
    method = Method(searches=(searches,), max_features="sqrt")
    forests = [to_bytes(grow_forest(table, method, n_trees=9, seed=4, threads=threads)) for threads in (1, 2, 3, 8)]
    assert forests.count(forests[0]) == len(forests)


@pytest.mark.parametrize("searches", ["sorted_cuts", "random_cuts"])
@pytest.mark.parametrize("n_classes", [2, 3, 0])
def test_columns_of_two_values_are_looked_at_as_any_other(n_classes, searches):
    """70 of them, more than a word has bits, with one of many values."""
    rng = np.random.default_rng(6)
    columns = [numeric(f"b{j}", np.where(rng.random(150) < 0.1 + j / 90, 2.5, -1.0)) for j in range(70)]
    columns.append(numeric("x", rng.normal(size=150)))
    target = numeric("y", rng.normal(size=150))
    if n_classes:
        target = nominal("y", rng.integers(0, n_classes, 150), tuple(map(str, range(n_classes))))
    method = Method(searches=(searches,), max_features=9, stops=("pure", {"name": "min_leaf", "rows": 2}))
    table = Table(tuple(columns), target)
    core, python = (grow_forest(table, method, n_trees=2, seed=3, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)


@pytest.mark.parametrize(
    "draw",
    [RowSampling(method="none"), RowSampling(method="rows", with_replacement=False, fraction=0.7)],
    ids=["all", "some"],
)
@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize(("n_classes", "criterion"), [(2, "gini"), (2, "entropy"), (7, "gini"), (7, "entropy")])
@pytest.mark.parametrize(("n_numbers", "rows"), [(1, 1), (2, 3), (9, 1), (0, 1)])
def test_rows_are_counted_in_sets_as_one_by_one(n_numbers, rows, n_classes, criterion, precision, draw):
    """Rows in the order of their classes, small subtrees as sets of rows; some rows are alike but for their class."""
    rng = np.random.default_rng(n_numbers + n_classes)
    columns = [numeric(f"b{j}", (rng.random(400) < 0.05 + j / 14).astype(float)) for j in range(12)]
    numbers = rng.normal(size=(400, n_numbers)).astype(precision)
    numbers[::7] = np.round(numbers[::7])
    columns += [numeric(f"x{j}", numbers[:, j]) for j in range(n_numbers)]
    target = nominal("y", rng.choice(n_classes, 400, p=rng.dirichlet(np.ones(n_classes))), tuple("abcdefg"[:n_classes]))
    stops = ("pure", {"name": "min_leaf", "rows": rows})
    method = Method(criterion=criterion, searches=("random_cuts",), max_features=4, stops=stops)
    table = Table(tuple(columns), target)
    grown = {"n_trees": 2, "seed": 9, "sampling": draw}
    core, python = (grow_forest(table, method, engine=engine, **grown) for engine in ("core", "python"))
    assert_same(core, python)


@pytest.mark.parametrize("values", ["infinite", "few", "skewed"])
def test_random_cuts_fall_as_in_plain_python_whatever_the_values(values):
    """Between infinite ends nothing can be drawn; skewed values are not exact in single precision, the others are."""
    rng = np.random.default_rng(2)
    x = rng.integers(0, 900, (1000, 3)).astype(float)
    if values == "infinite":
        x[0], x[1] = np.inf, -np.inf
    x = np.exp(x / 20) if values == "skewed" else x
    columns = tuple(numeric(f"x{j}", x[:, j]) for j in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 2, 1000), ("no", "yes")))
    method = Method(searches=("random_cuts",), max_features=2, stops=("pure", {"name": "max_depth", "depth": 6}))
    core, python = (grow_forest(table, method, n_trees=2, seed=3, engine=engine) for engine in ("core", "python"))
    assert_same(core, python)
