"""Questions about many columns: worked examples E8.1 to E8.5 (tests/data/examples.json) and the frame of 8.1."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.parts.criteria.entropy import Entropy
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.node import Limits, NodeView
from hornbeam.parts.searches import searches
from hornbeam.parts.searches.chou_plane import target_sides
from hornbeam.parts.searches.kd_median import KdMedian
from hornbeam.parts.searches.lda_plane import LdaPlane
from hornbeam.parts.searches.logistic_plane import logistic
from hornbeam.parts.searches.machinery.plane_search import Frame, superclasses
from hornbeam.parts.searches.machinery.points import canonical, points_of
from hornbeam.parts.searches.oc1_plane import Climb
from hornbeam.parts.searches.perceptron_plane import pocket
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.parts.searches.sparse_planes import SparsePlanes
from hornbeam.parts.searches.spheres import Spheres
from hornbeam.parts.searches.svm_plane import squared_hinge
from hornbeam.seeds import Stream
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.questions import Hyperplane, Sphere, Threshold

PLANES = (
    "perceptron_plane",
    "logistic_plane",
    "svm_plane",
    "lda_plane",
    "householder_planes",
    "oc1_plane",
    "chou_plane",
    "sparse_planes",
)
TARGETLESS = ("kd_median", "pca_median", "two_means", "ball")


def table_of(x, y, **more) -> Table:
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    classes = np.unique(y)
    codes = np.searchsorted(classes, y)
    columns = tuple(numeric(f"x{j}", x[:, j]) for j in range(x.shape[1]))
    return Table(columns, nominal("y", codes, tuple(str(k) for k in classes)), **more)


def node_of(x, y, **more) -> NodeView:
    sample = prepare(table_of(x, y, **more), Method()).sample
    return NodeView(sample, np.arange(sample.n_rows), sample.weights)


def example(name: str) -> tuple[NodeView, dict]:
    given = EXAMPLES[name]["input"]
    return node_of(given["X"], given.get("g", given.get("y"))), EXAMPLES[name]["expected"]


def best(name: str, node: NodeView, criterion=None):
    rival = max(
        (SortedCuts().best(node, c, criterion or Gini(), Limits()) for c in range(len(node.sample.columns))),
        key=lambda each: each.score,
    )
    columns = range(len(node.sample.columns))
    return searches.part(name).among(node, columns, criterion or Gini(), Limits(), rival)


def test_points_are_standardised_as_in_e8_1():
    node, _ = example("E8.1")
    points = points_of(node, (0, 1))
    wanted = EXAMPLES["E8.1"]["input"]["standardise"]
    assert points.mean == pytest.approx(wanted["mean"], abs=1e-12)
    assert points.sd == pytest.approx(wanted["sd"], abs=1e-12)


def test_axis_cuts_of_e8_1_are_not_pure():
    node, wanted = example("E8.1")
    for column, axis in enumerate(wanted["axis"]):
        found = SortedCuts().best(node, column, Gini(), Limits())
        assert found.gain == pytest.approx(axis["gain"], abs=1e-12)
        assert found.question.cut == axis["threshold"]


@pytest.mark.parametrize("name", PLANES)
def test_every_plane_of_e8_1_is_pure(name):
    node, _ = example("E8.1")
    found = best(name, node)
    assert isinstance(found.question, Hyperplane)
    assert found.gain == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(("name", "key"), [("perceptron_plane", "perceptron"), ("logistic_plane", "logistic")])
def test_questions_of_e8_1_stand_in_the_columns_own_units(name, key):
    node, wanted = example("E8.1")
    question = best(name, node).question
    weights, bound = wanted[key]["question"]
    assert question.weights == pytest.approx(weights, abs=1e-6)
    assert question.bound == pytest.approx(bound, abs=1e-6)


def test_fits_of_e8_1():
    node, wanted = example("E8.1")
    points = points_of(node, (0, 1))
    signs = np.array(EXAMPLES["E8.1"]["input"]["g"], dtype=float)
    plane, error, epochs = pocket(points.x, signs, points.weights)
    assert (error, epochs) == (wanted["perceptron"]["pocket_errors"], wanted["perceptron"]["epochs"])
    assert canonical(plane[:-1]) == pytest.approx(wanted["perceptron"]["direction"], abs=1e-6)
    theta, steps = logistic(points.x, signs, points.weights)
    assert theta == pytest.approx(wanted["logistic"]["theta"], abs=1e-6)
    assert steps == wanted["logistic"]["iterations"]
    svm = squared_hinge(points.x, signs, points.weights)
    assert svm[:-1] == pytest.approx(wanted["svm_l2loss"]["coef"], abs=1e-6)
    assert svm[-1] == pytest.approx(wanted["svm_l2loss"]["intercept"], abs=1e-6)
    lda = LdaPlane()._of_two(signs, points)
    assert canonical(lda) == pytest.approx(wanted["lda"]["direction"], abs=1e-6)


def test_householder_of_e8_1_takes_the_second_axis_of_the_first_class():
    node, wanted = example("E8.1")
    question = best("householder_planes", node).question
    points = points_of(node, (0, 1))
    direction = np.array(question.weights) * points.sd
    assert direction == pytest.approx(wanted["householder"]["direction"], abs=1e-6)


def test_one_sweep_of_oc1_as_in_e8_2():
    node, wanted = example("E8.2")
    given = EXAMPLES["E8.2"]["input"]
    wide = np.column_stack([np.array(given["X"]), np.ones(8)])
    climb = Climb(Frame(node, Gini(), Limits()), wide, node.table(np.arange(8), 8), 0, 0)
    plane = np.array([*given["a"], given["c"]])
    assert climb._score(plane) == pytest.approx(wanted["start_gain"], abs=1e-9)
    values = wide @ plane
    value, score = climb._best_step(values - plane[1] * wide[:, 1], wide[:, 1])
    assert (value, score) == (pytest.approx(wanted["best_value"], abs=1e-9), pytest.approx(wanted["gain"], abs=1e-9))


def test_spheres_of_e8_3():
    node, wanted = example("E8.3")
    search = Spheres(is_scaled=False)
    points = points_of(node, (0, 1))
    centres = list(search.centers(points, node))
    by_class = [centres[1], centres[0], centres[3]]  # +1, -1, then (after the node's mean) row 0
    for centre, each in zip(by_class, wanted["candidates"], strict=True):
        assert centre == pytest.approx(each["c"], abs=1e-12)
    found = search.among(node, (0, 1), Gini(), Limits(), None)
    assert isinstance(found.question, Sphere)
    assert found.gain == pytest.approx(wanted["pure_gain"], abs=1e-12)
    # The mean of class -1 comes first and is pure already.
    assert found.question.radius2 == pytest.approx(wanted["candidates"][1]["r2"], abs=1e-9)


def test_the_median_cut_of_e8_4_needs_no_target():
    node, wanted = example("E8.4")
    found = KdMedian().among(node, (0, 1), Gini(), Limits(), None)
    assert found.question == Threshold(wanted["feature"], wanted["threshold"])


def test_sides_of_e8_5_are_where_a_row_costs_least():
    node, wanted = example("E8.5")
    branch = (np.array(EXAMPLES["E8.5"]["input"]["X"])[:, 0] > 1.5).astype(np.int64)
    signs, weights = target_sides(node, branch, Entropy())
    assert ((signs > 0) * 1).tolist() == wanted["target_side"]
    cost = wanted["cost_bits_positive"]
    assert weights == pytest.approx(np.full(8, cost[0] - cost[1]), abs=1e-9)


def diagonal(n=400, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, 2))
    return x, (x.sum(axis=1) > 0) * 1


@pytest.mark.parametrize("name", PLANES)
def test_a_plane_beats_every_axis_tree_on_a_diagonal(name):
    x, y = diagonal()
    method = Method(searches=searches.part(name))
    if name == "oc1_plane":
        method = Method(searches=searches.part({"name": name, "restarts": 2}))
    plane = grow(table_of(x, y), method, engine="python")
    axis = grow(table_of(x, y), Method(), engine="python")
    assert plane.question(0).kind == "hyperplane"
    assert len(plane) < len(axis) / 2


def test_a_sphere_beats_every_axis_tree_on_a_disc():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 2))
    y = ((x**2).sum(axis=1) < 1) * 1
    round_one = grow(table_of(x, y), Method(searches=Spheres()), engine="python")
    assert round_one.question(0).kind == "sphere"
    assert len(round_one) < len(grow(table_of(x, y), Method(), engine="python")) / 2


def test_a_question_about_one_column_wins_a_tie():
    x, y = diagonal()
    y = (x[:, 0] > 0) * 1
    tree = grow(table_of(x, y), Method(searches="logistic_plane"), engine="python")
    assert tree.question(0).kind == "threshold"


def test_a_price_lets_the_readable_question_win():
    """The plane gains 0.5 and the best single column about half of that: a price of 10 turns the choice."""
    x, y = diagonal()
    method = Method(searches="logistic_plane")
    assert grow(table_of(x, y), method, engine="python").question(0).kind == "hyperplane"
    expensive = method.with_changes(split_penalty={"hyperplane": 10.0})
    assert grow(table_of(x, y), expensive, engine="python").question(0).kind == "threshold"
    with pytest.raises(OptionError, match="not a kind of question"):
        method.with_changes(split_penalty={"hyperplan": 1.0})


def test_columns_of_no_worth_are_left_out():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 5))
    y = (x[:, 1] - x[:, 3] > 0) * 1
    everything = best("logistic_plane", node_of(x, y)).question
    assert everything.terms == (0, 1, 2, 3, 4)
    short = searches.part({"name": "logistic_plane", "min_contribution": 0.05})
    node = node_of(x, y)
    assert short.among(node, range(5), Gini(), Limits(), None).question.terms == (1, 3)
    two = searches.part({"name": "lda_plane", "max_terms": 2})
    assert two.among(node, range(5), Gini(), Limits(), None).question.terms == (1, 3)


def test_superclasses_are_all_groupings_up_to_four_classes():
    assert len(superclasses([0, 2], 3, None)) == 1
    assert len(superclasses([0, 1, 2, 3], 4, None)) == 7
    assert len(superclasses([0, 1, 2, 3, 4], 5, None)) == 5


def test_a_missing_value_counts_as_the_mean_of_the_node():
    x, y = diagonal()
    x[::7, 0] = np.nan
    tree = grow(table_of(x, y), Method(searches="lda_plane").with_changes(stops=[{"name": "max_depth", "depth": 1}]))
    question = tree.question(0)
    assert question.fill == pytest.approx(np.nanmean(x, axis=0), abs=1e-12)
    assert tree.nodes.rows[1:].sum() == len(x)
    with_missing = table_of([[np.nan, 0.9], [np.nan, -0.9]], [0, 1]).columns
    assert question.branch(with_missing).tolist() in ([1, 0], [0, 1])


def test_nodes_of_few_rows_ask_no_plane():
    x, y = diagonal(n=9)
    wide = np.column_stack([x, x[:, ::-1] ** 2, x[:, 0] ** 3])
    assert best("logistic_plane", node_of(wide, y)) is None


def test_sparse_planes_ask_nodes_of_few_rows_about_few_columns():
    """Twelve rows of ten columns are too few for a fit; no direction drawn names more than half as many as rows."""
    x = np.random.default_rng(8).normal(size=(12, 10))
    y = (x[:, 1] - x[:, 3] > 0) * 1
    assert best("logistic_plane", node_of(x, y)) is None
    found = best("sparse_planes", node_of(x, y))
    assert isinstance(found.question, Hyperplane)
    assert 2 <= len(found.question.terms) <= 6


def test_sparse_directions_have_two_columns_at_least_and_about_as_many_as_density_gives():
    """Of a binomial of 20 columns with mean 3, two at least: (3 - P(1)) / (1 - P(0) - P(1)) = 3.47 on average."""
    stream = Stream(1)
    counts = [np.count_nonzero(SparsePlanes(density=3.0)._random_direction(stream, 20)) for _ in range(1000)]
    assert min(counts) == 2
    assert np.mean(counts) == pytest.approx(3.47, abs=0.15)


def test_binary_weights_in_the_columns_own_units_are_alike():
    x, y = diagonal()
    search = SparsePlanes(is_binary=True, is_scaled=False)
    node = node_of(x * [1.0, 3.0], y)
    weights = search.among(node, (0, 1), Gini(), Limits(), None).question.weights
    assert abs(weights[0]) == pytest.approx(abs(weights[1]), rel=1e-8)


def test_as_many_directions_are_tried_as_the_settings_say():
    points, frame = points_of(node_of(*diagonal()), (0, 1)), Frame(node_of(*diagonal()), Gini(), Limits())
    for settings, count in (({}, 32), ({"exponent": 4.0, "min_directions": 1}, 16), ({"max_directions": 7}, 7)):
        assert len(list(SparsePlanes(**settings).fits(points, frame, None))) == count


@pytest.mark.parametrize("name", TARGETLESS)
def test_questions_without_target_do_not_change_with_it(name):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(64, 3)) @ np.diag([3.0, 1.0, 1.0])
    found = []
    for _ in range(2):
        method = Method(searches=name, stops=({"name": "max_depth", "depth": 3},))
        tree = grow(table_of(x, rng.integers(0, 2, 64)), method, engine="python")
        found.append([tree.question(node) for node in np.flatnonzero(tree.nodes.question >= 0).tolist()])
    assert found[0] == found[1]
    assert len(found[0]) == 7


def test_two_means_part_two_clouds():
    rng = np.random.default_rng(6)
    x = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(50, 2)) + 10])
    y = np.repeat([0, 1], [30, 50])
    tree = grow(
        table_of(x, y), Method(searches="two_means", stops=({"name": "max_depth", "depth": 1},)), engine="python"
    )
    assert tree.nodes.rows.tolist() == [80, 30, 50]


def test_planes_have_plain_texts():
    x, y = diagonal()
    tree = grow(table_of(x, y), Method(searches="lda_plane"), engine="python")
    assert tree.question(0).text(tree.schema).count(" x") == 2
    assert " <= " in tree.question(0).text(tree.schema)


@pytest.mark.parametrize("scope", ["global", "node"])
@pytest.mark.parametrize("search", ["pca_median", "two_means", "ball", "logistic_plane", "svm_plane", "spheres"])
def test_filled_rows_end_in_the_leaf_that_they_grew(search, scope):
    random = np.random.default_rng(0)
    iris = hb.datasets.load("iris")
    gaps = tuple(
        dataclasses.replace(column, values=np.where(random.random(150) < 0.1, np.nan, column.values))
        for column in iris.columns
    )
    table = dataclasses.replace(iris, columns=gaps)
    stops = ({"name": "max_depth", "depth": 3},)
    tree = hb.grow(table, hb.Recipe(searches=search, missing={"name": "impute", "scope": scope}, stops=stops))
    ended = np.bincount(hb.predict(tree, table).nodes, minlength=len(tree))
    assert ended[tree.nodes.is_leaf].tolist() == tree.nodes.rows[tree.nodes.is_leaf].tolist()
