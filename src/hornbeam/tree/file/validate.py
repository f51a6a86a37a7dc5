"""Checks a tree: model files, pickles and manual edits all pass here before the tree is used.

    topology    root 0; each other node has one parent, which comes before it and has it among its children
    ranges      questions, branches, columns, levels, classes and reasons exist
    sums        stats add up to the weight; children have no more weight than their parent (rows may stay or be dropped)
    finiteness  no NaN or infinity; only gain, score and impurity may be NaN: undefined after an edit

The time is linear in the size of the tree and nothing recurses. The error gives the array and the index.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.file.validate_questions import Levels, check_questions
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, UNSEEN_POLICIES, Nodes, Tree

MAX_DEPTH = 100_000
MAX_TEXT = 1 << 20
_SLACK = 1e-6


def validate_tree(tree: Tree, levels: Levels | None = None) -> Tree:
    """The tree itself if it is valid, else a ModelFileError; `levels` if the schema was checked before."""
    if not isinstance(tree.unseen, str) or tree.unseen not in UNSEEN_POLICIES:
        raise ModelFileError(f"unseen must be one of {', '.join(UNSEEN_POLICIES)}; got {short_repr(tree.unseen)}.")
    if levels is None:
        check_schema(tree.schema)
        levels = Levels.of(tree.schema)
    _check_lengths(tree.nodes, len(tree.schema.classes) if tree.is_class else 3)
    _check_topology(tree.nodes)
    branches = check_questions(tree.questions, levels, require_all)
    _check_question_rows(tree.nodes, branches)
    known = (tree.nodes.reason >= 0) & (tree.nodes.reason < len(tree.reasons))
    require_all(known, "nodes.reason", "the reason does not exist")
    _check_surrogates(tree.nodes, branches)
    _check_competitors(tree.nodes, len(branches))
    _check_statistics(tree.nodes, tree.is_class, "honest_rows" in tree.metadata)
    return tree


def require_all(condition: npt.NDArray[np.bool_], array: str, message: str) -> None:
    """Raise for the first index of an array where a condition is false."""
    if not condition.all():
        _fail(array, int(np.flatnonzero(~condition.reshape(len(condition), -1).all(axis=1))[0]), message)


def _fail(array: str, index: int, message: str) -> NoReturn:
    what = "Question" if array.startswith("questions.") else "Node"
    raise ModelFileError(f"{what} {index}: {message} ({array}).", array=array, index=index)


def check_schema(schema: Schema) -> None:
    """Check the names and levels of all columns."""
    specs = [*schema.columns, *([schema.target] if schema.target is not None else [])]
    seen: set[str] = set()
    for spec in specs:
        check_text(spec.name, "The name of a column")
        if spec.name in seen:
            raise ModelFileError(f"Two columns are named {short_repr(spec.name)}.")
        seen.add(spec.name)
        _check_levels(spec)
    if schema.is_class and not schema.classes:
        raise ModelFileError("There are no classes: the target has no levels.")


def _check_levels(spec: ColumnSpec) -> None:
    if spec.kind is Kind.NUMERIC and spec.levels:
        raise ModelFileError(f"Numeric column {short_repr(spec.name)} has levels.")
    for level in spec.levels:
        if isinstance(level, str):
            check_text(level, f"A level of column {short_repr(spec.name)}")
    if len({(type(level), level) for level in spec.levels}) != len(spec.levels):
        raise ModelFileError(f"Column {short_repr(spec.name)} has the same level twice.")


def check_text(text: Any, what: str) -> None:
    """Check that a text can be written as UTF-8, contains no NUL and is not too long."""
    if not isinstance(text, str):
        raise ModelFileError(f"{what} must be text; got {short_repr(text)}.")
    if len(text) > MAX_TEXT:
        raise ModelFileError(f"{what} is {len(text)} characters long; at most {MAX_TEXT} are allowed.")
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text if c > "\ud7ff"):
        raise ModelFileError(f"{what} contains a character that is not allowed in a model file: {short_repr(text)}.")


def _check_lengths(nodes: Nodes, width: int) -> None:
    n = len(nodes)
    if n == 0:
        raise ModelFileError("The tree has no nodes.", array="nodes.parent", index=0)
    marks = {"surrogate": len(nodes.surrogate_question), "competitor": len(nodes.competitor_question)}
    for name, array in nodes.arrays().items():
        expected: tuple[int, ...] = (n,)
        if name == "stats":
            expected = (n, width)
        elif name in ("surrogate_start", "competitor_start"):
            expected = (n + 1,)
        elif name.partition("_")[0] in marks:
            expected = (marks[name.partition("_")[0]],)
        if array.shape != expected:
            raise ModelFileError(
                f"Array nodes.{name} has shape {array.shape}; {expected} is needed.", array=f"nodes.{name}", index=0
            )


def _check_topology(nodes: Nodes) -> None:
    n = len(nodes)
    own = np.arange(n)
    parent = nodes.parent.astype(np.int64)
    first = nodes.first_child.astype(np.int64)
    count = nodes.n_branches.astype(np.int64)
    is_leaf = first == -1
    root = np.zeros(n, dtype=np.bool_)
    root[0] = True
    require_all(
        np.where(root, parent == -1, (parent >= 0) & (parent < own)), "nodes.parent", "its parent must come before it"
    )
    require_all(is_leaf | (first > own), "nodes.first_child", "its children must come after it")
    require_all(np.where(is_leaf, count == 0, count >= 2), "nodes.n_branches", "an inner node has two branches or more")
    require_all(is_leaf | (count <= n - first), "nodes.n_branches", f"its children must be among the {n} nodes")
    require_all(np.where(root, True, (parent >= 0) & ~is_leaf[parent]), "nodes.parent", "its parent is a leaf")
    place = own - first[parent]
    inside = root | ((place >= 0) & (place < count[parent]))
    require_all(inside, "nodes.parent", "it is not among the children of its parent")
    # Each node is in the range of its parent; if the ranges have n - 1 nodes in total, no node is in two of them.
    if int(count.sum()) != n - 1:
        _fail("nodes.n_branches", 0, f"the branches must lead to {n - 1} nodes; they lead to {int(count.sum())}")
    depth = nodes.depth.astype(np.int64)
    require_all(
        np.where(root, depth == 0, depth == depth[parent] + 1), "nodes.depth", "it must be one deeper than its parent"
    )
    require_all(depth <= MAX_DEPTH, "nodes.depth", f"the depth may be at most {MAX_DEPTH}")


def _check_question_rows(nodes: Nodes, branches: npt.NDArray[np.int64]) -> None:
    is_leaf = nodes.is_leaf
    row = nodes.question.astype(np.int64)
    known = (row >= 0) & (row < len(branches))
    require_all(np.where(is_leaf, row == -1, known), "nodes.question", f"one of {len(branches)} questions is needed")
    missing = nodes.missing_branch.astype(np.int64)
    allowed = np.where(is_leaf, missing == STAY, (missing >= ALL_BRANCHES) & (missing < nodes.n_branches))
    require_all(allowed, "nodes.missing_branch", "the branch for missing values must be one of its branches, -1 or -2")
    if len(branches):
        extra = nodes.n_branches - branches[np.where(is_leaf, 0, row)]
        # One branch more than the question has: the separate branch for missing values, always the last.
        own_branch = (extra == 1) & (missing == nodes.n_branches - 1)
        require_all(
            is_leaf | (extra == 0) | own_branch, "nodes.n_branches", "its question has another number of branches"
        )


def _check_surrogates(nodes: Nodes, branches: npt.NDArray[np.int64]) -> None:
    start = nodes.surrogate_start
    steps = np.diff(start)
    if start[0] != 0 or start[-1] != len(nodes.surrogate_question):
        _fail("nodes.surrogate_start", 0, "the ranges of surrogates must begin at 0 and end with the last")
    require_all(steps >= 0, "nodes.surrogate_start", "the ranges of surrogates must follow each other")
    require_all((steps == 0) | ~nodes.is_leaf, "nodes.surrogate_start", "a leaf has no surrogates")
    owner = np.repeat(np.arange(len(nodes)), steps)
    rows = nodes.surrogate_question.astype(np.int64)
    name = "nodes.surrogate_question"
    require_all((rows >= 0) & (rows < len(branches)), name, "the question of the surrogate does not exist")
    require_all(rows != nodes.question[owner], name, "the surrogate has the question of the node")
    _, where = np.unique(np.stack([owner, rows]), axis=1, return_index=True)
    if len(where) != len(rows):
        _fail(name, int(np.setdiff1d(np.arange(len(rows)), where)[0]), "the surrogate appears twice")
    if len(rows):
        require_all(branches[rows] <= nodes.n_branches[owner], name, "the surrogate has more branches than the node")
    flipped = nodes.surrogate_flipped
    can_flip = (flipped == 0) | ((flipped == 1) & (nodes.n_branches[owner] == 2))
    require_all(can_flip, "nodes.surrogate_flipped", "only surrogates of two branches can be flipped")
    for each in ("surrogate_agree", "surrogate_adjusted"):
        value = getattr(nodes, each)
        low = 0.0 if each == "surrogate_agree" else -np.inf
        fine = np.isfinite(value) & (value >= low) & (value <= 1.0 + _SLACK)
        require_all(fine, f"nodes.{each}", "agreement is at most 1")


def _check_competitors(nodes: Nodes, n_questions: int) -> None:
    start, rows = nodes.competitor_start, nodes.competitor_question.astype(np.int64)
    if start[0] != 0 or start[-1] != len(rows):
        _fail("nodes.competitor_start", 0, "the ranges of competitors must begin at 0 and end with the last")
    steps = np.diff(start)
    require_all(steps >= 0, "nodes.competitor_start", "the ranges of competitors must follow each other")
    require_all((steps == 0) | ~nodes.is_leaf, "nodes.competitor_start", "a leaf has no competitors")
    known = (rows >= 0) & (rows < n_questions)
    require_all(known, "nodes.competitor_question", "the question of the competitor does not exist")
    for each in ("competitor_gain", "competitor_score"):
        require_all(~np.isinf(getattr(nodes, each)), f"nodes.{each}", "it must be finite or NaN")


def _check_statistics(nodes: Nodes, is_class: bool, is_honest: bool) -> None:
    """Statistics are finite and add up. In an honest tree, a node with too few rows has the class probabilities of its
    parent, so there only the weights of all classes together add up.
    """
    weight, stats, answer = nodes.weight, nodes.stats, nodes.answer
    require_all(nodes.rows >= 0, "nodes.rows", "rows cannot be negative")
    require_all(np.isfinite(weight) & (weight >= 0), "nodes.weight", "a weight must be finite and not negative")
    require_all(np.isfinite(stats), "nodes.stats", "statistics must be finite")
    require_all(np.isfinite(answer), "nodes.answer", "the prediction must be finite")
    for each in ("gain", "score", "impurity"):
        require_all(~np.isinf(getattr(nodes, each)), f"nodes.{each}", f"the {each} must be finite or NaN")
    slack = _SLACK * weight + 1e-300
    if is_class:
        require_all(stats >= 0, "nodes.stats", "the weight of a class cannot be negative")
        require_all(
            np.abs(stats.sum(axis=1) - weight) <= slack, "nodes.stats", "class weights must add up to the node's weight"
        )
        fits = (answer >= 0) & (answer < stats.shape[1]) & (answer == np.floor(answer))
        require_all(fits, "nodes.answer", f"the prediction must be one of {stats.shape[1]} classes")
        parts = weight[:, None] if is_honest else stats
    else:
        require_all(
            np.abs(stats[:, 0] - weight) <= slack, "nodes.stats", "its first statistic must be the node's weight"
        )
        require_all(stats[:, 2] >= 0, "nodes.stats", "a sum of squares cannot be negative")
        parts = stats[:, :1]
    below = np.zeros_like(parts)
    np.add.at(below, nodes.parent[1:], parts[1:])
    require_all(
        below <= parts * (1 + _SLACK) + slack[:, None], "nodes.stats", "its children have more weight than the node"
    )
