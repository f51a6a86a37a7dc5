"""A short pandas frame is converted in one step, with the same result as a long one."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from hornbeam.errors import InputError
from hornbeam.table.readers import frames

pd = pytest.importorskip("pandas")


def frame() -> object:
    """Three rows of every type of column that pandas has."""
    return pd.DataFrame(
        {
            "float": [1.5, np.nan, -np.inf],
            "single": np.array([0.1, np.nan, 2.0], dtype=np.float32),
            "integer": [1, 2, 3],
            "large": np.array([2**63 - 1, 2**53 + 1, 0], dtype=np.int64),
            "unsigned": np.array([1, 2, 3], dtype=np.uint8),
            "nullable large": pd.array([2**60 + 1, None, 3], dtype="Int64"),
            "nullable float": pd.array([1.5, None, 3.0], dtype="Float64"),
            "numeric category": pd.Categorical([3, None, 1], categories=[1, 3]),
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "boolean": [True, False, True],
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "text": pd.array(["b", None, "a"], dtype="string"),
            "python text": pd.Series(["b", None, "a"], dtype=object),
            "python number": pd.Series([1, None, 2.5], dtype=object),
            "category": pd.Categorical(["x", None, "y"], categories=["y", "x", "z"]),
            "ordered": pd.Categorical(["lo", "hi", None], categories=["lo", "hi"], ordered=True),
            "date": pd.to_datetime(["2020-01-01", None, "2021-05-06"]),
            "day": pd.Series([datetime.date(2020, 1, 1), None, datetime.date(2021, 1, 2)], dtype=object),
            "duration": pd.to_timedelta([1, None, 3], unit="D"),
        }
    )


def values(column, rows: int) -> list[object]:
    """The values of a raw column, text for NaN so that lists compare."""
    if column.numbers is not None:
        return [repr(value) for value in column.numbers[:rows].tolist()]
    return [None if code < 0 else column.distinct[code] for code in column.codes[:rows].tolist()]


@pytest.mark.parametrize("name", frame().columns)
def test_a_short_frame_has_the_columns_of_a_long_one(name):
    short = frames.raw(frame()).columns[frame().columns.tolist().index(name)]
    long = frames.raw(pd.concat([frame()] * 30, ignore_index=True)).columns[frame().columns.tolist().index(name)]
    assert values(short, 3) == values(long, 3)
    assert (short.declared, short.levels, short.notes) == (long.declared, long.levels, long.notes)


def test_a_row_is_converted_without_a_series_per_column(monkeypatch):
    rows = frame()[["float", "integer", "text", "python text", "boolean", "maybe", "nullable", "category"]].iloc[[0]]
    monkeypatch.setattr(frames, "raw_series", lambda *given: pytest.fail("a series was created"))
    assert [values(column, 1) for column in frames.raw(rows).columns] == [
        ["1.5"],
        ["1.0"],
        ["b"],
        ["b"],
        [True],
        [True],
        ["1.0"],
        ["x"],
    ]


def test_nested_values_of_a_short_frame_are_an_error_that_names_the_column():
    table = frames.raw(pd.DataFrame({"inner": [[1, 2]], "x": [1]}))
    with pytest.raises(InputError, match="Column 'inner', row 0"):
        _ = table.columns[0].codes
