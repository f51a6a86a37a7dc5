"""SourceTree: a tree as its source stores it, and the `Tree` made from it.

A source fills arrays in its own order of nodes; `tree_of` numbers the nodes as hornbeam does, writes the questions,
adds up the statistics from the leaves, and validates the result like a model file. What a source does not store is
absent: `rows` and `weight` are 0 at every node, `impurity` and `gain` are NaN, and the metadata `absent` names these
arrays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError
from hornbeam.importing.machinery.level_sets import LevelSet
from hornbeam.table.table import Schema
from hornbeam.tree.file.validate import validate_tree
from hornbeam.tree.nodes import STAY, Nodes, Tree
from hornbeam.tree.questions import Question, QuestionTable
from hornbeam.tree.questions.table import QuestionWriter, table_of
from hornbeam.tree.questions.threshold import Threshold

Array = npt.NDArray[Any]
Surrogates = Sequence[tuple[Question, bool]]


@dataclasses.dataclass(frozen=True, eq=False)
class SourceTree:
    """The nodes of one tree. Node 0 is the root; `children` has one entry per branch, none for a leaf.

    A node compares `column` with `cut` unless `sets` or `questions` has another test for it. `missing` is the branch of
    missing values. `value` is a number per node (NaN for inner nodes without one) or the weight of each class.
    """

    children: Sequence[Sequence[int]]
    column: Array
    cut: Array
    missing: Array
    value: Array
    weight: Array | None = None
    rows: Array | None = None
    impurity: Array | None = None
    gain: Array | None = None
    answer: Array | None = None
    has_variance: bool = False  # whether the impurity is the variance of the target at the node
    is_term: bool = False  # whether the tree is a term of a sum; the gains of such trees are sums over the rows
    sets: Mapping[int, LevelSet] = dataclasses.field(default_factory=dict)
    questions: Mapping[int, Question] = dataclasses.field(default_factory=dict)
    surrogates: Mapping[int, Surrogates] = dataclasses.field(default_factory=dict)


def tree_of(source: SourceTree, schema: Schema, metadata: Mapping[str, Any], place: str = "The tree") -> Tree:
    """The tree of a source; `place` names it in errors."""
    order, first = numbered(source.children, place)
    arrays: dict[str, Array] = {"first_child": np.array(first, dtype=np.int32)}
    counts = np.array([len(source.children[node]) for node in order], dtype=np.int32)
    arrays["n_branches"] = counts
    leaf = arrays["first_child"] < 0
    arrays["missing_branch"] = np.where(leaf, STAY, np.asarray(source.missing)[order])
    parent = Nodes(**arrays).parent
    arrays.update(_statistics(source, order, parent, schema.is_class))
    if source.gain is None and source.impurity is not None:
        arrays["gain"] = _decreases(arrays["impurity"], arrays["weight"], parent, leaf)
        if source.is_term:
            arrays["gain"] = arrays["gain"] * arrays["weight"]
    questions, more = _questions(source, order, leaf, schema)
    absent = [name for name in ("rows", "weight", "impurity", "gain") if not _is_present(name, arrays)]
    about = {**metadata, **({"absent": absent} if absent else {})}
    tree = Tree(schema, Nodes(**arrays, **more), questions, {}, about)
    try:
        return validate_tree(tree)
    except ModelFileError as error:
        raise ModelFileError(f"{place}: {error.message}", **error.remedy, **error.details) from None


def numbered(children: Sequence[Sequence[int]], place: str) -> tuple[list[int], list[int]]:
    """The source's nodes in hornbeam's order, and the first child of each; an error if they do not form a tree."""
    order, first, waiting = [0], [-1], [0]
    seen = bytearray(len(children))
    if not len(children):
        raise ModelFileError(f"{place} has no nodes.")
    seen[0] = 1
    while waiting:
        new = waiting.pop()
        below = children[order[new]]
        if not below:
            continue
        first[new] = len(order)
        for child in below:
            if not 0 <= child < len(seen) or seen[child]:
                what = "does not exist" if not 0 <= child < len(seen) else "has two parents"
                raise ModelFileError(f"{place}: node {child}, a child of node {order[new]}, {what}.", node=child)
            seen[child] = 1
            order.append(child)
            first.append(-1)
        waiting.extend(range(len(order) - 1, first[new] - 1, -1))
    return order, first


def _statistics(source: SourceTree, order: list[int], parent: Array, is_class: bool) -> dict[str, Array]:
    """Weights, statistics and predictions; those of inner nodes are added up from the leaves."""
    value = np.array(np.asarray(source.value, dtype=np.float64)[order])
    out: dict[str, Array] = {}
    n = len(order)
    if source.rows is not None:
        rows = np.asarray(source.rows, dtype=np.float64)[order]
        out["rows"] = _not_below_children(rows[:, None], parent)[:, 0].astype(np.int64)
    for name in ("impurity", "gain"):
        given = getattr(source, name)
        out[name] = np.full(n, np.nan) if given is None else np.asarray(given, dtype=np.float64)[order]
    if is_class:
        out["stats"] = _not_below_children(value, parent)
        out["weight"] = out["stats"].sum(axis=1)
        answer = None if source.answer is None else np.asarray(source.answer, dtype=np.float64)[order]
        out["answer"] = out["stats"].argmax(axis=1).astype(np.float64) if answer is None else answer
        return out
    weight = np.zeros(n) if source.weight is None else np.array(np.asarray(source.weight, dtype=np.float64)[order])
    weight = _not_below_children(weight[:, None], parent)[:, 0]
    out["answer"] = _filled_in(value, weight, parent)
    squares = np.maximum(out["impurity"], 0.0) * weight if source.has_variance else np.zeros(n)
    out["weight"], out["stats"] = weight, np.stack([weight, out["answer"], squares], axis=1)
    return out


def _is_present(name: str, arrays: Mapping[str, Array]) -> bool:
    if name in ("rows", "weight"):
        return name in arrays and bool(arrays[name][0] > 0)
    return not bool(np.isnan(arrays[name]).any())


def _decreases(impurity: Array, weight: Array, parent: Array, leaf: Array) -> Array:
    """The decrease in impurity at each node; 0 at leaves."""
    below = np.bincount(parent[1:], (impurity * weight)[1:], minlength=len(impurity))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(leaf | ~(weight > 0), 0.0, impurity - below / weight)
    return np.asarray(found)


def _not_below_children(weights: Array, parent: Array) -> Array:
    """Weights per node where each inner node has at least the sum of its children, whatever the source rounded."""
    out = np.array(weights, dtype=np.float64)
    below = np.zeros_like(out)
    for node in range(len(out) - 1, 0, -1):
        out[node] = np.maximum(out[node], below[node])
        below[parent[node]] += out[node]
    out[0] = np.maximum(out[0], below[0])
    return out


def _filled_in(value: Array, weight: Array, parent: Array) -> Array:
    """Numbers of all nodes: those of inner nodes without one are the mean of their children by weight."""
    if not np.isnan(value).any():
        return value
    total, mass, plain, count = (np.zeros(len(value)) for _ in range(4))
    for node in range(len(value) - 1, -1, -1):
        if np.isnan(value[node]) and count[node]:
            value[node] = total[node] / mass[node] if mass[node] > 0 else plain[node] / count[node]
        if node:
            above = parent[node]
            total[above] += weight[node] * value[node]
            mass[above] += weight[node]
            plain[above] += value[node]
            count[above] += 1
    return value


def _questions(
    source: SourceTree, order: list[int], leaf: Array, schema: Schema
) -> tuple[QuestionTable, dict[str, Any]]:
    """The questions of the nodes, and the arrays that refer to them."""
    column, cut = np.asarray(source.column)[order], np.asarray(source.cut, dtype=np.float64)[order]
    if not source.sets and not source.questions and not source.surrogates:
        inner = np.flatnonzero(~leaf)
        arrays = {"column": column[inner].astype(np.int32), "reals": np.ascontiguousarray(cut[inner])}
        return table_of(arrays), {}
    writer = QuestionWriter()
    rows = np.full(len(order), -1, dtype=np.int32)
    starts, surrogates, flipped = [0], [], []
    for new, old in enumerate(order):
        others: Surrogates = source.surrogates.get(old, ())
        if not leaf[new]:
            if old in source.sets:
                question, others = source.sets[old].question(schema, int(source.missing[old]))
            else:
                question = source.questions.get(old) or Threshold(int(column[new]), float(cut[new]))
            rows[new] = writer.add(question)
        surrogates += [writer.add(other) for other, _ in others]
        flipped += [int(is_flipped) for _, is_flipped in others]
        starts.append(len(surrogates))
    more: dict[str, Any] = {"question": rows}
    if surrogates:
        more |= {
            "surrogate_start": np.array(starts, dtype=np.int64),
            "surrogate_question": np.array(surrogates, dtype=np.int32),
            "surrogate_flipped": np.array(flipped, dtype=np.int8),
            "surrogate_agree": np.ones(len(surrogates)),
            "surrogate_adjusted": np.ones(len(surrogates)),
        }
    return writer.finished(), more
