"""Layout of a tree: no overlaps, and as narrow as possible.

    Bottom-up, each subtree is laid out by itself; then the children of a node are moved together from left to right
    until their contours touch, and the node is centered above the first and last of them. Threads along the contours
    and shifts that are added up later make it linear (Reingold and Tilford 1981; Buchheim, Juenger and Leipert
    2002, which spreads the smaller subtrees between two large ones evenly).

Every node has its own breadth; levels are as high as their highest node. Nodes are numbered parents first, so a
reversed loop is bottom-up and there is no recursion: a chain of 100,000 nodes is drawn like any other tree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Layout:
    """The center of every node across the levels, the start of every level, and the total size."""

    across: list[float]
    level_start: list[float]
    breadth: float
    length: float


@dataclasses.dataclass
class _State:
    """The state of each node: its position relative to its siblings, and the shift of its subtree."""

    children: Sequence[Sequence[int]]
    breadth: Sequence[float]
    gap: float
    position: list[float]
    subtree_shift: list[float]
    shift: list[float]
    change: list[float]
    thread: list[int]
    ancestor: list[int]
    number: list[int]

    def distance(self, left: int, right: int) -> float:
        """The minimum distance of two neighbors on a level."""
        return (self.breadth[left] + self.breadth[right]) / 2 + self.gap

    def next_left(self, node: int) -> int:
        """The node below on the left contour, or -1."""
        return self.children[node][0] if self.children[node] else self.thread[node]

    def next_right(self, node: int) -> int:
        """The node below on the right contour, or -1."""
        return self.children[node][-1] if self.children[node] else self.thread[node]


def lay_out(
    parent: Sequence[int],
    children: Sequence[Sequence[int]],
    breadth: Sequence[float],
    length: Sequence[float],
    *,
    gap: float,
    level_gap: Sequence[float] | float,
) -> Layout:
    """The layout of a tree whose nodes are numbered parents first; `level_gap` is the space before each level."""
    n = len(children)
    state = _State(
        children, breadth, gap, [0.0] * n, [0.0] * n, [0.0] * n, [0.0] * n, [-1] * n, list(range(n)), [0] * n
    )
    middle = [0.0] * n
    for node in range(n - 1, -1, -1):
        below = children[node]
        if below:
            _place_siblings(state, below, middle)
            middle[node] = (state.position[below[0]] + state.position[below[-1]]) / 2
    state.position[0] = middle[0]
    across = _handed_down(state, parent)
    left = min(at - wide / 2 for at, wide in zip(across, breadth, strict=True))
    right = max(at + wide / 2 for at, wide in zip(across, breadth, strict=True))
    starts, end = _levels(parent, length, level_gap)
    return Layout([at - left for at in across], starts, right - left, end)


def _place_siblings(state: _State, below: Sequence[int], middle: Sequence[float]) -> None:
    """Move the subtrees of siblings together, left to right, then distribute the small ones."""
    default = below[0]
    for position, child in enumerate(below):
        state.number[child] = position
        if position == 0:
            state.position[child] = middle[child]
            continue
        left = below[position - 1]
        state.position[child] = state.position[left] + state.distance(left, child)
        state.subtree_shift[child] = state.position[child] - middle[child]
        default = _pushed_apart(state, below, child, left, default)
    shift = change = 0.0
    for child in reversed(below):
        state.position[child] += shift
        state.subtree_shift[child] += shift
        change += state.change[child]
        shift += state.shift[child] + change


def _pushed_apart(state: _State, below: Sequence[int], child: int, left: int, default: int) -> int:
    """Follow the contours between a subtree and those left of it; shift it where they are too close."""
    inner_right = outer_right = child
    inner_left, outer_left = left, below[0]
    sum_inner_right = sum_outer_right = state.subtree_shift[child]
    sum_inner_left, sum_outer_left = state.subtree_shift[left], state.subtree_shift[outer_left]
    next_left, next_right = state.next_right(inner_left), state.next_left(inner_right)
    while next_left >= 0 and next_right >= 0:
        inner_left, inner_right = next_left, next_right
        outer_left, outer_right = state.next_left(outer_left), state.next_right(outer_right)
        state.ancestor[outer_right] = child
        space = state.position[inner_right] + sum_inner_right - state.position[inner_left] - sum_inner_left
        lacking = state.distance(inner_left, inner_right) - space
        if lacking > 0:
            mover = state.ancestor[inner_left]
            from_ = mover if state.number[mover] < len(below) and below[state.number[mover]] == mover else default
            _move(state, from_, child, lacking)
            sum_inner_right += lacking
            sum_outer_right += lacking
        sum_inner_left += state.subtree_shift[inner_left]
        sum_inner_right += state.subtree_shift[inner_right]
        sum_outer_left += state.subtree_shift[outer_left]
        sum_outer_right += state.subtree_shift[outer_right]
        next_left, next_right = state.next_right(inner_left), state.next_left(inner_right)
    if next_left >= 0 and state.next_right(outer_right) < 0:
        state.thread[outer_right] = next_left
        state.subtree_shift[outer_right] += sum_inner_left - sum_outer_right
    if next_right >= 0 and state.next_left(outer_left) < 0:
        state.thread[outer_left] = next_right
        state.subtree_shift[outer_left] += sum_inner_right - sum_outer_left
        default = child
    return default


def _move(state: _State, left: int, right: int, lacking: float) -> None:
    """Shift a subtree to the right, and record the fractions of the shift for those between."""
    between = state.number[right] - state.number[left]
    state.change[right] -= lacking / between
    state.shift[right] += lacking
    state.change[left] += lacking / between
    state.position[right] += lacking
    state.subtree_shift[right] += lacking


def _handed_down(state: _State, parent: Sequence[int]) -> list[float]:
    """Final positions: each node's own plus the shifts of its ancestors."""
    n = len(parent)
    total = [0.0] * n
    across = [0.0] * n
    for node in range(n):
        above = parent[node]
        total[node] = total[above] + state.subtree_shift[above] if above >= 0 else 0.0
        across[node] = state.position[node] + total[node]
    return across


def _levels(
    parent: Sequence[int], length: Sequence[float], level_gap: Sequence[float] | float
) -> tuple[list[float], float]:
    depth = [0] * len(parent)
    tallest: list[float] = []
    for node, above in enumerate(parent):
        depth[node] = depth[above] + 1 if above >= 0 else 0
        if depth[node] == len(tallest):
            tallest.append(0.0)
        tallest[depth[node]] = max(tallest[depth[node]], length[node])
    starts, at = [], 0.0
    for level, height in enumerate(tallest):
        if level:
            at += level_gap if isinstance(level_gap, (int, float)) else level_gap[level]
        starts.append(at)
        at += height
    return starts, at
