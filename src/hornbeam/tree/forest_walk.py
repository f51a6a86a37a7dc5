"""The walk of a forest: blocks of rows go down one tree after the other.

The predictions of the trees are added in their order, so the sums are the same for any number of threads. The compiled
walk does the work (native/walking/forest.hpp); `engine="python"` is the reference implementation.
"""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hornbeam.options import thread_count
from hornbeam.table.column import Column
from hornbeam.tree import walk
from hornbeam.tree.forest import LINKS, Forest
from hornbeam.tree.nodes import UNSEEN_POLICIES, Tree

if TYPE_CHECKING:
    from hornbeam import _native


@dataclasses.dataclass(frozen=True, eq=False)
class ForestTotals:
    """The sums over the trees (rows, width), and which rows are fractional or have an unseen level in a tree."""

    totals: npt.NDArray[np.float64]
    is_fractional: npt.NDArray[np.bool_]
    has_unseen_level: npt.NDArray[np.bool_]


# The core numbers the links as LINKS does; one more normalizes votes of different weight.
NORMALIZE = len(LINKS)

# The walker of each forest, built once.
_WALKERS: weakref.WeakKeyDictionary[Forest, _native.ForestWalker] = weakref.WeakKeyDictionary()


def forest_totals(
    forest: Forest, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core"
) -> ForestTotals:
    """Means of probabilities or numbers; medians of numbers; sums of scores, with the base."""
    n = walk.n_rows_of(columns)
    if forest.combine == "median":
        return _medians(forest, columns, threads=threads, engine=engine)
    out = ForestTotals(np.zeros((n, forest.width)), np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_))
    if forest.combine == "sum":
        out.totals[:] = forest.base
    if engine == "python":
        _add_in_python(forest, columns, out)
    elif forest.trees:
        _add_in_core(forest, columns, out, threads)
    if forest.combine != "sum":
        out.totals[:] /= forest.weights.sum()
    return out


def _medians(forest: Forest, columns: Sequence[Column], *, threads: int | None, engine: str) -> ForestTotals:
    """Weighted medians over the trees: the smallest number up to which the trees have half of the weight."""
    n = walk.n_rows_of(columns)
    numbers = np.empty((n, len(forest)))
    out = ForestTotals(np.zeros((n, 1)), np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_))
    for index, tree in enumerate(forest.trees):
        ends, met = walk.row_ends(tree, columns, with_unseen=True, threads=threads, engine=engine)
        numbers[:, index] = walk.values_at(tree, columns, ends, threads=threads, engine=engine)[:, 0]
        out.has_unseen_level[:] |= met
        out.is_fractional[:] |= ends < 0
    out.totals[:, 0] = weighted_medians(numbers, forest.weights)
    return out


def weighted_medians(numbers: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The weighted median of each row of a matrix (rows, trees): the lower one where two numbers qualify."""
    order = np.argsort(numbers, axis=1, kind="stable")
    below = np.cumsum(weights[order], axis=1)
    place = (below >= 0.5 * below[:, -1:]).argmax(axis=1)
    rows = np.arange(len(numbers))
    return np.asarray(numbers[rows, order[rows, place]], dtype=np.float64)


def concatenate_totals(parts: Sequence[ForestTotals]) -> ForestTotals:
    """The totals of consecutive blocks of rows."""
    fields = ("totals", "is_fractional", "has_unseen_level")
    return ForestTotals(*(np.concatenate([getattr(part, field) for part in parts]) for field in fields))


def _add_in_core(forest: Forest, columns: Sequence[Column], out: ForestTotals, threads: int | None) -> None:
    walk.checked_columns(forest.schema, columns)
    walker = walker_of(forest)
    arrays = [columns[position].values for position in walker.columns]
    shared, met = out.is_fractional.view(np.uint8), out.has_unseen_level.view(np.uint8)
    if walker.add_up(arrays, out.totals, shared, met, thread_count(threads)) >= 0:
        for tree in forest.trees:  # one of them raises the error for the row
            walk.row_ends(tree, columns, threads=threads)


def walker_of(forest: Forest) -> _native.ForestWalker:
    """The walker of a forest, built once."""
    found = _WALKERS.get(forest)
    if found is None:
        from hornbeam import _native

        found = _native.ForestWalker(forest.width, walk.level_counts(forest.schema))
        found.expect(forest.n_nodes)
        is_vote = forest.combine == "vote"
        for tree, weight, output in zip(forest.trees, forest.weights, forest.output, strict=True):
            found.add(
                (tree.nodes.arrays(walk.WALKED), tree.questions.arrays(), UNSEEN_POLICIES.index(tree.unseen)),
                _values(forest, tree),
                tree.nodes.arrays(("answer",))["answer"] if is_vote else np.zeros(0),
                int(output),
                float(weight),
            )
        found.finish()
        _WALKERS[forest] = found
    return found


def _values(forest: Forest, tree: Tree) -> npt.NDArray[np.float64]:
    """The values that each node of a tree adds: probabilities or number, or the probability of its class alone."""
    values = walk.node_values(tree)
    if forest.combine != "confidence":
        return values
    is_label = np.arange(values.shape[1])[None, :] == tree.nodes.answer[:, None]
    return np.where(is_label, values, 0.0)


def _add_in_python(forest: Forest, columns: Sequence[Column], out: ForestTotals) -> None:
    """Reference implementation of the walk of the core."""
    rows = np.arange(len(out.totals))
    for tree, weight, output in zip(forest.trees, forest.weights, forest.output, strict=True):
        ends, met = walk.row_ends(tree, columns, with_unseen=True, engine="python")
        values = walk.values_at(tree, columns, ends, engine="python")
        out.has_unseen_level[:] |= met
        out.is_fractional[:] |= ends < 0
        if forest.combine == "sum":
            out.totals[:, output] += weight * values[:, 0]
        elif forest.combine == "vote":
            out.totals[rows, walk.codes_at(tree, ends, values)] += weight
        elif forest.combine == "confidence":
            codes = walk.codes_at(tree, ends, values)
            out.totals[rows, codes] += weight * values[rows, codes]
        else:
            out.totals[:] += weight * values


def link_code(forest: Forest) -> int:
    """The number of the core's link, which converts sums to predictions."""
    return NORMALIZE if forest.combine == "confidence" else LINKS.index(forest.link)


def linked(
    forest: Forest, scores: npt.NDArray[np.float64], *, threads: int | None = None, engine: str = "core"
) -> npt.NDArray[np.float64]:
    """Sums as class probabilities or numbers."""
    link = link_code(forest)
    if link == LINKS.index("identity"):
        return scores
    if engine == "python":
        return _linked_in_python(link, scores)
    from hornbeam import _native

    out = np.empty((len(scores), 2 if forest.link == "logistic" else scores.shape[1]))
    _native.linked(np.ascontiguousarray(scores), link, out, thread_count(threads))
    return out


def _linked_in_python(link: int, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Reference implementation of the links of the core; they differ in the last digits of e^x."""
    if link == LINKS.index("logistic"):
        with np.errstate(over="ignore"):
            second = 1.0 / (1.0 + np.exp(-scores[:, 0]))
        return np.column_stack([1.0 - second, second])
    if link == LINKS.index("exp"):
        return np.asarray(np.exp(scores), dtype=np.float64)
    raised = np.exp(scores - scores.max(axis=1, keepdims=True)) if link != NORMALIZE else scores
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)
