"""The alpha at which each node collapses in cost-complexity pruning (weakest links).

    f_t(alpha) = min(risk(t) + alpha, sum over children f_c(alpha))          risk + alpha per leaf, best pruned

is a concave piecewise linear function with a breakpoint where a node below t collapses. Node t collapses where the line
risk(t) + alpha meets the sum of its children's functions. From the bottom up, each node stores the breakpoints below it
in a heap, the largest alpha on top. From the last piece (all children leaves) pieces are undone while their breakpoint
is above the intersection; those breakpoints never count again, as t has collapsed by then. Each node adds one
breakpoint and each is removed at most once: O(nodes log nodes), for any depth.

`weakest_links` returns the alpha of every inner node, and the leaves lost and risk gained there; NaN and 0 at leaves.
The compiled kernel of the same name returns the same bits.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
import numpy.typing as npt

from hornbeam.ordered_sum import ordered_sum
from hornbeam.tree.nodes import Nodes

Numbers = npt.NDArray[np.float64]
Links = tuple[Numbers, npt.NDArray[np.int64], Numbers]


def weakest_links(nodes: Nodes, risk: Numbers, engine: str = "core") -> Links:
    """Own alpha, leaves lost and risk gained of every inner node; engine is core or python."""
    if engine == "python":
        return reference_weakest_links(nodes, risk)
    from hornbeam import _native

    own, lost, gained = np.empty(len(nodes)), np.empty(len(nodes), dtype=np.int64), np.empty(len(nodes))
    _native.weakest_links(nodes.first_child, nodes.n_branches, np.ascontiguousarray(risk), own, lost, gained)
    return own, lost, gained


def reference_weakest_links(nodes: Nodes, risk: Numbers) -> Links:
    """The reference implementation: heaps are merged small into large."""
    own = np.full(len(nodes), np.nan)
    lost = np.zeros(len(nodes), dtype=np.int64)
    gained = np.zeros(len(nodes))
    heaps: dict[int, list[tuple[float, int]]] = {}
    risks = risk.tolist()
    for node in range(len(nodes) - 1, -1, -1):
        children = nodes.children(node)
        if not children:
            continue
        heap = _merged([heaps.pop(child) for child in children if child in heaps])
        leaves, below = len(children), ordered_sum(risks[child] for child in children)
        alpha = _intersection(risks[node], below, leaves)
        while heap and -heap[0][0] > alpha:
            _, collapsed = heapq.heappop(heap)
            leaves += int(lost[collapsed])
            below -= float(gained[collapsed])
            alpha = _intersection(risks[node], below, leaves)
        own[node], lost[node], gained[node] = alpha, leaves - 1, risks[node] - below
        heapq.heappush(heap, (-alpha, node))
        heaps[node] = heap
    return own, lost, gained


def one_step_alphas(nodes: Nodes, risk: Numbers) -> Numbers:
    """The rule of rpart: a child's subtree counts as it was when the child was decided, or as a leaf.

    Children collapse in order of their alphas while the alpha of the node is above. Nodes further down that collapse in
    between are ignored, so an alpha can be lower than the intersection (in 9 of 85 recorded trees). It reproduces the
    tables of rpart to the digit.
    """
    alphas = np.full(len(nodes), np.nan)
    subtree = [(value, 0) for value in risk.tolist()]
    for node in range(len(nodes) - 1, -1, -1):
        children = nodes.children(node)
        if not children:
            continue
        below, splits = ordered_sum(subtree[c][0] for c in children), 1 + sum(subtree[c][1] for c in children)
        inner = sorted((c for c in children if nodes.first_child[c] >= 0), key=lambda c: (alphas[c], -c))
        for child in inner:
            if not (risk[node] - below) / splits > alphas[child]:
                break
            below += float(risk[child]) - subtree[child][0]
            splits -= subtree[child][1]
        alphas[node] = (risk[node] - below) / splits
        subtree[node] = (below, splits)
    return alphas


def _intersection(risk: float, below: float, leaves: int) -> float:
    """The alpha where a leaf and a subtree cost the same; minus infinity for a single branch."""
    return (risk - below) / (leaves - 1) if leaves > 1 else -math.inf


def _merged(heaps: list[list[tuple[float, int]]]) -> list[tuple[float, int]]:
    """One heap from several; the smaller ones are pushed into the largest."""
    if not heaps:
        return []
    heaps.sort(key=len)
    largest = heaps.pop()
    for heap in heaps:
        for breakpoint_ in heap:
            heapq.heappush(largest, breakpoint_)
    return largest
