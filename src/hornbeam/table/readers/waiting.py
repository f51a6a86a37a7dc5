"""Runs the query of a database library so that Ctrl-C stops it.

While such a library runs, Python's signal handlers are delayed, and an interrupted query raises an error of the
library. So the query runs in another thread: the calling thread waits, and an exception in it, such as
KeyboardInterrupt, stops the query and is raised unchanged.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

_POLL_SECONDS, _START_SECONDS, _STOP_SECONDS = 0.1, 1.0, 10.0


def interruptible(work: Callable[[], Result], stop: Callable[[], Any]) -> Result:
    """The result of `work`; `stop` is called from the calling thread if an exception arrives before the end."""
    found: list[Result] = []
    failed: list[BaseException] = []
    begun, done = threading.Event(), threading.Event()

    def run() -> None:
        begun.set()
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="hornbeam-query", daemon=True)
    try:
        thread.start()
        while not done.wait(_POLL_SECONDS):
            pass
    except BaseException:
        # Also if the exception arrived while the thread was being started, which then has begun or soon will. A library
        # that does not stop is abandoned, so that the user who pressed Ctrl-C need not wait.
        deadline = time.monotonic() + _STOP_SECONDS
        while begun.wait(_START_SECONDS) and not done.wait(_POLL_SECONDS) and time.monotonic() < deadline:
            stop()
        raise
    if failed:
        raise failed[0]
    return found[0]
