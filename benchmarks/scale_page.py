"""The page of the scale benchmark: ratios of processor time within one run."""

from __future__ import annotations

import statistics

STEPS = ("prepare", "tree", "prepare and tree", "boosted tree")
OURS = "hornbeam"
NOTES = [
    "## Notes on the comparison",
    "",
    "- All trees have depth 8; XGBoost and LightGBM score gains of gradients of the log loss, hornbeam Gini. "
    "Texts are numbers of levels for XGBoost and LightGBM, and levels for hornbeam and YDF.",
    "- LightGBM keeps its bins in memory; hornbeam and XGBoost keep them on disk. YDF reads CSV; writing it is not "
    "timed.",
    "- xgboost.dask reads the rows when it trains, so its tree includes that; lightgbm.dask and YDF prepare the rows "
    "in every fit: their boosted tree is a difference of two fits, and is left out if the longer fit took less time.",
    "- The processor time of the other libraries on a Dask cluster is that of client, scheduler and workers; the "
    "private memory is that of the client.",
]


def median(turns: list[dict], step: str, kind: str = "processor") -> float | None:
    """The median of a step over the turns; None if a turn failed or has no such step, or if it is not above 0."""
    values = [turn.get("steps", {}).get(step, {}).get(kind) for turn in turns]
    found = None if not values or None in values else statistics.median(values)
    return found if found is not None and found > 0 else None


def seconds_of(turns: list[dict], step: str) -> float | None:
    """Processor time of a step; that of `prepare and tree` may be the sum of both."""
    found = median(turns, step)
    parts = [median(turns, each) for each in ("prepare", "tree")]
    return parts[0] + parts[1] if found is None and step == "prepare and tree" and None not in parts else found


def page_of(found: dict) -> str:
    """All results as a page."""
    load = found["load"]
    lines = [
        "# scale: growth from files compared with other libraries",
        "",
        f"{found['date']}. {found['machine']['processor']}, {found['machine']['cores']} cores, "
        f"{found['machine']['system']}.",
        "; ".join(found["versions"].values()) + ".",
        "",
        f"Load of the machine (runnable processes) during the run: {min(load):.1f} to {max(load):.1f}. "
        "Seconds are processor time, medians of the turns, one thread; ratios are to hornbeam, above 1 means that "
        "hornbeam needs less.",
    ]
    for group in found["groups"]:
        lines += ["", f"## {group['rows']:,} rows x {group['columns']} columns, {group['parquet_bytes'] / 1e6:,.0f} MB"]
        lines += [*_table(group), *_more(group)]
    return "\n".join([*lines, "", *NOTES]) + "\n"


def _table(group: dict) -> list[str]:
    ours = group["jobs"].get(OURS, [])
    if not ours:
        return []
    lines = [
        "",
        "| | " + " | ".join(f"{step} | ratio" for step in STEPS) + " | bytes on disk per cell | private memory |",
        "|---|" + "--:|" * (2 * len(STEPS) + 2),
    ]
    for name, turns in group["jobs"].items():
        if not turns:
            continue
        if not any(seconds_of(turns, step) for step in STEPS):
            if "error" in turns[-1]:
                lines.append(f"| {name} | failed: {turns[-1]['error']} |" + " |" * (2 * len(STEPS) + 1))
            continue
        cells = []
        for step in STEPS:
            seconds, base = seconds_of(turns, step), seconds_of(ours, step)
            cells += [_number(seconds, " s"), _number(seconds / base if seconds and base else None)]
        disk = turns[0].get("disk")
        cells.append(_number(disk / group["rows"] / group["columns"] if disk else None))
        cells.append(f"{max(turn['anonymous_peak'] for turn in turns) / 1e6:,.0f} MB")
        lines.append(f"| {name} ({len(turns)} {'turn' if len(turns) == 1 else 'turns'}) | " + " | ".join(cells) + " |")
    return lines


def _number(value: float | None, unit: str = "") -> str:
    return "" if value is None else f"{value:.2f}{unit}"


def _more(group: dict) -> list[str]:
    """The comparisons of hornbeam with itself."""
    lines = []
    memory = group["jobs"].get("hornbeam in memory")
    if memory and "error" not in memory[-1]:
        files = median(memory, "tree from files")
        for step in ("tree from arrays", "table in memory, binning included"):
            other = median(memory, step)
            lines.append(f"- A tree from files takes {files / other:.2f} times the processor time of: {step}.")
    return ["", *lines, *_workers(group)] if lines or _workers(group) else []


def _workers(group: dict) -> list[str]:
    """How much faster two workers are than one, and how much faster they could be on this machine."""
    one, two, both = (
        _growths(group["jobs"].get(f"hornbeam, Dask, {n}", []))
        for n in ("1 worker", "2 workers", "1 worker, two at once")
    )
    if not one or not two:
        return []
    wall = _median(one, "wall") / _median(two, "wall")
    path = [statistics.median(map(_critical, growths)) for growths in (one, two, both) if growths]
    if not both:
        return [
            f"- Two Dask workers of one thread are {wall:.2f} times as fast as one in wall time at this load, and "
            f"{path[0] / path[1]:.2f} times by the processor time of the driver and of the worker that used most."
        ]
    ceiling = 2 * _median(one, "wall") / _median(both, "wall")
    share = statistics.median(growth["driver"] / _critical(growth) for growth in one)
    return [
        f"- Two Dask workers of one thread are {wall:.2f} times as fast as one in wall time at this load. The machine "
        f"allows {ceiling:.2f}: two clusters of one worker at the same time, each with all rows, take "
        f"{2 / ceiling:.2f} times as long as one alone.",
        f"- By processor time of the driver and of its busiest worker, which run one after the other, two workers are "
        f"{path[2] / path[1]:.2f} times as fast as one whose machine is as busy (one of the two clusters at the same "
        f"time), and {path[0] / path[1]:.2f} times as fast as one that runs alone.",
        f"- The driver, with the scheduler, has {100 * share:.0f} % of the processor time of one worker's growth.",
    ]


def _growths(turns: list[dict]) -> list[dict]:
    """The growths on a cluster of all turns; none if a turn failed. Records before the ceiling have one per turn."""
    if any("error" in turn for turn in turns):
        return []
    return [
        growth for turn in turns for growth in turn.get("growths") or [{**turn, "wall": turn["steps"]["all"]["wall"]}]
    ]


def _median(growths: list[dict], kind: str) -> float:
    return statistics.median(growth[kind] for growth in growths)


def _critical(growth: dict) -> float:
    """Processor time that cannot run at the same time: the driver, then the busiest worker."""
    return growth["driver"] + max(growth["workers"])
