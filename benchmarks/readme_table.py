"""Writes the tables of README and docs/performance.md from recorded results, between two markers.

    python -m benchmarks.readme_table [FOLDER]      reads FOLDER/*.json (default: benchmarks/results), writes the tables

The newest full run of every group is used; quick and tiny runs are not quoted, and runs on a machine that was in use
are named but not shown. A ratio is the best time of the other library divided by that of hornbeam in the same
interleaved run: above 1, hornbeam is faster. Every workload of a run is shown.
"""

import json
import sys
from pathlib import Path

from benchmarks import table
from benchmarks.contenders import CONTENDERS
from benchmarks.workloads import GROUPS

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
PAGES = {"README.md": "short", "docs/performance.md": "long"}
BEGIN, END = "<!-- made by benchmarks/readme_table.py -->", "<!-- end of what is made -->"
NOTHING = "No results are recorded: run `make bench`."


def recorded(folder: Path) -> list[dict]:
    """The newest full run of every group, in the order of the groups."""
    newest: dict[str, dict] = {}
    for path in sorted(folder.glob("*.json")):  # names begin with the date
        report = json.loads(path.read_text("utf-8"))
        if report.get("size") == "full":  # files of losses have no times and no size
            newest[report["group"]] = report
    return [newest[group] for group in GROUPS if group in newest]


def is_quiet(report: dict) -> bool:
    """Whether no other program used the machine, so that the numbers may be quoted."""
    return not any("not quiet" in line for line in table.warning(report))


def short(reports: list[dict]) -> str:
    """One line per workload: the ratios for every number of threads, and the quality."""
    shown = [report for report in reports if is_quiet(report)]
    if not shown:
        return NOTHING
    threads = sorted({cell["threads"] for report in shown for cell in report["cells"]})
    heads = [
        f"{n} thread{'s' * (n > 1)}: vs. {name}" for n in threads for name in ("scikit-learn", "fastest other library")
    ]
    rows = [
        f"| workload | {' | '.join(heads)} | accuracy or R2: hornbeam / other |",
        "|---|" + "--:|" * (len(heads) + 1),
    ]
    for report in shown:
        rows += [_line(report, label, threads) for label in dict.fromkeys(_label(cell) for cell in report["cells"])]
    return "\n".join([*rows, "", *_notes(reports)])


def long(reports: list[dict]) -> str:
    """Every group with all entries of hornbeam."""
    shown = [report for report in reports if is_quiet(report)]
    if not shown:
        return NOTHING
    lines = []
    for report in shown:
        lines += [f"### {report['question'].strip().rstrip('.')}", "", *table.summary(report["cells"]), ""]
    return "\n".join([*lines, *_notes(reports)])


def _label(cell: dict) -> str:
    return cell["workload"]["label"]


def _ours(cell: dict) -> dict | None:
    """The entry of hornbeam with the same input as the others: one without a note, if there is one."""
    found = table.finished(cell, ours=True)
    return min(found, key=lambda each: (bool(CONTENDERS[each["contender"]].note), each["best"]), default=None)


def _line(report: dict, label: str, threads: list[int]) -> str:
    cells = {cell["threads"]: cell for cell in report["cells"] if _label(cell) == label}
    ratios, quality = [], ""
    for n in threads:
        ours, peer = (_ours(cells[n]), table.fastest_peer(cells[n])) if n in cells else (None, None)
        if ours is None:
            ratios += ["no result" if n in cells else "", ""]
            continue
        ratios += [_against(table.reference_of(cells[n]), ours, "scikit-learn"), _against(peer, ours)]
        quality = quality or " / ".join(table.quality(each) for each in (ours, peer) if each)
    return f"| {report['group']}: {label} | {' | '.join(ratios)} | {quality} |"


def _against(other: dict | None, ours: dict, known: str = "") -> str:
    """The speed-up of hornbeam, and the name of the other library unless it is known."""
    if other is None:
        return "not measured"
    name = other["contender"]
    return table.times_faster(other, ours) + ("" if known and name.startswith(known) else f" ({name})")


def _notes(reports: list[dict]) -> list[str]:
    """How often hornbeam is the fastest, machine, date, versions, and the runs that are not shown."""
    shown = [report for report in reports if is_quiet(report)]
    pairs = [(_ours(cell), table.fastest_peer(cell)) for report in shown for cell in report["cells"]]
    compared = [(ours, peer) for ours, peer in pairs if peer]
    won = sum(ours is not None and ours["best"] < peer["best"] for ours, peer in compared)
    machines = dict.fromkeys(
        f"{r['machine']['processor']}, {r['machine']['cores']} cores, Python {r['machine']['python']}" for r in shown
    )
    named = {each["library"] for r in shown for cell in r["cells"] for each in cell["results"]}
    versions = dict.fromkeys(text for r in shown for name, text in r["versions"].items() if name in named)
    dates = sorted({report["date"] for report in shown})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    notes = [
        f"Above 1, hornbeam is faster by this factor; it is the fastest in {won} of {len(compared)} cells.",
        f"Measured on {when}, {'; '.join(machines)}: {'; '.join(versions)}.",
    ]
    estimated = dict.fromkeys(peer["contender"] for _, peer in compared if table.is_estimated(peer))
    notes += [f"Estimated from a part of the work: {CONTENDERS[name].note}." for name in estimated]
    busy = [report["group"] for report in reports if report not in shown]
    if busy:
        notes.append(f"Not shown because other programs used the machine: {', '.join(busy)}.")
    return ["  \n".join(notes)]


def filled(text: str, made: str) -> str:
    """A page with the text between its markers replaced."""
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise SystemExit(f"The page needs the markers {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def main() -> None:
    """Write the tables into README and docs."""
    reports = recorded(Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS)
    for name, how in PAGES.items():
        page = HERE.parent / name
        page.write_text(filled(page.read_text("utf-8"), {"short": short, "long": long}[how](reports)), "utf-8")
        print(f"{name}: {len(reports)} groups")


if __name__ == "__main__":
    main()
