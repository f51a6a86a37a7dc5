"""Processor and wall time of the steps of a job."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from benchmarks.process import processor_seconds


class Steps:
    """Seconds per step: `processor` and `wall`."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, float]] = {}

    @contextlib.contextmanager
    def step(self, name: str, count: int = 1) -> Iterator[None]:
        """Measure a block; the time is divided by `count`."""
        processor, wall = processor_seconds(), time.perf_counter()
        yield
        seconds = processor_seconds() - processor, time.perf_counter() - wall
        self.found[name] = {"processor": seconds[0] / count, "wall": seconds[1] / count}
