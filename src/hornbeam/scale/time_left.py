"""TimeLeft: the remaining time of work of known size, as text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hornbeam.ensembles.progress import duration_text


def row_progress(report: Callable[[str], Any]) -> Callable[[int, int | None], None]:
    """A function of the rows done and of all rows that reports them and the remaining time."""
    left = TimeLeft(0)

    def progress(done: int, n_rows: int | None) -> None:
        left.total = n_rows or 0
        report(f"{done:,} rows done" + (f", {left.text(done)}" if n_rows else ""))

    return progress


class TimeLeft:
    """Estimates the remaining time from the time so far."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.start = time.monotonic()

    def text(self, done: int) -> str:
        """The remaining time, such as '5 s left', once some of the work is done."""
        left = (time.monotonic() - self.start) / max(done, 1) * (self.total - done)
        return f"{duration_text(left)} left"
