"""Compares generated C with that of other libraries, and converted LightGBM models with LightGBM itself.

    make bench BENCH=exports                                            creates the environment of the other libraries
    python -m benchmarks.exports [--turns K] [--rows N] [--many N] [--results DIR]

All C is compiled with -O2 -std=c99 and called row by row from the same loop in C; lleaves compiles by itself and
predicts many rows in one call. Every library has the same LightGBM model and the same rows of doubles, one thread. The
predictions are compared first. Turns are interleaved, and times are processor times: other programs on the machine
affect them less than wall times.
"""

import argparse
import ctypes
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.export_sources import CALLS, COLUMNS, MODELS, random_rows

HERE = Path(__file__).resolve().parent
OURS = "hornbeam"
STYLES = {"hornbeam, tables": "tables", "hornbeam, conditions": "unrolled", "hornbeam, masks": "masks"}
LOOP = """
void run_each(const double *rows, long n, double *out) { for (long i = 0; i < n; i++) out[i] = one(rows + 20 * i); }
#ifndef BATCH
#define BATCH run_each(rows, n, out)
#endif
void run_batch(const double *rows, long n, double *out) { BATCH; }
"""
# Code between the function of a library and the loop: the probability of the second class of one row.
BRIDGES = {
    "tl2cgen": """#include "header.h"
static double one(const double *x) {
    union Entry row[20]; double out[2] = {0.0, 0.0};  /* predict adds */
    for (int k = 0; k < 20; k++) { if (x[k] != x[k]) row[k].missing = -1; else row[k].fvalue = x[k]; }
    predict(row, 0, out); return out[0]; }""",
    "m2cgen": """void score(double *input, double *output);
static double one(const double *x) { double out[2]; score((double *)x, out); return out[1]; }""",
    "lleaves": """void forest_root(const double *data, double *out, int start, int end);
static double one(const double *x) { double out; forest_root(x, &out, 0, 1); return out; }
#define BATCH forest_root(rows, out, 0, (int)n)""",
}


def our_bridge(header: str) -> str:
    """The same for a generated header: its row has one field per column that the model reads."""
    fields = re.findall(r"^    double (x(\d+));", header, re.MULTILINE)
    values = ", ".join(f".{name} = x[{index}]" for name, index in fields)
    return f"""#include "model.h"
static double one(const double *x) {{
    model_row row = {{{values}}}; double out[2]; model_probabilities(&row, out); return out[1]; }}"""


class Compiled:
    """The shared library of one generated program."""

    def __init__(self, folder: Path, bridge: str) -> None:
        (folder / "bridge.c").write_text(f"{bridge}\n{LOOP}\n")
        parts = [path.name for path in sorted(folder.iterdir()) if path.suffix in (".c", ".o")]
        command = ["gcc", "-O2", "-std=c99", "-shared", "-fPIC", *parts, "-o", "model.so", "-lm"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=900)
        library = ctypes.CDLL(str(folder / "model.so"))
        self.functions = {"one": library.run_each, "many": library.run_batch}
        for function in self.functions.values():
            function.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
        self.bytes = (folder / "model.so").stat().st_size

    def predict(self, rows: np.ndarray, what: str = "many") -> np.ndarray:
        out = np.empty(len(rows))
        self.functions[what](rows.ctypes.data, len(rows), out.ctypes.data)
        return out


def programs(folder: Path, name: str, skipped: dict[str, str]) -> dict[str, Compiled]:
    """Library -> its program of a model."""
    import hornbeam as hb

    found = {}
    forest = hb.convert(folder / f"{name}.txt")
    for label, style in STYLES.items():
        target = folder / f"{name}-{style}"
        target.mkdir()
        header = hb.export(forest, format="c", style=style)
        (target / "model.h").write_text(header)
        found[label] = Compiled(target, our_bridge(header))
    for library, bridge in BRIDGES.items():
        if f"{library}, {name}" in skipped:
            continue
        try:
            found[library] = Compiled(folder / f"{name}-{library}", bridge)
        except subprocess.SubprocessError as error:
            skipped[f"{library}, {name}"] = f"gcc: {error}"
    return found


def race_c(found: dict[str, Compiled], n: int, turns: int) -> dict[str, dict[str, list[float]]]:
    """Seconds per row of single calls (1,000 new rows per turn) and of n rows, in interleaved turns."""
    rows = random_rows(n, 2)
    reference = next(iter(found.values())).predict(rows)
    for library, program in found.items():
        if not np.allclose(program.predict(rows), reference, rtol=1e-9, atol=1e-12):
            raise SystemExit(f"the predictions of {library} differ")
    times = {library: {"one": [], "many": []} for library in found}
    for turn in range(turns):
        few = random_rows(1000, 100 + turn)
        for library, program in found.items():
            for what, given in (("one", few), ("many", rows)):
                start = time.process_time()
                program.predict(given, what)
                times[library][what].append((time.process_time() - start) / len(given))
    return times


