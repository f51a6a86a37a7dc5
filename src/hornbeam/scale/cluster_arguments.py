"""Arguments that many tasks of a Dask cluster share: as the result of a task, or with every task."""

from __future__ import annotations

from typing import Any

_MAX_BYTES = 1 << 21  # of all copies together


def as_result(client: Any, argument: Any) -> Any:
    """The future of an argument, which every worker fetches once.

    Dask never runs a task that prefers a worker if all workers are lost before it starts, unless it waits for a result.
    So a task that has no other input must have such an argument.
    """
    return client.submit(_same, argument, pure=False)


def with_tasks(client: Any, argument: Any, n_tasks: int) -> Any:
    """An argument that travels with every task if it is small, so that tasks need not wait for it; else its future."""
    from distributed.protocol import pickle

    is_small = len(pickle.dumps(argument)) * n_tasks <= _MAX_BYTES
    return argument if is_small else as_result(client, argument)


def _same(value: Any) -> Any:
    return value
