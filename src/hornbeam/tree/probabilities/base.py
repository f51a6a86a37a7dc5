"""The interface of an estimate of class probabilities.

A tree stores the class weights of its nodes. An estimate turns them into the probabilities that every prediction uses.
Printed trees and pruning use the class weights themselves, and the predicted class of a node is that of the loss. An
estimate does not change the most probable class, so that it is the predicted class of the loss `zero_one`.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.options import Part
from hornbeam.tree.node_arrays import class_weights

if TYPE_CHECKING:
    from hornbeam.tree.nodes import Nodes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Probabilities(Part, abc.ABC):
    """An estimate of class probabilities; `supports` lists the target types."""

    part_type: ClassVar[str] = "probabilities"
    supports: ClassVar[tuple[str, ...]] = ("class",)

    @abc.abstractmethod
    def of_nodes(self, nodes: Nodes) -> Floats:
        """The probabilities of the classes at each node of a classification tree (nodes, classes); rows sum to 1."""


def with_most_frequent_first(found: Floats, nodes: Nodes) -> Floats:
    """Probabilities in which the class of largest weight has the largest probability at each node.

    Where it has not, they are mixed with those of Laplace's correction, 1% more than is needed.
    """
    stats = nodes.stored("stats")
    first = stats.argmax(axis=1)
    wrong = np.flatnonzero(found.argmax(axis=1) != first)
    if not len(wrong):
        return found
    counted = with_added_rows(nodes, stats.shape[1], np.full(stats.shape[1], 1.0 / stats.shape[1]))[wrong]
    at = (np.arange(len(wrong)), first[wrong])
    ahead = counted[at][:, None] - counted
    behind = found[wrong] - found[wrong][at][:, None]
    crossing = np.divide(ahead, ahead + behind, out=np.ones_like(ahead), where=behind > 0)
    found = found.copy()
    found[wrong] = counted + 0.99 * crossing.min(axis=1, keepdims=True) * (found[wrong] - counted)
    return found


def with_added_rows(nodes: Nodes, rows: float, prior: Floats) -> Floats:
    """The fractions of the classes after adding a number of rows, distributed as `prior`, to each node."""
    total = class_weights(nodes)[:, None] + rows
    return np.asarray((nodes.stored("stats") + rows * prior) / total, dtype=np.float64)
