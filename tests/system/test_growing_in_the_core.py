"""What growing in the core promises of the process: Ctrl-C is handled, forks work, memory is requested first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, MemoryLimitError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table import memory
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.file.files import to_bytes


def noise(n_rows: int, n_columns: int, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    columns = tuple(numeric(f"x{j}", rng.normal(size=n_rows)) for j in range(n_columns))
    return Table(columns, nominal("y", rng.integers(0, 2, n_rows), ("no", "yes")))


# How soon a fit stops is measured by benchmarks/latency.py; here it is enough that it stops long before its end.
STOPS_WITHIN = 30.0


def waited_after_ctrl_c(table: Table, method: Method, threads: int) -> float:
    """How many seconds a fit goes on after Ctrl-C."""
    sent = 0.0

    def press() -> None:
        nonlocal sent
        time.sleep(0.4)
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)

    def fit() -> None:
        thread.start()
        grow(table, method, engine="core", threads=threads)

    with pytest.raises(KeyboardInterrupt):
        fit()
    waited = time.perf_counter() - sent
    thread.join()
    return waited


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_a_fit_and_the_next_fit_is_whole(threads: int) -> None:
    assert waited_after_ctrl_c(noise(400_000, 8), Method(), threads) < STOPS_WITHIN
    small = noise(500, 3)
    assert len(grow(small, Method(), engine="core", threads=threads)) == len(grow(small, Method(), engine="python"))


@pytest.mark.parametrize(("threads", "n_rows"), [(2, 120_000), (1, 60_000)])
def test_ctrl_c_is_handled_within_a_node_of_intervals(threads: int, n_rows: int) -> None:
    """Dynamic programming stays at one node for minutes."""
    assert waited_after_ctrl_c(noise(n_rows, 4), Method(searches=("intervals",)), threads) < STOPS_WITHIN  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "search",
    [
        {"name": "sparse_planes", "min_directions": 100_000, "max_directions": 100_000},
        {"name": "spheres", "rows": 50_000},
        {"name": "oc1_plane", "restarts": 1000},
    ],
    ids=lambda search: str(search["name"]),
)
def test_ctrl_c_is_handled_within_a_node_of_many_tries(search: dict[str, object]) -> None:
    """Each of these would search the root for minutes."""
    assert waited_after_ctrl_c(noise(50_000, 8), Method(searches=search), 2) < STOPS_WITHIN  # type: ignore[arg-type]


def test_growing_works_in_a_forked_child() -> None:
    """In a process of its own: a fork next to pytest's threads would be another test."""
    script = textwrap.dedent(
        """
        import os, sys
        import numpy as np
        import hornbeam as hb
        rng = np.random.default_rng(0)
        X = rng.normal(size=(40_000, 6))
        y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
        before = hb.TreeClassifier(n_jobs=2, max_depth=6).fit(X, y).predict(X)
        child = os.fork()
        if child == 0:
            after = hb.TreeClassifier(n_jobs=2, max_depth=6).fit(X, y).predict(X)
            os._exit(0 if (before == after).all() else 3)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], timeout=120, check=False)
    assert done.returncode == 0


def test_memory_is_requested_before_the_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 1)
    monkeypatch.setattr(memory, "_UNCHECKED_BYTES", 0)
    with pytest.raises(MemoryLimitError, match="growing this tree"):
        grow(noise(1000, 4), Method(), engine="core")


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="peaks are taken from Linux")
@pytest.mark.parametrize("depth", [None, 8])
def test_the_estimate_covers_what_is_used_and_is_near_it(depth: int | None) -> None:
    """Peak resident memory of a fit through the estimator, in a process of its own: at least half of the estimate."""
    script = textwrap.dedent(
        f"""
        import pathlib
        import numpy as np
        import hornbeam as hb

        def resident(field):
            lines = pathlib.Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

        rng = np.random.default_rng(0)
        X = rng.normal(size=(400_000, 10))
        y = (X[:, 0] + X[:, 1] + rng.normal(size=len(X)) > 0).astype(int)
        model = hb.TreeClassifier(max_depth={depth}, n_jobs=1)
        model.fit(X[:100], y[:100])
        table = hb.table.table_from_arrays(X, y, target_kind="nominal", copy=False)
        estimated = hb.estimate(table, model.tree_.recipe, threads=1).in_memory
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # forgets the peak
        before = resident("VmRSS")
        model.fit(X, y)
        print((resident("VmHWM") - before) / estimated)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], timeout=120, check=True, capture_output=True, text=True)
    assert 0.5 <= float(done.stdout) <= 1.0


