"""Runs independent tasks on threads: the results, or the error, of a single thread, for any number of them.

Ctrl-C reaches the main thread only. It then raises the interruption in the other threads too, which the compiled core
notices as fast as Ctrl-C itself, and waits until they have ended.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_tasks(tasks: Sequence[Callable[[], Result]], at_once: int) -> list[Result]:
    """The results of the tasks, in their order; at most `at_once` tasks run at the same time.

    If tasks fail, no further task starts, and the error of the first one in their order is raised.
    """
    if at_once <= 1 or len(tasks) < 2:
        return [task() for task in tasks]
    run = _Run(tasks)
    workers = [_Worker(run) for _ in range(min(at_once, len(tasks)))]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.has_ended.wait()
    except BaseException:
        run.is_stopped = True
        _interrupt(workers)
        raise
    if run.errors:
        raise run.errors[min(run.errors)]
    return [run.results[number] for number in range(len(tasks))]


class _Run:
    """Tasks, and what has become of them."""

    def __init__(self, tasks: Sequence[Callable[[], Any]]) -> None:
        self.tasks = tasks
        self.results: dict[int, Any] = {}
        self.errors: dict[int, BaseException] = {}
        self.is_stopped = False
        self._lock = threading.Lock()
        self._next = 0

    def work(self) -> None:
        """Run tasks until none is left."""
        while (number := self._take()) is not None:
            try:
                self.results[number] = self.tasks[number]()
            except BaseException as error:
                self.errors[number] = error
                self.is_stopped = True

    def _take(self) -> int | None:
        with self._lock:
            if self.is_stopped or self._next == len(self.tasks):
                return None
            self._next += 1
            return self._next - 1


class _Worker(threading.Thread):
    """A thread that runs tasks in the context of the caller.

    `has_ended` is what `is_alive` returns only if no `join` was interrupted.
    """

    def __init__(self, run: _Run) -> None:
        super().__init__(target=contextvars.copy_context().run, args=(run.work,), name="hornbeam-task", daemon=True)
        self.has_ended = threading.Event()

    def run(self) -> None:
        """Run tasks until none is left."""
        try:
            super().run()
        except KeyboardInterrupt:
            pass  # raised between two tasks
        finally:
            self.has_ended.set()


def _interrupt(workers: Sequence[_Worker]) -> None:
    """Raise KeyboardInterrupt in threads until all have ended: code that catches it may go on."""
    import ctypes

    interruption = ctypes.py_object(KeyboardInterrupt)
    while running := [worker for worker in workers if worker.ident and not worker.has_ended.is_set()]:
        for worker in running:
            if not ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident or 0), interruption):
                worker.has_ended.set()  # there is no such thread any more
        for worker in running:
            worker.has_ended.wait(0.1)
    for worker in workers:
        if worker.ident:
            worker.join()
