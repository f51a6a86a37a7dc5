"""Items B84 and B85 of the battery: allocations that fail one after the other, and processes killed while they save."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.edge_cases.failing_allocations import JOBS
from tests.unit.tree.damaged_files import stump

from hornbeam.tree.file.files import save

HERE = Path(__file__).parent
IS_LINUX = sys.platform == "linux"
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed after a fork")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The preloaded `operator new`."""
    if not IS_LINUX or shutil.which("g++") is None or "LD_PRELOAD" in os.environ:
        pytest.skip("needs Linux, g++ and a process without other preloaded libraries")
    path = tmp_path_factory.mktemp("preload") / "failing.so"
    command = ["g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", str(path), str(HERE / "failing_allocations.cpp")]
    subprocess.run([*command, "-ldl"], check=True)
    return path


def test_b84_every_allocation_of_the_core_can_fail(library):
    done = subprocess.run(
        [sys.executable, "-m", "tests.edge_cases.failing_allocations", str(library)],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    failed = dict(line.split() for line in done.stdout.splitlines())
    assert list(failed) == list(JOBS)
    assert all(int(count) > 0 for count in failed.values())


KILLED_AT = """
import os, random, signal, sys
from tests.unit.tree.damaged_files import stump
from hornbeam.tree.file import atomic, files

path = sys.argv[1]
def killed(function):
    def die(*args, **more):
        os.kill(os.getpid(), signal.SIGKILL)
    return die

def child(action):
    process = os.fork()
    if process == 0:
        try:
            action()
        finally:
            os._exit(0)
    return process

def check(process, step):
    os.waitpid(process, 0)
    found = files.load(path).schema.classes[0]
    assert found in ("old", "new"), (step, found)
    print(step, found)

for step in ("open", "chmod", "fsync", "replace", "unlink"):
    def save_until(step=step):
        setattr(atomic.os, step, killed(step))
        files.save(stump("new"), path)
    files.save(stump("old"), path)
    check(child(save_until), step)

def save_on():
    while True:
        files.save(stump("old"), path)
        files.save(stump("new"), path)

delays = random.Random(0)
for _ in range(100):
    process = child(save_on)
    signal.sigtimedwait([], delays.random() * 0.02)
    os.kill(process, signal.SIGKILL)
    check(process, "random")
"""


@needs_fork
def test_b85_a_process_killed_while_it_saves_leaves_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "model.tree"
    done = subprocess.run([sys.executable, "-c", KILLED_AT, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = [line.split() for line in done.stdout.splitlines()]
    assert len(found) == 105
    # Before the rename nothing has changed.
    assert [each for each in found if each[0] in ("open", "chmod", "fsync", "replace") and each[1] != "old"] == []
    others = [name for name in os.listdir(tmp_path) if name != "model.tree"]
    assert all(re.fullmatch(r"\.model\.tree\.\d+\.[0-9a-f]{8}\.tmp", name) for name in others), others
    save(stump("last"), path)
    assert os.listdir(tmp_path) == ["model.tree"]
