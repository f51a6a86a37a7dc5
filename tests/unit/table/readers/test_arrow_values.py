"""Numbers of Arrow arrays from their buffers, without pandas."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from hornbeam.table.readers import arrow_values  # noqa: E402


@pytest.mark.parametrize("start", [0, 3, 8, 13])
@pytest.mark.parametrize("length", [0, 1, 9, 40])
def test_floats_of_slices_and_chunks_with_nulls(start, length):
    values = [None if i % 5 == 0 else i / 2 for i in range(60)]
    expected = [np.nan if value is None else value for value in values][start : start + length]
    one = pa.array(values, pa.float64()).slice(start, length)
    np.testing.assert_array_equal(arrow_values.floats(pa.chunked_array([one])), expected)
    np.testing.assert_array_equal(arrow_values.floats(pa.chunked_array([one, one])), expected * 2)


def test_floats_without_nulls_are_not_copied():
    values = np.arange(5.0)
    found = arrow_values.floats(pa.chunked_array([pa.array(values)]))
    assert np.shares_memory(found, values)
    assert arrow_values.floats(pa.chunked_array([], pa.float64())).tolist() == []
    assert np.isnan(arrow_values.floats(pa.chunked_array([pa.nulls(3, pa.float64())]))).all()


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"])
def test_integers_of_every_type(kind):
    array = pa.array([1, None, 3, 100, None], getattr(pa, kind)())
    assert arrow_values.integers(array, -1).tolist() == [1, -1, 3, 100, -1]
    assert arrow_values.integers(array.slice(1, 2), -1).tolist() == [-1, 3]
    assert arrow_values.integers(pa.array([2, 1], getattr(pa, kind)()), -1).dtype == np.int32


def test_an_arrow_table_is_read_without_pandas(tmp_path):
    table = pa.table({"x": [1.0, None, 3.0], "k": [1, 2, None], "c": ["a", None, "b"], "y": ["u", "v", "u"]})
    with pa.ipc.new_stream(tmp_path / "rows.arrow", table.schema) as stream:
        stream.write_table(table)
    code = """
import sys
import pyarrow as pa
import hornbeam as hb
rows = pa.ipc.open_stream(pa.OSFile(sys.argv[1])).read_all()
found = hb.read(rows, target="y")
print(found.columns[0].values.tolist(), "pandas" in sys.modules)
"""
    found = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "rows.arrow"], capture_output=True, text=True, check=True
    ).stdout
    assert found.strip() == "[1.0, nan, 3.0] False"
