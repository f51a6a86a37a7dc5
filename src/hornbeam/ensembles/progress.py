"""How long will it take, and how much memory?  Told before the first tree, and now and then from the time taken so far.

Timed(100, print)  ->  about 35 MB of memory          40 of 100 trees, 12 s left
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hornbeam.table.memory import format_bytes


class TimedProgress:
    """A progress callback that says how many trees there are and how long the others will take."""

    def __init__(self, trees: int, say: Callable[[str], Any], *, every: float = 1.0, first: int = 0) -> None:
        self.trees = trees
        self.say = say
        self.every = every
        self.first = first
        self.begun = self.told = time.monotonic()

    def needs(self, size: int) -> None:
        """Say how many bytes the trees and what grows them will take."""
        self.say(f"about {format_bytes(size)} of memory")

    def __call__(self, done: int) -> None:
        """Say so, unless it was said a moment ago."""
        now = time.monotonic()
        all_done = self.first + done
        if now - self.told < self.every and all_done < self.trees:
            return
        self.told = now
        left = (now - self.begun) / max(done, 1) * (self.trees - all_done)
        self.say(f"{all_done} of {self.trees} trees, {duration_text(left)} left")


def report_memory(progress: Any, size: int) -> None:
    """Tell a progress callback that wants to know how much memory will be taken."""
    if isinstance(progress, TimedProgress):
        progress.needs(size)


def duration_text(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
