"""The cost model of growth from files: measures its constants and writes the table of docs/scale.md.

    python -m benchmarks.scale_model                 measures, records results/DATE-scale_model.json, writes the page
    python -m benchmarks.scale_model --page          writes the page from the recorded constants

    n rows, d columns, B bins, 2 classes, D levels, W machines of c cores, 8 bytes per sum

    prepare    n d (pass 1 + pass 2) / (W c)
    compute    n d D kappa / (W c)
    sums       2^(D-1) d B 2 integers per machine and tree: at each level the smaller child of every split is added up
    network    W x sums x 8 bytes / bandwidth
    schedule   D (alpha + tau W (c + 1)) + W x sums x sigma: a task per core, and one per machine that adds them up

kappa, pass 1, pass 2, alpha, tau and sigma are processor times measured on one core. Cores, bandwidth and perfect
division of work are assumed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import tempfile
from pathlib import Path

from benchmarks import machine, scale_data
from benchmarks.process import Phases, processor_seconds

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "scale.md"
BEGIN, END = "<!-- cost model: begin -->", "<!-- cost model: end -->"
ROWS, DEPTH = 2_000_000, 8
COLUMNS, BINS, CORES, BANDWIDTH = 100, 256, 16, 1.25e9
SIZES = [(10**8, 1), (10**9, 1), (10**9, 10), (10**9, 30), (10**10, 10), (10**10, 100), (10**11, 100), (10**11, 1000)]


def measure() -> dict[str, float]:
    """The constants of this machine, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        found = _passes_and_tree(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        return found | _rounds(Path(folder)) | {"sigma": _addition()}


def _passes_and_tree(folder: Path) -> dict[str, float]:
    import hornbeam as hb
    from hornbeam.recipes.grow_files import grow_files

    scale_data.write(folder, ROWS)
    recipe = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(DEPTH)])
    dataset = hb.scale.Dataset(f"{folder}/*.parquet", "y")
    small = scale_data.write(folder / "small", 20_000)
    grow_files(hb.scale.Dataset(str(small[0]), "y"), recipe, memory="1GB", threads=1)  # imports, once
    phases = Phases()
    grow_files(dataset, recipe, memory="1GB", threads=1, report=phases.report)
    phases.add("tree")
    cells = ROWS * len(scale_data.COLUMNS)
    seconds = {name: values[0] for name, values in phases.seconds.items()}
    return {
        "pass 1": seconds["pass 1"] / cells,
        "pass 2": seconds["pass 2"] / cells,
        "kappa": seconds["tree"] / cells / DEPTH,
    }


