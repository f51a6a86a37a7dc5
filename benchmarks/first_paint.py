"""Measures the first paint of the report of a large tree in new browsers.

    python -m benchmarks.first_paint                   ten browsers, one after the other
    python -m benchmarks.first_paint --browsers 3 --page report.html

Without --page, the page is the report of a tree of about 6,900 nodes. Each browser is a new process with a new profile,
so nothing is compiled or cached. Milliseconds until the first paint with content, which shows the tree: from the start
of the navigation, and the processor time of the page's main thread, which does not depend on other programs. Chromium
is found as in the tests of the report.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from tests.report.chromium import Browser

import hornbeam as hb

_TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
_TRACE = {"includedCategories": ["blink.user_timing", "devtools.timeline", "loading", "toplevel"]}


def write_report(path: Path) -> None:
    """The report of a tree that was grown until its leaves are pure, with its training rows."""
    random, n = np.random.default_rng(0), 20_300
    columns: dict[str, Any] = {f"x{index}": random.normal(size=n).round(3) for index in range(8)}
    columns |= {"color": random.choice(list("abcde"), n), "size": random.choice(["s", "m", "l"], n)}
    score = columns["x0"] + columns["x1"] * columns["x2"] + (columns["color"] == "a") + random.normal(0, 1.2, n)
    table = hb.read({**columns, "y": np.where(score > 0.4, "yes", "no")}, target="y")
    tree = hb.grow(table, "plain")
    print(f"{len(tree):,} nodes, {hb.report(tree, table, path=path)}")


def trace_of(page: Path) -> list[dict[str, Any]]:
    """The events of opening a page in a new browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(Path(profile))
        try:
            time.sleep(1)  # the start of the browser itself is not measured
            browser._call("Tracing.start", {"traceConfig": _TRACE, "transferMode": "ReportEvents"}, "")
            browser.open(page)
            browser._call("Tracing.end", {}, "")
            while not browser.seen("Tracing.tracingComplete"):
                browser.events.append(browser._next())
            return [event for part in browser.seen("Tracing.dataCollected") for event in part["value"]]
        finally:
            browser.close()


def first_paint(events: list[dict[str, Any]]) -> tuple[float, float]:
    """Milliseconds until the first paint: from the start of the navigation, and of the main thread."""
    paint = [event for event in events if event["name"] == "firstContentfulPaint"][-1]
    start = max(
        event["ts"]
        for event in events
        if event["name"] == "navigationStart" and event["pid"] == paint["pid"] and event["ts"] < paint["ts"]
    )
    own = [event for event in events if event["pid"] == paint["pid"] and event["tid"] == paint["tid"]]
    busy = sum(event.get("tdur", 0) for event in own if event["name"] in _TASKS and start <= event["ts"] <= paint["ts"])
    return (paint["ts"] - start) / 1000, busy / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--browsers", type=int, default=10)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = given.page or Path(folder) / "report.html"
        if given.page is None:
            write_report(page)
        rows = [first_paint(trace_of(page.resolve())) for _ in range(given.browsers)]
    for name, values in zip(("first paint", "main thread"), zip(*rows, strict=True), strict=True):
        print(f"{name:12} median {statistics.median(values):4.0f} ms, {min(values):.0f} to {max(values):.0f}")


if __name__ == "__main__":
    main()
