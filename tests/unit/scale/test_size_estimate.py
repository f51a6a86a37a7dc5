"""The estimate of memory and disk from footers and first lines."""

from __future__ import annotations

import os

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


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="measures the files by it")
def test_the_scores_of_boosting_are_counted(tmp_path):
    table = pa.table({"x": np.arange(2000.0), "c": [f"l{i % 300}" for i in range(2000)], "y": np.arange(2000) % 2})
    pq.write_table(table, tmp_path / "a.parquet")
    tree, boosted = (hb.estimate(tmp_path / "a.parquet", name, target="y") for name in ("default", "boosting"))
    assert boosted.disk == tree.disk + 28 * 2000
    assert boosted.in_memory > 2000 * 3 * 8
    sizes = []
    real = os.posix_fallocate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.posix_fallocate", lambda handle, at, size: (sizes.append(size), real(handle, at, size)))
        patch.setattr("hornbeam.scale.boost.state_bytes", lambda n_rows, outputs: 2**60)
        hb.boost(tmp_path / "a.parquet", target="y", memory="100MB", n_rounds=1)
    assert sum(sizes) == 28 * 2000


def test_the_scores_of_a_table_depend_on_its_classes():
    numbers = np.arange(600) % 4
    few = hb.read({"x": np.arange(600.0), "y": np.array(["a", "b"])[numbers % 2]}, target="y")
    many = hb.read({"x": np.arange(600.0), "y": np.array(["a", "b", "c", "d"])[numbers]}, target="y")
    disks = [hb.estimate(each, "boosting").disk - hb.estimate(each).disk for each in (few, many)]
    assert disks == [600 * 28, 600 * (36 + 8 * 4)]
