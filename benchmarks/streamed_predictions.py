"""Predictions of 10 million rows from files to files: processor time and private memory, recorded for docs/scale.md.

    python -m benchmarks.streamed_predictions FOLDER     writes 3 GB to FOLDER and removes them at the end

Every job runs in a process of its own. 8 columns of float64 with all digits, one of integers, one of texts.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks import machine

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "scale.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
ROWS, BLOCK = 10_000_000, 500_000
JOBS = [("parquet", "parquet"), ("parquet", "csv"), ("csv", "csv"), ("csv", "parquet"), ("csv", "jsonl")]


def batch(n_rows: int, seed: int):
    """Some rows as an Arrow table."""
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng([seed, 5])
    columns = {f"x{position}": random.normal(size=n_rows) for position in range(8)}
    columns["k"] = random.integers(0, 100, n_rows)
    columns["c"] = np.array(["red", "green", "blue", "black"])[random.integers(0, 4, n_rows)]
    return pa.table(columns)


def write(folder: Path, n_rows: int) -> None:
    """Write the rows as Parquet and as CSV, and the model."""
    import numpy as np
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pq

    import hornbeam as hb

    few = batch(50_000, 1)
    y = np.where(few["x0"].to_numpy() + few["k"].to_numpy() / 50 > 1, "a", "b")
    rows = {name: few[name].to_pylist() for name in few.column_names}
    recipe = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(8)])
    hb.save(hb.grow(hb.read({**rows, "y": y}, target="y"), recipe), folder / "model.tree")
    unquoted = pa_csv.WriteOptions(quoting_style="none")
    with (
        pq.ParquetWriter(folder / "rows.parquet", few.schema) as parquet,
        pa_csv.CSVWriter(folder / "rows.csv", few.schema, write_options=unquoted) as text,
    ):
        for start in range(0, n_rows, BLOCK):
            part = batch(min(BLOCK, n_rows - start), start)
            parquet.write_table(part)
            text.write_table(part)


def child(folder: Path, source: str, output: str) -> dict:
    """Predict in this process and measure it."""
    import pyarrow.csv
    import pyarrow.parquet  # noqa: F401 - imported before the measurement

    import hornbeam as hb
    from benchmarks.process import Peak, processor_seconds

    model, peak = hb.load(folder / "model.tree"), Peak()
    start = processor_seconds()
    with peak.watched():
        n_rows = hb.predict(model, folder / f"rows.{source}", output=folder / f"out.{output}", threads=1)
    return {"rows": n_rows, "processor": processor_seconds() - start, "anonymous_peak": peak.bytes}


def section(recorded: dict, large: dict) -> str:
    """The table of the page; `large` is the recorded run of benchmarks/large.py."""
    sizes = {name: f"{n_bytes / 1e6:,.0f} MB" for name, n_bytes in recorded["bytes"].items()}
    lines = [
        f"| {recorded['rows']:,} rows x 10 columns ({sizes['parquet']} of Parquet, {sizes['csv']} of CSV) "
        "| processor time | private memory |",
        "|---|--:|--:|",
    ]
    names = {"parquet": "Parquet", "csv": "CSV", "jsonl": "JSON lines"}
    for job in recorded["jobs"]:
        lines.append(
            f"| predict, {names[job['source']]} to {names[job['output']]} | {job['processor']:.1f} s | "
            f"{job['anonymous_peak'] / 1e6:,.0f} MB |"
        )
    rows = f"{large['rows']:,} rows x 20 columns"
    prepare = sum(large["seconds"][name]["processor"] for name in ("pass 1", "pass 2"))
    lines += [
        f'| both passes of {rows}, `memory="2GB"`, {large["disk_bytes_per_row"]:.0f} bytes of disk per row | '
        f"{prepare:.1f} s | |",
        f"| the tree of depth {large['depth']} with {large['leaves']} leaves | "
        f"{large['seconds']['tree']['processor']:.1f} s | {large['anonymous_peak'] / 1e6:,.0f} MB |",
    ]
    return "\n".join(lines)


def large_run() -> dict:
    """The newest recorded run of benchmarks/large.py."""
    return json.loads(sorted((HERE / "results").glob("*-large.json"))[-1].read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--page", action="store_true", help="write the page from the recorded figures")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(child(args.folder, *args.child)))
        return
    if not args.page:
        record(args.folder / "hornbeam-predictions", args.rows)
    path = sorted((HERE / "results").glob("*-streamed_predictions.json"))[-1]
    text = PAGE.read_text("utf-8")
    table = section(json.loads(path.read_text("utf-8")), large_run())
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", "utf-8")


def record(folder: Path, n_rows: int) -> None:
    """Run all jobs and record their figures."""
    folder.mkdir(parents=True)
    try:
        write(folder, n_rows)
        sizes = {suffix: (folder / f"rows.{suffix}").stat().st_size for suffix in ("parquet", "csv")}
        jobs = []
        for source, output in JOBS:
            command = [sys.executable, "-m", "benchmarks.streamed_predictions", str(folder), "--child", source, output]
            ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            jobs.append({"source": source, "output": output, "load": os.getloadavg()[0], **json.loads(ran.stdout)})
            (folder / f"out.{output}").unlink()
            print(jobs[-1], flush=True)
        found = {"machine": machine.about(), "rows": n_rows, "bytes": sizes, "jobs": jobs}
        if n_rows == ROWS:
            path = HERE / "results" / f"{datetime.date.today().isoformat()}-streamed_predictions.json"
            path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
