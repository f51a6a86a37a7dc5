"""The main paths work without the functions that only POSIX or Linux has; the missing ones are simulated."""

import os
import subprocess
import sys

import numpy as np

import hornbeam as hb
from hornbeam.table import memory
from hornbeam.tree.file import atomic

# Removes what Windows or macOS do not have, before hornbeam is imported.
WITHOUT_POSIX = """
import asyncio, os, pathlib, sys  # asyncio of this system needs sysconf; that of Windows does not
sys.modules["resource"] = sys.modules["fcntl"] = sys.modules["pwd"] = None
for name in ("sched_getaffinity", "sysconf", "O_NOCTTY", "O_NONBLOCK", "getuid", "geteuid", "fork"):
    if hasattr(os, name):
        delattr(os, name)
import numpy as np
import hornbeam as hb
from hornbeam.cli.main import main
from hornbeam.table import memory
memory._PROC = memory._GROUPS = pathlib.Path("nothing-here")
X = np.arange(40.0).reshape(20, 2)
model = hb.ForestClassifier(3, n_jobs=-1).fit(X, np.arange(20) % 2)
hb.save(model, "forest.tree")
assert len(hb.load("forest.tree")) == 3
assert memory.available_bytes() >= 2**62
memory.require_memory(2**30, "A test")
pathlib.Path("rows.csv").write_text("a,y\\n" + "".join(f"{i},{'no' if i < 9 else 'yes'}\\n" for i in range(20)))
sys.exit(main(["grow", "rows.csv", "--target", "y", "-o", "rows.tree"]))
"""


def test_growing_saving_and_the_command_line_need_no_posix_functions(tmp_path):
    path = os.pathsep.join(filter(None, [os.path.dirname(os.path.dirname(hb.__file__)), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rows.tree").exists()


def test_no_process_is_tested_where_signal_0_would_interrupt_it(monkeypatch, tmp_path):
    def kill(process, number):
        raise AssertionError("a signal was sent")

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(atomic, "_CAN_TEST_PROCESSES", False)
    stale = tmp_path / ".model.tree.4194304.0123abcd.tmp"
    stale.write_bytes(b"")
    hb.save(hb.TreeClassifier().fit(np.array([[1.0], [2.0]]), ["a", "b"]), tmp_path / "model.tree")
    assert stale.exists()


def test_a_system_without_a_limit_of_the_address_space_has_none(monkeypatch):
    class Resource:
        """A module without RLIMIT_AS."""

    monkeypatch.setitem(sys.modules, "resource", Resource())
    assert memory._left_of_process() == memory._UNLIMITED


def test_memory_is_unknown_where_the_system_does_not_report_it(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.delattr(os, "sysconf")
    assert memory._free_in_system() == memory._UNLIMITED
