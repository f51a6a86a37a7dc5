"""Columns and tables are immutable; row weights and class vectors."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table import targets
from hornbeam.table.column import Column, Kind, numeric
from hornbeam.table.read import table_from_arrays
from hornbeam.table.table import Table


def test_a_column_known_to_be_complete_is_not_scanned():
    column = Column("x", Kind.NUMERIC, np.array([1.0, np.nan]), known_complete=True)
    assert not column.has_missing
    assert dataclasses.replace(column, name="z").has_missing


def test_row_weights_are_ones_without_weights_and_cannot_be_changed():
    table = Table((numeric("x", [1.0, 2.0]),))
    assert table.row_weights.tolist() == [1.0, 1.0]
    assert dataclasses.replace(table, weights=np.array([0.5, 2.0])).row_weights.tolist() == [0.5, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        table.row_weights[0] = 3.0


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
@pytest.mark.parametrize("values", [[3, 1, 3, 0], [-7, 2**31 - 1, 5, 5], [2000, 1, 1, 0]])
def test_integer_classes_are_coded_without_floats(dtype, values, monkeypatch):
    y = np.array(values).astype(dtype)
    monkeypatch.setattr(targets, "raw_target", None)
    target = table_from_arrays(np.zeros((4, 1)), y, target_kind="nominal").target
    levels, codes = np.unique(y, return_inverse=True)
    assert target.levels == tuple(levels.tolist())
    assert all(type(level) is int for level in target.levels)
    assert target.values.tolist() == codes.tolist()


def test_integers_without_a_kind_are_a_regression_target():
    target = table_from_arrays(np.zeros((3, 1)), np.array([1, 2, 3])).target
    assert target.kind is Kind.NUMERIC
    assert target.values.tolist() == [1.0, 2.0, 3.0]


def test_a_table_as_lists_is_the_same_table_when_it_is_read_again(tmp_path):
    table = hb.datasets.load("penguins")
    again = hb.read(table.as_dict(), target="species")
    assert again.schema == table.schema
    for name in (*table.names, "species"):
        assert np.array_equal(again[name].values, table[name].values, equal_nan=True)
    (tmp_path / "d.csv").write_text("day,y\n03.04.2024,a\n,b\n17.05.2024,a\n", encoding="utf-8")
    dated = hb.read(tmp_path / "d.csv", target="y").as_dict()
    assert dated == {"day": ["2024-04-03", None, "2024-05-17"], "y": ["a", "b", "a"]}
