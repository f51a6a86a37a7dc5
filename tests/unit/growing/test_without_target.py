"""Trees of the columns alone, and labels put on them afterwards."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamError, InputError, OptionError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

SEARCHES = ("kd_median", "pca_median", "two_means", "ball")
SHAPE = ("first_child", "n_branches", "question", "missing_branch", "depth", "reason", "rows", "weight")
LABELS = ("rows", "weight", "stats", "answer", "impurity", "gain", "score")


@pytest.fixture(scope="module")
def iris():
    return hb.datasets.load("iris")


def method(search="kd_median", depth=3, **changes):
    return hb.Recipe(searches=search, stops=({"name": "max_depth", "depth": depth},), **changes)


def with_gaps(table, seed=0):
    """The table with a tenth of its values missing."""
    random = np.random.default_rng(seed)
    columns = tuple(
        dataclasses.replace(column, values=np.where(random.random(len(table)) < 0.1, np.nan, column.values))
        for column in table.columns
    )
    return dataclasses.replace(table, columns=columns)


@pytest.mark.parametrize("search", SEARCHES)
def test_both_growers_grow_the_same_tree_without_a_target(iris, search):
    core, plain = (hb.grow(iris.without_target(), method(search), engine=engine) for engine in ("core", "python"))
    for name in SHAPE:
        assert np.array_equal(getattr(core.nodes, name), getattr(plain.nodes, name)), name
    assert not core.is_labeled


@pytest.mark.parametrize("search", SEARCHES)
def test_the_questions_are_those_grown_with_any_target(iris, search):
    alone = hb.grow(iris.without_target(), method(search))
    with_target = hb.grow(iris, method(search))
    assert [alone.question(node).text(iris.schema) for node in np.flatnonzero(~alone.nodes.is_leaf)] == [
        with_target.question(node).text(iris.schema) for node in np.flatnonzero(~with_target.nodes.is_leaf)
    ]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_labeled_tree_is_the_one_grown_with_the_target(iris, search):
    labeled = hb.relabel(hb.grow(iris.without_target(), method(search)), iris)
    with_target = hb.grow(iris, method(search))
    for name in LABELS:
        assert np.allclose(getattr(labeled.nodes, name), getattr(with_target.nodes, name), atol=1e-12), name
    assert labeled.schema == with_target.schema


def test_a_tree_without_labels_keeps_rows_and_weights_alone(iris):
    weights = np.arange(1.0, 151.0)
    tree = hb.grow(dataclasses.replace(iris.without_target(), weights=weights), method(depth=1))
    goes_left = hb.predict(tree, iris).nodes == 1
    assert tree.nodes.weight.tolist() == [weights.sum(), weights[goes_left].sum(), weights[~goes_left].sum()]
    assert tree.nodes.stats[:, 1:].tolist() == [[0.0, 0.0]] * 3
    assert repr(tree) == "<Tree without target: 3 nodes, 2 leaves, depth 1>"


def test_a_tree_without_labels_prints_draws_saves_and_finds_leaves(iris, tmp_path):
    tree = hb.grow(iris.without_target(), method(depth=1))
    assert str(tree).split("\n")[0] == "no target   (150)"
    assert "mean" not in hb.tree.summary(tree, full=True)
    assert "150 rows" in hb.draw(tree, iris.without_target()).svg
    hb.save(tree, tmp_path / "shape.tree")
    again = hb.load(tmp_path / "shape.tree")
    assert str(again) == str(tree)
    assert hb.predict(again, iris).nodes.tolist() == hb.predict(tree, iris).nodes.tolist()
    assert hb.prune(tree, {"name": "manual", "nodes": [0]}).n_leaves == 1


@pytest.mark.parametrize(
    "use",
    [
        lambda tree, table: hb.predict(tree, table).labels,
        lambda tree, table: hb.predict(tree, table).numbers,
        lambda tree, table: hb.Predictor(tree),
        lambda tree, table: hb.importance(tree),
        lambda tree, table: hb.explain(tree, table, 0),
        lambda tree, table: hb.shap_values(tree, table),
        lambda tree, table: hb.extract_rules(tree),
        lambda tree, table: hb.report(tree),
        lambda tree, table: hb.prune(tree, "pessimistic"),
        lambda tree, table: hb.evaluation.leaf_statistics(tree),
    ],
)
def test_what_needs_labels_explains_how_to_get_them(iris, use):
    tree = hb.grow(iris.without_target(), method())
    with pytest.raises(InputError, match=r"grown without a target.*relabel"):
        use(tree, iris)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("plain", "'sorted_cuts' requires a target"),
        (hb.Recipe(searches="ball", stops=("min_gain",)), "Stop 'min_gain' requires a target"),
        (hb.Recipe(searches="ball", criterion="gini"), "criterion = 'gini' requires a target"),
        (hb.Recipe(searches="ball", loss="log"), "loss = 'log' requires a target"),
        (hb.Recipe(searches="ball", priors="equal"), "priors = 'equal' requires a target"),
        (
            hb.recipe("plain").with_changes(searches="ball", pruning="pessimistic"),
            "pruning = 'pessimistic' requires a target",
        ),
        (hb.recipe("plain").with_changes(searches="ball", target="class"), "The recipe requires a class target"),
        ("forest", "requires a table with a target"),
    ],
)
def test_a_method_that_needs_a_target_is_refused_by_name(iris, wanted, words):
    with pytest.raises(HornbeamError, match=words):
        hb.grow(iris.without_target(), wanted)


def test_a_trace_needs_a_target(iris):
    with pytest.raises(OptionError, match="trace"):
        hb.grow(iris.without_target(), method(), trace=True)


def test_the_memory_of_a_tree_without_target_is_estimated(iris):
    assert hb.estimate(iris.without_target(), method()).in_memory > 0


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "fractional", "impute"])
def test_missing_values_go_without_a_target_where_they_go_with_one(iris, search, missing):
    table = with_gaps(iris)
    alone = hb.grow(table.without_target(), method(search, missing=missing))
    with_target = hb.grow(table, method(search, missing=missing))
    assert np.array_equal(alone.nodes.rows, with_target.nodes.rows)
    labeled = hb.relabel(alone, table)
    for name in ("rows", "weight", "stats", "answer"):
        assert np.allclose(getattr(labeled.nodes, name), getattr(with_target.nodes, name), atol=1e-9), name


@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "own_branch", "learned", "impute"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
def test_a_tree_relabeled_by_its_own_rows_is_the_same_tree(iris, missing, criterion):
    table = with_gaps(iris)
    tree = hb.grow(table, hb.Recipe(missing=missing, criterion=criterion, loss="log", priors="equal"))
    again = hb.relabel(tree, table)
    for name in ("rows", "weight", "stats", "answer", "impurity", "gain"):
        assert np.allclose(getattr(again.nodes, name), getattr(tree.nodes, name), atol=1e-9), name
    assert again.recipe["loss"] == {"name": "log"}
    assert again.recipe["priors"] == "equal"


@pytest.mark.parametrize("loss", ["squared", "absolute", {"name": "pinball", "tau": 0.9}, "poisson"])
def test_a_tree_of_numbers_relabeled_by_its_own_rows_is_the_same_tree(loss):
    random = np.random.default_rng(3)
    x, y = random.integers(0, 20, (60, 2)), random.integers(0, 9, 60)
    table = hb.read({"a": x[:, 0], "b": x[:, 1], "y": y}, target="y", kinds={"y": "numeric"})
    tree = hb.grow(table, hb.Recipe(loss=loss, stops=({"name": "max_depth", "depth": 3},)))
    again = hb.relabel(tree, table)
    for name in ("rows", "weight", "stats", "answer", "impurity", "gain"):
        assert np.allclose(getattr(again.nodes, name), getattr(tree.nodes, name), atol=1e-9), name


def test_labels_may_be_of_another_kind_than_the_tree_was_grown_for(iris):
    tree = hb.grow(iris, "plain")
    width = dataclasses.replace(iris, target=numeric("width", iris["petal_width"].values * 2))
    numbers = hb.relabel(tree, width)
    assert not numbers.is_class
    ends = hb.predict(tree, iris).nodes
    for leaf in np.flatnonzero(tree.nodes.is_leaf):
        assert numbers.nodes.answer[leaf] == pytest.approx(width.target.values[ends == leaf].mean())
    back = hb.relabel(numbers, iris)
    assert np.array_equal(hb.predict(back, iris).codes, hb.predict(tree, iris).codes)


def test_other_rows_give_other_labels_and_a_branch_without_rows_predicts_as_its_parent():
    shape = hb.grow(Table((numeric("x", [1.0, 2.0, 3.0, 4.0]),)), method(depth=2))
    rows = Table((numeric("x", [1.0, 1.1, 2.2, 2.4]),), nominal("y", [0, 0, 1, 1], ("a", "b")))
    tree = hb.relabel(shape, rows)
    # The cuts are 2.5, 1.5 and 3.5: nothing is above 2.5, and node 2 with its children predicts what the root does.
    assert tree.nodes.rows.tolist() == [4, 4, 0, 2, 2, 0, 0]
    assert hb.predict(tree, {"x": [1.0, 2.0, 3.0, 4.0]}).labels.tolist() == ["a", "b", "a", "a"]
    assert tree.nodes.gain.tolist() == [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_reasons_that_looked_at_the_old_target_are_dropped(iris):
    tree = hb.grow(iris, hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 2}]))
    assert {tree.reason(node) for node in range(len(tree))} == {"", "pure", "depth"}
    shuffled = dataclasses.replace(iris, target=nominal("species", np.roll(iris.target.values, 17), iris.target.levels))
    again = hb.relabel(tree, shuffled)
    assert {again.reason(node) for node in range(len(again))} == {"", "depth"}


def test_columns_are_found_by_name_and_levels_in_any_order():
    table = hb.read({"c": ["u", "v", "u", "v"], "x": [1, 2, 3, 4], "y": list("abab")}, target="y")
    tree = hb.grow(table, "plain")
    other = Table(
        (numeric("x", [1.0, 2.0]), nominal("c", [0, 1], ("v", "u"))), nominal("y", [0, 1], ("b", "a")), np.ones(2)
    )
    again = hb.relabel(tree, other)
    assert hb.predict(again, other).labels.tolist() == ["b", "a"]


def test_a_relabeled_tree_goes_through_a_file(iris, tmp_path):
    tree = hb.relabel(hb.grow(iris.without_target(), method()), iris, criterion="entropy", loss="log")
    hb.save(tree, tmp_path / "a.tree")
    again = hb.load(tmp_path / "a.tree")
    assert np.array_equal(hb.predict(again, iris).probabilities, hb.predict(tree, iris).probabilities)
    assert again.recipe["criterion"] == {"name": "entropy"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table: table.without_target(), "relabel requires a table with a target"),
        (lambda table: table.select(["sepal_width"]), "sepal_length"),
    ],
)
def test_a_table_that_cannot_label_is_refused(iris, change, words):
    with pytest.raises(InputError, match=words):
        hb.relabel(hb.grow(iris.without_target(), method()), change(iris))


def test_only_one_tree_is_relabeled(iris):
    with pytest.raises(InputError, match="needs one tree"):
        hb.relabel(hb.forest(iris, n_trees=2), iris)
