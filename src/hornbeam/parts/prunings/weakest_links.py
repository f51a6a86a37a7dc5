"""At which alpha does each node collapse?  The weakest-link sequence of cost-complexity pruning.

    f_t(alpha) = min(risk(t) + alpha, sum over children f_c(alpha))          risk + alpha for each leaf, best pruned

is a concave chain of straight pieces; it bends where a node below t collapses. Node t collapses where the line
risk(t) + alpha meets the sum of its children's chains. Walking bottom-up, each node keeps the bends below it in a heap,
the largest alpha on top. From the last piece (all children leaves) pieces are undone while their bend lies above the
meeting point; those bends never count again, as t has collapsed by then. Each node makes one bend and each bend is undone
at most once: O(nodes log nodes), whatever the depth.

`links` gives every inner node's own alpha, and the leaves lost and risk gained there; NaN and 0 at leaves. The
compiled kernel of the same name gives the same bits.
"""

from __future__ import annotations

import heapq
import importlib
import math

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import Nodes

Numbers = npt.NDArray[np.float64]
Links = tuple[Numbers, npt.NDArray[np.int64], Numbers]


def links(nodes: Nodes, risk: Numbers, engine: str = "auto") -> Links:
    """Own alpha, leaves lost and risk gained of every inner node; engine is auto, native or plain."""
    if engine != "plain":
        try:
            kernel = importlib.import_module("hornbeam._native").weakest_links
        except (ImportError, AttributeError):
            if engine == "native":
                raise
        else:
            own, lost, gained = kernel(nodes.parent, nodes.first_child, nodes.n_branches, np.ascontiguousarray(risk))
            return own, lost, gained
    return plain_links(nodes, risk)


def plain_links(nodes: Nodes, risk: Numbers) -> Links:
    """The definition, in plain Python: heaps merged small into large."""
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
        leaves, below = len(children), math.fsum(risks[child] for child in children)
        alpha = _meeting(risks[node], below, leaves)
        while heap and -heap[0][0] > alpha:
            _, bend = heapq.heappop(heap)
            leaves += int(lost[bend])
            below -= float(gained[bend])
            alpha = _meeting(risks[node], below, leaves)
        own[node], lost[node], gained[node] = alpha, leaves - 1, risks[node] - below
        heapq.heappush(heap, (-alpha, node))
        heaps[node] = heap
    return own, lost, gained


def _meeting(risk: float, below: float, leaves: int) -> float:
    """Where a leaf and a subtree cost the same; a single branch is no use at any alpha."""
    return (risk - below) / (leaves - 1) if leaves > 1 else -math.inf


def _merged(heaps: list[list[tuple[float, int]]]) -> list[tuple[float, int]]:
    """One heap of several, the small pushed into the largest."""
    if not heaps:
        return []
    heaps.sort(key=len)
    largest = heaps.pop()
    for heap in heaps:
        for bend in heap:
            heapq.heappush(largest, bend)
    return largest
