"""Borrowed columns: the same values and the same tree as copied columns, without a copy."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.borrowed import BorrowedColumn, can_borrow, extents
from hornbeam.table.read import table_from_arrays


def matrix(dtype: type, order: str = "C") -> np.ndarray:
    draw = np.random.default_rng(0)
    return np.asarray(draw.normal(size=(200, 4)).round(2), dtype=dtype, order=order)  # type: ignore[call-overload]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_borrowed_column_has_the_values_of_a_copied_one(dtype: type, order: str) -> None:
    X = matrix(dtype, order)
    borrowed, copied = table_from_arrays(X, copy=False), table_from_arrays(X)
    for mine, theirs in zip(borrowed.columns, copied.columns, strict=True):
        assert isinstance(mine, BorrowedColumn)
        assert np.shares_memory(mine.source, X)
        assert mine.values.dtype == np.float64
        assert mine.values.tolist() == theirs.values.tolist()
        assert not mine.values.flags.writeable
        assert (len(mine), mine.has_missing, mine.notes, mine.why) == (200, False, theirs.notes, theirs.why)
        rows = np.array([5, 3])
        assert mine.take(rows).values.tolist() == theirs.take(rows).values.tolist()
        assert pickle.loads(pickle.dumps(mine)).values.tolist() == theirs.values.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("recipe", ["plain", "c45", "cart"])
def test_a_tree_grown_on_borrowed_columns_is_that_of_copied_ones(dtype: type, recipe: str) -> None:
    X = matrix(dtype)
    X[::7, 1] = np.nan
    y = (X[:, 0] + X[:, 2] ** 2 > 0.5).astype(int)
    borrowed, copied = (table_from_arrays(X, y, target_kind="nominal", copy=copy) for copy in (False, True))
    assert str(hb.grow(borrowed, recipe)) == str(hb.grow(copied, recipe))


def test_searches_that_require_contiguous_float64_values_get_them() -> None:
    X = matrix(np.float32)
    y = X[:, 0] > 0.2
    borrowed, copied = (table_from_arrays(X, y, target_kind="nominal", copy=copy) for copy in (False, True))
    for search in ("binned_cuts", "random_cuts", "logistic_plane"):
        method = hb.recipe("plain").with_changes(searches=[search])
        assert str(hb.grow(borrowed, method)) == str(hb.grow(copied, method))


def test_an_infinite_value_of_a_borrowed_column_is_an_error_with_its_row() -> None:
    X = matrix(np.float32)
    X[17, 2] = np.inf
    with pytest.raises(InputError, match=r"'x2', row 17, must be finite"):
        table_from_arrays(X, copy=False)
    assert table_from_arrays(X, copy=False, infinite="ordered").columns[2].values[17] == np.inf


def test_the_extent_of_a_column_is_its_minimum_and_maximum_or_nan() -> None:
    X = matrix(np.float64)
    X[150, 3] = np.nan
    found = extents(X)
    assert found[:3] == [(X[:, c].min(), X[:, c].max()) for c in range(3)]
    assert np.isnan(found[3]).all()
    assert table_from_arrays(X, copy=False).columns[3].has_missing


def test_what_cannot_be_read_in_place_is_copied() -> None:
    assert not can_borrow(matrix(np.float32).astype(">f4"))
    assert not can_borrow(np.arange(12).reshape(3, 4))
    assert not can_borrow(np.zeros((3, 1000)))
    assert not isinstance(table_from_arrays(matrix(np.float64).astype(">f8"), copy=False).columns[0], BorrowedColumn)
