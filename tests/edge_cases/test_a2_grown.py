"""Odd values and weights, part A2, in grown trees. The number of the item comes first."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


def classes(values, name="y"):
    levels = tuple(sorted(set(values)))
    return nominal(name, [levels.index(value) for value in values], levels)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are taken from Linux")
def test_060_ten_million_rows_take_no_more_memory_than_estimated():
    script = textwrap.dedent(
        """
        import pathlib
        import numpy as np
        import hornbeam as hb

        def resident(field):
            lines = pathlib.Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

        n = 10_000_000
        a = np.arange(n, dtype=np.float64) % 1009.0
        X = np.stack([a, a[::-1]], axis=1)
        table = hb.table.table_from_arrays(X, (a > 504).astype(int), target_kind="nominal", copy=False)
        method = hb.Recipe(stops=({"name": "max_depth", "depth": 2},))
        hb.grow(table.take(np.arange(100)), method)
        estimated = hb.estimate(table, method, threads=1).in_memory
        pathlib.Path("/proc/self/clear_refs").write_text("5")
        before = resident("VmRSS")
        tree = hb.grow(table, method, threads=1)
        assert tree.nodes.rows[0] == n and tree.errors()[tree.nodes.is_leaf].sum() == 0
        print((resident("VmHWM") - before) / estimated)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], timeout=300, check=True, capture_output=True, text=True)
    assert float(done.stdout) <= 1.0


@pytest.mark.parametrize("engine", ["core", "python"])
def test_070_a_column_constant_but_for_one_row_is_used(engine):
    table = hb.read({"x": [1.0] * 9 + [5.0], "y": ["a"] * 9 + ["b"]}, target="y")
    tree = hb.grow(table, "plain", engine=engine)
    assert tree.question(0).text(table.schema) == "x <= 3"
    assert tree.nodes.rows.tolist() == [10, 9, 1]


@pytest.mark.parametrize("engine", ["core", "python"])
def test_071_rows_all_alike_with_different_labels_are_a_leaf_with_probabilities(engine):
    table = hb.read({"x": [2.0] * 4, "c": ["u"] * 4, "y": list("aaab")}, target="y")
    tree = hb.grow(table, "plain", engine=engine)
    assert tree.n_leaves == 1
    assert hb.predict(tree, table).probabilities.tolist() == [[0.75, 0.25]] * 4


@pytest.mark.parametrize("levels", [64, 65, 256, 257, 65_537])
def test_073_too_many_sets_of_levels_are_refused_with_their_number_unless_limited(levels):
    codes = np.arange(2 * levels) % levels
    column = nominal("c", codes, tuple(f"v{code}" for code in range(levels)))
    table = Table((column,), nominal("y", codes % 3, tuple("abc")))
    with pytest.raises(
        InputError, match=rf"Column 'c' has {levels} levels with .* sets, but the maximum is.*size_limit"
    ):
        hb.grow(table, hb.Recipe(searches=("all_subsets",)))
    limit = ({"name": "max_depth", "depth": 1},)
    small = hb.grow(table, hb.Recipe(searches=({"name": "all_subsets", "size_limit": 1},), stops=limit))
    best = hb.grow(table, hb.Recipe(searches=("best_subset",), stops=limit))
    assert 0 < small.nodes.gain[0] <= best.nodes.gain[0] + 1e-12


@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "learned", "own_branch", "fractional", "impute"])
def test_081_a_column_missing_in_999_of_1000_rows_does_no_harm(missing):
    x = np.full(1000, np.nan)
    x[500] = 1.0
    z = np.arange(1000.0)
    table = Table((numeric("x", x), numeric("z", z)), nominal("y", (z > 700).astype(int), ("no", "yes")))
    tree = hb.grow(table, hb.Recipe(missing=missing))
    assert tree.used_columns() == {1}
    assert (hb.predict(tree, table).codes == table.target.values).all()


