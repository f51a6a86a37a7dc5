"""Models are grown and rows predicted from files larger than the memory limit, which the process keeps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LIMIT = 60_000_000
N_ROWS, N_COLUMNS = 600_000, 25  # 120 MB as float64, twice the limit
PREDICTION = 220_000_000  # of batches of predictions; the Parquet files at once take 250 MB, the CSV file more
N_CSV_ROWS = 800_000

MEASURE = """
import re, threading
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
import hornbeam as hb
from hornbeam.recipes.grow_files import grow_files
from hornbeam.scale import Dataset, new_rows

def anonymous():
    return 1024 * int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])

def extra(job):
    base, peak, is_done = anonymous(), [0], threading.Event()

    def watch():
        while not is_done.wait(0.002):
            peak[0] = max(peak[0], anonymous())

    thread = threading.Thread(target=watch)
    thread.start()
    job()
    is_done.set()
    thread.join()
    return peak[0] - base

"""

# The first job imports and allocates once; the memory of the second one is measured.
GROW = """
recipe = hb.recipe("RECIPE").with_changes(stops=[hb.stops.MaxDepth(6)])
grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)

def job():
    tree = grow_files(Dataset("large-*.parquet", "y"), recipe, memory=LIMIT, bins_sample=20_000)
    assert tree.metadata["rows"] == ROWS, tree.metadata

print(extra(job))
"""

FOREST = """
recipe = hb.recipe("forest").with_changes(stops=[hb.stops.MaxDepth(6)])
recipe = recipe.with_changes(ensemble=recipe.ensemble.replace(n_trees=3))
grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)

def job():
    forest = grow_files(Dataset("large-*.parquet", "y"), recipe, memory=LIMIT, bins_sample=20_000)
    assert len(forest.trees) == 3

print(extra(job))
"""

BOOSTING = """
recipe = hb.recipe("boosting").with_changes(ensemble={"name": "boosting", "n_rounds": 3})
grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)

def job():
    model = grow_files(Dataset("large-*.parquet", "y"), recipe, memory=LIMIT, bins_sample=20_000)
    assert len(model.trees) == 3

print(extra(job))
"""

EVALUATE = """
from hornbeam.scale import labeled_rows

recipe = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(6)])
tree = grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)
labeled_rows.BATCH_ROWS = 10_000
hb.evaluate(tree, ["small.parquet", "large-0.parquet"])

def job():
    assert hb.evaluate(tree, "large-*.parquet").n_rows == ROWS

print(extra(job))
"""

PREDICT = """
recipe = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(6)])
tree = grow_files(Dataset("small.parquet", "y"), recipe, memory=LIMIT, bins_sample=5000)
new_rows.WHOLE_BYTES = 1 << 20
hb.predict(tree, "small.SUFFIX", output="out.csv")
print(extra(lambda: hb.predict(tree, "large-*.SUFFIX", output="out.csv")))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    import numpy as np
    from pyarrow import csv as pa_csv

    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(0)

    def table(n_rows, digits=None):
        x = random.normal(size=(N_COLUMNS, n_rows))
        x = x if digits is None else x.round(digits)
        columns = {f"x{i}": x[i] for i in range(N_COLUMNS)}
        return pa.table({**columns, "y": np.where(x[0] + x[1] > 0.3, "yes", "no")})

    pq.write_table(table(10_000), folder / "small.parquet", use_dictionary=False, compression="none")
    pa_csv.write_csv(table(20_000, 2), folder / "small.csv")
    for number in range(3):
        rows = table(N_ROWS // 3)
        name = folder / f"large-{number}.parquet"
        pq.write_table(rows, name, row_group_size=50_000, use_dictionary=False, compression="none")
    pa_csv.write_csv(table(N_CSV_ROWS // 8, 2), folder / "large-0.csv")
    body = (folder / "large-0.csv").read_bytes().partition(b"\n")[2]
    with (folder / "large-0.csv").open("ab") as file:
        for _ in range(7):
            file.write(body)
    return folder


def measured(folder, code):
    code = MEASURE + code.replace("LIMIT", str(LIMIT)).replace("ROWS", str(N_ROWS))
    (folder / "job.py").write_text(code)
    ran = subprocess.run([sys.executable, "job.py"], cwd=folder, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    return int(ran.stdout)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the anonymous memory is read from /proc")
@pytest.mark.parametrize(
    "code",
    [GROW.replace("RECIPE", "plain"), GROW.replace("RECIPE", "cart"), FOREST, BOOSTING],
    ids=["tree", "folds", "forest", "boosting"],
)
def test_growth_stays_within_the_limit(files, code):
    assert measured(files, code) < LIMIT


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the anonymous memory is read from /proc")
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_predictions_of_a_large_file_need_little_memory(files, suffix):
    assert measured(files, PREDICT.replace("SUFFIX", suffix)) < PREDICTION


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the anonymous memory is read from /proc")
def test_evaluation_of_large_files_needs_little_memory(files):
    assert measured(files, EVALUATE) < PREDICTION
