"""Random questions: the core draws what plain Python draws, and scores it alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.equivalence.random_methods import assert_same, random_method, random_table

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), is_number=st.booleans(), max_features=st.sampled_from([None, 1, 2, "sqrt"]))
def test_the_core_draws_and_scores_the_same_questions(seed: int, is_number: bool, max_features: object) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, is_number=is_number, n_classes=3)
    method = random_method(rng, is_number=is_number, n_classes=3)
    if method.criterion is not None and method.criterion.name == "c45":
        method = method.with_changes(criterion="entropy")
    method = method.with_changes(searches=["random_cuts"], max_features=max_features)
    assert_same(table, method, seed=seed % 1000, tree=3)


@pytest.mark.parametrize("values", [[-np.inf, 0.0, 1.0, np.inf], [1.0, np.nextafter(1.0, 2.0)] * 2])
def test_a_range_without_a_middle_is_cut_after_its_lowest_value(values: list[float]) -> None:
    table = Table((numeric("x", np.array(values)),), nominal("y", np.arange(4) % 2, ("no", "yes")))
    method = Method().with_changes(searches=["random_cuts"], criterion="gini")
    core, plain = (grow(table, method, engine=engine) for engine in ("core", "python"))
    questions = [[tree.question(node) for node in np.flatnonzero(~tree.nodes.is_leaf)] for tree in (core, plain)]
    assert questions[0] == questions[1]
    assert questions[0]


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_draws_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(20_000, 6))
    codes = rng.integers(0, 9, 20_000)
    target = (values[:, 0] + (codes > 4) + rng.normal(size=20_000) > 0) * 1
    columns = (*(numeric(f"x{j}", values[:, j]) for j in range(6)), nominal("c", codes, tuple("abcdefghi")))
    table = Table(columns, nominal("y", target, ("no", "yes")))
    method = Method().with_changes(searches=["random_cuts"])
    one, many = (grow(table, method, engine="core", threads=n) for n in (1, threads))
    for name, array in one.nodes.arrays().items():
        assert array.tobytes() == many.nodes.arrays()[name].tobytes(), name
    for name, array in one.questions.arrays().items():
        assert array.tobytes() == many.questions.arrays()[name].tobytes(), name
