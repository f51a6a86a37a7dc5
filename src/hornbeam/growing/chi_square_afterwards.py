"""The stops `chi_square_test` and `penalized_size` in the core: failing nodes are cut after growth without the stop.

Both stops test a node's own question only, so the tree stopped during growth is the grown tree with every topmost
failing node cut; the statistics of the branches are in the tree already. This holds as long as nothing else depends on
what was stopped: no limit on leaves or nodes, no collapse, no missing values (the statistics of a branch hold known
rows only). In all other cases the reference implementation tests node by node.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hornbeam.growing.sample import PreparedData
from hornbeam.parts.node import Floats
from hornbeam.parts.stops import Stage
from hornbeam.parts.stops.chi_square_test import ChiSquareTest
from hornbeam.parts.stops.machinery.independence import adjust_p, independence
from hornbeam.parts.stops.penalized_size import PenalizedSize
from hornbeam.tree.edit import collapse
from hornbeam.tree.nodes import Tree
from hornbeam.tree.walk import leaves

Tested = ChiSquareTest | PenalizedSize


def without_test(start: PreparedData) -> tuple[PreparedData, Tested] | None:
    """The same data without a stop that can be tested afterwards, and the stop; None if there is no such stop."""
    method, sample = start.method, start.sample
    stop = next((stop for stop in method.stops if isinstance(stop, (ChiSquareTest, PenalizedSize))), None)
    if stop is None or method.collapse or method.stops_at(Stage.SIZE) or method.first_question is not None:
        return None
    if any(column.is_missing.any() for column in sample.columns):
        return None
    rest = dataclasses.replace(method, stops=tuple(each for each in method.stops if each is not stop))
    return dataclasses.replace(start, method=rest), stop


def test_afterwards(tree: Tree, start: PreparedData, stop: Tested) -> Tree:
    """The tree with every topmost node cut whose question fails the stop."""
    nodes = tree.nodes
    fails = (
        _is_not_significant(tree, start, stop) if isinstance(stop, ChiSquareTest) else _is_too_large(tree, start, stop)
    )
    is_cut, failed = np.zeros(len(tree), dtype=bool), []
    for node in range(len(tree)):
        above = int(nodes.parent[node])
        is_cut[node] = above >= 0 and is_cut[above]
        if is_cut[node] or nodes.first_child[node] < 0:
            continue
        if fails(node):
            failed.append(node)
            is_cut[node] = True
    smaller = collapse(tree, failed, reason=stop.reasons[0]) if failed else tree
    return dataclasses.replace(smaller, recipe=start.method.as_table())


def _is_not_significant(tree: Tree, start: PreparedData, stop: ChiSquareTest) -> Callable[[int], bool]:
    counts = _counts(tree, start)
    vary = _columns_that_vary(tree, start) if stop.adjust != "none" else np.zeros(len(tree), dtype=np.int64)

    def fails(node: int) -> bool:
        p = independence(counts[list(tree.nodes.children(node))], stop.yates, stop.fisher)
        return adjust_p(p, int(vary[node]), stop.adjust) > stop.alpha

    return fails


def _is_too_large(tree: Tree, start: PreparedData, stop: PenalizedSize) -> Callable[[int], bool]:
    spread = stop.weighted_impurity(_counts(tree, start)) if tree.is_class else tree.nodes.stats[:, 2]

    def fails(node: int) -> bool:
        return not stop.is_justified(float(spread[node]), spread[list(tree.nodes.children(node))])

    return fails


def _counts(tree: Tree, start: PreparedData) -> Floats:
    """The weight of every class at every node, without the factors of the priors."""
    stats, factors = tree.nodes.stats, start.factors
    found: Floats = np.divide(stats, factors, out=np.zeros_like(stats), where=factors > 0)
    return found


def _columns_that_vary(tree: Tree, start: PreparedData) -> npt.NDArray[np.int64]:
    """The number of columns that take more than one value at each node, computed from the bottom up."""
    columns = start.sample.columns
    end = leaves(tree, columns)
    low = np.full((len(tree), len(columns)), np.inf)
    high = np.full((len(tree), len(columns)), -np.inf)
    for position, column in enumerate(columns):
        values: Floats = column.values.astype(np.float64)
        np.minimum.at(low[:, position], end, values)
        np.maximum.at(high[:, position], end, values)
    for node in range(len(tree) - 1, 0, -1):
        above = tree.nodes.parent[node]
        np.minimum(low[above], low[node], out=low[above])
        np.maximum(high[above], high[node], out=high[above])
    found: npt.NDArray[np.int64] = (low < high).sum(axis=1)
    return found
