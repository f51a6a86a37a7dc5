"""The compiled core rejects what it does not know: keys, parts and settings. A misspelled one is never a default."""

import re

import numpy as np
import pytest

from hornbeam import _native

PARTS = {
    "criterion": ("criterion", "gini", {}),
    "searches": [("search", "sorted_cuts", {})],
    "missing": ("missing", "skip_column", {}),
    "stops": [("stop", "min_leaf", {"rows": 2})],
    "order": ("order", "depth_first", {}),
}


def job(parts=(), **more):
    """Four rows, one numeric column, two classes."""
    return {
        "parts": {**PARTS, **dict(parts)},
        "n_rows": 4,
        "columns": [(0, np.arange(4.0), 0)],
        "classes": np.array([0, 0, 1, 1], dtype=np.int32),
        "n_classes": 2,
        **more,
    }


def rows(**more):
    return {"n_rows": 4, "columns": [(0, np.arange(4.0), 0)], "target": np.array([0.0, 0.0, 1.0, 1.0]), **more}


def message(text):
    return pytest.raises(ValueError, match=re.escape(text))


def test_a_job_of_known_keys_grows_a_tree():
    assert len(_native.grow(job())["nodes"]["first_child"]) == 3


@pytest.mark.parametrize("call", [_native.grow, _native.grows_at_once])
def test_an_unknown_key_of_a_job_is_an_error(call):
    with message("Unknown key 'trheads' in the job."):
        call(job(trheads=2))


def test_an_unknown_key_is_found_when_a_known_one_is_absent():
    given = job(sede=2)
    del given["n_classes"]
    with message("Missing key 'n_classes' in the job."):
        _native.grow(given)
    with message("Unknown key 'loos' in the parts."):
        _native.grow(job({"loos": ("loss", "squared", {})}))


def test_a_job_without_rows_is_an_error():
    with message("Missing key 'parts' in the job."):
        _native.grow({})
    with message("Missing key 'n_rows' in the job."):
        _native.grow({"parts": PARTS})


def test_an_unknown_part_is_an_error_that_lists_the_known_ones():
    with pytest.raises(_native.UnknownPart, match="Unknown criterion 'giny'") as caught:
        _native.grow(job({"criterion": ("criterion", "giny", {})}))
    error = caught.value
    assert (error.part_type, error.name, error.key) == ("criterion", "giny", "")
    assert "gini" in error.known
    assert isinstance(error, _native.PartError)
    assert isinstance(error, ValueError)


def test_an_unknown_setting_is_an_error_that_lists_the_known_ones():
    with pytest.raises(_native.UnknownSetting, match="Unknown setting 'row' of the stop min_leaf") as caught:
        _native.grow(job({"stops": [("stop", "min_leaf", {"row": 2})]}))
    error = caught.value
    assert (error.part_type, error.name, error.key) == ("stop", "min_leaf", "row")
    assert error.known == ["rows", "weight"]


@pytest.mark.parametrize(
    ("search", "settings", "text"),
    [
        ("binned_cuts", {"bins": "many"}, "'bins' of the search binned_cuts must be an integer, got 'many'"),
        ("binned_cuts", {"bins": 2.5}, "must be an integer, got 2.5"),
        ("binned_cuts", {"bins": True}, "must be an integer, got True"),
        ("sorted_cuts", {"cut": "left"}, "must be one of midpoint, data, got 'left'"),
        ("multiway", {"once_per_path": 1}, "must be true or false, got 1"),
        ("many_levels", {"few": len}, "must be a number, got a value of type builtin_function_or_method"),
        ("all_subsets", {"size_limit": 1.0}, "must be an integer or None, got 1.0"),
    ],
)
def test_a_setting_of_another_type_is_an_error(search, settings, text):
    with pytest.raises(_native.BadSetting, match=re.escape(text)) as caught:
        _native.grow(job({"searches": [("search", search, settings)]}))
    assert caught.value.key == next(iter(settings))


def test_an_integer_is_a_number_and_none_is_no_limit():
    searches = [("search", "many_levels", {"few": 3}), ("search", "sorted_cuts", {})]
    assert len(_native.grow(job({"searches": searches}))["nodes"]["first_child"]) == 3
    searches = [("search", "all_subsets", {"size_limit": None}), ("search", "sorted_cuts", {})]
    assert len(_native.grow(job({"searches": searches}))["nodes"]["first_child"]) == 3


def test_a_part_that_is_no_tuple_is_an_error():
    with message("A part must be a tuple (part type, name, settings)."):
        _native.grow(job({"criterion": "gini"}))


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
