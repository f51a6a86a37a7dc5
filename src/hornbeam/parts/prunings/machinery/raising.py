"""How are rows sent down again while subtrees move up?  The working half of error-based pruning.

One *settling* of a place: send its rows down what stands there now, then decide every node from the last visited to
the first, so children come before parents. When a node is replaced by its largest child, that place is settled anew
with all the node's rows before the decision above it is made. A settling waits for the inner one on a stack of its
own: nothing recurses.

Rows are kept once, in the order in which the walk left them: those of a subtree stand side by side, and the parts of
a row that went several ways are added together again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.parts.prunings.base import Edits, UpdatedStats, format_number, inner_nodes
from hornbeam.parts.prunings.machinery.routes import Numbers, Rows, Shape, sum_weights, visits
from hornbeam.table.column import Column
from hornbeam.tree.nodes import Tree

Place = tuple[int, Rows, Numbers]
Settling = Generator[Place, float, float]


class WalkResult:
    """What a walk left behind: nodes in the order visited, class weights of all rows and of those that ended, rows."""

    def __init__(self, raiser: Raiser, start: int, rows: Rows, weights: Numbers) -> None:
        self.nodes: list[int] = []
        self.counts: list[Numbers] = []
        self.ended: list[Numbers] = []
        self._rows: list[Rows] = []
        self._weights: list[Numbers] = []
        self._starts = [0]
        for visit in visits(raiser.shape, raiser.columns, rows, weights, start, shares_of_rows=True):
            self.nodes.append(visit.node)
            self.counts.append(raiser.counted(visit.rows, visit.weights))
            here, part = visit.rows[visit.ends], visit.weights[visit.ends]
            self.ended.append(raiser.counted(here, part))
            self._rows.append(here)
            self._weights.append(part)
            self._starts.append(self._starts[-1] + len(here))
        self._all_rows = np.concatenate(self._rows) if self._rows else rows
        self._all_weights = np.concatenate(self._weights) if self._weights else weights
        self._last = self._lasts(raiser.shape)

    def _lasts(self, shape: Shape) -> list[int]:
        """The place in the walk of the last node below each."""
        place = {node: i for i, node in enumerate(self.nodes)}
        last = list(range(len(self.nodes)))
        for i in range(len(self.nodes) - 1, -1, -1):
            below = [last[place[child]] for child in shape.children(self.nodes[i]) if child in place]
            last[i] = max([i, *below])
        return last

    def rows_at(self, i: int) -> tuple[Rows, Numbers]:
        """The rows that reached the i-th node visited, each once, with their weights there."""
        span = slice(self._starts[i], self._starts[self._last[i] + 1])
        rows, inverse = np.unique(self._all_rows[span], return_inverse=True)
        return rows, sum_weights(inverse, self._all_weights[span], len(rows))


class Raiser:
    """Settles every place of a tree, children first."""

    def __init__(
        self,
        tree: Tree,
        columns: Sequence[Column],
        truth: npt.NDArray[np.int64],
        weights: npt.NDArray[np.float64] | None,
        estimate: Callable[[float, float], float],
        slack: float,
    ) -> None:
        self.tree = tree
        self.shape = Shape(tree)
        self.columns = columns
        self.truth = truth
        self.weights = np.ones(len(truth)) if weights is None else weights
        self.estimate = estimate
        self.slack = slack
        self.label: list[int] = tree.nodes.answer.astype(np.int64).tolist()
        self.words: dict[int, str] = {}

    def counted(self, rows: Rows, weights: Numbers) -> Numbers:
        """The weight of each class among rows."""
        return sum_weights(self.truth[rows], weights, self.tree.nodes.stats.shape[1])

    def edits(self) -> Edits:
        """Settle the whole tree and say what changed."""
        rows = np.flatnonzero(self.weights > 0)
        total = self._run((0, rows, self.weights[rows]))
        for node in inner_nodes(self.tree.nodes):
            if node not in self.words:
                self.words[node] = "cut: no training row reaches it"
                self.shape.is_leaf[node] = True
        return self._changes(rows, total)

    def _run(self, place: Place) -> float:
        """Drive settlings: each may ask for another one to be finished first."""
        waiting = [self._settling(place)]
        answer: float | None = None
        while True:
            try:
                wanted = next(waiting[-1]) if answer is None else waiting[-1].send(answer)
                waiting.append(self._settling(wanted))
                answer = None
            except StopIteration as finished:
                waiting.pop()
                answer = float(finished.value)
                if not waiting:
                    return answer

    def _settling(self, place: Place) -> Settling:
        """Decide every node below a place; returns the estimate of what stands there in the end."""
        start = place[0]
        walked = WalkResult(self, *place)
        estimates: dict[int, float] = {}
        weight = {node: float(counts.sum()) for node, counts in zip(walked.nodes, walked.counts, strict=True)}
        for i in range(len(walked.nodes) - 1, -1, -1):
            node = walked.nodes[i]
            leaf = self._as_leaf(node, walked.counts[i], relabel=True)
            if self.shape.is_leaf[node]:
                estimates[node] = leaf
                continue
            children = self.shape.children(node)
            tree = sum(estimates.get(child, 0.0) for child in children) + self._as_leaf(node, walked.ended[i])
            largest = _largest([weight.get(child, 0.0) for child in children])
            rows, parts = walked.rows_at(i)
            branch = self._untouched(children[largest], rows, parts, tree + self.slack)
            numbers = f"estimate {format_number(leaf)} errors as a leaf, {format_number(tree)} as a subtree"
            if leaf <= branch + self.slack and leaf <= tree + self.slack:
                self.words[node] = f"cut: {numbers}"
                self.shape.is_leaf[node] = True
                estimates[node] = leaf
            elif branch <= tree + self.slack:
                self.words[node] = (
                    f"raised: branch {largest} takes its place, {format_number(branch)} errors; {numbers}"
                )
                self.shape.instead[node] = children[largest]
                settled = yield (children[largest], rows, parts)
                estimates[self.shape.at(node)] = settled
            else:
                self.words[node] = f"kept: {numbers}"
                estimates[node] = tree
            weight[self.shape.at(node)] = weight[node]
        return estimates[self.shape.at(start)] if walked.nodes else 0.0

    def _as_leaf(self, node: int, counts: Numbers, *, relabel: bool = False) -> float:
        """The estimate of a node as a leaf of these class weights; 0 without weight."""
        total = float(counts.sum())
        if total <= 0:
            return 0.0
        best = int(np.argmax(counts))
        label = best if counts[best] > counts[self.label[node]] else self.label[node]
        if relabel:
            self.label[node] = label
        return self.estimate(total, max(total - float(counts[label]), 0.0))

    def _untouched(self, start: int, rows: Rows, weights: Numbers, enough: float) -> float:
        """The estimate of a subtree with other rows, left as it is; infinite as soon as it exceeds `enough`."""
        total = 0.0
        for visit in visits(self.shape, self.columns, rows, weights, start, shares_of_rows=True):
            if visit.ends.any():
                total += self._as_leaf(visit.node, self.counted(visit.rows[visit.ends], visit.weights[visit.ends]))
                if total > enough:
                    return float("inf")
        return total

    def _changes(self, rows: Rows, total: float) -> Edits:
        """The edits that lead from the tree given to the shape reached."""
        nodes, shape = self.tree.nodes, self.shape
        grafts = {0: shape.at(0)} if shape.at(0) != 0 else {}
        collapse, moved = [], set()
        stack = [(shape.at(0), bool(grafts))]
        while stack:
            node, is_moved = stack.pop()
            if is_moved:
                moved.add(node)
            if shape.is_leaf[node]:
                if not nodes.is_leaf[node]:
                    collapse.append(node)
                continue
            for child in nodes.children(node):
                now = shape.at(child)
                if now != child:
                    grafts[child] = now
                stack.append((now, is_moved or now != child))
        restated = self._restated(rows, moved) if moved else {}
        answers = {node: float(self.label[node]) for node in collapse if self.label[node] != nodes.answer[node]}
        metadata = {"estimate": total}
        return Edits(tuple(sorted(collapse)), grafts, self.words, answers, restated, metadata)

    def _restated(self, rows: Rows, moved: set[int]) -> dict[int, UpdatedStats]:
        """The statistics of nodes that stand higher than they were grown, from the rows that reach them now."""
        restated = {}
        for visit in visits(self.shape, self.columns, rows, self.weights[rows], shares_of_rows=True):
            if visit.node in moved:
                counts = self.counted(visit.rows, visit.weights)
                answer = float(self.label[visit.node])
                weight = float(counts.sum())
                restated[visit.node] = UpdatedStats(len(visit.rows), weight, tuple(counts.tolist()), answer)
        return restated


def _largest(weights: list[float]) -> int:
    """The branch of largest weight, the last on ties."""
    top = max(weights)
    return max(i for i, weight in enumerate(weights) if weight >= top * (1 - 1e-9))