def race_predict(folder: Path, name: str, peers: Path, n: int, turns: int) -> dict[str, dict[str, list[float]]]:
    """Seconds of one row and of n rows: Predictor and predict compared with LightGBM, which has its own process."""
    import hornbeam as hb

    model = folder / f"{name}.txt"
    forest = hb.convert(model)
    rows = random_rows(n, 2)
    row, predictor = rows[0].copy(), hb.Predictor(forest)
    command = [str(peers), str(HERE / "export_sources.py"), "predict", str(model), str(n)]
    times = {OURS: {"one": [], "many": []}, "lightgbm": {"one": [], "many": []}}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        theirs = json.loads(other.stdout.readline())
        if not np.allclose(forest.predict(rows[:1000], threads=1).probabilities[:, 1], theirs, rtol=1e-9, atol=1e-12):
            raise SystemExit("the predictions of LightGBM differ")
        for _ in range(turns):
            start = time.process_time()
            for _ in range(CALLS):
                predictor.probabilities(row)
            middle = time.process_time()
            forest.predict(rows, threads=1)
            times[OURS]["one"].append((middle - start) / CALLS)
            times[OURS]["many"].append(time.process_time() - middle)
            other.stdin.write("turn\n")
            other.stdin.flush()
            one, many = json.loads(other.stdout.readline())
            times["lightgbm"]["one"].append(one)
            times["lightgbm"]["many"].append(many)
    return times


def page(record: dict) -> str:
    """The results as Markdown: best of the turns, and the ratio to the best entry of hornbeam."""
    about = record["machine"]
    lines = ["# Generated C and converted models", ""]
    versions = "; ".join(record["versions"].values())
    lines += [
        f"Written by `make bench BENCH=exports` on {about['date']}: {about['processor']}, one thread,",
        f"best processor time of {about['turns']} interleaved turns; {about['compiler']}, -O2.",
        f"hornbeam commit {about['commit']}; {versions}.",
        "Ratios are to the best entry of hornbeam: above 1, the other one is slower.",
    ]
    if about["cores_got"] < 0.95:
        lines += [
            "",
            f"Not quiet: a busy thread got {about['cores_got']:.2f} of a core; the ratios are less exact.",
        ]
    for library, reason in record["skipped"].items():
        lines += ["", f"Skipped: {library} ({reason})."]
    for name, times in record["c"].items():
        n = f"{record['rows']:,} rows"
        lines += [
            "",
            f"## Generated C, {name}: 100 trees of {MODELS[name]['num_leaves']} leaves, {COLUMNS} columns",
            "",
        ]
        lines += table(times, ("one row per call", n), 1e6, "µs per row", record["bytes"][name])
    for name, times in record["predict"].items():
        lines += ["", f"## Converted model ({name}) in Python, compared with LightGBM", ""]
        one = {each: {"one": [1e6 * t for t in found["one"]], "many": found["many"]} for each, found in times.items()}
        lines += table(one, ("one row, µs", f"{record['many']:,} rows, s"), 1.0, "", {})
    return "\n".join(lines) + "\n"


def table(times: dict, heads: tuple[str, str], unit: float, text: str, sizes: dict[str, int]) -> list[str]:
    """A row per library; the ratios are to the fastest entry of hornbeam in that column."""
    best = {each: [min(found[what]) for what in ("one", "many")] for each, found in times.items()}
    ours = [min(found[k] for each, found in best.items() if each.startswith(OURS)) for k in (0, 1)]
    suffix = f", {text}" if text else ""
    size_head, rule = (" kB |", "--:|") if sizes else ("", "")
    lines = [
        f"| | {heads[0]}{suffix} | ratio | {heads[1]}{suffix} | ratio |{size_head}",
        f"|---|--:|--:|--:|--:|{rule}",
    ]
    for library, (one, many) in best.items():
        cells = [f"{one * unit:.3g}", f"{one / ours[0]:.2f}", f"{many * unit:.3g}", f"{many / ours[1]:.2f}"]
        cells += [f"{sizes[library] / 1000:.0f}"] if sizes else []
        lines.append(f"| {library} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the generated C")
    parser.add_argument("--many", type=int, default=1_000_000, help="rows of predict")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    options = parser.parse_args()
    peers = Path(os.environ.get("HORNBEAM_PEERS", HERE / ".peers")) / "bin" / "python"
    if not peers.exists():
        raise SystemExit("no environment of the other libraries: run `make bench BENCH=exports`")
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    today = datetime.date.today().isoformat()
    record: dict = {"machine": machine.about() | {"date": today, "turns": options.turns, "compiler": compiler}}
    record["machine"] |= {"commit": machine.commit(), "cores_got": machine.cores_got(1)}
    record |= {"rows": options.rows, "many": options.many, "c": {}, "bytes": {}, "predict": {}}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run(
            [str(peers), str(HERE / "export_sources.py"), "sources", place], check=True, stderr=subprocess.DEVNULL
        )
        record |= json.loads((folder / "libraries.json").read_text())
        for name in MODELS:
            found = programs(folder, name, record["skipped"])
            record["bytes"][name] = {library: program.bytes for library, program in found.items()}
            record["c"][name] = race_c(found, options.rows, options.turns)
            record["predict"][name] = race_predict(folder, name, peers, options.many, options.turns)
            print(f"{name}: done", file=sys.stderr, flush=True)
    text = page(record)
    (options.results / f"{today}-exports.json").write_text(json.dumps(record, indent=1) + "\n")
    (options.results / f"{today}-exports.md").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
