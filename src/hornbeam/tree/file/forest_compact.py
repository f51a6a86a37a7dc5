"""The compact form of the arrays of many trees: derived arrays are omitted, values have the smallest exact type.

    form        stored                             the rest is
    derived     nothing                            computed from the other arrays (`_DERIVED`)
    inner       the values of inner nodes          a constant at the leaves
    leaf        the values of leaves               a constant at inner nodes
    constant    one value                          the same everywhere

An array that its short form does not reproduce bit for bit is stored in full. This is no compression: the arrays that
determine the numbers of nodes and questions are stored in full, and the shape of each array is compared with the schema
and with the shape of a tree (each inner node has at least two children of its own) before it is expanded. So a small
file cannot become a large model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.tree.file.tree_arrays import tree_dtypes
from hornbeam.tree.node_arrays import (
    gains,
    majority_classes,
    parents,
    questions_in_order,
    row_counts,
    two_branches,
)
from hornbeam.tree.nodes import STAY

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

# The columns of `forest.lengths`, which has one row per tree.
COUNTED = ("nodes.first_child", "questions.column", "nodes.surrogate_question", "questions.whole", "questions.reals")
_STARTS = ("nodes.surrogate_start", "questions.whole_start", "questions.reals_start")
_INNER = {"nodes.missing_branch": STAY, "nodes.gain": 0, "nodes.impurity": 0}
_LEAF = {"nodes.reason": 0}
_CONSTANT = (
    "nodes.surrogate_start",
    "questions.kind",
    "questions.encoding",
    "questions.first",
    "questions.missing_answer",
    "questions.whole_start",
    "questions.name",
)
_WHOLE_TYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64)


@dataclasses.dataclass(frozen=True)
class Members:
    """The ranges of the trees in the concatenated arrays."""

    lengths: npt.NDArray[np.int64]

    def counts(self, name: str) -> npt.NDArray[np.int64]:
        """The number of rows of each tree in an array."""
        if name in _STARTS:
            return self.lengths[:, 0 if name.startswith("nodes.") else 1] + 1
        if name in COUNTED:
            return self.lengths[:, COUNTED.index(name)]
        if name.startswith("nodes.surrogate_"):
            return self.lengths[:, 2]
        return self.lengths[:, 0 if name.startswith("nodes.") else 1]

    def starts(self, name: str) -> npt.NDArray[np.int64]:
        """The first row of each tree in an array."""
        ends: npt.NDArray[np.int64] = np.cumsum(self.counts(name))
        return ends - self.counts(name)

    def own(self, name: str) -> npt.NDArray[np.int64]:
        """The index of each row within its tree."""
        counts = self.counts(name)
        rows: npt.NDArray[np.int64] = np.arange(int(counts.sum())) - np.repeat(self.starts(name), counts)
        return rows


def compact(arrays: Mapping[str, Array], members: Members) -> Arrays:
    """The arrays in compact form."""
    is_leaf = arrays["nodes.first_child"] < 0
    stored = dict(arrays)
    for name in (*_INNER, *_LEAF, *_CONSTANT):
        short = _short(name, arrays[name], is_leaf)
        if _same(_long(name, short, members, is_leaf), arrays[name]):
            stored[name] = short
    stored["nodes.stats"] = _compact_stats(arrays, members, is_leaf)
    for name, derive in _DERIVED.items():
        is_needed = name == "nodes.answer" and stored["nodes.stats"].ndim == 1
        if not is_needed and _same(derive(_Stacked(arrays, members)), arrays[name]):
            del stored[name]
    return {name: narrow(array) for name, array in stored.items()}


def expand(stored: Mapping[str, Array], members: Members, width: int) -> Arrays:
    """The arrays in full form; `width` is the number of statistics per node by the schema.

    An array of the wrong shape is a ModelFileError before it is expanded.
    """
    dtypes = tree_dtypes()
    if "nodes.stats" in stored and stored["nodes.stats"].ndim == 2 and stored["nodes.stats"].shape[1] != width:
        raise ModelFileError(f"A node needs {width} statistics.", array="nodes.stats")
    out: Arrays = {name: _widened(name, array, dtypes[name]) for name, array in stored.items() if name in dtypes}
    for name in dtypes:
        if name not in out and name not in _DERIVED:
            raise ModelFileError(f"The model lacks the array {short_repr(name)}.")
    _check_lengths(COUNTED, out, members)
    is_leaf = out["nodes.first_child"] < 0
    _check_leaves(is_leaf, members)
    for name in (*_INNER, *_LEAF, *_CONSTANT):
        out[name] = _long(name, out[name], members, is_leaf)
    for name, derive in _DERIVED.items():
        if name == "nodes.answer":
            _check_lengths(["nodes.weight", "nodes.depth", "nodes.parent"], out, members)
            _check_parents(out["nodes.parent"], members)
            out["nodes.stats"] = _full_stats(out, members, is_leaf)
        if name not in out:
            out[name] = derive(_Stacked(out, members)).astype(dtypes[name])
    _check_lengths(dtypes, out, members)
    return out


def _check_lengths(names: Iterable[str], arrays: Mapping[str, Array], members: Members) -> None:
    for name in names:
        if len(arrays[name]) != int(members.counts(name).sum()):
            raise ModelFileError(
                f"Array {short_repr(name)} has another length than the trees need.", array="forest.lengths"
            )


def _check_leaves(is_leaf: Array, members: Members) -> None:
    """Inner nodes have two children or more, so a tree has more leaves than inner nodes."""
    inner = np.concatenate([[0], np.cumsum(~is_leaf)])
    starts, counts = members.starts("nodes.first_child"), members.counts("nodes.first_child")
    if (2 * (inner[starts + counts] - inner[starts]) >= np.maximum(counts, 1)).any():
        raise ModelFileError("A tree must have more leaves than inner nodes.", array="nodes.first_child")


def _check_parents(parent: Array, members: Members) -> None:
    own = members.own("nodes.parent")
    if not (np.where(own == 0, parent == -1, (parent >= 0) & (parent < own))).all():
        raise ModelFileError("The parent of a node must come before it.", array="nodes.parent")


def narrow(array: Array) -> Array:
    """The array in the smallest type that represents it exactly."""
    if not array.size:
        return array.astype(np.int8)
    if array.dtype.kind == "f":
        is_whole = np.isfinite(array).all() and (np.abs(array) < 2**31).all() and (array == np.floor(array)).all()
        if not is_whole or np.signbit(array[array == 0]).any():
            with np.errstate(over="ignore"):
                single = array.astype(np.float32)
            return single if _same(single.astype(np.float64), array) else array
    low, high = int(array.min()), int(array.max())
    kind = next(each for each in _WHOLE_TYPES if np.iinfo(each).min <= low and high <= np.iinfo(each).max)
    return array.astype(kind)


def _widened(name: str, array: Array, dtype: np.dtype[Any]) -> Array:
    """A stored array in the type that trees use."""
    if array.dtype.kind == "f" and dtype.kind != "f":
        raise ModelFileError(f"Array {short_repr(name)} must contain integers.", array=name)
    if dtype.kind in "iu" and array.size:
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise ModelFileError(f"Array {short_repr(name)} has a value that is too large.", array=name)
    return array.astype(dtype)


def _same(one: Array, other: Array) -> bool:
    """Whether arrays are equal bit for bit, except for the bits of NaN."""
    if one.shape != other.shape:
        return False
    if one.dtype.kind != "f" and other.dtype.kind != "f":
        return bool((one == other).all())
    return np.array_equal(one, other, equal_nan=True) and np.array_equal(np.signbit(one), np.signbit(other))


def _short(name: str, array: Array, is_leaf: Array) -> Array:
    """An array in its short form."""
    if name in _CONSTANT:
        return array[:1]
    return array[~is_leaf if name in _INNER else is_leaf]


def _long(name: str, stored: Array, members: Members, is_leaf: Array) -> Array:
    """An array in full from its short form; a full array is returned as it is."""
    total = int(members.counts(name).sum())
    if len(stored) == total:
        return stored
    if name in _CONSTANT and len(stored) == 1:
        return np.full(total, stored[0], dtype=stored.dtype)
    has = ~is_leaf if name in _INNER else is_leaf
    if name in _CONSTANT or len(stored) != np.count_nonzero(has):
        raise ModelFileError(f"Array {short_repr(name)} has {len(stored)} rows; {total} are needed.", array=name)
    out = np.full(total, _INNER.get(name, 0), dtype=stored.dtype)
    out[has] = stored
    return out


def _compact_stats(arrays: Mapping[str, Array], members: Members, is_leaf: Array) -> Array:
    """Statistics of the leaves if the others are their sums; for regression the sums of squares alone."""
    stats = arrays["nodes.stats"]
    is_usual = stats.shape[1] == 3 and _same(stats[:, 0], arrays["nodes.weight"])
    if is_usual and _same(stats[:, 1], arrays["nodes.answer"]):
        return stats[:, 2]
    leaves = stats[is_leaf]
    return leaves if _same(_summed(leaves, arrays, members, is_leaf), stats) else stats


def _full_stats(arrays: Mapping[str, Array], members: Members, is_leaf: Array) -> Array:
    stats = arrays["nodes.stats"]
    if stats.ndim == 1 and len(stats) == len(is_leaf) == len(arrays.get("nodes.answer", ())):
        return np.column_stack([arrays["nodes.weight"], arrays["nodes.answer"], stats])
    if stats.ndim == 2 and len(stats) == len(is_leaf):
        return stats
    if stats.ndim == 2 and stats.shape[1] > 0 and len(stats) == np.count_nonzero(is_leaf):
        return _summed(stats, arrays, members, is_leaf)
    raise ModelFileError("Array 'nodes.stats' has the wrong shape.", array="nodes.stats")


def _summed(leaves: Array, arrays: Mapping[str, Array], members: Members, is_leaf: Array) -> Array:
    """Statistics of all nodes from those of the leaves, one depth after the other from the deepest up."""
    stats = np.zeros((len(is_leaf), leaves.shape[1]))
    stats[is_leaf] = leaves
    parent = arrays["nodes.parent"] + np.repeat(members.starts("nodes.parent"), members.counts("nodes.parent"))
    inside = np.flatnonzero(arrays["nodes.parent"] >= 0)
    order = inside[np.argsort(arrays["nodes.depth"][inside], kind="stable")]
    ends = np.flatnonzero(np.diff(arrays["nodes.depth"][order])) + 1
    for nodes in reversed(np.split(order, ends)):
        if len(nodes):
            first = np.flatnonzero(np.diff(parent[nodes], prepend=-1))
            stats[parent[nodes[first]]] = np.add.reduceat(stats[nodes], first, axis=0)
    return stats


@dataclasses.dataclass(frozen=True)
class _Stacked:
    """The arrays of all trees as a source of the arrays that follow from them (`node_arrays.py`)."""

    arrays: Mapping[str, Array]
    members: Members

    @property
    def base(self) -> Array:
        """For each node, the index of the root of its tree."""
        return np.repeat(self.members.starts("nodes.first_child"), self.members.counts("nodes.first_child"))

    def stored(self, name: str) -> Array:
        """An array of nodes."""
        return self.arrays[f"nodes.{name}"]


def _checked_parents(stacked: _Stacked) -> Array:
    """The parent of each node; each node but a root must be the child of one node before it."""
    first, count = stacked.stored("first_child").astype(np.int64), stacked.stored("n_branches").astype(np.int64)
    name, members = "nodes.first_child", stacked.members
    if len(count) != len(first):
        raise ModelFileError("Array 'nodes.n_branches' has the wrong length.", array=name)
    own, size = members.own(name), np.repeat(members.counts(name), members.counts(name))
    is_inner = first >= 0
    if not (~is_inner | ((first > own) & (count >= 0) & (count <= size - first))).all():
        raise ModelFileError("The children of a node must come after it, within its tree.", array=name)
    if int(count[is_inner].sum()) != int((members.counts(name) - 1).sum()):
        raise ModelFileError("Every node but a root must be the child of one node.", array=name)
    return parents(stacked)


# The arrays that follow from the ones before them, in this order.
_DERIVED: dict[str, Callable[[_Stacked], Array]] = {
    "nodes.n_branches": two_branches,
    "nodes.parent": _checked_parents,
    "nodes.question": questions_in_order,
    "nodes.weight": row_counts,
    "nodes.answer": majority_classes,
    "nodes.score": gains,
    "questions.reals_start": lambda stacked: stacked.members.own("questions.reals_start"),
}
