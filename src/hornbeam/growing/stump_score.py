"""How good is the best question of a whole sample?  The core searches it, for stops that search a node again and again.

It grows a stump without any stop and says the score at its root; columns are sorted once for all targets that a sample
is given. Searches that draw, and those of many columns, are left to the plain grower: their streams know the node they
are drawn for, and a sample of its own does not.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam import _native
from hornbeam.growing.column_sampling import n_sampled_columns
from hornbeam.growing.plan import plan_for, without_kernel
from hornbeam.growing.sample import PreparedData
from hornbeam.parts.node import NodeView
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.table.column import Column

_EXACT = ("sorted_cuts", "boundary_points", "intervals", "best_subset", "multiway", "level_vs_rest", "all_subsets")


class CoreSearch:
    """The core's search of a method, or of as much of it as the core serves."""

    def __init__(self, start: PreparedData) -> None:
        kept = tuple(stop for stop in start.method.stops if isinstance(stop, MinLeaf))
        method = dataclasses.replace(start.method, stops=(*kept, MaxDepth(depth=1)), collapse=False, competitors=0)
        self.start = dataclasses.replace(start, method=method)
        n_columns = len(start.sample.columns)
        is_exact = all(search.name in _EXACT for search in method.searches)
        draws = n_sampled_columns(method.max_features, n_columns) < n_columns
        self.is_available = is_exact and not draws and not without_kernel(self.start)
        self._columns: tuple[Column, ...] = ()
        self._sorted: _native.Prepared | None = None

    def score(self, view: NodeView) -> float | None:
        """The score of the best question, minus infinity if there is none; None where the core cannot say.

        The node must be all rows of its sample.
        """
        if not self.is_available or view.n_rows != view.sample.n_rows:
            return None
        start = dataclasses.replace(self.start, sample=view.sample)
        plan = plan_for(start, threads=1)
        if view.sample.columns is not self._columns:
            # A column that may not be asked again has nothing to ask unless missing values came along.
            is_spent = not any(view.varies(column) for column in view.used_columns)
            self._sorted = _native.Prepared(plan) if is_spent else None
            self._columns = view.sample.columns
        if self._sorted is None:
            return None
        nodes = _native.grow(plan, self._sorted)["nodes"]
        return float(nodes.get("score", nodes["gain"])[0]) if nodes["first_child"][0] >= 0 else -np.inf
