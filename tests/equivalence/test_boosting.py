"""The core boosts as the plain loop defines: same questions, values and losses, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_equal_trees

import hornbeam as hb
from hornbeam.ensembles.methods.boosting import boost
from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest

LOSSES = ("logistic", "softmax", "squared", "poisson", "absolute", "quantile")


def mixed_columns(rng: np.random.Generator, n: int) -> tuple[Column, ...]:
    values = rng.normal(size=(n, 3))
    values[:, 1] = np.round(values[:, 1] * 2)
    values[rng.random(values.shape) < 0.1] = np.nan
    return (
        *(numeric(f"x{j}", values[:, j]) for j in range(3)),
        nominal("c", rng.integers(-1, 9, n), tuple("abcdefghi")),
        ordinal("o", rng.integers(0, 5, n), tuple("stuvw")),
    )


def table_for(loss: str, rng: np.random.Generator, n: int, weighed: bool = False) -> Table:
    columns = mixed_columns(rng, n)
    signal = np.nan_to_num(columns[0].values) + (columns[3].values > 3) + 0.4 * rng.normal(size=n)
    if loss == "logistic":
        target = nominal("y", (signal > 0.5) * 1, ("no", "yes"))
    elif loss == "softmax":
        target = nominal("y", np.digitize(signal, [0, 1]), ("a", "b", "c"))
    else:
        target = numeric("y", np.floor(np.exp(signal)) if loss == "poisson" else signal)
    return Table(columns, target, rng.integers(1, 4, n) / 2 if weighed else None)


def assert_equal_forests(one: Forest, other: Forest) -> None:
    assert len(one) == len(other)
    np.testing.assert_allclose(one.base, other.base, rtol=1e-12)
    for a, b in zip(one, other, strict=True):
        assert_equal_trees(a, b)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), loss=st.sampled_from(LOSSES))
def test_the_core_and_the_plain_loop_give_the_same_trees(seed: int, loss: str) -> None:
    rng = np.random.default_rng(seed)
    table = table_for(loss, rng, int(rng.integers(30, 150)), weighed=bool(rng.random() < 0.3))
    settings = {
        "loss": loss,
        "quantile": 0.3,
        "n_rounds": 3,
        "learning_rate": 0.3,
        "max_leaves": int(rng.integers(2, 9)) if rng.random() < 0.7 else None,
        "max_depth": int(rng.integers(1, 5)),
        "order": str(rng.choice(["best_first", "level_wise"])),
        "min_rows": [None, 1, 3, 5, 11][int(rng.integers(5))],
        "l1": float(rng.choice([0, 0.5])),
        "l2": [None, 0.0, 1.0][int(rng.integers(3))],
        "categorical_l2": float(rng.choice([0, 10.0])),
        "categorical_smoothing": float(rng.choice([0, 5.0])),
        "gamma": float(rng.choice([0, 0.1])),
        "bins": int(rng.integers(4, 40)),
        "rows_per_tree": float(rng.choice([1.0, 0.6])),
        "columns_per_tree": float(rng.choice([1.0, 0.7])),
        "columns_per_node": [None, 1.0, 0.6][int(rng.integers(3))],
        "min_f": [None, 0.0, 2.0, 8.0][int(rng.integers(4))],
        "joint_trees": bool(rng.random() < 0.8),
        "monotone_constraints": {"x0": 1, "o": -1} if rng.random() < 0.3 else None,
        "interaction_constraints": (("x0", "c"), ("x1", "x2", "o")) if rng.random() < 0.3 else None,
        "seed": int(rng.integers(0, 1000)),
    }
    assert_equal_forests(boost(table, **settings), boost(table, engine="python", **settings))


@pytest.mark.parametrize("loss", LOSSES)
def test_rows_held_out_stop_both_at_the_same_round(loss: str) -> None:
    table = table_for(loss, np.random.default_rng(4), 200)
    settings = {
        "loss": loss,
        "n_rounds": 30,
        "learning_rate": 0.5,
        "validation_fraction": 0.25,
        "early_stopping_rounds": 3,
        "min_rows": 3,
    }
    core, plain = boost(table, **settings), boost(table, engine="python", **settings)
    assert_equal_forests(core, plain)
    np.testing.assert_allclose(core.metadata["held_out_loss"], plain.metadata["held_out_loss"], rtol=1e-9)
    assert len(core) < 30 * len(core.base)


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("leaves", [None, 31])
def test_boosted_trees_are_the_same_on_any_number_of_threads(threads: int, leaves: int | None) -> None:
    """B82: same bytes; 30,000 rows, so that the root is added up in parts."""
    table = table_for("softmax", np.random.default_rng(1), 30_000)
    one = boost(table, n_rounds=2, max_depth=6, max_leaves=leaves, threads=1)
    many = boost(table, n_rounds=2, max_depth=6, max_leaves=leaves, threads=threads)
    for a, b in zip(one, many, strict=True):
        for name, array in a.nodes.arrays().items():
            assert array.tobytes() == b.nodes.arrays()[name].tobytes(), name


def test_a_column_with_very_many_levels_is_boosted_alike() -> None:
    rng = np.random.default_rng(8)
    codes = rng.integers(-1, 600, 2500)
    columns = (nominal("c", codes, tuple(map(str, range(600)))), numeric("x", rng.normal(size=2500)))
    table = Table(columns, numeric("y", (codes % 7) + columns[1].values + rng.normal(size=2500)))
    settings = {"n_rounds": 3, "max_leaves": 6}
    assert_equal_forests(boost(table, **settings), boost(table, engine="python", **settings))


def test_rounding_is_no_improvement_of_the_loss():
    from hornbeam.ensembles.boosting.early_stopping import improves

    assert improves(0.9, 1.0, 0.0)
    assert improves(1.0, np.inf, 0.0)
    assert not improves(-2e10 - 4e-6, -2e10, 0.0)
    assert not improves(0.95, 1.0, 0.1)
    rng = np.random.default_rng(0)
    # Counts near 1e9 whose trees step by rounding alone.
    table = hb.read({"x": rng.integers(0, 3, 40), "y": np.full(40, 1e9) + rng.integers(0, 2, 40)}, target="y")
    settings = {"loss": "poisson", "n_rounds": 4, "validation_fraction": 0.3, "min_rows": 5, "seed": 3}
    assert len(hb.boost(table, **settings)) == len(hb.boost(table, engine="python", **settings))
