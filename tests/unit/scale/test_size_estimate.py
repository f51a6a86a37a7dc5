"""The estimate of memory and disk from footers and first lines."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.scale import memory_limit
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.prepare import prepared

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_the_disk_of_parquet_files_is_not_below_what_is_written(tmp_path):
    table = pa.table({"x": np.arange(2000.0), "c": [f"l{i % 300}" for i in range(2000)], "y": np.arange(2000) % 2})
    pq.write_table(table, tmp_path / "a.parquet")
    found = hb.estimate(tmp_path / "a.parquet", target="y")
    assert (found.n_rows, found.n_columns, found.is_exact) == (2000, 3, True)
    with prepared(Dataset(tmp_path / "a.parquet", "y"), memory_limit=found.min_memory, work=tmp_path / "w"):
        written = sum(path.stat().st_size for path in (tmp_path / "w").glob("*.bins"))
    assert written <= found.disk <= 4 * written
    assert "2,000 x 3 columns" in str(found)


def test_the_rows_of_a_large_csv_file_are_estimated(tmp_path):
    lines = ["x,c,y", *(f"{i % 977}.5,abc,{i % 3}" for i in range(200_000))]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found = hb.estimate(tmp_path / "a.csv", target="y")
    assert not found.is_exact
    assert abs(found.n_rows - 200_000) < 5000
    assert str(found).startswith("rows          about ")


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 * 10**9), ("64 MiB", 64 << 20), (10**8, 10**8), ("1.5gb", 15 * 10**8)]
)
def test_a_memory_limit_is_a_number_with_a_unit(text, size):
    assert memory_limit.bytes_of(text) == size


@pytest.mark.parametrize("wrong", ["lots", "2 XB", "-1GB", "1MB", True, ""])
def test_other_limits_are_errors(wrong):
    with pytest.raises(OptionError, match="memory must be"):
        memory_limit.bytes_of(wrong)
