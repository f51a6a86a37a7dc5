"""Levels are values that a model file can store, whatever type the categories of the source have."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.level_values import level_value

pd = pytest.importorskip("pandas")


class Number(enum.IntEnum):
    ONE = 1


class Name(str):
    __slots__ = ()


DAY = datetime.date(2020, 1, 2)
MOMENT = datetime.datetime(2020, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (decimal.Decimal("2.50"), 2.5),
        (decimal.Decimal(7), 7),
        (fractions.Fraction(1, 2), 0.5),
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (Number.ONE, 1),
        (Name("a"), "a"),
        (DAY, DAY),
        (MOMENT, MOMENT),
        (pd.Timestamp(MOMENT), MOMENT),
        (pd.Timestamp(MOMENT, tz="UTC"), MOMENT.replace(tzinfo=datetime.UTC)),
        (pd.Timestamp(1), "1970-01-01 00:00:00.000000001"),
        (pd.Interval(0, 10), "(0, 10]"),
        (pd.Period("2020-01"), "2020-01"),
        (datetime.timedelta(2), "2 days, 0:00:00"),
        ((decimal.Decimal(1), "b"), (1, "b")),
    ],
)
def test_a_level_is_a_value_that_a_model_file_can_store(value, level):
    found = level_value(value)
    assert found == level
    assert type(found) in (str, bool, int, float, tuple, datetime.date, datetime.datetime)
    assert level_value(found) == found


N_ROWS = 60
SOURCES = {
    "decimals": ([decimal.Decimal(row % 3) for row in range(N_ROWS)], "nominal"),
    "fractions": ([fractions.Fraction(row % 3, 2) for row in range(N_ROWS)], "ordinal"),
    "durations": ([datetime.timedelta(row % 3) for row in range(N_ROWS)], "nominal"),
    "times": ([pd.Timestamp(2020, 1, 1 + row % 3) for row in range(N_ROWS)], "ordinal"),
    "pandas.cut": (pd.cut(np.arange(N_ROWS) % 30, [0, 10, 20, 30], right=False), None),
    "categories that are periods": (pd.Categorical(pd.period_range("2020", periods=3).repeat(20)), None),
    "categories that are decimals": (pd.Categorical([decimal.Decimal(row % 3) for row in range(N_ROWS)]), None),
}


@pytest.mark.parametrize("target", ["c", "other"])
@pytest.mark.parametrize("name", SOURCES)
def test_a_tree_of_any_categories_is_saved_and_predicts_the_same_rows(tmp_path, name, target):
    values, kind = SOURCES[name]
    frame = pd.DataFrame({"c": values, "other": ["u", "v", "v"] * 20})
    tree = hb.grow(hb.read(frame, target=target, kinds={"c": kind} if kind else {}), "plain")
    hb.save(tree, tmp_path / "model.tree")
    loaded = hb.load(tmp_path / "model.tree")
    expected = hb.predict(tree, frame).labels.tolist()
    assert hb.predict(loaded, frame).labels.tolist() == expected
    assert hb.predict(loaded, frame.iloc[:5]).labels.tolist() == expected[:5]


def test_the_order_of_the_categories_of_pandas_cut_is_kept():
    values = pd.cut([25, 5, 15], [0, 10, 20, 30], labels=None)
    (column,) = hb.read({"c": values, "y": ["u", "v", "u"]}, target="y").columns
    assert (column.kind, column.levels) == (hb.table.Kind.ORDINAL, ("(0, 10]", "(10, 20]", "(20, 30]"))
