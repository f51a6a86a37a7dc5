"""Where does a row end?  Ask from the root down until a leaf, or until nothing can be answered.

    answer >= 0       that branch
    level not met     as `tree.unseen` says: as if missing, the heaviest branch, stay here, or an error
    unknown           the first surrogate that can be answered (a flipped one swaps the branches), then
                      `missing_branch`: a branch, STAY, or ALL_BRANCHES: down every branch with its share of training weight

A row that is shared out ends in many leaves: `leaves` gives the node where the sharing began, `values` the mixture of
what the leaves say. The compiled walk does the work; `walk_plain` is its twin in plain Python and defines it.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.options import thread_count
from hornbeam.table.column import UNSEEN, Column
from hornbeam.table.names import default_names
from hornbeam.table.table import Schema
from hornbeam.tree import reference_walk
from hornbeam.tree.node_arrays import class_weights
from hornbeam.tree.nodes import UNSEEN_POLICIES, Tree
from hornbeam.tree.packed import LazyArray
from hornbeam.tree.questions import UNSEEN_LEVEL

if TYPE_CHECKING:
    from hornbeam import _native

ENGINES = ("core", "python")
# The arrays of nodes that the core walks by.
WALKED = (
    "first_child", "n_branches", "question", "missing_branch", "weight",
    "surrogate_start", "surrogate_question", "surrogate_flipped",
)  # fmt: skip
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class _Said(LazyArray):
    """What each node of a tree says, made when rows are told."""

    __slots__ = ()

    def make(self, of: Tree) -> npt.NDArray[np.float64]:
        return node_values(of)


# What the core needs of a tree: the tree laid out for walking, made once, and what each node says.
_READY: weakref.WeakKeyDictionary[Tree, tuple[_native.Walker, _Said]] = weakref.WeakKeyDictionary()


def leaves(
    tree: Tree, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core"
) -> npt.NDArray[np.int32]:
    """The node where every row ends; for a row that is shared out, the node where that began."""
    ends = row_ends(tree, columns, threads=threads, engine=engine)[0]
    return np.where(ends < 0, ~ends, ends) if len(ends) and ends.min() < 0 else ends


def values(
    tree: Tree, columns: Sequence[Column], *, threads: int | None = None, engine: str = "core"
) -> npt.NDArray[np.float64]:
    """What every row is told: class shares (rows, classes), or numbers (rows, 1)."""
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
    """The end of every row (~node where it is shared out), and whether it met a level that has no branch."""
    checked_columns(tree.schema, columns)
    _check_engine(engine)
    n_rows = n_rows_of(columns)
    if engine == "python":
        ends, met, refused = reference_walk.row_ends(tree, columns, n_rows)
    else:
        ends = np.empty(n_rows, dtype=np.int32)
        met = np.zeros(n_rows if with_unseen else 0, dtype=np.bool_)
        walker = _ready(tree)[0]
        flags = met.view(np.uint8) if with_unseen else None
        refused = walker.walk(_arrays(walker, columns), ends, flags, thread_count(threads))
    if refused >= 0:
        _refuse(tree, columns, refused)
    return ends, met


def is_float_matrix(schema: Schema, rows: Any) -> bool:
    """Whether rows are a plain matrix of floats, side by side, for a schema of numbers without names of their own."""
    return (
        type(rows) is np.ndarray
        and rows.ndim == 2
        and rows.dtype in _FLOATS
        and rows.flags.c_contiguous
        and schema.names == default_names(rows.shape[1])
        and not any(spec.has_levels for spec in schema.columns)
    )


def ends_of_matrix(tree: Tree, rows: Any, *, threads: int | None = None) -> npt.NDArray[np.int32] | None:
    """The end of every row of a matrix, walked without making columns of it.

    None where that cannot be done: other forms of rows, infinite values, nodes without a branch for a missing value.
    """
    if not is_float_matrix(tree.schema, rows) or not _ready(tree)[0].takes_rows:
        return None
    ends = np.empty(len(rows), dtype=np.int32)
    return ends if _ready(tree)[0].walk_rows(rows, ends, thread_count(threads)) else None


def values_at(
    tree: Tree,
    columns: Sequence[Column],
    ends: npt.NDArray[np.int32],
    *,
    said: npt.NDArray[np.float64] | None = None,
    threads: int | None = None,
    engine: str = "core",
) -> npt.NDArray[np.float64]:
    """What rows that end where `row_ends` says are told; `said` is what each node says, if not its usual answer."""
    shared = np.flatnonzero(ends < 0)
    starts = ~ends[shared]
    nodes = np.where(ends < 0, ~ends, ends) if len(shared) else ends
    if engine == "python":
        table = node_values(tree) if said is None else said
        out = table[nodes]
        out[shared] = reference_walk.mix_fractional(tree, columns, shared, starts, table)
        return out
    walker, usual = _ready(tree)
    table = usual.cached(tree) if said is None else said
    out = np.empty((len(ends), table.shape[1]))
    walker.gather(nodes, table, out, thread_count(threads))
    if len(shared):
        mixture = np.empty((len(shared), table.shape[1]))
        walker.mix(_arrays(walker, columns), len(ends), shared, starts, table, mixture, thread_count(threads))
        out[shared] = mixture
    return out


def codes_at(tree: Tree, ends: npt.NDArray[np.int32], told: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """The class said of rows that end where `row_ends` says: the node's answer; where a row was shared out, the class of
    the largest share (lowest on ties).
    """
    shared = ends < 0
    codes: npt.NDArray[np.int32] = tree.nodes.answer.astype(np.int32)[np.where(shared, ~ends, ends)]
    codes[shared] = np.argmax(told[shared], axis=1)
    return codes


def node_values(tree: Tree) -> npt.NDArray[np.float64]:
    """What every node says: class shares, or the number. A node without weight gives all to its class."""
    if not tree.is_class:
        return np.ascontiguousarray(tree.nodes.answer[:, None])
    stats = tree.nodes.stored("stats")
    total = class_weights(tree.nodes)
    with np.errstate(invalid="ignore", divide="ignore"):
        probabilities: npt.NDArray[np.float64] = stats / total[:, None]
    empty = np.flatnonzero(~(total > 0))
    probabilities[empty] = 0.0
    if len(empty):
        probabilities[empty, tree.nodes.answer[empty].astype(np.int64)] = 1.0
    return probabilities


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
    """Check that columns are those of a schema: as many, of the same kinds and length, codes within the levels."""
    specs = schema.columns
    if len(columns) != len(specs):
        raise InputError(f"The tree was grown on {len(specs)} columns; got {len(columns)}.", hint="Give them by name.")
    for column, spec in zip(columns, specs, strict=True):
        if column.kind is not spec.kind:
            raise InputError(
                f"Column {short_repr(spec.name)} is {spec.kind} in the tree; got a {column.kind} one.", column=spec.name
            )
        if len(column) != n_rows_of(columns):
            raise InputError(
                f"Column {short_repr(spec.name)} has {len(column)} rows; {short_repr(specs[0].name)} has {n_rows_of(columns)}.",
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
    """The number of levels of every column, 0 for numbers: what the core needs to know of a schema."""
    counts = [max(1, len(spec.levels)) if spec.has_levels else 0 for spec in schema.columns]
    return np.array(counts, dtype=np.int32)


def _check_engine(engine: str) -> None:
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}; got {short_repr(engine)}.", option="engine")


def walker_of(tree: Tree) -> _native.Walker:
    """The tree laid out for the core, made once."""
    return _ready(tree)[0]


def _ready(tree: Tree) -> tuple[_native.Walker, _Said]:
    found = _READY.get(tree)
    if found is None:
        from hornbeam import _native

        walker = _native.Walker(
            tree.nodes.arrays(WALKED),
            tree.questions.arrays(),
            level_counts(tree.schema),
            UNSEEN_POLICIES.index(tree.unseen),
        )
        found = _READY[tree] = (walker, _Said())
    return found


def _arrays(walker: _native.Walker, columns: Sequence[Column]) -> list[npt.NDArray[Any]]:
    return [columns[position].values for position in walker.columns]


def _refuse(tree: Tree, columns: Sequence[Column], row: int) -> NoReturn:
    """Raise the error of a row that met a level without a branch where the tree takes that for an error."""
    node = reference_walk.end_of_row(tree, columns, row)
    one = [column.take(np.array([row])) for column in columns]
    question = tree.question(node)
    for position in question.columns:
        spec = tree.schema.columns[position]
        code = int(one[position].values[0]) if spec.has_levels else 0
        if spec.has_levels and (code == UNSEEN or question.branch(one)[0] == UNSEEN_LEVEL):
            level = "a level that training never met" if code < 0 else f"level {short_repr(spec.levels[code])}"
            raise InputError(
                f"Row {row}: column {short_repr(spec.name)} has {level}, which has no branch at node {node}.",
                hint="Grow with unseen='as_missing', 'majority' or 'stay' to take such rows.",
                column=spec.name,
                row=row,
                node=node,
            )
    raise InputError(f"Row {row} met a level that has no branch at node {node}.", row=row, node=node)
