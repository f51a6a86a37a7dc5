"""Waits for the results of a Dask cluster: every wait has a deadline, which each result extends.

the scheduler is lost            an error at once
no result for `hornbeam.deadline` (a setting of Dask, 10 minutes by default)     an error
a task kills its workers         an error with the name of the piece, after the failures that the scheduler allows
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hornbeam.errors import ClusterError, HornbeamError, InputError

_DEADLINE = "10 minutes"
_POLL_SECONDS = 0.5
_RETRY_SECONDS = 10.0
_RESUME = "Start again, with resume= to continue from a checkpoint."


def deadline_seconds() -> float:
    """The seconds without a result after which a wait is an error."""
    import dask.config
    from dask.utils import parse_timedelta

    return float(parse_timedelta(dask.config.get("hornbeam.deadline", _DEADLINE)))


@dataclasses.dataclass(frozen=True)
class Work:
    """Futures, and the names of their pieces in messages."""

    futures: list[Any]
    labels: list[str]


# The futures of the parts of a task that is run again, with the names of their pieces; each starts when it is taken.
Apart = Callable[[int], Iterable[tuple[Any, str]]]


def results_of(client: Any, work: Work, apart: Apart | None = None) -> Iterator[tuple[int, Any]]:
    """The results of futures with their numbers, as they arrive; an error names the piece and cancels the others.

    `apart` divides a task that is given up when workers die: each of its parts has a result of its own.
    """
    work = Work(list(work.futures), list(work.labels))
    try:
        for places in _succeeded(client, work, apart):
            for place, result in zip(places, _gathered(client, work, places), strict=True):
                yield place, result
                work.futures[place] = None  # Dask drops the result unless the caller keeps its future
    except BaseException:
        if is_connected(client):
            client.cancel([future for future in work.futures if future is not None])
        raise


def wait_for(client: Any, work: Work) -> Iterator[int]:
    """The numbers of futures as they are done; their results stay where they are. An error names the piece."""
    for places in _succeeded(client, work, None):
        yield from places


def _succeeded(client: Any, work: Work, apart: Apart | None) -> Iterator[list[int]]:
    """The numbers of the futures that have a result, in lists.

    Dask suspects all tasks that are assigned to a worker when it dies. Those that it gives up are run again, one at a
    time, so that a piece that kills workers is the only suspect, and the others have a result.
    """
    suspects: list[int] = []
    for places in _completed(client, work.futures):
        killed = [place for place in places if _is_killed(work.futures[place])]
        suspects += killed
        done = [place for place in places if place not in killed]
        _check_errors(work, done)
        yield done
    for suspect in suspects:
        for place in _run_again(work, suspect, apart):
            for _ in _completed(client, [work.futures[place]]):
                _check_errors(work, [place])
            yield [place]


def _run_again(work: Work, place: int, apart: Apart | None) -> Iterator[int]:
    """The numbers of the futures that replace one that was given up: itself, or its parts."""
    future = work.futures[place]
    if apart is None:
        future.retry()
        start = time.monotonic()
        while future.status == "error" and time.monotonic() - start < _RETRY_SECONDS:
            time.sleep(0.01)  # the news of the retry is on its way
        yield place
        return
    future.release()
    for part, label in apart(place):
        work.futures.append(part)
        work.labels.append(label)
        yield len(work.futures) - 1


def _is_killed(future: Any) -> bool:
    return future.status == "error" and type(future.exception()).__name__ == "KilledWorker"


def is_connected(client: Any) -> bool:
    """Whether the client has a scheduler."""
    return bool(client.status == "running")


def _completed(client: Any, futures: Sequence[Any]) -> Iterator[list[int]]:
    """The numbers of the futures that are done, in lists."""
    done: queue.SimpleQueue[int] = queue.SimpleQueue()
    for place, future in enumerate(futures):
        future.add_done_callback(functools.partial(_put, done, place))
    waiting = set(range(len(futures)))
    limit = deadline_seconds()
    last = time.monotonic()
    while waiting:
        places = _taken(done)
        if places:
            last = time.monotonic()
            _check_scheduler(client, [futures[place] for place in places])
            waiting.difference_update(places)
            yield places
        elif time.monotonic() - last > limit:
            raise _late(client, limit)
        else:
            _check_scheduler(client, ())


def _put(done: queue.SimpleQueue[int], place: int, future: Any) -> None:
    done.put(place)


def _taken(done: queue.SimpleQueue[int]) -> list[int]:
    """All numbers that are in the queue, after a short wait for the first of them."""
    places: list[int] = []
    with contextlib.suppress(queue.Empty):
        places.append(done.get(timeout=_POLL_SECONDS))
        while True:
            places.append(done.get_nowait())
    return places


def _check_scheduler(client: Any, futures: Sequence[Any]) -> None:
    if not is_connected(client) or any(future.status == "cancelled" for future in futures):
        raise ClusterError("The connection to the scheduler of the cluster is lost.", hint=_RESUME)


def _late(client: Any, limit: float) -> ClusterError:
    n_workers = len(client.nthreads())
    what = "The cluster has no workers" if not n_workers else f"None of the {n_workers} workers returned a result"
    return ClusterError(
        f"{what} for {limit:g} s.",
        hint=f"Check the cluster, or set hornbeam.deadline of dask.config to more. {_RESUME}",
        workers=n_workers,
    )


def _gathered(client: Any, work: Work, places: Sequence[int]) -> list[Any]:
    futures = [work.futures[place] for place in places]
    try:
        found: list[Any] = client.gather(futures, direct=False)
    except HornbeamError:
        raise
    except Exception as error:
        _check_scheduler(client, futures)
        _check_errors(work, places)
        raise ClusterError(
            f"The results of the workers are lost: {type(error).__name__}: {error}.", hint=_RESUME
        ) from error
    return found


def _check_errors(work: Work, places: Sequence[int]) -> None:
    for place in places:
        if work.futures[place].status == "error":
            raise _failed(work.futures[place].exception(), work.labels[place])


def _failed(error: BaseException, label: str) -> HornbeamError:
    """The error of a task as an error of hornbeam that names the piece."""
    if isinstance(error, HornbeamError):
        return error
    if type(error).__name__ == "KilledWorker":
        return ClusterError(
            f"{label} was being processed when {error.allowed_failures + 1} workers died.",  # type: ignore[attr-defined]
            hint="Look at the piece and at the memory of the workers; their logs state how they ended.",
        )
    reason = str(error).rstrip(". ")
    found = InputError(
        f"{label} could not be processed by the workers: {type(error).__name__}: {reason}.",
        hint="Check that every worker can read the data and has enough memory and disk.",
    )
    found.__cause__ = error
    return found
