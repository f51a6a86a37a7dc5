"""Tasks on threads: results in order, the first error, interruption of all threads."""

from __future__ import annotations

import contextvars
import subprocess
import sys
import textwrap
import threading

import pytest

from hornbeam.parallel import run_tasks

NAME = contextvars.ContextVar("NAME", default="unset")


@pytest.mark.parametrize("at_once", [1, 2, 7, 40])
def test_results_are_in_the_order_of_the_tasks(at_once: int) -> None:
    assert run_tasks([lambda i=i: i * i for i in range(20)], at_once) == [i * i for i in range(20)]


def test_n_tasks_run_at_the_same_time_and_never_more() -> None:
    barrier, running, largest, lock = threading.Barrier(3), [0], [0], threading.Lock()

    def task() -> None:
        with lock:
            running[0] += 1
            largest[0] = max(largest[0], running[0])
        barrier.wait(30)  # three tasks pass only together
        with lock:
            running[0] -= 1

    run_tasks([task] * 9, 3)
    assert largest[0] == 3


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_the_error_is_that_of_the_first_task_that_fails(at_once: int) -> None:
    both_began = threading.Barrier(min(at_once, 2))

    def task(number: int) -> int:
        if number in (3, 4):
            both_began.wait(30) if at_once > 1 else None
            raise ValueError(f"task {number}")
        return number

    with pytest.raises(ValueError, match="task 3"):
        run_tasks([lambda i=i: task(i) for i in range(10)], at_once)


def test_no_task_starts_after_an_error() -> None:
    begun = []

    def task(number: int) -> None:
        begun.append(number)
        raise ValueError(str(number))

    with pytest.raises(ValueError, match="0"):
        run_tasks([lambda i=i: task(i) for i in range(100)], 2)
    assert len(begun) <= 2


def test_tasks_see_the_context_of_the_caller() -> None:
    NAME.set("caller")
    assert run_tasks([NAME.get, NAME.get], 2) == ["caller", "caller"]


def test_ctrl_c_stops_tasks_in_python_and_in_the_core() -> None:
    program = """
        import os, signal, sys, threading, time
        sys.setswitchinterval(0.001)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        import numpy as np
        import hornbeam as hb
        from hornbeam.parallel import run_tasks
        from hornbeam.table.column import nominal, numeric
        rng = np.random.default_rng(0)
        columns = tuple(numeric(f"x{i}", rng.normal(size=300_000)) for i in range(20))
        table = hb.Table(columns, nominal("y", rng.integers(0, 3, 300_000), ("a", "b", "c")))
        begun = threading.Barrier(3)

        def in_core():
            begun.wait()
            while True:
                hb.grow(table, "plain", threads=1)

        def in_python():
            begun.wait()
            while True:
                sum(range(1000))

        def press():
            begun.wait()
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press, daemon=True).start()
        try:
            run_tasks([in_core, in_python], 2)
        except KeyboardInterrupt:
            left = [thread.name for thread in threading.enumerate() if thread.name == "hornbeam-task"]
            print("stopped", left, hb.grow(table.take(np.arange(1000)), "plain").n_leaves > 1)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.stdout.strip() == "stopped [] True", run.stdout + run.stderr[-2000:]
