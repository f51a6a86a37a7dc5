"""Bad files, a full disk and Ctrl-C while a tree grows from files: an error that names the piece, no file left behind.

A full disk is a limit on the size of files in a child process, and Ctrl-C is a signal to a child process.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, InputError
from hornbeam.scale import Dataset
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="resource limits and signals of POSIX")
N_ROWS = 24_000
RUN = """
import os, signal, sys
import resource
import hornbeam as hb
from hornbeam.scale.sources import parquet
parquet._MIN_PIECE_ROWS = 1

def report(text):
    if {stop!r} and {stop!r} in text:
        os.kill(os.getpid(), signal.SIGINT)

if {limit}:
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    hb.grow({source!r}, {recipe!r}, target="y", memory="100MB", progress=report, work={work!r})
except KeyboardInterrupt:
    print("interrupted")
except hb.errors.HornbeamError as error:
    print(type(error).__name__, error)
"""


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    x, few = random.normal(size=n), random.integers(0, 30, n)
    color = random.choice(["red", "green", "blue"], size=n)
    return pa.table({"x": x, "few": few, "color": color, "y": np.where(x + few / 10 > 1.5, "yes", "no")})


@pytest.fixture
def folder(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    for number, start in enumerate(range(0, N_ROWS, 8_000)):
        pq.write_table(rows_of().slice(start, 8_000), data / f"{number}.parquet")
    (tmp_path / "tmp").mkdir()
    return tmp_path


def run(folder, *, source=None, recipe="cart", limit=0, stop="", work=None):
    code = RUN.format(
        source=source or str(folder / "data" / "*.parquet"), recipe=recipe, limit=limit, stop=stop, work=work
    )
    # -B: a limit on the size of files must not cut off compiled modules.
    environment = {"TMPDIR": str(folder / "tmp"), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def left_behind(folder):
    return sorted(path.name for path in (folder / "tmp").rglob("*"))


def test_a_full_disk_while_bins_are_written_names_the_piece_and_leaves_no_file(folder):
    found = run(folder, limit=20_000)
    assert found.startswith("OutputError Cannot write the bins of")
    assert "0.parquet" in found
    assert "File too large" in found
    assert left_behind(folder) == []


def test_a_full_disk_in_a_named_folder_leaves_no_partial_file(folder):
    found = run(folder, limit=20_000, work=str(folder / "work"))
    assert found.startswith("OutputError Cannot write the bins of")
    assert not list((folder / "work").glob("*.partial"))
    assert not list((folder / "work").glob("*.bins"))


def test_a_full_disk_while_csv_columns_are_written_is_an_error(folder):
    import pyarrow.csv

    pyarrow.csv.write_csv(rows_of(), folder / "rows.csv")
    found = run(folder, source=str(folder / "rows.csv"), limit=20_000)
    assert found.startswith("OutputError Cannot write"), found
    assert left_behind(folder) == []


@pytest.mark.parametrize("stop", ["pass 1", "pass 2", "nodes grown", "trees for the folds"])
def test_ctrl_c_removes_the_files(folder, stop):
    assert run(folder, stop=stop) == "interrupted"
    assert left_behind(folder) == []


@pytest.mark.parametrize("recipe", ["forest", "plain"])
def test_ctrl_c_while_trees_grow_removes_the_files(folder, recipe):
    stop = "trees grown" if recipe == "forest" else "nodes grown"
    assert run(folder, recipe=recipe, stop=stop) == "interrupted"
    assert left_behind(folder) == []


def test_a_damaged_row_group_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    path = tmp_path / "rows.parquet"
    pq.write_table(rows_of(), path, row_group_size=8_000, compression="zstd")
    contents = bytearray(path.read_bytes())
    metadata = pq.ParquetFile(path).metadata
    start = metadata.row_group(1).column(0).data_page_offset
    contents[start : start + 3000] = b"\0" * 3000
    path.write_bytes(bytes(contents))
    with pytest.raises(DataFileError, match=r"rows\.parquet', row group 1 is damaged Parquet"):
        hb.grow(path, target="y", memory="100MB")


def test_files_with_other_dictionaries_are_one_table(tmp_path):
    rows = rows_of(4000)
    for number, start in enumerate(range(0, 4000, 2000)):
        part = rows.slice(start, 2000)
        keep = ["red", "green"] if number == 0 else ["blue", "red"]
        part = part.filter(pa.compute.is_in(part["color"], value_set=pa.array(keep)))
        pq.write_table(part, tmp_path / f"text-{number}.parquet")
        coded = part["color"].combine_chunks().dictionary_encode()
        pq.write_table(part.set_column(2, "color", coded), tmp_path / f"coded-{number}.parquet")
    trees = [hb.grow(str(tmp_path / f"{name}-*.parquet"), target="y", memory="100MB") for name in ("text", "coded")]
    assert to_bytes(trees[0]) == to_bytes(trees[1])
    assert trees[0].schema.columns[2].levels == ("blue", "green", "red")


def test_other_kinds_of_a_column_name_both_files(tmp_path):
    rows = rows_of(100)
    pq.write_table(rows, tmp_path / "0.parquet")
    pq.write_table(rows.set_column(1, "few", pa.array(["a"] * 100)), tmp_path / "1.parquet")
    with pytest.raises(InputError, match=r"'few' is numeric in .*0\.parquet' and text in .*1\.parquet'"):
        hb.grow(str(tmp_path / "*.parquet"), target="y", memory="100MB")


def test_a_csv_file_that_changes_while_it_is_read_is_named(tmp_path, monkeypatch):
    import pyarrow.csv

    from hornbeam.scale import spool

    path = tmp_path / "rows.csv"
    pyarrow.csv.write_csv(rows_of(3000), path)
    written = spool._write

    def write_and_change(*arguments):
        written(*arguments)
        pyarrow.csv.write_csv(rows_of(2000, seed=3), path)

    monkeypatch.setattr(spool, "_write", write_and_change)
    with pytest.raises(DataFileError, match=r"rows\.csv' has changed while it was read"):
        hb.grow(Dataset(path, "y"), memory="100MB", work=tmp_path / "work")
    assert [each.name for each in (tmp_path / "work").iterdir()] == []


def test_a_file_without_rows_is_named(tmp_path):
    pq.write_table(rows_of(100), tmp_path / "0.parquet")
    pq.write_table(rows_of(100).slice(0, 0), tmp_path / "1.parquet")
    for use in (
        lambda: hb.grow(str(tmp_path / "*.parquet"), target="y", memory="100MB"),
        lambda: hb.complexity_table(str(tmp_path / "*.parquet"), target="y", memory="100MB"),
    ):
        with pytest.raises(DataFileError, match=r"1\.parquet' has no rows"):
            use()


def test_permutation_importance_of_files_is_refused_in_words(tmp_path):
    pq.write_table(rows_of(300), tmp_path / "0.parquet")
    pq.write_table(rows_of(300), tmp_path / "1.parquet")
    tree = hb.grow(str(tmp_path / "*.parquet"), target="y", memory="100MB")
    with pytest.raises(hb.errors.OptionError, match="The method permutation needs rows in memory"):
        hb.importance(tree, str(tmp_path / "*.parquet"), method="permutation")
