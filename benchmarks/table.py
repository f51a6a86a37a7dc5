"""Results as a Markdown page per group: the ratios of hornbeam first, then every library of every workload.

A ratio is the best time of another library divided by the best time of this one in the same interleaved run: 2.0 means
twice as fast. `python -m benchmarks.table result.json` prints the page again.
"""

import itertools
import json
import math
import sys
from pathlib import Path

from benchmarks.contenders import CONTENDERS

OURS = "hornbeam"


def seconds(value: float) -> str:
    """A time with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size or unit == "us":
            return f"{value / size:.3g} {unit}"
    raise AssertionError


def finished(cell: dict, ours: bool | None = None) -> list[dict]:
    """Results with a time, fastest first; only those of hornbeam or only the others on request."""
    timed = [r for r in cell["results"] if r["times"] and (ours is None or (r["library"] == OURS) == ours)]
    return sorted(timed, key=lambda r: r["best"])


def is_estimated(result: dict) -> bool:
    """Whether its times are estimated from a part of the work."""
    return result["contender"] in CONTENDERS and CONTENDERS[result["contender"]].is_estimated


def took(result: dict, which: str) -> str:
    """Its best or median time, and whether it is an estimate."""
    return f"about {result[which]:,.0f} s, estimated" if is_estimated(result) else seconds(result[which])


def times_faster(other: dict | None, this: dict) -> str:
    if other is None:
        return ""
    ratio = other["best"] / this["best"]
    if is_estimated(other) and other is not this:
        return f"about {float(f'{ratio:.2g}'):,g}, estimated"
    return f"{ratio:.2f}"


def reference_of(cell: dict) -> dict | None:
    return next((r for r in finished(cell) if r["contender"] == cell["reference"]), None)


def fastest_peer(cell: dict) -> dict | None:
    return next(iter(finished(cell, ours=False)), None)


def line(cell: dict) -> str:
    """One line for the terminal during the run."""
    times = [f"{r['contender']} {seconds(r['best'])}" for r in finished(cell)]
    failed = [f"{r['contender']}: {r['error'][:60]}" for r in cell["results"] if "error" in r]
    return f"{cell['workload']['label']}, threads {cell['threads']}: " + "  ".join(
        [*times, *(f"! {f}" for f in failed)]
    )


def markdown(report: dict) -> str:
    """The whole page of a group."""
    machine, cells = report["machine"], report["cells"]
    named = dict.fromkeys(r["library"] for cell in cells for r in cell["results"])
    lines = [
        f"# {report['group']}: {report['question'].strip()}",
        "",
        f"{report['date']}, size {report['size']}, {report['minutes']} minutes. {machine['processor']}, "
        f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}.",
        "; ".join(v for k, v in report["versions"].items() if k in named or k == "numpy") + ".",
        "",
        *warning(report),
        "## hornbeam compared with scikit-learn and the fastest other library",
        "",
        *summary(cells),
        "",
    ]
    if any(cell["workload"]["series"] for cell in cells):
        lines += ["## Scaling", "", *growth(cells), ""]
    for cell in cells:
        lines += [f"## {cell['workload']['label']}; threads: {cell['threads']}", "", *details(cell), ""]
    entered = {r["contender"] for cell in cells for r in cell["results"]}
    notes = dict.fromkeys(kind.note for name, kind in CONTENDERS.items() if name in entered and kind.note)
    lines += ["## Notes on the comparison", "", *(f"- {note}." for note in notes), ""] if notes else []
    return "\n".join(lines)


def warning(report: dict) -> list[str]:
    """Warnings for runs whose numbers must not be quoted: the machine was in use, or the size is tiny."""
    warnings = []
    if report["size"] == "tiny":
        warnings.append("Size tiny only checks that everything runs; its numbers are meaningless.")
    if any(got < 0.95 * int(threads) for threads, got in report["cores_got"].items()):
        cores = ", ".join(f"{threads} threads got {got} cores" for threads, got in report["cores_got"].items())
        warnings.append(f"The machine was not quiet ({cores}): do not quote these numbers.")
    return [part for text in warnings for part in (f"> {text}", "")]


def summary(cells: list[dict]) -> list[str]:
    rows = [
        "| workload | threads | library | best | vs. scikit-learn | vs. fastest other library | quality "
        "| quality of the other |",
        "|---|--:|---|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        peer, reference = fastest_peer(cell), reference_of(cell)
        start = f"| {cell['workload']['label']} | {cell['threads']} |"
        for our in finished(cell, ours=True):
            against = f"{times_faster(peer, our)} ({peer['contender']})" if peer else ""
            rows.append(
                f"{start} {our['contender']} | {seconds(our['best'])} | {times_faster(reference, our)} | {against} "
                f"| {quality(our)} | {quality(peer) if peer else ''} |"
            )
        for our in cell["results"]:
            if our["library"] == OURS and not our["times"]:
                rows.append(f"{start} {our['contender']} | no result | | | | |")
    return rows


def details(cell: dict) -> list[str]:
    measure = "accuracy" if cell["data"]["classes"] else "R2"
    has_loss = any("loss" in r for r in cell["results"])
    if has_loss:
        measure += " | log loss" if cell["data"]["classes"] else " | mean squared error"
    rows = [
        f"| library | best | median | turns | vs. {cell['reference']} | vs. fastest other library | {measure} | nodes "
        "| busy cores | extra memory / X in float32 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|" + "--:|" * has_loss,
    ]
    peer, reference = fastest_peer(cell), reference_of(cell)
    matrix = 4 * cell["data"]["rows"] * cell["data"]["columns"]
    for r in finished(cell):
        extra, nodes, busy = r.get("extra_bytes"), r.get("nodes"), sum(r["cpu"]) / max(sum(r["times"]), 1e-12)
        # below a megabyte the resident size depends on memory pages, not on the fit
        memory = f"{extra / matrix:.2f} ({extra / 1e6:.0f} MB)" if extra is not None and matrix > 1e6 else ""
        rows.append(
            f"| {r['contender']} | {took(r, 'best')} | {took(r, 'median')} | {len(r['times'])} "
            f"| {times_faster(reference, r)} | {times_faster(peer, r)} | {quality(r)}{loss(r)} "
            f"| {'' if nodes is None else f'{nodes:,}'} | {busy:.2f} | {memory} |"
        )
    errors = [f"- {r['contender']}: {r['error']}" for r in cell["results"] if "error" in r]
    for what in ("quality", "loss", "nodes"):
        errors += [f"- {r['contender']}: {what}: {r[f'{what}_error']}" for r in cell["results"] if f"{what}_error" in r]
    return [*rows, "", *errors] if errors else rows


def quality(result: dict) -> str:
    value = result.get("quality")
    return "unknown" if value is None else f"{value:.4f}"


def loss(result: dict) -> str:
    """The cell of the loss, if losses were measured."""
    if "loss" not in result:
        return ""
    return f" | {result['loss']:.4f}" if result["loss"] is not None else " | unknown"


def growth(cells: list[dict]) -> list[str]:
    """The exponent of n, and time / (n log n) relative to the smallest size (1.0 throughout: n log n)."""
    rows = ["| library | threads | from rows | to rows | exponent of n | time / (n log n), smallest = 1 |"]
    rows.append("|---|--:|--:|--:|--:|--:|")
    series: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for cell in cells:
        for r in finished(cell):
            series.setdefault((r["contender"], cell["threads"]), []).append((cell["data"]["rows"], r["best"]))
    for (name, threads), points in series.items():
        n0, t0 = points[0]
        for (n1, t1), (n2, t2) in itertools.pairwise(points):
            exponent = math.log(t2 / t1) / math.log(n2 / n1)
            relative = (t2 / (n2 * math.log(n2))) / (t0 / (n0 * math.log(n0)))
            rows.append(f"| {name} | {threads} | {n1:,} | {n2:,} | {exponent:.2f} | {relative:.2f} |")
    return rows


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(markdown(json.loads(Path(name).read_text())))
