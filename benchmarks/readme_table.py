"""What do README and docs/performance.md say of speed?  Tables made from recorded results, between two markers.

    python -m benchmarks.readme_table [FOLDER]      reads FOLDER/*.json (default: benchmarks/results), writes the tables

Of every group the newest full run counts; quick and tiny runs are not quoted, and runs on a machine that others used
are named but not shown. A ratio is the other's best time over ours in the same interleaved run: above 1 hornbeam is
faster, below 1 slower. Every workload of a run is shown.
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
NOTHING = "No results are recorded yet: `make bench` measures on your machine."


def recorded(folder: Path) -> list[dict]:
    """The newest full run of every group, in the order of the groups."""
    newest: dict[str, dict] = {}
    for path in sorted(folder.glob("*.json")):  # names begin with the date
        report = json.loads(path.read_text("utf-8"))
        if report.get("size") == "full":  # files of losses have no times and no size
            newest[report["group"]] = report
    return [newest[group] for group in GROUPS if group in newest]


def is_quiet(report: dict) -> bool:
    """Whether the machine was ours alone, so that the numbers may be quoted."""
    return not any("not quiet" in line for line in table.warning(report))


def short(reports: list[dict]) -> str:
    """One line a workload: the ratios on every number of threads, and how good the trees are."""
    shown = [report for report in reports if is_quiet(report)]
    if not shown:
        return NOTHING
    threads = sorted({cell["threads"] for report in shown for cell in report["cells"]})
    heads = [f"{n} thread{'s' * (n > 1)}: x {who}" for n in threads for who in ("scikit-learn", "fastest peer")]
    rows = [
        f"| workload | {' | '.join(heads)} | accuracy or R2, ours / that peer's |",
        "|---|" + "--:|" * (len(heads) + 1),
    ]
    for report in shown:
        rows += [_line(report, label, threads) for label in dict.fromkeys(_label(cell) for cell in report["cells"])]
    return "\n".join([*rows, "", *_notes(reports)])


def long(reports: list[dict]) -> str:
    """Every group with all of hornbeam's contenders."""
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
    """The contender that starts where the peers start: one without a note about what differs, if there is one."""
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
    """How many times faster ours is, and than whom unless that is known."""
    if other is None:
        return "no peer"
    whom = other["contender"]
    return table.times_faster(other, ours) + ("" if known and whom.startswith(known) else f" ({whom})")


def _notes(reports: list[dict]) -> list[str]:
    """Who wins how often, on what machine, when, beside whom; what is left out."""
    shown = [report for report in reports if is_quiet(report)]
    met = [(_ours(cell), table.fastest_peer(cell)) for report in shown for cell in report["cells"]]
    beside = [(ours, peer) for ours, peer in met if peer]
    won = sum(ours is not None and ours["best"] < peer["best"] for ours, peer in beside)
    machines = dict.fromkeys(
        f"{r['machine']['processor']}, {r['machine']['cores']} cores, Python {r['machine']['python']}" for r in shown
    )
    named = {each["library"] for r in shown for cell in r["cells"] for each in cell["results"]}
    versions = dict.fromkeys(text for r in shown for name, text in r["versions"].items() if name in named)
    dates = sorted({report["date"] for report in shown})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    said = [
        f"Above 1 hornbeam is so many times faster, below 1 slower; it is the fastest in {won} of {len(beside)} cells.",
        f"Measured {when} on {'; '.join(machines)}: {'; '.join(versions)}.",
    ]
    reckoned = dict.fromkeys(peer["contender"] for _, peer in beside if table.is_reckoned(peer))
    said += [f"Reckoned, not measured in whole: {CONTENDERS[name].note}." for name in reckoned]
    busy = [report["group"] for report in reports if report not in shown]
    if busy:
        said.append(f"Left out because others used the machine meanwhile: {', '.join(busy)}.")
    return ["  \n".join(said)]


def filled(text: str, made: str) -> str:
    """A page with what stands between its markers replaced."""
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
