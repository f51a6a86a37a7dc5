"""The walk: sends rows from the root down to a leaf, or to the node where no branch is defined.

    outcome >= 0      that branch
    unseen level      by `tree.unseen`: as missing, the majority branch, stay here, or an error
    undefined         the first surrogate with a defined outcome (a flipped one swaps the branches), then
                      `missing_branch`: a branch, STAY, or ALL_BRANCHES: down all branches with their fractions of the
                      training weight

A fractional row ends in many leaves: `leaves` returns the first node where it went down all branches, `values` the
mixture of the predictions. The compiled walk does the work; `reference_walk` is the reference implementation.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.options import thread_count
from hornbeam.table.column import UNSEEN, Column
from hornbeam.table.names import default_names
from hornbeam.table.table import Schema
from hornbeam.tree import reference_walk
from hornbeam.tree.nodes import UNSEEN_POLICIES, Tree
from hornbeam.tree.packed import LazyArray
from hornbeam.tree.questions import UNSEEN_LEVEL

if TYPE_CHECKING:
    from hornbeam import _native

ENGINES = ("core", "python")
# The arrays of nodes that the core's walk reads.
WALKED = (
    "first_child", "n_branches", "question", "missing_branch", "weight",
    "surrogate_start", "surrogate_question", "surrogate_flipped",
)  # fmt: skip
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class _NodeValues(LazyArray):
    """The predictions of the nodes of a tree, computed at the first prediction."""

    __slots__ = ()

    def make(self, of: Tree) -> npt.NDArray[np.float64]:
        return node_values(of)


# The walker of each tree, built once, and the predictions of its nodes.
_WALKERS: weakref.WeakKeyDictionary[Tree, tuple[_native.Walker, _NodeValues]] = weakref.WeakKeyDictionary()


def leaves(
    tree: Tree, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core"
) -> npt.NDArray[np.int32]:
    """The node where each row ends; for a fractional row, the first node where it went down all branches."""
    ends = row_ends(tree, columns, threads=threads, engine=engine)[0]
    return np.where(ends < 0, ~ends, ends) if len(ends) and ends.min() < 0 else ends


def values(
    tree: Tree, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core"
) -> npt.NDArray[np.float64]:
    """The predictions: class probabilities (rows, classes) or numbers (rows, 1)."""
    ends = row_ends(tree, columns, threads=threads, engine=engine)[0]
    return values_at(tree, columns, ends, threads=threads, engine=engine)


def row_ends(
    tree: Tree,
    columns: Sequence[Column],
    *,
    with_unseen: bool = False,
    threads: int | None = None,
    engine: str = "core",
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The node where each row ends (~node for a fractional row), and whether a level of it has no branch."""
    checked_columns(tree.schema, columns)
    _check_engine(engine)
    n_rows = n_rows_of(columns)
    if engine == "python":
        ends, has_unseen, rejected = reference_walk.row_ends(tree, columns, n_rows)
    else:
        ends = np.empty(n_rows, dtype=np.int32)
        has_unseen = np.zeros(n_rows if with_unseen else 0, dtype=np.bool_)
        walker = _walker_and_values(tree)[0]
        flags = has_unseen.view(np.uint8) if with_unseen else None
        rejected = walker.walk(_arrays(walker, columns), ends, flags, thread_count(threads))
    if rejected >= 0:
        _raise_unseen(tree, columns, rejected)
    return ends, has_unseen


def is_float_matrix(schema: Schema, rows: Any) -> bool:
    """Whether rows are a C-contiguous matrix of floats and the schema has numeric columns with default names."""
    return (
        type(rows) is np.ndarray
        and rows.ndim == 2
        and rows.dtype in _FLOATS
        and rows.flags.c_contiguous
        and schema.names == default_names(rows.shape[1])
        and not any(spec.has_levels for spec in schema.columns)
    )


def ends_of_matrix(tree: Tree, rows: Any, *, threads: int | None = None) -> npt.NDArray[np.int32] | None:
    """The node where each row of a matrix ends, without conversion to columns.

    None if that is not possible: other types of rows, infinite values, nodes without a branch for a missing value.
    """
    if not is_float_matrix(tree.schema, rows) or not _walker_and_values(tree)[0].takes_rows:
        return None
    ends = np.empty(len(rows), dtype=np.int32)
    return ends if _walker_and_values(tree)[0].walk_rows(rows, ends, thread_count(threads)) else None


def values_at(
    tree: Tree,
    columns: Sequence[Column],
    ends: npt.NDArray[np.int32],
    *,
    node_table: npt.NDArray[np.float64] | None = None,
    threads: int | None = None,
    engine: str = "core",
) -> npt.NDArray[np.float64]:
    """The predictions for rows with these ends (`row_ends`); `node_table` replaces the predictions of the nodes."""
    fractional = np.flatnonzero(ends < 0)
    starts = ~ends[fractional]
    nodes = np.where(ends < 0, ~ends, ends) if len(fractional) else ends
    if engine == "python":
        table = node_values(tree) if node_table is None else node_table
        out = table[nodes]
        out[fractional] = reference_walk.mix_fractional(tree, columns, fractional, starts, table)
        return out
    walker, own = _walker_and_values(tree)
    table = own.cached(tree) if node_table is None else node_table
    out = np.empty((len(ends), table.shape[1]))
    walker.gather(nodes, table, out, thread_count(threads))
    if len(fractional):
        mixture = np.empty((len(fractional), table.shape[1]))
        walker.mix(_arrays(walker, columns), (fractional, starts), table, mixture, thread_count(threads))
        out[fractional] = mixture
    return out


