"""Columns drawn at each node: the core draws what plain Python draws."""

import numpy as np
import pandas as pd
import pytest

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.read import table_from_arrays


@pytest.mark.parametrize("max_features", [1, 2, 0.5, "sqrt", "log2", 99])
@pytest.mark.parametrize("seed", range(4))
def test_the_core_draws_the_same_columns(max_features, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 6, (60, 4)), columns=list("abcd"))
    frame["e"] = rng.choice(["p", "q", "r"], 60)
    frame["f"] = 1.0  # never varies: drawn alone, it makes room for another
    frame.loc[rng.random(60) < 0.2, "a"] = np.nan
    table = table_from_arrays(frame, rng.integers(0, 3, 60), target_kind="nominal")
    method = Method(max_features=max_features)
    core, python = (grow(table, method, engine=engine, seed=seed) for engine in ("core", "python"))
    for name in ("parent", "first_child", "rows", "answer", "missing_branch"):
        np.testing.assert_array_equal(getattr(core.nodes, name), getattr(python.nodes, name))
    questions = [[tree.question(node) for node in np.flatnonzero(~tree.nodes.is_leaf)] for tree in (core, python)]
    assert questions[0] == questions[1]


@pytest.mark.parametrize("wrong", [0, -1, 0.0, 1.5, True, "half", float("nan"), [1]])
def test_a_number_of_columns_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValueError, match="max_features must be"):
        Method(max_features=wrong)
