"""Arrow dictionaries may have equal values, null among the values, and texts that are not UTF-8."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError

pa = pytest.importorskip("pyarrow")

CODES = pa.array([0, 1, 2, 3, None, 2], pa.int32())
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], dtype=np.int32)), pa.py_buffer(b"a\xff")]
)


def dictionary(values):
    return pa.DictionaryArray.from_arrays(CODES, pa.array(values))


def column_of(values):
    table = pa.table({"c": dictionary(values), "y": ["u", "v"] * 3})
    return hb.read(table, target="y")["c"]


@pytest.mark.parametrize(
    ("values", "levels", "codes"),
    [
        (["a", "b", "a", "c"], ("a", "b", "c"), [0, 1, 0, 2, -1, 0]),
        (["a", None, "b", "a"], ("a", "b"), [0, -1, 1, 0, -1, 1]),
        ([1.5, float("nan"), 0.5, 1.5], (0.5, 1.5), [1, -1, 0, 1, -1, 0]),
        ([2, 1, 2, 3], (1, 2, 3), [1, 0, 1, 2, -1, 1]),
    ],
)
def test_equal_values_are_one_level_and_null_is_missing(values, levels, codes):
    column = column_of(values)
    assert (column.levels, column.values.tolist()) == (levels, codes)


def test_pandas_columns_of_such_dictionaries_are_the_same():
    pd = pytest.importorskip("pandas")
    values = pd.array(dictionary(["a", "b", "a", None]), dtype=pd.ArrowDtype(dictionary(["a"] * 4).type))
    column = hb.read(pd.DataFrame({"c": values, "y": ["u", "v"] * 3}), target="y")["c"]
    assert (column.levels, column.values.tolist()) == (("a", "b"), [0, 1, 0, -1, -1, 0])


def test_nested_values_are_an_error():
    with pytest.raises(InputError, match="Column 'c', row 0, has the type"):
        column_of([[1], [2], [3], [4]])


@pytest.mark.parametrize("values", [NOT_UTF8, NOT_UTF8.dictionary_encode()], ids=["texts", "dictionary"])
def test_texts_that_are_not_utf8_are_an_error_with_the_column(values):
    table = pa.table({"c": values, "y": ["u", "v"]})
    with pytest.raises(InputError, match=r"Column 'c' has a text that is not UTF-8: b'\\xff'"):
        hb.read(table, target="y")
    with pytest.raises(InputError, match="Column 'c' of 'the stream' has texts that are not UTF-8"):
        hb.grow(table.to_reader(), target="y", memory="100MB")
