"""Runs one job of the scale benchmark and prints its figures as one line of JSON."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

from benchmarks.process import Peak
from benchmarks.scale_jobs import JOBS


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    module = importlib.import_module(f"benchmarks.scale_jobs.{JOBS[name]}")
    peak = Peak()
    with peak.watched(0.05):
        found = module.JOBS[name](sorted(folder.glob("*.parquet")))
    print(json.dumps({**found, "anonymous_peak": peak.bytes}))


if __name__ == "__main__":
    main()