def _rounds(folder: Path) -> dict[str, float]:
    """Processor time of client and scheduler per round, for two numbers of tasks: alpha + tau times their number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = scale_data.batch(2000, 0).select(["x0", "x4", "y"])
    for number in range(32):
        pq.write_table(pa.table(table), folder / f"{number:02d}.parquet")
    few, many = _round_seconds(folder, 1), _round_seconds(folder, 16)
    n_few, n_many = 2, 2 * (16 + 1)  # of two workers, each with one task that adds up if there are several
    # Neither can be negative, which noise suggests on a busy machine.
    tau = min(max((many - few) / (n_many - n_few), 0.0), many / n_many)
    return {"alpha": max(many - n_many * tau, 0.0), "tau": tau}


def _round_seconds(folder: Path, threads: int) -> float:
    """Processor time of client and scheduler for a round of two workers with some threads."""
    from distributed import Client, LocalCluster

    import hornbeam as hb
    from hornbeam.scale.counting import count_rows
    from hornbeam.scale.prepare import prepared

    repeats = 60
    dataset = hb.scale.Dataset(f"{folder}/*.parquet", "y")
    with (
        LocalCluster(n_workers=2, threads_per_worker=threads, dashboard_address=None, memory_limit=0) as cluster,
        Client(cluster) as client,
        prepared(dataset, memory_limit=10**9, client=client) as files,
    ):
        assert files.rounds is not None
        request = count_rows(files.data, hb.recipe("plain"), files.rounds).root_request()
        files.rounds.statistics([request])
        start = processor_seconds()
        for _ in range(repeats):
            files.rounds.statistics([request])
        return (processor_seconds() - start) / repeats


def _addition() -> float:
    """Processor time to add one integer to a sum."""
    import numpy as np

    total, part = np.zeros(1 << 21, dtype=np.int64), np.ones(1 << 21, dtype=np.int64)
    total += part
    start = processor_seconds()
    for _ in range(50):
        total += part
    return (processor_seconds() - start) / 50 / len(total)


def seconds_of(constants: dict[str, float], n_rows: float, machines: int, cores: int = CORES) -> dict:
    """The seconds of the parts of the model, for `COLUMNS` columns."""
    work = n_rows * COLUMNS / (machines * cores)
    sums = 2 ** (DEPTH - 1) * COLUMNS * BINS * 2
    tasks = machines * (cores + 1)
    return {
        "prepare": work * (constants["pass 1"] + constants["pass 2"]),
        "compute": work * DEPTH * constants["kappa"],
        "network": machines * sums * 8 / BANDWIDTH if machines > 1 else 0.0,
        "schedule": DEPTH * (constants["alpha"] + constants["tau"] * tasks) + machines * sums * constants["sigma"],
    }


def section(recorded: dict) -> str:
    """The section of the page: constants, and the table of the model."""
    constants = recorded["constants"]
    large = large_run()
    modelled = (
        large["rows"] * 20 * DEPTH * constants["kappa"],
        large["rows"] * 20 * (constants["pass 1"] + constants["pass 2"]),
    )
    lines = [
        f"Constants measured on {recorded['date']} on one core ({recorded['processor']}), as processor time:",
        "",
        "| constant | |",
        "|---|--:|",
        f"| pass 1, per cell | {constants['pass 1'] * 1e9:.1f} ns |",
        f"| pass 2, per cell | {constants['pass 2'] * 1e9:.1f} ns |",
        f"| a level of a tree, per row and column | {constants['kappa'] * 1e9:.2f} ns |",
        f"| a round on a cluster | {constants['alpha'] * 1e3:.1f} ms |",
        f"| a task of a round | {constants['tau'] * 1e3:.2f} ms |",
        f"| an addition of two sums | {constants['sigma'] * 1e9:.2f} ns |",
        "",
        f"Check: for {large['rows']:,} rows x 20 columns the model gives {modelled[1]:.0f} s for both passes and "
        f"{modelled[0]:.0f} s for the tree; the run took {large['prepare']:.0f} s and {large['tree']:.0f} s.",
        "",
        f"**All figures of this table are a model, none was run**: {COLUMNS} columns, {BINS} bins, two classes, depth "
        f"{DEPTH}, machines of {CORES} cores with 10 Gbit/s, one worker of {CORES} threads per machine, work divided "
        "perfectly. Every machine sends one sum per round, of 8 bytes per integer.",
        "",
        "| rows | machines | bins per machine | prepare | a tree: compute | network | schedule | **total** |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n_rows, machines in SIZES:
        built = seconds_of(constants, n_rows, machines)
        total = sum(built[name] for name in ("compute", "network", "schedule"))
        cells = [f"{built[name]:,.1f} s" for name in ("prepare", "compute", "network", "schedule")]
        gigabytes = n_rows * (COLUMNS + 2) / machines / 1e9
        lines.append(
            f"| 10^{len(str(n_rows)) - 1} | {machines:,} | {gigabytes:,.0f} GB | {' | '.join(cells)} | "
            f"**{total:,.1f} s** |"
        )
    return "\n".join(lines)


def write_page(recorded: dict) -> None:
    """Replace the section of the page."""
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{section(recorded)}\n\n{END}{after}", "utf-8")


def latest(name: str) -> Path:
    """The newest record with a name."""
    return sorted((HERE / "results").glob(f"*-{name}.json"))[-1]


def large_run() -> dict[str, float]:
    """The rows of the newest run of `make test-large`, and the processor time of both passes and of its tree."""
    run = json.loads(latest("large").read_text("utf-8"))
    prepare = sum(run["seconds"][name]["processor"] for name in ("pass 1", "pass 2"))
    return {"rows": run["rows"], "prepare": prepare, "tree": run["seconds"]["tree"]["processor"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="write the page from the recorded constants")
    if parser.parse_args().page:
        write_page(json.loads(latest("scale_model").read_text("utf-8")))
        return
    date = datetime.date.today().isoformat()
    recorded = {"date": date, "processor": machine.processor(), "constants": measure()}
    path = HERE / "results" / f"{date}-scale_model.json"
    path.write_text(json.dumps(recorded, indent=1) + "\n", "utf-8")
    write_page(recorded)
    print(section(recorded))


if __name__ == "__main__":
    main()
