"""The core finds the questions about many columns that the plain searches define, on any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.parts.searches import searches
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.file.files import save
from hornbeam.tree.nodes import Tree

MANY = (
    "perceptron_plane",
    "logistic_plane",
    "svm_plane",
    "lda_plane",
    "householder_planes",
    "oc1_plane",
    "chou_plane",
    "sparse_planes",
    "spheres",
    "kd_median",
    "pca_median",
    "two_means",
    "ball",
)
# Classes, missing, weights, criterion; 0 classes: a number.
CASES = (
    (2, False, False, "gini"),
    (3, False, True, "entropy"),
    (2, True, False, "gini"),
    (6, False, False, "gini"),
    (3, False, False, "twoing"),
    (2, False, True, "gain_ratio"),
    (0, False, False, "squared_error"),
    (0, True, True, "squared_error"),
)


def cloud(seed: int, n_classes: int, missing: bool = False, is_weighted: bool = False, n: int = 250) -> Table:
    """Overlapping groups in four columns of unlike size; weights are multiples of a quarter (exact sums)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    pull = x @ rng.normal(size=(4, max(n_classes, 1))) + 0.3 * rng.normal(size=(n, max(n_classes, 1)))
    x = x * [1.0, 10.0, 0.01, 3.0] + [0.0, 100.0, 0.0, -7.0]
    if missing:
        x[rng.random(x.shape) < 0.08] = np.nan
    classes = nominal("y", pull.argmax(axis=1), tuple("ABCDEF"[: max(n_classes, 1)]))
    target = classes if n_classes else numeric("y", np.round(pull[:, 0], 3))
    weights = rng.integers(1, 5, n) / 4 if is_weighted else None
    return Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(4)), target, weights)


# What keeps the plain searches quick.
QUICK = {"oc1_plane": {"restarts": 1}, "perceptron_plane": {"epochs": 10}}


def small(name: str, **settings: object) -> dict[str, object]:
    return {"name": name, **QUICK.get(name, {}), **settings}


def assert_same(core: Tree, plain: Tree) -> None:
    assert len(core) == len(plain)
    for name, values in core.nodes.arrays().items():
        if not name.endswith("question"):
            np.testing.assert_allclose(values, plain.nodes.arrays()[name], rtol=1e-9, atol=1e-12, err_msg=name)
    for node in np.flatnonzero(core.nodes.question >= 0).tolist():
        ours, theirs = core.question(node), plain.question(node)
        assert type(ours) is type(theirs), f"node {node}"
        assert ours.columns == theirs.columns
        if ours == theirs:
            continue
        for field in vars(ours):
            np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-8, atol=1e-9)


def method_of(search: object, criterion: str | None = None, depth: int = 3) -> Method:
    stops = ({"name": "pure"}, {"name": "max_depth", "depth": depth}, {"name": "min_leaf", "rows": 3})
    return Method(criterion=criterion, searches=search, stops=stops)  # type: ignore[arg-type]


# Without classes only the searches that suit numbers.
SUITED = [(name, case) for name in MANY for case in CASES if case[0] or "number" in searches.part_class(name).supports]


@pytest.mark.parametrize(("name", "case"), SUITED, ids=str)
def test_the_core_and_the_plain_search_ask_the_same(name: str, case: tuple[int, bool, bool, str]) -> None:
    n_classes, missing, is_weighted, criterion = case
    table = cloud(7 + n_classes, n_classes, missing, is_weighted)
    method = method_of(small(name), criterion)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from(
        ("logistic_plane", "lda_plane", "svm_plane", "spheres", "pca_median", "chou_plane", "sparse_planes")
    ),
    n_classes=st.integers(2, 4),
    missing=st.booleans(),
)
def test_any_cloud_gives_the_same_questions(seed: int, name: str, n_classes: int, missing: bool) -> None:
    table = cloud(seed, n_classes, missing, n=60)
    method = method_of(name, "gini", depth=2)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@pytest.mark.parametrize("settings", [{"max_terms": 2}, {"min_contribution": 0.02}])
def test_columns_are_left_out_alike(settings: dict[str, object]) -> None:
    table = cloud(3, 2)
    for name in ("logistic_plane", "lda_plane", "householder_planes"):
        method = method_of(small(name, **settings), "gini", depth=2)
        core = grow(table, method, engine="core")
        assert_same(core, grow(table, method, engine="python"))


OF_NUMBERS = [name for name in (*MANY, "conjunctions") if "number" in searches.part_class(name).supports]
QUANTILES = (
    "absolute_error",
    {"name": "loss_decrease", "loss": {"name": "pinball", "tau": 0.8}},
)


