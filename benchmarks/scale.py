"""Growth from files compared with XGBoost, LightGBM and YDF, in interleaved turns (A B C A B C ...).

    python -m benchmarks.scale [--rows 10000000] [--small-rows 1000000] [--large-rows 50000000] [--turns 2]
                               [--only NAME;NAME]

`benchmarks/run.sh scale` creates the environment of the other libraries and runs this script. Jobs that keep all rows
in memory, and those of YDF, use the smallest table; one and two workers of hornbeam are also compared on the largest
one, where the work that cannot be divided matters less. Ratios are of processor time; a wall time is meaningful only on
a quiet machine, so the page states the load.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, scale_data
from benchmarks.scale_jobs import JOBS, OURS
from benchmarks.scale_page import page_of

HERE = Path(__file__).resolve().parent
MAIN = ("hornbeam", "XGBoost external memory", "LightGBM Sequence")
WORKERS = ("hornbeam, Dask, 1 worker", "hornbeam, Dask, 2 workers", "hornbeam, Dask, 1 worker, two at once")
LIMIT = 3600  # seconds per job


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--small-rows", type=int, default=1_000_000)
    parser.add_argument("--large-rows", type=int, default=50_000_000)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--only", help="names of jobs, separated by semicolons")
    parser.add_argument("--add", action="store_true", help="add the jobs of --only to the results of today")
    parser.add_argument("--data", type=Path, default=HERE / ".data", help="folder for the tables")
    parser.add_argument("--page", action="store_true", help="write the page of the newest results again")
    options = parser.parse_args()
    if options.page:
        path = sorted((HERE / "results").glob("*-scale.json"))[-1]
        path.with_suffix(".md").write_text(page_of(json.loads(path.read_text("utf-8"))), "utf-8")
        return
    chosen = options.only.split(";") if options.only else list(JOBS)
    found = {"date": datetime.date.today().isoformat(), "machine": machine.about(), "versions": _versions()}
    found |= {"load": [], "groups": []}
    small = [*MAIN, *(name for name in JOBS if name not in (*MAIN, *WORKERS))]
    sizes = ((options.rows, [*MAIN, *WORKERS]), (options.small_rows, small), (options.large_rows, WORKERS))
    for rows, names in sizes:
        found["groups"].append(_group(options, rows, [name for name in names if name in chosen]))
    if options.add:
        found = _added(found)
    for turn in range(options.turns):
        for group in found["groups"]:
            _turn(options, group, turn, found, chosen)
    print(page_of(found))


def _group(options: argparse.Namespace, rows: int, names: Sequence[str]) -> dict:
    """A table, written to disk, and the jobs that read it: a list with one entry per turn each."""
    folder = options.data / f"scale-{rows}"
    command = "import sys; from pathlib import Path; from benchmarks import scale_data; "
    command += "scale_data.write(Path(sys.argv[1]), int(sys.argv[2]))"
    subprocess.run([_python("hornbeam"), "-c", command, str(folder), str(rows)], cwd=HERE.parent, check=True)
    n_bytes = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    columns = len(scale_data.COLUMNS)
    return {"rows": rows, "columns": columns, "parquet_bytes": n_bytes, "jobs": {name: [] for name in names}}


def _added(found: dict) -> dict:
    """The results of today with the jobs of this run."""
    before = json.loads((HERE / "results" / f"{found['date']}-scale.json").read_text("utf-8"))
    for group, new in zip(before["groups"], found["groups"], strict=True):
        group["jobs"] = {**new["jobs"], **group["jobs"]}
    return before


def _turn(options: argparse.Namespace, group: dict, turn: int, found: dict, chosen: list[str]) -> None:
    """Run the chosen jobs of a group once, and write the results so far."""
    for name, results in group["jobs"].items():
        if name not in chosen or any("error" in each for each in results):
            continue
        found["load"].append(os.getloadavg()[0])
        results.append(_run(name, options.data / f"scale-{group['rows']}"))
        print(f"{group['rows']:,} rows, turn {turn}, {name}: {json.dumps(results[-1])}", file=sys.stderr, flush=True)
        size = "" if options.rows == 10_000_000 and (options.add or not options.only) else "-tiny"
        base = HERE / "results" / f"{found['date']}-scale{size}"
        base.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        base.with_suffix(".md").write_text(page_of(found), encoding="utf-8")


def _run(name: str, folder: Path) -> dict:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
    command = [_python(name), "-m", "benchmarks.scale_jobs", name, str(folder)]
    try:
        ran = subprocess.run(
            command, cwd=HERE.parent, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"time limit of {LIMIT} s exceeded"}
    if ran.returncode:
        return {"error": (ran.stderr.strip().splitlines() or ["no reason given"])[-1][:300]}
    return json.loads(ran.stdout.strip().splitlines()[-1])


def _python(name: str) -> str:
    if name in OURS:
        return os.environ.get("HORNBEAM_PYTHON", str(HERE.parent / ".venv/bin/python"))
    return str(Path(os.environ.get("HORNBEAM_PEERS", HERE / ".peers")) / "bin/python")


def _versions() -> dict:
    ours, why = machine.our_version(_python("hornbeam"), dict(os.environ))
    peers = machine.peer_versions(_python("peer"), ["xgboost", "lightgbm", "ydf", "dask", "pyarrow"])
    return {"hornbeam": ours or why, **peers}


if __name__ == "__main__":
    main()
