"""A tree is grown from files larger than the memory limit, and the process stays within it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LIMIT = 60_000_000
N_ROWS, N_COLUMNS = 600_000, 25  # 120 MB as float64, twice the limit

GROW = """
import re, sys, threading
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
import hornbeam as hb
from hornbeam.recipes.grow_files import grow_files
from hornbeam.scale import Dataset

def anonymous():
    return 1024 * int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])

recipe = hb.recipe("RECIPE").with_changes(stops=[hb.stops.MaxDepth(6)])
grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)   # imports and allocates once
base, peak, is_done = anonymous(), [0], threading.Event()

def watch():
    while not is_done.wait(0.002):
        peak[0] = max(peak[0], anonymous())

thread = threading.Thread(target=watch)
thread.start()
tree = grow_files(Dataset("large-*.parquet", "y"), recipe, memory=LIMIT, bins_sample=20_000)
is_done.set()
thread.join()
assert tree.metadata["rows"] == ROWS, tree.metadata
print(peak[0] - base)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the anonymous memory is read from /proc")
@pytest.mark.parametrize("recipe", ["plain", "cart"])  # cart: ten folds
def test_anonymous_memory_stays_within_the_limit(tmp_path, recipe):
    import numpy as np

    random = np.random.default_rng(0)

    def write(name, n_rows):
        x = random.normal(size=(N_COLUMNS, n_rows))
        columns = {f"x{i}": x[i] for i in range(N_COLUMNS)}
        table = pa.table({**columns, "y": np.where(x[0] + x[1] > 0.3, "yes", "no")})
        pq.write_table(table, tmp_path / name, row_group_size=50_000, use_dictionary=False, compression="none")

    write("small.parquet", 10_000)
    for number in range(3):
        write(f"large-{number}.parquet", N_ROWS // 3)
    code = GROW.replace("LIMIT", str(LIMIT)).replace("ROWS", str(N_ROWS)).replace("RECIPE", recipe)
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < LIMIT


EVALUATE = """
import re, threading
import hornbeam as hb
from hornbeam.scale import labeled_rows

labeled_rows.BATCH_ROWS = 10_000

def anonymous():
    return 1024 * int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])

tree = hb.load("model.tree")
hb.evaluate(tree, "small-*.parquet")   # imports and allocates once
base, peak, is_done = anonymous(), [0], threading.Event()

def watch():
    while not is_done.wait(0.002):
        peak[0] = max(peak[0], anonymous())

thread = threading.Thread(target=watch)
thread.start()
scores = hb.evaluate(tree, "large-*.parquet")
is_done.set()
thread.join()
assert scores.n_rows == N_EVALUATED
print(peak[0] - base)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the anonymous memory is read from /proc")
@pytest.mark.parametrize("target", ["y", "z"])
def test_evaluation_of_files_needs_less_memory_than_their_rows(tmp_path, target):
    import numpy as np

    import hornbeam as hb

    n_rows, n_columns = 2_500_000, 5
    random = np.random.default_rng(0)
    x = random.normal(size=(n_columns, n_rows)).round(3)
    label = {"y": np.where(x[0] + x[1] > 0.3, "yes", "no")} if target == "y" else {"z": (x[0] + x[1]).round(1)}
    table = pa.table({**{f"x{i}": x[i] for i in range(n_columns)}, **label})
    for name, first, rows in (("large-0", 0, n_rows // 2), ("large-1", n_rows // 2, n_rows), ("small-0", 0, 140_000)):
        part = table.slice(first, rows)
        settings = {"row_group_size": 50_000, "use_dictionary": False, "compression": "none"}
        pq.write_table(part, tmp_path / f"{name}.parquet", **settings)
    pq.write_table(table.slice(0, 140_000), tmp_path / "small-1.parquet")
    hb.save(hb.grow(hb.read(table.slice(0, 20_000), target=target), "cart"), tmp_path / "model.tree")
    code = EVALUATE.replace("N_EVALUATED", str(n_rows))
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < n_rows * n_columns * 8 / 2
