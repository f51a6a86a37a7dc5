"""Progress of growing: the callback type, and a callback that reports memory and the remaining time.

TimedProgress(100, print)  ->  about 35 MB of memory          40 of 100 trees, 12 s left
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hornbeam.table.memory import format_bytes

# Called with the number of trees (or rounds) grown so far, periodically and after the last.
Progress = Callable[[int], Any]


class TimedProgress:
    """A progress callback that reports the number of trees and the estimated remaining time."""

    def __init__(self, n_trees: int, report: Callable[[str], Any], *, every: float = 1.0, first: int = 0) -> None:
        self.n_trees = n_trees
        self.report = report
        self.every = every
        self.first = first
        self.started = self.reported = time.monotonic()

    def needs(self, size: int) -> None:
        """Report the estimated memory of the trees and of growing them."""
        self.report(f"about {format_bytes(size)} of memory")

    def __call__(self, done: int) -> None:
        """Report the state, unless the last report is less than `every` seconds old."""
        now = time.monotonic()
        all_done = self.first + done
        if now - self.reported < self.every and all_done < self.n_trees:
            return
        self.reported = now
        left = (now - self.started) / max(done, 1) * (self.n_trees - all_done)
        self.report(f"{all_done} of {self.n_trees} trees, {duration_text(left)} left")


def report_memory(progress: Any, size: int) -> None:
    """Pass the estimated memory to a progress callback that reports it."""
    if isinstance(progress, TimedProgress):
        progress.needs(size)


def duration_text(seconds: float) -> str:
    """A duration with one unit."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
