"""Runs the query of a database library so that Ctrl-C stops it.

While such a library works, Python's signal handlers wait for it, and what it raises when it is interrupted is an error
of its own. So the work is done in another thread: this one waits, and an exception that arrives meanwhile, such as
KeyboardInterrupt, stops the query and is raised as it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

_GLANCE, _SOON, _PATIENCE = 0.1, 1.0, 10.0


def interruptible(work: Callable[[], Result], stop: Callable[[], Any]) -> Result:
    """The result of `work`; `stop` is called from this thread when an exception arrives before it is done."""
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
        while not done.wait(_GLANCE):
            pass
    except BaseException:
        # Also when it arrived while the thread was being started, which then has begun or soon will. A library that
        # does not stop is left alone: the user who pressed Ctrl-C is not kept waiting.
        last = time.monotonic() + _PATIENCE
        while begun.wait(_SOON) and not done.wait(_GLANCE) and time.monotonic() < last:
            stop()
        raise
    if failed:
        raise failed[0]
    return found[0]
