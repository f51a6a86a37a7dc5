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

    With the table of a regression, gains and scores may have the error that decision 7 states for light nodes.
    """
    assert len(core) == len(reference), f"{len(core)} nodes against {len(reference)} of the reference"
    for node in range(len(core)):
        one, other = (_question_of(tree, node) for tree in (core, reference))
        assert one == other, f"node {node}: {one} against {other} of the reference"
    theirs, tolerance = reference.nodes.arrays(), _tolerance(reference)
    exact, of_gains = np.zeros(len(reference)), _gain_errors(reference, table)
    for name, values in core.nodes.arrays().items():
        if not name.endswith("question"):
            _assert_close(name, values, theirs[name], tolerance, of_gains if name in ("gain", "score") else exact)
    for name in ("surrogate_question", "competitor_question"):
        both = [[tree.questions[row] for row in getattr(tree.nodes, name).tolist()] for tree in (core, reference)]
        assert both[0] == both[1], name


def _question_of(tree: Tree, node: int) -> object:
    return tree.question(node) if tree.nodes.question[node] >= 0 else "leaf"


def _tolerance(tree: Tree) -> Floats:
    """The relative error that rounding allows at each node.

    The core keeps sums as multiples of 2^-59 of their total, so a node of small weight is known less exactly.
    """
    weight = np.asarray(tree.nodes.weight, dtype=np.float64)
    share = np.divide(weight, weight[0], out=np.ones(len(weight)), where=weight > 0)
    return 1e-9 + 1e-16 / share


def _gain_errors(tree: Tree, table: Table | None) -> Floats:
    """The largest error of each node's gain, where the core's sums of a numeric target are too coarse (decision 7)."""
    errors = np.zeros(len(tree))
    if tree.is_class or table is None or table.target is None:
        return errors
    target = np.asarray(table.target.values, dtype=np.float64)
    total = float(len(target) if table.weights is None else table.weights.sum())
    unit = 2.0**-59 * float(target.max() - target.min()) * total
    nodes = tree.nodes
    for node in np.flatnonzero(nodes.n_branches).tolist():
        first, count = int(nodes.first_child[node]), int(nodes.n_branches[node])
        weight, _, squares = nodes.stats[node].tolist()
        if squares > 0:
            branches = nodes.weight[first : first + count]
            lightest, deviation = float(branches[branches > 0].min()), (squares / weight) ** 0.5
            part = 2 * unit * int(nodes.rows[node]) / (deviation * (lightest * weight) ** 0.5)
            errors[node] = (part + part * part) * max(float(nodes.impurity[node]), float(nodes.score[node]))
    return errors


def _assert_close(
    name: str, ours: npt.NDArray[np.generic], theirs: npt.NDArray[np.generic], relative: Floats, absolute: Floats
) -> None:
    if theirs.dtype.kind != "f" or len(theirs) != len(relative):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=name)
        return
    a, b = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    largest = np.abs(b[np.isfinite(b)]).max(initial=0.0)
    shape = (-1, *[1] * (b.ndim - 1))
    allowed = relative.reshape(shape) * (np.abs(b) + 1e-2 * largest) + absolute.reshape(shape) + 1e-12
    with np.errstate(invalid="ignore"):  # of scores that are minus infinity in both
        is_close = np.abs(a - b) <= allowed
    wrong = ~(is_close | (a == b) | (np.isnan(a) & np.isnan(b)))
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