@pytest.mark.parametrize("criterion", QUANTILES, ids=str)
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_criteria_of_quantiles_score_questions_about_many_columns_alike(name: str, criterion: object) -> None:
    for seed, missing, cuts in (
        (3, "skip_column", "sorted_cuts"),
        (4, "fractional", "sorted_cuts"),
        (5, {"name": "impute", "method": "median", "scope": "node"}, {"name": "binned_cuts", "bins": 2}),
    ):
        table = cloud(seed, 0, missing=True, is_weighted=seed == 3, n=70)
        method = method_of((cuts, small(name)), depth=4).with_changes(criterion=criterion, missing=missing)
        assert not without_kernel(prepare(table, method))
        assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@pytest.mark.parametrize("compared_by", ["ratio", "gain"])
@pytest.mark.parametrize("name", MANY)
def test_the_rules_of_c45_are_applied_alike(name: str, compared_by: str) -> None:
    """The penalty of cuts, their minimum size and gap, the average gain; questions without target may gain nothing."""
    cuts = {"name": "sorted_cuts", "min_size": "c45"}
    for n_classes, missing in ((2, "fractional"), (3, "skip_column")):
        table = cloud(12 + n_classes, n_classes, missing=True, n=150)
        method = method_of((cuts, small(name)), "c45", depth=4).with_changes(
            criterion={"name": "c45", "method": compared_by}, missing=missing, competitors=2
        )
        assert not without_kernel(prepare(table, method))
        assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


@pytest.mark.parametrize(
    "settings",
    [
        {"is_binary": True},
        {"is_scaled": False},
        {"exponent": 3.0, "max_directions": 20},
        {"density": 3.5, "max_terms": 2},
        {"density": 1.0, "min_contribution": 0.1},
        {"exponent": 0.5, "min_directions": 5, "density": 100.0},
    ],
    ids=str,
)
def test_sparse_planes_are_drawn_alike(settings: dict[str, object]) -> None:
    for n_classes in (3, 0):
        method = method_of(small("sparse_planes", **settings), depth=3)
        core, plain = (grow(cloud(9, n_classes), method, engine=engine, seed=5) for engine in ("core", "python"))
        assert_same(core, plain)


@pytest.mark.parametrize("name", ["logistic_plane", "svm_plane"])
def test_many_rows_begin_with_a_part_of_them_alike(name: str) -> None:
    table = cloud(5, 2, n=4200)
    method = method_of(name, "gini", depth=1)
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


STRATEGIES = (
    "surrogates",
    "learned",
    "own_branch",
    "drop_rows",
    {"name": "skip_column", "route": "stay"},
    {"name": "impute", "method": "mean"},
    {"name": "impute", "method": "median", "scope": "node"},
    {"name": "impute", "method": "mean", "scope": "node"},
    "fractional",
)


@pytest.mark.parametrize("missing", STRATEGIES, ids=str)
@pytest.mark.parametrize("name", MANY)
def test_rows_with_missing_values_are_treated_alike(name: str, missing: object) -> None:
    table = cloud(6, 2, missing=True, n=120)
    for parts in ((small(name),), ("sorted_cuts", small(name))):
        method = method_of(parts, "gini").with_changes(missing=missing)
        assert not without_kernel(prepare(table, method))
        core, plain = grow(table, method, engine="core"), grow(table, method, engine="python")
        assert_same(core, plain)
        assert core.question(0) == plain.question(0)


@pytest.mark.parametrize("missing", [{"name": "impute", "method": "mean"}, "fractional"], ids=str)
def test_a_list_of_questions_is_used_alike(missing: object) -> None:
    table = cloud(6, 2, missing=True)
    listed = [{"column": "x0", "at_most": 0.2}, {"column": "x1", "at_most": 101.0}, {"column": "x3", "at_most": -6.0}]
    method = method_of({"name": "custom_questions", "questions": listed}, "gini").with_changes(missing=missing)
    assert not without_kernel(prepare(table, method))
    assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


def test_planes_keep_the_imputed_values_of_the_whole_table() -> None:
    table = cloud(6, 2, missing=True)
    missing = {"name": "impute", "method": "median"}
    tree = grow(table, method_of("lda_plane", "gini").with_changes(missing=missing), engine="core")
    for node in np.flatnonzero(tree.nodes.question >= 0).tolist():
        question = tree.question(node)
        if question.kind == "hyperplane":
            assert question.fill == tuple(tree.metadata["fill_values"][column] for column in question.columns)  # type: ignore[attr-defined]


@pytest.mark.parametrize("missing", ["learned", "impute", "own_branch", "skip_column"])
@pytest.mark.parametrize("name", ["perceptron_plane", "lda_plane", "logistic_plane", "chou_plane"])
def test_the_best_question_about_one_column_groups_many_classes_alike(name: str, missing: str) -> None:
    """Rows with a missing value count in its branches where the strategy sends them there."""
    for seed in range(4):
        table = cloud(seed, 6, missing=True, n=90)
        method = method_of(("sorted_cuts", small(name)), "chi_square").with_changes(missing=missing)
        assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


