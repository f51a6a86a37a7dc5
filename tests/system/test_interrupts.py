"""Ctrl-C stops every kind of long work, and the process works on. How soon is measured, not asserted (30 s at most)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALONE = (
    "forest",
    "bagging",
    "boosting",
    "adaboost",
    "stability",
    "importance",
    "folds",
    "prunings",
    "rules",
    "report",
    "CSV",
)


@pytest.mark.parametrize(
    "group", [", ids", ", levels", ", noise", ", wide", ", counts", ", missing", "contributions", *ALONE]
)
def test_long_work_stops(group: str) -> None:
    command = [sys.executable, "-m", "benchmarks.latency", "--presses", "1", "--only", group]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.splitlines()[-1].startswith("all: median"), run.stdout