@pytest.mark.parametrize("method", [hb.Recipe(missing="learned"), hb.Recipe(searches=("sorted_cuts", "is_missing"))])
def test_082_missing_values_that_decide_the_class_are_found_by_a_question(method):
    x = [None, 1.0, None, 2.0, None, 1.5]
    table = hb.read({"x": x, "y": ["gone" if value is None else "there" for value in x]}, target="y")
    tree = hb.grow(table, method)
    assert "x is missing" in str(tree)
    assert hb.predict(tree, table).labels.tolist() == [table.target.levels[code] for code in table.target.values]


@pytest.mark.parametrize("engine", ["core", "python"])
def test_083_the_variance_of_numbers_far_from_zero_is_that_of_two_passes(engine):
    y = 1e15 + np.array([0.0, 1.0, 2.0, 10.0, 12.0, 14.0])
    table = Table((numeric("x", np.arange(6.0)),), numeric("y", y))
    tree = hb.grow(table, hb.Recipe(stops=({"name": "max_depth", "depth": 1},)), engine=engine)
    assert tree.nodes.impurity.tolist() == pytest.approx([y.var(), y[:3].var(), y[3:].var()], rel=1e-9)
    assert (tree.nodes.impurity >= 0).all()
    assert hb.predict(tree, table).numbers.tolist() == [1e15 + 1] * 3 + [1e15 + 12] * 3


def test_084_a_target_whose_squared_error_overflows_is_named_and_a_smaller_one_grows():
    x = np.arange(10.0)
    with pytest.raises(InputError, match=r"squared error of the target 'y' overflows"):
        hb.grow(Table((numeric("x", x),), numeric("y", 1e200 * x)), "plain")
    assert hb.grow(Table((numeric("x", x),), numeric("y", 1e150 * x)), "plain").n_leaves == 10


@pytest.mark.parametrize("engine", ["core", "python"])
def test_085_a_constant_number_is_a_single_leaf(engine):
    tree = hb.grow(Table((numeric("x", np.arange(5.0)),), numeric("y", np.full(5, 2.5))), "plain", engine=engine)
    assert tree.nodes.answer.tolist() == [2.5]


def test_086_ten_thousand_classes_are_grown_within_the_estimate():
    n = 10_000
    table = Table((numeric("x", np.arange(float(n))),), nominal("y", np.arange(n), tuple(map(str, range(n)))))
    method = hb.Recipe(stops=({"name": "max_depth", "depth": 3},))
    tree = hb.grow(table, method)
    assert tree.nodes.stats.shape == (len(tree), n)
    assert tree.n_leaves > 2
    assert tree.nodes.stats.nbytes <= hb.estimate(table, method).in_memory


@pytest.mark.parametrize("recipe", ["plain", "cart", "c45"])
def test_087_a_class_seen_once_is_learned_about_and_no_obstacle(recipe):
    y = ["a"] * 15 + ["b"] * 14 + ["c"]
    table = hb.read({"x": list(range(30)), "y": y}, target="y")
    tree = hb.grow(table, recipe)
    assert tree.schema.classes == ("a", "b", "c")
    assert np.allclose(hb.predict(tree, table).probabilities.sum(axis=1), 1.0)


def test_093_weights_that_sum_beyond_2_to_53_count_up_to_the_documented_rounding():
    weights = np.array([2.0**53, 3.0, 2.0**53, 5.0])
    table = Table((numeric("x", np.arange(4.0)),), classes("aabb"), weights)
    core, plain = (hb.grow(table, "plain", engine=engine) for engine in ("core", "python"))
    assert core.nodes.stats.tolist() == plain.nodes.stats.tolist()
    # Weights become multiples of 2^-51 of their total or less, at least one each.
    assert core.nodes.weight[0] == pytest.approx(weights.sum(), rel=2.0**-50)
    assert (core.nodes.stats[1:].max(axis=1) > 0).all()
