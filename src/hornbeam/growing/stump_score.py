"""The score of the best question of a whole sample, computed by the core for stops that repeat the search of a node.

It grows a stump without stops and returns the score at its root; columns are sorted once for all targets that a sample
is given. Searches that draw random numbers, and those of many columns, are left to the reference implementation: their
random streams depend on the node, which a separate sample does not have.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam import _native
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.growing.core_job import job_of, without_kernel
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.node import NodeView
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.table.column import Column
from hornbeam.table.prepared_column import prepared_again


class CoreSearch:
    """The core's search for a method; `is_available` is False if the core cannot repeat the search exactly."""

    def __init__(self, start: PreparedData) -> None:
        kept = tuple(stop for stop in start.method.stops if isinstance(stop, MinLeaf))
        method = dataclasses.replace(start.method, stops=(*kept, MaxDepth(depth=1)), collapse=False, competitors=0)
        self.start = dataclasses.replace(start, method=method)
        n_columns = len(start.sample.columns)
        is_exact = all(search.is_exact for search in method.searches)
        samples_columns = n_sampled_columns(method.max_features, n_columns) < n_columns
        self.is_available = is_exact and not samples_columns and not without_kernel(self.start)
        self._columns: tuple[Column, ...] = ()
        self._prepared: tuple[Column, ...] | None = None

    def score(self, view: NodeView) -> float | None:
        """The score of the best question, minus infinity if there is none; None where the core cannot compute it.

        The node must contain all rows of its sample.
        """
        if not self.is_available or view.n_rows != view.sample.n_rows:
            return None
        if view.sample.columns is not self._columns:
            # A column that must not be used again offers no question, unless its missing values separate rows.
            is_constant = not any(view.varies(column) for column in view.used_columns)
            self._prepared = prepared_again(view.sample.columns) if is_constant else None
            self._columns = view.sample.columns
        if self._prepared is None:
            return None
        sample = dataclasses.replace(view.sample, columns=self._prepared)
        nodes = _native.grow(job_of(dataclasses.replace(self.start, sample=sample), threads=1))["nodes"]
        return float(nodes.get("score", nodes["gain"])[0]) if nodes["first_child"][0] >= 0 else -np.inf