def test_float32_and_float64_copies_give_the_same_tree() -> None:
    rng = np.random.default_rng(3)
    narrow = rng.normal(size=(3000, 5)).astype(np.float32)
    y = (narrow[:, 0] > rng.normal(size=3000)).astype(int)
    trees = [hb.TreeClassifier().fit(X, y).tree_ for X in (narrow, narrow.astype(np.float64))]
    assert trees[0].nodes.stats.tobytes() == trees[1].nodes.stats.tobytes()
    assert trees[0].questions.reals.tobytes() == trees[1].questions.reals.tobytes()


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    table = noise(2500, 4, seed=4)
    mixed = table.take(rng.permutation(2500))
    a, b = (grow(each, Method(), engine="core") for each in (table, mixed))
    for name, array in a.nodes.arrays().items():
        assert array.tobytes() == b.nodes.arrays()[name].tobytes(), name
    assert a.questions.reals.tobytes() == b.questions.reals.tobytes()


def test_training_rows_end_where_prediction_sends_them() -> None:
    table = noise(3000, 5, seed=5)
    tree = grow(table, Method(), engine="core")
    reached = np.bincount(hb.predict(tree, table).nodes, minlength=len(tree))
    np.testing.assert_array_equal(reached[tree.nodes.is_leaf], tree.nodes.rows[tree.nodes.is_leaf])


def test_two_doubles_that_float32_cannot_distinguish_are_split() -> None:
    x = np.array([16777216.0, 16777217.0])
    table = Table((numeric("x", x),), nominal("y", [0, 1], ("a", "b")))
    tree = grow(table, Method(), engine="core")
    assert hb.predict(tree, table).codes.tolist() == [0, 1]


def test_a_target_whose_squares_overflow_is_named() -> None:
    table = Table((numeric("x", [1.0, 2.0, 3.0]),), numeric("dose", [1e200, -1e200, 0.0]))
    with pytest.raises(InputError, match="dose"):
        grow(table, Method(), engine="core")


def test_a_very_deep_chain_grows() -> None:
    """Classes that alternate along a column peel off one row per level: the deepest tree there is."""
    n = 20_001
    table = Table((numeric("x", np.arange(n)),), nominal("y", np.arange(n) % 2, ("a", "b")))
    tree = grow(table, Method(), engine="core")
    assert tree.depth == n - 1
    assert (hb.predict(tree, table).codes == table.target.values).all()  # type: ignore[union-attr]


@pytest.mark.parametrize("n", [65_535, 65_536, 65_537, 70_000])
def test_no_row_is_lost_where_small_blocks_begin(n: int) -> None:
    """Ranks of 16 bits must leave room for the mark of a missing value."""
    x = np.arange(n, dtype=float)
    table = Table((numeric("x", x),), nominal("y", (x % 3 == 0) | (x == n - 1), ("a", "b")))
    tree = grow(table, Method().with_changes(stops=[{"name": "max_depth", "depth": 12}]), engine="core")
    leaf = hb.predict(tree, table).nodes
    for node in np.flatnonzero(tree.nodes.is_leaf).tolist():
        here = table.target.values[leaf == node]  # type: ignore[union-attr]
        assert tree.nodes.stats[node].tolist() == np.bincount(here, minlength=2).tolist()


def test_the_model_file_of_a_fit_on_many_threads_has_the_same_bytes() -> None:
    """Battery A, item 239."""
    table = noise(20_000, 8, seed=6)
    files = [to_bytes(hb.grow(table, "plain", threads=threads)) for threads in (1, 2, 8)]
    assert files[0] == files[1] == files[2]