def codes_at(tree: Tree, ends: npt.NDArray[np.int32], values: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """The predicted class of rows with these ends: that of the node; for a fractional row, the class with the largest
    probability (the lowest on ties).
    """
    is_fractional = ends < 0
    codes: npt.NDArray[np.int32] = tree.nodes.answer.astype(np.int32)[np.where(is_fractional, ~ends, ends)]
    codes[is_fractional] = np.argmax(values[is_fractional], axis=1)
    return codes


def node_values(tree: Tree) -> npt.NDArray[np.float64]:
    """The prediction of each node: class probabilities (`tree.probabilities`) or a number."""
    if not tree.is_class:
        return np.ascontiguousarray(tree.nodes.answer[:, None])
    return tree.probabilities.of_nodes(tree.nodes)


def paths(tree: Tree, ends: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The decision path of each row from the node where it ends, as (start, nodes).

    Row i passes nodes[start[i]:start[i + 1]], the root first.
    """
    start = np.concatenate([[0], np.cumsum(tree.nodes.depth[ends].astype(np.int64) + 1)])
    out = np.empty(int(start[-1]), dtype=np.int64)
    node, position = ends, start[1:] - 1
    while len(node):
        out[position] = node
        node = tree.nodes.parent[node]
        node, position = node[node >= 0], position[node >= 0] - 1
    return start, out


def path(tree: Tree, node: int) -> list[int]:
    """The nodes from the root to a node."""
    out = [node]
    while out[-1] > 0:
        out.append(int(tree.nodes.parent[out[-1]]))
    return out[::-1]


def n_rows_of(columns: Sequence[Column]) -> int:
    """The number of rows of columns that belong together."""
    return len(columns[0]) if columns else 0


def checked_columns(schema: Schema, columns: Sequence[Column]) -> None:
    """Check that columns match a schema: number, kinds, equal lengths, codes within the levels."""
    specs = schema.columns
    if len(columns) != len(specs):
        raise InputError(f"The tree was grown on {len(specs)} columns; got {len(columns)}.", hint="Pass them by name.")
    for column, spec in zip(columns, specs, strict=True):
        if column.kind is not spec.kind:
            raise InputError(
                f"Column {short_repr(spec.name)} is {spec.kind} in the tree; got a {column.kind} one.", column=spec.name
            )
        if len(column) != n_rows_of(columns):
            raise InputError(
                f"Column {short_repr(spec.name)} has {len(column)} rows; "
                f"{short_repr(specs[0].name)} has {n_rows_of(columns)}.",
                column=spec.name,
            )
        codes = column.values
        if spec.has_levels and len(codes) and (codes.max() >= len(spec.levels) or codes.min() < UNSEEN):
            row = int(np.flatnonzero((codes >= len(spec.levels)) | (codes < UNSEEN))[0])
            raise InputError(
                f"Column {short_repr(spec.name)} has {len(spec.levels)} levels; row {row} has code {codes[row]}.",
                column=spec.name,
                row=row,
            )


def level_counts(schema: Schema) -> npt.NDArray[np.int32]:
    """The number of levels of each column, 0 for numeric columns."""
    counts = [max(1, len(spec.levels)) if spec.has_levels else 0 for spec in schema.columns]
    return np.array(counts, dtype=np.int32)


def _check_engine(engine: str) -> None:
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}; got {short_repr(engine)}.", option="engine")


def walker_of(tree: Tree) -> _native.Walker:
    """The walker of a tree, built once."""
    return _walker_and_values(tree)[0]


def _walker_and_values(tree: Tree) -> tuple[_native.Walker, _NodeValues]:
    found = _WALKERS.get(tree)
    if found is None:
        from hornbeam import _native

        walker = _native.Walker(
            tree.nodes.arrays(WALKED),
            tree.questions.arrays(),
            level_counts(tree.schema),
            UNSEEN_POLICIES.index(tree.unseen),
        )
        found = _WALKERS[tree] = (walker, _NodeValues())
    return found


def _arrays(walker: _native.Walker, columns: Sequence[Column]) -> list[npt.NDArray[Any]]:
    return [columns[position].values for position in walker.columns]


def _raise_unseen(tree: Tree, columns: Sequence[Column], row: int) -> NoReturn:
    """Raise the error for a row with a level without a branch, in a tree with unseen = "error"."""
    node = reference_walk.end_of_row(tree, columns, row)
    one = [column.take(np.array([row])) for column in columns]
    question = tree.question(node)
    for position in question.columns:
        spec = tree.schema.columns[position]
        code = int(one[position].values[0]) if spec.has_levels else 0
        if spec.has_levels and (code == UNSEEN or question.branch(one)[0] == UNSEEN_LEVEL):
            level = "a level that is not in the training data" if code < 0 else f"level {short_repr(spec.levels[code])}"
            raise InputError(
                f"Row {row}: column {short_repr(spec.name)} has {level}, which has no branch at node {node}.",
                fix=[Set("unseen", policy, inside="grow") for policy in ("as_missing", "majority", "stay")],
                column=spec.name,
                row=row,
                node=node,
            )
    raise InputError(f"Row {row} has a level that has no branch at node {node}.", row=row, node=node)
