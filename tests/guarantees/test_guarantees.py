"""The guarantees of the README, one test per guarantee; the README names them, and a test compares the two."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.recipes.recipe import recipe_names
from hornbeam.table.column import nominal, numeric
from hornbeam.tree.file.files import from_bytes, to_bytes


def noisy(rows: int, columns: int = 6, seed: int = 0) -> hb.Table:
    """Numbers with ties, a category, missing values, and classes that follow them loosely."""
    random = np.random.default_rng(seed)
    values = {f"x{i}": random.normal(size=rows).round(2) for i in range(columns)}
    values["x0"][random.random(rows) < 0.1] = np.nan
    group = random.integers(0, 5, rows)
    values["group"] = np.array(list("abcde"))[group]
    noise = random.normal(size=rows)
    values["class"] = np.where(np.nan_to_num(values["x0"]) + group / 2 + noise > 1, "yes", "no")
    return hb.read(values, target="class")


def test_a_changed_byte_of_a_model_file_is_never_accepted():
    data = to_bytes(hb.grow(hb.datasets.load("play_tennis"), "id3"))
    random = np.random.default_rng(1)
    for at in random.choice(len(data), 300, replace=False):
        changed = bytearray(data)
        changed[at] ^= 1 << int(random.integers(8))
        with pytest.raises(hb.errors.ModelFileError):
            from_bytes(bytes(changed))
    for length in random.choice(len(data), 100, replace=False):
        with pytest.raises(hb.errors.ModelFileError):
            from_bytes(data[:length])


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_save_that_fails_leaves_the_old_file_alone(step, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "model.tree"
    hb.save(hb.grow(hb.datasets.load("iris"), "plain"), path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, step, full)
        with pytest.raises(hb.errors.ModelFileError, match="No space left"):
            hb.save(hb.grow(hb.datasets.load("play_tennis"), "plain"), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["model.tree"]


@pytest.mark.parametrize("recipe", ["plain", "cart"])
def test_any_number_of_threads_gives_the_same_bytes(recipe):
    table = noisy(3_000)
    alone = to_bytes(hb.grow(table, recipe, threads=1))
    assert all(to_bytes(hb.grow(table, recipe, threads=threads)) == alone for threads in (2, 3, 8))


def mixed(target: str, is_weighted: bool, has_missing: bool) -> hb.Table:
    """A small table of numbers and levels."""
    rng, n = np.random.default_rng(1), 80
    x, codes = rng.normal(size=(n, 3)).round(1), rng.integers(0, 5, (n, 2))
    signal = x[:, 0] + (codes[:, 0] > 2) + rng.normal(size=n)
    if has_missing:
        x[rng.random(x.shape) < 0.15] = np.nan
        codes[rng.random(codes.shape) < 0.1] = -1
    columns = [numeric(f"x{j}", x[:, j]) for j in range(3)]
    columns += [nominal(f"c{j}", codes[:, j].astype(np.int32), tuple("abcde")) for j in range(2)]
    targets = {
        "class": lambda: nominal("y", np.digitize(signal, [0.3, 1.2]).astype(np.int32), ("a", "b", "c")),
        "number": lambda: numeric("y", signal),
        "count": lambda: numeric("y", rng.poisson(np.exp(signal / 2)).astype(float)),
    }
    return hb.Table(tuple(columns), targets[target](), rng.random(n) + 0.1 if is_weighted else None)


ROW_ORDER_MATTERS = {"forest", "bagging", "extra_trees"}  # rows are drawn by their numbers
FOLDS = {"cart", "default"}  # so are the folds that choose their size


def served_tables() -> list[tuple[str, str, bool]]:
    """Every recipe with the targets, and the missing values, that it takes."""
    found = []
    for name in sorted(set(recipe_names()) - ROW_ORDER_MATTERS):
        targets = {"class": ["class"], "number": ["number", "count"]}.get(hb.recipe(name).target)
        for target in targets or ["class", "number", "count"]:
            found += [(name, target, has_missing) for has_missing in ([False] if name == "id3" else [False, True])]
    return found


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize(("name", "target", "has_missing"), served_tables())
def test_no_recipe_depends_on_the_order_of_the_rows(name, target, has_missing, is_weighted, tmp_path):
    recipe = hb.recipe(name)
    if name in FOLDS:
        recipe = recipe.with_changes(pruning=None)
    table = mixed(target, is_weighted, has_missing)
    if name == "id3":  # tests levels alone
        table = table.select(["c0", "c1"])
    shuffled = table.take(np.random.default_rng(2).permutation(table.n_rows))
    hb.save(hb.grow(table, recipe), tmp_path / "one.tree")
    hb.save(hb.grow(shuffled, recipe), tmp_path / "other.tree")
    assert (tmp_path / "one.tree").read_bytes() == (tmp_path / "other.tree").read_bytes()


def test_training_rows_end_in_the_leaves_that_they_grew():
    table = noisy(3_000)
    tree = hb.grow(table, "plain")
    ended = np.bincount(hb.predict(tree, table).nodes, minlength=len(tree.nodes))
    leaves = tree.nodes.first_child < 0
    assert (ended[leaves] == tree.nodes.rows[leaves]).all()


def test_two_neighbouring_doubles_are_distinguished():
    low = 16_777_216.0
    values = np.array([low, np.nextafter(low, np.inf)] * 10)
    table = hb.read({"id": values, "class": ["a", "b"] * 10}, target="class", kinds={"id": "numeric"})
    tree = hb.grow(table, "plain")
    assert tree.n_leaves == 2
    assert hb.predict(tree, table).labels.tolist() == ["a", "b"] * 10


def test_columns_are_found_by_name():
    table = noisy(500)
    tree = hb.grow(table, "plain")
    turned = table.select(list(reversed(table.names)))
    assert (hb.predict(tree, turned).nodes == hb.predict(tree, table).nodes).all()


def test_growing_and_predicting_leave_their_input_alone():
    values = np.random.default_rng(3).normal(size=(500, 4))
    values.flags.writeable = False
    before = values.copy()
    target = np.where(values[:, 0] > 0, "yes", "no")
    table = hb.table.table_from_arrays(values, target)
    hb.predict(hb.grow(table, "plain"), table)
    assert (values == before).all()


# A process of its own, because the signal goes to a whole process.
INTERRUPTED = """
import os, signal, threading
import hornbeam as hb
from tests.guarantees.test_guarantees import noisy

signal.signal(signal.SIGINT, signal.default_int_handler)
table = noisy(200_000, columns=12)
timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
try:
    timer.start()
    for _ in range(50):
        hb.grow(table, "plain")
except KeyboardInterrupt:
    print("stopped", hb.grow(hb.datasets.load("iris"), "plain").n_leaves > 2)
"""


def test_ctrl_c_stops_growth():
    # How soon it stops is measured by benchmarks/latency.py.
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])}
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.stdout == "stopped True\n", ran.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_grows_and_predicts():
    code = """
import os, warnings
warnings.simplefilter("ignore")
import hornbeam as hb
table = hb.datasets.load("breast_cancer")
leaves = hb.grow(table, threads=2).n_leaves
child = os.fork()
if child == 0:
    tree = hb.grow(table, threads=2)
    predicted = hb.predict(tree, table)
    os._exit(0 if tree.n_leaves == leaves and len(predicted) == table.n_rows else 1)
print(os.waitpid(child, 0)[1])
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert child.stdout.strip() == "0", child.stderr
