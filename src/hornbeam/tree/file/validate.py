"""Is a tree sound?  The one gate: model files, pickles and edits by hand all pass here before anything walks the tree.

    topology    root 0; every other node has one parent, that comes first and counts it among its children
    ranges      questions, branches, columns, levels, classes and reasons exist
    sums        stats add up to the weight; children weigh no more than their parent (rows may stay or be dropped)
    finiteness  no NaN or infinity; only gain, score and impurity may be NaN: unknown after an edit

Everything is linear in the size of the tree and nothing recurses. The error names the array and the place in it.
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

MOST_DEPTH = 100_000
LONGEST_TEXT = 1 << 20
_SLACK = 1e-6


def validate_tree(tree: Tree, levels: Levels | None = None) -> Tree:
    """The tree itself if it is sound, else ModelFileError; `levels` of a schema that was checked before."""
    if not isinstance(tree.unseen, str) or tree.unseen not in UNSEEN_POLICIES:
        raise ModelFileError(f"unseen must be one of {', '.join(UNSEEN_POLICIES)}; got {short_repr(tree.unseen)}.")
    if levels is None:
        check_schema(tree.schema)
        levels = Levels.of(tree.schema)
    _check_lengths(tree.nodes, len(tree.schema.classes) if tree.is_class else 3)
    _check_topology(tree.nodes)
    branches = check_questions(tree.questions, levels, require_all)
    _check_asking(tree.nodes, branches)
    known = (tree.nodes.reason >= 0) & (tree.nodes.reason < len(tree.reasons))
    require_all(known, "nodes.reason", "the reason does not exist")
    _check_surrogates(tree.nodes, branches)
    _check_competitors(tree.nodes, len(branches))
    _check_statistics(tree.nodes, tree.is_class, "honest_rows" in tree.metadata)
    return tree


def require_all(holds: npt.NDArray[np.bool_], array: str, words: str) -> None:
    """Raise for the first place of an array where a condition fails."""
    if not holds.all():
        _fail(array, int(np.flatnonzero(~holds.reshape(len(holds), -1).all(axis=1))[0]), words)


def _fail(array: str, index: int, words: str) -> NoReturn:
    sort = "Question" if array.startswith("questions.") else "Node"
    raise ModelFileError(f"{sort} {index}: {words} ({array}).", array=array, index=index)


def check_schema(schema: Schema) -> None:
    """Check names and levels of all columns."""
    specs = [*schema.columns, *([schema.target] if schema.target is not None else [])]
    seen: set[str] = set()
    for spec in specs:
        check_text(spec.name, "A column's name")
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
    """Check that a text can be written as UTF-8, holds no NUL and is not endless."""
    if not isinstance(text, str):
        raise ModelFileError(f"{what} must be text; got {short_repr(text)}.")
    if len(text) > LONGEST_TEXT:
        raise ModelFileError(f"{what} is {len(text)} characters long; at most {LONGEST_TEXT} are taken.")
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text if c > "\ud7ff"):
        raise ModelFileError(f"{what} holds a character that no model file may hold: {short_repr(text)}.")


def _check_lengths(nodes: Nodes, width: int) -> None:
    n = len(nodes)
    if n == 0:
        raise ModelFileError("The tree has no nodes.", array="nodes.parent", index=0)
    marks = {"surrogate": len(nodes.surrogate_question), "competitor": len(nodes.competitor_question)}
    for name, array in nodes.arrays().items():
        wanted: tuple[int, ...] = (n,)
        if name == "stats":
            wanted = (n, width)
        elif name in ("surrogate_start", "competitor_start"):
            wanted = (n + 1,)
        elif name.partition("_")[0] in marks:
            wanted = (marks[name.partition("_")[0]],)
        if array.shape != wanted:
            raise ModelFileError(
                f"Array nodes.{name} has shape {array.shape}; {wanted} is needed.", array=f"nodes.{name}", index=0
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
    require_all(is_leaf | (count <= n - first), "nodes.n_branches", f"its children must lie among the {n} nodes")
    require_all(np.where(root, True, (parent >= 0) & ~is_leaf[parent]), "nodes.parent", "its parent is a leaf")
    place = own - first[parent]
    inside = root | ((place >= 0) & (place < count[parent]))
    require_all(inside, "nodes.parent", "its parent does not count it among its children")
    # Every node lies in its parent's range; when ranges hold n - 1 nodes in all, no node lies in two.
    if int(count.sum()) != n - 1:
        _fail("nodes.n_branches", 0, f"the branches must lead to {n - 1} nodes; they lead to {int(count.sum())}")
    depth = nodes.depth.astype(np.int64)
    require_all(
        np.where(root, depth == 0, depth == depth[parent] + 1), "nodes.depth", "it must be one deeper than its parent"
    )
    require_all(depth <= MOST_DEPTH, "nodes.depth", f"a tree may be {MOST_DEPTH} deep")


def _check_asking(nodes: Nodes, branches: npt.NDArray[np.int64]) -> None:
    is_leaf = nodes.is_leaf
    asked = nodes.question.astype(np.int64)
    known = (asked >= 0) & (asked < len(branches))
    require_all(np.where(is_leaf, asked == -1, known), "nodes.question", f"one of {len(branches)} questions is needed")
    missing = nodes.missing_branch.astype(np.int64)
    allowed = np.where(is_leaf, missing == STAY, (missing >= ALL_BRANCHES) & (missing < nodes.n_branches))
    require_all(
        allowed, "nodes.missing_branch", "the branch for missing values must be one of its branches, stay or share"
    )
    if len(branches):
        extra = nodes.n_branches - branches[np.where(is_leaf, 0, asked)]
        # One branch more than answers: the branch of its own for missing values, always the last.
        own_branch = (extra == 1) & (missing == nodes.n_branches - 1)
        require_all(
            is_leaf | (extra == 0) | own_branch, "nodes.n_branches", "its question has another number of answers"
        )


def _check_surrogates(nodes: Nodes, branches: npt.NDArray[np.int64]) -> None:
    start = nodes.surrogate_start
    steps = np.diff(start)
    if start[0] != 0 or start[-1] != len(nodes.surrogate_question):
        _fail("nodes.surrogate_start", 0, "surrogates must begin at 0 and end with the last")
    require_all(steps >= 0, "nodes.surrogate_start", "surrogates must follow each other")
    require_all((steps == 0) | ~nodes.is_leaf, "nodes.surrogate_start", "a leaf has no surrogates")
    owner = np.repeat(np.arange(len(nodes)), steps)
    asked = nodes.surrogate_question.astype(np.int64)
    name = "nodes.surrogate_question"
    require_all((asked >= 0) & (asked < len(branches)), name, "the surrogate asks a question that does not exist")
    require_all(asked != nodes.question[owner], name, "the surrogate asks what the node itself asks")
    _, where = np.unique(np.stack([owner, asked]), axis=1, return_index=True)
    if len(where) != len(asked):
        _fail(name, int(np.setdiff1d(np.arange(len(asked)), where)[0]), "the surrogate stands there twice")
    if len(asked):
        require_all(
            branches[asked] <= nodes.n_branches[owner], name, "the surrogate has more answers than the node branches"
        )
    flipped = nodes.surrogate_flipped
    can_flip = (flipped == 0) | ((flipped == 1) & (nodes.n_branches[owner] == 2))
    require_all(can_flip, "nodes.surrogate_flipped", "only surrogates of two branches can be flipped")
    for each in ("surrogate_agree", "surrogate_adjusted"):
        value = getattr(nodes, each)
        low = 0.0 if each == "surrogate_agree" else -np.inf
        fine = np.isfinite(value) & (value >= low) & (value <= 1.0 + _SLACK)
        require_all(fine, f"nodes.{each}", "agreement is at most 1")


def _check_competitors(nodes: Nodes, n_questions: int) -> None:
    start, asked = nodes.competitor_start, nodes.competitor_question.astype(np.int64)
    if start[0] != 0 or start[-1] != len(asked):
        _fail("nodes.competitor_start", 0, "competitors must begin at 0 and end with the last")
    steps = np.diff(start)
    require_all(steps >= 0, "nodes.competitor_start", "competitors must follow each other")
    require_all((steps == 0) | ~nodes.is_leaf, "nodes.competitor_start", "a leaf has no competitors")
    known = (asked >= 0) & (asked < n_questions)
    require_all(known, "nodes.competitor_question", "the competitor asks a question that does not exist")
    for each in ("competitor_gain", "competitor_score"):
        require_all(~np.isinf(getattr(nodes, each)), f"nodes.{each}", "it must be finite or unknown")


def _check_statistics(nodes: Nodes, is_class: bool, is_honest: bool) -> None:
    """Statistics are finite and add up. In an honest tree a node of too few rows has the class shares of its parent, so
    there only the weights of all classes together do.
    """
    weight, stats, answer = nodes.weight, nodes.stats, nodes.answer
    require_all(nodes.rows >= 0, "nodes.rows", "rows cannot be negative")
    require_all(np.isfinite(weight) & (weight >= 0), "nodes.weight", "a weight must be finite and not negative")
    require_all(np.isfinite(stats), "nodes.stats", "statistics must be finite")
    require_all(np.isfinite(answer), "nodes.answer", "the answer must be finite")
    for each in ("gain", "score", "impurity"):
        require_all(~np.isinf(getattr(nodes, each)), f"nodes.{each}", f"the {each} must be finite or unknown")
    slack = _SLACK * weight + 1e-300
    if is_class:
        require_all(stats >= 0, "nodes.stats", "the weight of a class cannot be negative")
        require_all(
            np.abs(stats.sum(axis=1) - weight) <= slack, "nodes.stats", "class weights must add up to the node's weight"
        )
        fits = (answer >= 0) & (answer < stats.shape[1]) & (answer == np.floor(answer))
        require_all(fits, "nodes.answer", f"the answer must be one of {stats.shape[1]} classes")
        parts = weight[:, None] if is_honest else stats
    else:
        require_all(
            np.abs(stats[:, 0] - weight) <= slack, "nodes.stats", "its first statistic must be the node's weight"
        )
        require_all(stats[:, 2] >= 0, "nodes.stats", "a sum of squares cannot be negative")
        parts = stats[:, :1]
    below = np.zeros_like(parts)
    np.add.at(below, nodes.parent[1:], parts[1:])
    require_all(below <= parts * (1 + _SLACK) + slack[:, None], "nodes.stats", "its children weigh more than it does")
