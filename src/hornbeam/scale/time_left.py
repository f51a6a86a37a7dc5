"""TimeLeft: the remaining time of work of known size, as text."""

from __future__ import annotations

import time

from hornbeam.ensembles.progress import duration_text


class TimeLeft:
    """Estimates the remaining time from the time so far."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.start = time.monotonic()

    def text(self, done: int) -> str:
        """The remaining time, such as '5 s left', once some of the work is done."""
        left = (time.monotonic() - self.start) / max(done, 1) * (self.total - done)
        return f"{duration_text(left)} left"
