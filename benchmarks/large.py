"""`make test-large FOLDER=...`: grows a tree on 50 million rows x 20 columns within 2 GB, and checks the memory.

The rows are written to FOLDER as Parquet (3.8 GB) and removed at the end. A child process grows a tree of depth 8 with
memory="2GB"; the test fails if its anonymous resident memory reaches 2 GB. Processor and wall time of both passes and
of the tree, and the bytes of disk per row, are printed and recorded in results/.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import machine, scale_data

MEMORY = 2_000_000_000
DEPTH = 8
RESULTS = Path(__file__).with_name("results")


def child(pattern: str, work: str) -> dict[str, object]:
    """Grow the tree in this process and measure it."""
    import hornbeam as hb
    from benchmarks.process import Peak, Phases, anonymous_bytes
    from hornbeam.recipes.grow_files import grow_files

    recipe = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(DEPTH)])
    phases, peak, base = Phases(), Peak(), anonymous_bytes()
    disk = 0

    def report(text: str) -> None:
        nonlocal disk
        phases.report(text)
        if text.startswith("pass 2"):
            disk = sum(path.stat().st_size for path in Path(work).iterdir())

    with peak.watched():
        tree = grow_files(hb.scale.Dataset(pattern, "y"), recipe, memory=MEMORY, work=work, threads=1, report=report)
        phases.add("tree")
    rows = int(tree.metadata["rows"])
    return {
        "rows": rows,
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "seconds": {name: {"processor": values[0], "wall": values[1]} for name, values in phases.seconds.items()},
        "disk_bytes_per_row": disk / rows,
        "anonymous_before": base,
        "anonymous_peak": peak.bytes,
    }


def main() -> int:
    """Write the rows, run the child process, check and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="an existing folder with 6 GB of free disk")
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--keep", action="store_true", help="keep the Parquet files")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(child(str(args.folder / "*.parquet"), args.child)))
        return 0
    data = args.folder / "hornbeam-large"
    try:
        start = time.perf_counter()
        paths = scale_data.write(data, args.rows)
        n_bytes = sum(path.stat().st_size for path in paths)
        print(f"wrote {args.rows:,} rows, {n_bytes / 1e9:.2f} GB, in {time.perf_counter() - start:.0f} s", flush=True)
        load = os.getloadavg()[0]
        with tempfile.TemporaryDirectory(dir=args.folder) as work:
            command = [sys.executable, "-m", "benchmarks.large", str(data), "--child", work]
            ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found = json.loads(ran.stdout)
        found |= {"parquet_bytes": n_bytes, "limit": MEMORY, "load_before": load, "load_after": os.getloadavg()[0]}
        page = page_of(found)
        print(page)
        if args.rows == 50_000_000:
            record(found, page)
        return 0 if found["anonymous_peak"] < MEMORY and found["rows"] == args.rows else 1
    finally:
        if not args.keep:
            shutil.rmtree(data, ignore_errors=True)


def page_of(found: dict) -> str:
    """The figures as a page."""
    peak, limit = found["anonymous_peak"] / 1e6, found["limit"] / 1e6
    lines = [
        f"# {found['rows']:,} rows x {len(scale_data.COLUMNS)} columns within {limit:,.0f} MB",
        "",
        f"A tree of depth {found['depth']} with {found['leaves']} leaves, one thread, from "
        f"{found['parquet_bytes'] / 1e9:.2f} GB of Parquet; load of the machine {found['load_before']:.1f} before and "
        f"{found['load_after']:.1f} after.",
        "",
        "| | processor time | wall time |",
        "|---|--:|--:|",
        *[f"| {name} | {s['processor']:.1f} s | {s['wall']:.1f} s |" for name, s in found["seconds"].items()],
        "",
        f"Disk: {found['disk_bytes_per_row']:.2f} bytes per row. Anonymous memory: at most {peak:,.0f} MB, "
        f"{'within' if peak < limit else 'BEYOND'} the limit.",
        "",
    ]
    return "\n".join(lines)


def record(found: dict, page: str) -> None:
    """Write the figures to results/."""
    RESULTS.mkdir(exist_ok=True)
    name = RESULTS / f"{datetime.date.today().isoformat()}-large"
    about = {"machine": machine.about(), **found}
    name.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    name.with_suffix(".md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
