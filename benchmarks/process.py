"""Measures the process it runs in: processor time, wall time, anonymous resident memory."""

from __future__ import annotations

import contextlib
import re
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path

_STATUS = Path("/proc/self/status")


def processor_seconds() -> float:
    """The processor time of the process and of its finished children."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in found)


def anonymous_bytes() -> int:
    """The anonymous resident memory; mapped files, which the system can drop, do not count."""
    found = re.search(r"RssAnon:\s+(\d+)", _STATUS.read_text())
    assert found is not None
    return 1024 * int(found[1])


class Peak:
    """The largest anonymous resident memory inside a block."""

    def __init__(self) -> None:
        self.bytes = 0

    @contextlib.contextmanager
    def watched(self, interval: float = 0.01) -> Iterator[None]:
        """Sample the memory while the block runs."""
        is_done = threading.Event()

        def watch() -> None:
            while not is_done.wait(interval):
                self.bytes = max(self.bytes, anonymous_bytes())

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()


class Phases:
    """Processor and wall time per phase: pass a report of a job, whose text begins with the name of the phase."""

    NAMES = ("pass 1", "pass 2")

    def __init__(self) -> None:
        self.last = processor_seconds(), time.perf_counter()
        self.seconds: dict[str, list[float]] = {}

    def report(self, text: str) -> None:
        """Add the time since the last report to the phase of a text."""
        self.add(next((name for name in self.NAMES if text.startswith(name)), "tree"))

    def add(self, name: str) -> None:
        """Add the time since the last report to a phase."""
        now = processor_seconds(), time.perf_counter()
        total = self.seconds.setdefault(name, [0.0, 0.0])
        for at in (0, 1):
            total[at] += now[at] - self.last[at]
        self.last = now
