"""Routing of rows while subtrees are raised: the working half of error-based pruning.

Deciding a *place* means: route its rows through what is there now, then decide every node from the last visited to the
first, so children come before parents. If a node is replaced by its largest child, that place is decided again with all
rows of the node before the decision above it is made. The outer decision waits on an explicit stack: nothing recurses.

Rows are stored once, in the order in which the walk left them: those of a subtree are contiguous, and the fractions
of a row that went to several branches are added together again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.number_text import number_text
from hornbeam.ordered_sum import ordered_sum
from hornbeam.parts.prunings.base import Edits, UpdatedStats, inner_nodes
from hornbeam.parts.prunings.machinery.routes import Numbers, Rows, Shape, sum_weights, visits
from hornbeam.table.column import Column
from hornbeam.tree.nodes import Tree

Place = tuple[int, Rows, Numbers]
Decision = Generator[Place, float, float]


class WalkResult:
    """The result of a walk: nodes in the order visited, class weights of all rows and of those that ended, rows."""

    def __init__(self, raiser: Raiser, start: int, rows: Rows, weights: Numbers) -> None:
        self.nodes: list[int] = []
        self.counts: list[Numbers] = []
        self.ended: list[Numbers] = []
        self._rows: list[Rows] = []
        self._weights: list[Numbers] = []
        self._starts = [0]
        for visit in visits(raiser.shape, raiser.columns, rows, weights, start, fractions_of_rows=True):
            self.nodes.append(visit.node)
            self.counts.append(raiser.class_weights(visit.rows, visit.weights))
            here, part = visit.rows[visit.ends], visit.weights[visit.ends]
            self.ended.append(raiser.class_weights(here, part))
            self._rows.append(here)
            self._weights.append(part)
            self._starts.append(self._starts[-1] + len(here))
        self._all_rows = np.concatenate(self._rows) if self._rows else rows
        self._all_weights = np.concatenate(self._weights) if self._weights else weights
        self._last = self._last_below(raiser.shape)

    def _last_below(self, shape: Shape) -> list[int]:
        """The index in the walk of the last node below each."""
        index = {node: i for i, node in enumerate(self.nodes)}
        last = list(range(len(self.nodes)))
        for i in range(len(self.nodes) - 1, -1, -1):
            below = [last[index[child]] for child in shape.children(self.nodes[i]) if child in index]
            last[i] = max([i, *below])
        return last

    def rows_at(self, i: int) -> tuple[Rows, Numbers]:
        """The rows that reached the i-th node visited, each once, with their weights there."""
        span = slice(self._starts[i], self._starts[self._last[i] + 1])
        rows, inverse = np.unique(self._all_rows[span], return_inverse=True)
        return rows, sum_weights(inverse, self._all_weights[span], len(rows))


class Raiser:
    """Decides every place of a tree, children first."""

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
        self.verdicts: dict[int, str] = {}

    def class_weights(self, rows: Rows, weights: Numbers) -> Numbers:
        """The weight of each class among rows."""
        return sum_weights(self.truth[rows], weights, self.tree.nodes.stats.shape[1])

    def edits(self) -> Edits:
        """Decide the whole tree and return the changes."""
        rows = np.flatnonzero(self.weights > 0)
        total = self._run((0, rows, self.weights[rows]))
        for node in inner_nodes(self.tree.nodes):
            if node not in self.verdicts:
                self.verdicts[node] = "cut: no training row reaches it"
                self.shape.is_leaf[node] = True
        return self._changes(rows, total)

    def _run(self, place: Place) -> float:
        """Run decisions: each may request that another one is finished first."""
        stack = [self._decide(place)]
        result: float | None = None
        while True:
            try:
                inner = next(stack[-1]) if result is None else stack[-1].send(result)
                stack.append(self._decide(inner))
                result = None
            except StopIteration as finished:
                stack.pop()
                result = float(finished.value)
                if not stack:
                    return result

    def _decide(self, place: Place) -> Decision:
        """Decide every node below a place; returns the estimate of the final subtree there."""
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
            tree = ordered_sum(estimates.get(child, 0.0) for child in children) + self._as_leaf(node, walked.ended[i])
            largest = _largest([weight.get(child, 0.0) for child in children])
            rows, parts = walked.rows_at(i)
            branch = self._unchanged(children[largest], rows, parts, tree + self.slack)
            numbers = f"estimate {number_text(leaf)} errors as a leaf, {number_text(tree)} as a subtree"
            if leaf <= branch + self.slack and leaf <= tree + self.slack:
                self.verdicts[node] = f"cut: {numbers}"
                self.shape.is_leaf[node] = True
                estimates[node] = leaf
            elif branch <= tree + self.slack:
                self.verdicts[node] = f"raised: branch {largest} replaces it, {number_text(branch)} errors; {numbers}"
                self.shape.replacement[node] = children[largest]
                final = yield (children[largest], rows, parts)
                estimates[self.shape.at(node)] = final
            else:
                self.verdicts[node] = f"kept: {numbers}"
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

    def _unchanged(self, start: int, rows: Rows, weights: Numbers, limit: float) -> float:
        """The estimate of an unchanged subtree with other rows; infinite as soon as it exceeds `limit`."""
        total = 0.0
        for visit in visits(self.shape, self.columns, rows, weights, start, fractions_of_rows=True):
            if visit.ends.any():
                total += self._as_leaf(
                    visit.node, self.class_weights(visit.rows[visit.ends], visit.weights[visit.ends])
                )
                if total > limit:
                    return float("inf")
        return total

    def _changes(self, rows: Rows, total: float) -> Edits:
        """The edits that lead from the given tree to the final shape."""
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
        updated = self._updated_stats(rows, moved) if moved else {}
        answers = {node: float(self.label[node]) for node in collapse if self.label[node] != nodes.answer[node]}
        metadata = {"estimate": total}
        return Edits(tuple(sorted(collapse)), grafts, self.verdicts, answers, updated, metadata)

    def _updated_stats(self, rows: Rows, moved: set[int]) -> dict[int, UpdatedStats]:
        """The statistics of raised nodes, from the rows that reach them now."""
        updated = {}
        for visit in visits(self.shape, self.columns, rows, self.weights[rows], fractions_of_rows=True):
            if visit.node in moved:
                counts = self.class_weights(visit.rows, visit.weights)
                answer = float(self.label[visit.node])
                weight = float(counts.sum())
                updated[visit.node] = UpdatedStats(len(visit.rows), weight, tuple(counts.tolist()), answer)
        return updated


def _largest(weights: list[float]) -> int:
    """The branch of largest weight, the last on ties."""
    top = max(weights)
    return max(i for i, weight in enumerate(weights) if weight >= top * (1 - 1e-9))