def test_an_imputed_value_that_is_not_finite_is_not_stored(tmp_path: Path) -> None:
    """The mode of x0 is infinite; below a cut that separates the infinite values planes use the column."""
    table = cloud(6, 2, n=200)
    x = table.columns[0].values.copy()
    x[:60], x[60:70] = np.inf, np.nan
    columns = (numeric("x0", x), *table.columns[1:])
    target = nominal("y", np.where(np.arange(200) < 70, 0, table.target.values), ("A", "B"))  # type: ignore[union-attr]
    method = method_of(("sorted_cuts", "lda_plane"), "gini").with_changes(missing={"name": "impute", "method": "mode"})
    changed = Table(columns, target)
    core = grow(changed, method, engine="core")
    assert_same(core, grow(changed, method, engine="python"))
    used = [core.question(node) for node in np.flatnonzero(core.nodes.question >= 0).tolist()]
    assert any(question.kind == "hyperplane" and 0 in question.columns for question in used)
    save(core, tmp_path / "tree.hb")


def test_the_next_best_questions_are_kept_alike() -> None:
    table = cloud(8, 3, missing=True)
    for more in ({}, {"split_penalty": {"hyperplane": 0.3}}, {"column_costs": {"x0": 3.0}}):
        method = method_of(("sorted_cuts", "lda_plane", "spheres"), "gini").with_changes(
            competitors=3, missing="surrogates", **more
        )
        core, plain = (grow(table, method, engine=engine) for engine in ("core", "python"))
        if "column_costs" not in more:
            assert_same(core, plain)
        ours, theirs = (
            [tree.questions[row] for row in tree.nodes.competitor_question.tolist()] for tree in (core, plain)
        )
        assert ours == theirs


def test_a_price_turns_the_choice_alike() -> None:
    table = cloud(2, 2)
    for price in (0.05, 0.5, 5.0):
        method = method_of(("sorted_cuts", "lda_plane"), "gini").with_changes(
            split_penalty={"hyperplane": price, "sphere": 1.0}
        )
        assert_same(grow(table, method, engine="core"), grow(table, method, engine="python"))


def test_columns_drawn_at_a_node_and_expensive_columns_are_kept_alike() -> None:
    table = cloud(4, 2)
    for more in ({"max_features": 2}, {"column_costs": {"x0": 3.0, "x2": 1.5}}):
        method = method_of(("sorted_cuts", "lda_plane"), "gini").with_changes(**more)
        core, plain = grow(table, method, engine="core"), grow(table, method, engine="python")
        assert [core.question(i) for i in np.flatnonzero(core.nodes.question >= 0)] == [
            plain.question(i) for i in np.flatnonzero(plain.nodes.question >= 0)
        ]


@pytest.mark.parametrize("name", ["kd_median", "pca_median", "two_means", "ball"])
def test_columns_drawn_at_a_node_are_the_only_ones_where_no_search_cuts(name: str) -> None:
    for seed in range(10):
        table = cloud(seed, 2, n=60)
        rare = np.random.default_rng(seed).random((60, 4)) < 0.8  # columns become constant at different depths
        columns = tuple(
            numeric(column.name, np.where(rare[:, j], 0.0, column.values)) for j, column in enumerate(table.columns)
        )
        method = method_of(name, "gini", depth=6).with_changes(max_features=1)
        rare_table = Table(columns, table.target)
        core, plain = (grow(rare_table, method, engine=engine, seed=seed) for engine in ("core", "python"))
        assert_same(core, plain)


@pytest.mark.parametrize("name", ["logistic_plane", "oc1_plane", "sparse_planes", "spheres", "two_means"])
@pytest.mark.parametrize("threads", [2, 3])
def test_the_tree_is_the_same_on_any_number_of_threads(name: str, threads: int) -> None:
    # Above 100,000 cells the threads are used.
    n = 9000 if name != "oc1_plane" else 8400
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 12))
    y = ((x @ rng.normal(size=12) + x[:, 0] * x[:, 1] + rng.normal(size=n)) > 0) * 1
    table = Table(tuple(numeric(f"x{j}", x[:, j]) for j in range(12)), nominal("y", y, ("a", "b")))
    method = method_of(small(name, **({"restarts": 0, "jumps": 0} if name == "oc1_plane" else {})), "gini", depth=2)
    one, more = (grow(table, method, engine="core", threads=t) for t in (1, threads))
    for field, values in one.nodes.arrays().items():
        assert (values == more.nodes.arrays()[field]).all(), field
    assert (one.questions.reals == more.questions.reals).all()


def test_rows_end_where_the_tree_predicts() -> None:
    """Every training row is counted in the leaf that the finished tree sends it to."""
    table = cloud(11, 3, missing=True, n=600)
    tree = grow(table, method_of(("sorted_cuts", "logistic_plane", "spheres"), "gini", depth=5), engine="core")
    from hornbeam.tree.walk import leaves

    ended = np.bincount(leaves(tree, table.columns), minlength=len(tree))
    is_leaf = tree.nodes.first_child < 0
    assert (ended[is_leaf] == tree.nodes.rows[is_leaf]).all()
