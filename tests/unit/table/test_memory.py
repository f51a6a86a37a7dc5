"""The available memory: the minimum of what the system, the process limit and the control groups leave."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hornbeam.errors import MemoryLimitError
from hornbeam.table import memory

GB = 1 << 30


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A system of files: 64 GB free, and control groups to be written."""
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    groups.mkdir()
    (proc / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable:   {64 * GB // 1024} kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "_PROC", proc)
    monkeypatch.setattr(memory, "_GROUPS", groups)
    monkeypatch.setattr(memory, "_left_of_process", lambda: memory._UNLIMITED)

    def write(path, **numbers):
        (groups / path).mkdir(parents=True, exist_ok=True)
        for name, value in numbers.items():
            (groups / path / f"memory.{name}").write_text(f"{value}\n", encoding="ascii")

    def member_of(text):
        (proc / "self" / "cgroup").write_text(text, encoding="ascii")

    write.member_of = member_of
    return write


def test_without_limits_the_free_memory_may_be_used(system):
    assert memory.available_bytes() == 64 * GB


@pytest.mark.parametrize("path", ["job", "."], ids=["own group", "in a container"])
def test_a_group_of_version_2_limits_the_memory(system, path):
    system.member_of("0::/job/step\n")
    system(path, max=8 * GB, current=3 * GB, stat=f"anon 5\ninactive_file {GB}")
    system("job/step", max="max", current=GB)
    assert memory.available_bytes() == 6 * GB


@pytest.mark.parametrize("path", ["memory/job", "memory"], ids=["own group", "in a container"])
def test_a_group_of_version_1_limits_the_memory(system, path):
    system.member_of("5:cpu:/other\n4:memory,hugetlb:/job\n0::/\n")
    system(path, limit_in_bytes=4 * GB, usage_in_bytes=GB, stat="total_inactive_file 0")
    system("cpu/other", limit_in_bytes=1, usage_in_bytes=0)
    assert memory.available_bytes() == 3 * GB


def test_the_tightest_of_nested_groups_counts(system):
    system.member_of("0::/a/b\n")
    system("a", max=2 * GB, current=GB)
    system("a/b", max=8 * GB, current=GB)
    assert memory.available_bytes() == GB
    system("a", max=GB, current=2 * GB)
    assert memory.available_bytes() == 0


def test_what_cannot_be_read_limits_nothing(system):
    system.member_of("nonsense\n")
    system(".", max="many", current="few")
    assert memory.available_bytes() == 64 * GB


CHILD = """
import resource
import numpy as np
import hornbeam as hb
from hornbeam.table.memory import available_bytes
table = hb.table.table_from_arrays(np.random.default_rng(0).normal(size=(1_000_000, 8)), np.arange(1_000_000) % 2)
size = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size + (100 << 20),) * 2)
assert 0 < available_bytes() <= 100 << 20, available_bytes()
try:
    hb.grow(table)
except hb.errors.MemoryLimitError as error:
    print("needed", error.details["needed"] > error.details["limit"])
"""


def test_growing_sees_the_limit_of_the_address_space():
    ran = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, timeout=120)
    assert ran.stdout.split() == ["needed", "True"], ran.stderr


def test_too_much_memory_is_an_error_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 20 << 20)
    with pytest.raises(MemoryLimitError, match=r"this requires 31\.5 MB, but only 21 MB may be used"):
        memory.require_memory(30 << 20, "this")
