"""Comparison of trees and forests of the compiled core with those of the reference grower."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hornbeam.table.table import Table
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

Floats = npt.NDArray[np.float64]


def assert_equal_trees(core: Tree, reference: Tree, table: Table | None = None) -> None:
    """The same nodes, questions, surrogates and competitors; numbers equal up to rounding.

    With the table of a regression, rounding includes the limit of decision 7 on nodes of small weight.
    """
    assert len(core) == len(reference), f"{len(core)} nodes against {len(reference)} of the reference"
    for node in range(len(core)):
        one, other = (_question_of(tree, node) for tree in (core, reference))
        assert one == other, f"node {node}: {one} against {other} of the reference"
    theirs, tolerance = reference.nodes.arrays(), _tolerance(reference) + _lost_digits(reference, table)
    for name, values in core.nodes.arrays().items():
        if not name.endswith("question"):
            _assert_close(name, values, theirs[name], tolerance)
    for name in ("surrogate_question", "competitor_question"):
        both = [[tree.questions[row] for row in getattr(tree.nodes, name).tolist()] for tree in (core, reference)]
        assert both[0] == both[1], name


def _question_of(tree: Tree, node: int) -> object:
    return tree.question(node) if tree.nodes.question[node] >= 0 else "leaf"


def _tolerance(tree: Tree) -> Floats:
    """The relative error that rounding allows at each node.

    The core keeps sums as multiples of 2^-61 of their total, so a node of small weight is known less exactly.
    """
    weight = np.asarray(tree.nodes.weight, dtype=np.float64)
    share = np.divide(weight, weight[0], out=np.ones(len(weight)), where=weight > 0)
    return 1e-9 + 1e-16 / share


def _lost_digits(tree: Tree, table: Table | None) -> Floats:
    """The relative error of a node's gain where the core's sums of the target are too coarse for its lightest branch.

    A weighted target is rounded to a multiple of at most 2^-59 of the total weight times the range of the target.
    """
    lost = np.zeros(len(tree))
    if tree.is_class or table is None or table.target is None:
        return lost
    target = np.asarray(table.target.values, dtype=np.float64)
    total = float(len(target) if table.weights is None else table.weights.sum())
    unit = 2.0**-59 * float(target.max() - target.min()) * total
    nodes = tree.nodes
    for node in range(len(tree)):
        first, count = int(nodes.first_child[node]), int(nodes.n_branches[node])
        weight, _, squares = nodes.stats[node].tolist()
        if count and squares > 0:
            branches = nodes.weight[first : first + count]
            lightest = float(branches[branches > 0].min())
            lost[node] = unit * int(nodes.rows[node]) / (lightest * (squares / weight) ** 0.5)
    return lost


def _assert_close(name: str, ours: npt.NDArray[np.generic], theirs: npt.NDArray[np.generic], relative: Floats) -> None:
    if theirs.dtype.kind != "f" or len(theirs) != len(relative):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=name)
        return
    a, b = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    largest = np.abs(b[np.isfinite(b)]).max(initial=0.0)
    allowed = relative.reshape(-1, *[1] * (b.ndim - 1)) * (np.abs(b) + 1e-2 * largest) + 1e-12
    wrong = ~((np.abs(a - b) <= allowed) | (np.isnan(a) & np.isnan(b)))
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0].tolist())
        raise AssertionError(f"{name}{list(at)}: {a[at]!r} against {b[at]!r} of the reference")


def assert_same_bytes(one: Iterable[Tree], other: Iterable[Tree]) -> None:
    """Trees that are equal to the last bit."""
    for a, b in zip(one, other, strict=True):
        theirs = b.nodes.arrays()
        for name, array in a.nodes.arrays().items():
            assert array.tobytes() == theirs[name].tobytes(), f"{name} depends on the number of threads"


def check_file(model: Tree | Forest, table: Table) -> None:
    """A model can be saved and loaded, and the loaded model predicts the same."""
    again = from_bytes(to_bytes(model))
    one, other = predict(model, table), predict(again, table)
    np.testing.assert_array_equal(one.nodes, other.nodes)
    np.testing.assert_array_equal(one.values, other.values)
