"""What columns cost: the core chooses and keeps what the plain grower does.

Scores are divided by the cost where columns are compared, and kept as they are.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_same, random_method, random_table

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), n_classes=st.integers(1, 4))
def test_columns_of_different_costs_are_chosen_alike(seed: int, is_number: bool, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    assert method.criterion is not None
    changes: dict[str, object] = {
        "column_costs": {c.name: float(rng.choice((0.5, 1.0, 2.0, 4.0))) for c in table.columns}
    }
    if rng.random() < 0.3 and method.criterion.name != "c45":
        changes["split_penalty"] = {"threshold": 0.5}
    assert_same(table, dataclasses.replace(method, **changes))  # type: ignore[arg-type]


def test_the_score_that_is_kept_is_the_one_before_the_cost() -> None:
    table = Table(
        (numeric("expensive", np.array([0.0, 0, 1, 1])), numeric("cheap", np.array([0.0, 1, 0, 1]))),
        nominal("y", np.array([0, 0, 1, 1]), ("A", "B")),
    )
    method = Method(column_costs={"expensive": 4.0})
    for engine in ("core", "python"):
        # The column parts the classes: Gini's decrease is 1/2 whatever it costs to ask.
        assert grow(table, method, engine=engine).nodes.score[0] == 0.5


def test_the_price_of_a_kind_counts_where_two_rows_are_left() -> None:
    """Every column that varies parts two rows alike; the cheapest question does it, not the first."""
    table = Table(
        (numeric("x", np.array([0.0, 1.0])), nominal("c", np.array([0, 1]), ("a", "b"))),
        nominal("y", np.array([0, 1]), ("A", "B")),
    )
    method = Method(split_penalty={"threshold": 1.0})
    assert_same(table, method)
    assert grow(table, method, engine="core").question(0).kind == "subset"
