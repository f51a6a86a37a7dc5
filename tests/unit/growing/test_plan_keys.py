"""The compiled core rejects settings that it does not know: a misspelled key is never a silent default."""

import re

import numpy as np
import pytest

from hornbeam import _native


def plan(**more):
    """Four rows, one numeric column, two classes."""
    return {
        "n_rows": 4,
        "columns": [(0, np.arange(4.0), 0)],
        "classes": np.array([0, 0, 1, 1], dtype=np.int32),
        "n_classes": 2,
        "criterion": "gini",
        "cuts": True,
        **more,
    }


def rows(**more):
    return {"n_rows": 4, "columns": [(0, np.arange(4.0), 0)], "target": np.array([0.0, 0.0, 1.0, 1.0]), **more}


def message(text):
    return pytest.raises(ValueError, match=re.escape(text))


def test_a_plan_of_known_keys_grows_a_tree():
    assert len(_native.grow(plan(min_leaf=2))["nodes"]["first_child"]) == 3


@pytest.mark.parametrize("call", [_native.grow, _native.Prepared, _native.is_lean])
def test_an_unknown_key_of_a_plan_is_an_error(call):
    with message("Unknown key 'min_laef' in the plan."):
        call(plan(min_laef=2))


def test_an_unknown_key_is_found_when_a_known_one_is_absent():
    given = plan(min_laef=2)
    del given["cuts"]
    with message("Unknown key 'min_laef' in the plan."):
        _native.grow(given)


def test_a_plan_without_rows_is_an_error():
    with message("Missing key 'n_rows' in the plan."):
        _native.grow({})


def test_an_unknown_criterion_of_a_plan_is_an_error():
    with message("Unknown criterion 'giny' in the plan."):
        _native.grow(plan(criterion="giny"))


def test_an_unknown_key_of_a_forest_task_is_an_error():
    target = np.zeros(4, dtype=np.int64)
    assert len(_native.drawn_times({"replace": True}, target, 0, 1, 0)) == 4
    with message("Unknown key 'replaced' in the task."):
        _native.drawn_times({"replaced": True}, target, 0, 1, 0)


def test_an_unknown_key_of_a_boosting_plan_is_an_error():
    assert len(_native.Booster({"rows": rows()}).base) == 1
    with message("Unknown key 'rat' in the plan."):
        _native.Booster({"rows": rows(), "rat": 0.1})
    with message("Unknown key 'wieghts' in the rows of the plan."):
        _native.Booster({"rows": rows(wieghts=np.ones(4))})
