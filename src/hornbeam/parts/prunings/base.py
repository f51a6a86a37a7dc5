"""The interface of a pruning: given a tree and pruning data, the edits, and for every inner node the reason.

    edits(tree, data) -> Edits(collapse, grafts, verdicts, ...)              node numbers are those of the given tree

Most methods are one bottom-up comparison with different costs, `cheapest_pruning`:

    best(leaf) = as_leaf           best(t) = min(as_leaf(t), as_test(t) + sum over children best(c)), a leaf on ties

which is the exact minimum over all prunings for any additive cost, and the smallest tree that attains it.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, Set
from hornbeam.options import Part
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.nodes import Nodes, Tree

if TYPE_CHECKING:
    from hornbeam.parts.prunings.machinery.pruning_data import PruningData

Numbers = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class UpdatedStats:
    """New statistics of a node whose rows changed because a subtree was raised."""

    rows: int
    weight: float
    stats: tuple[float, ...]
    answer: float


@dataclasses.dataclass(frozen=True, eq=False)
class Edits:
    """The edits of a tree: nodes to collapse, nodes to replace by one below them, and the reasons.

    `verdicts` has a text for every inner node that begins with 'cut', 'kept', 'raised' or 'gone' (inside a node that
    was cut before it was examined). `answers` are new predictions of nodes that become leaves, `updated_stats` new
    statistics.
    """

    collapse: tuple[int, ...] = ()
    grafts: Mapping[int, int] = dataclasses.field(default_factory=dict)
    verdicts: Mapping[int, str] = dataclasses.field(default_factory=dict)
    answers: Mapping[int, float] = dataclasses.field(default_factory=dict)
    updated_stats: Mapping[int, UpdatedStats] = dataclasses.field(default_factory=dict)
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Pruning(Part, abc.ABC):
    """A method that chooses which nodes are cut; `reason` is stored in the leaves that it makes."""

    part_type: ClassVar[str] = "pruning"
    reason: ClassVar[str] = "pruned"
    supports_numbers: ClassVar[bool] = False

    @property
    def needs(self) -> tuple[str, ...]:
        """The fields of PruningData without which `edits` raises an error."""
        return ()

    def pruning_set_parts(self, n_rows: int) -> int:
        """The pruning set is one of this many equal parts of the training rows; 0 if all rows grow the tree."""
        return 3 if "pruning_set" in self.needs else 0

    @abc.abstractmethod
    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """The edits of the tree, with a verdict for every inner node."""

    def finished(self, tree: Tree) -> tuple[Tree, npt.NDArray[np.int64]]:
        """The tree after a last change by the method, and the previous number of every node."""
        return tree, np.arange(len(tree), dtype=np.int64)

    def check_target(self, tree: Tree) -> None:
        """Raise an error for a regression tree if the method counts errors."""
        if not tree.is_class and not self.supports_numbers:
            raise OptionError(
                f"Pruning {self.name!r} requires a classification tree, but this tree predicts numbers.",
                fix=[
                    *(
                        Set("pruning", name)
                        for name in ("cost_complexity", "reduced_error", "description_length", "critical_value")
                    ),
                    *other_kind(tree.schema.target),
                ],
                option="pruning",
                got=self.name,
            )


@dataclasses.dataclass(frozen=True, eq=False)
class CheapestPruning:
    """The outcome of the bottom-up comparison: costs as a subtree and at best, and which nodes are cut."""

    as_subtree: Numbers
    best: Numbers
    cut: Marks


def cheapest_pruning(
    nodes: Nodes, as_leaf: Numbers, as_test: Numbers | None = None, slack: float = 0.0, barred: Marks | None = None
) -> CheapestPruning:
    """The cheapest pruning: a node is cut if its cost as a leaf is at most that of its pruned subtree plus slack.

    `as_test` is the cost of a node in addition to its children (None: 0); `barred` nodes are never cut.
    """
    leaf = as_leaf.tolist()
    best = list(leaf)
    below = [0.0] * len(leaf) if as_test is None else as_test.tolist()
    cut = np.zeros(len(leaf), dtype=bool)
    is_inner = (~nodes.is_leaf).tolist()
    may_cut = [True] * len(leaf) if barred is None else (~barred).tolist()
    parent = nodes.parent.tolist()
    for node in range(len(leaf) - 1, -1, -1):
        if is_inner[node]:
            if may_cut[node] and leaf[node] <= below[node] + slack:
                cut[node] = True
            else:
                best[node] = below[node]
        if node:
            below[parent[node]] += best[node]
    as_subtree = np.where(nodes.is_leaf, as_leaf, below)
    return CheapestPruning(as_subtree, np.array(best), cut)


def sums_below(nodes: Nodes, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """For every node the sum of `values` over itself and all nodes below it, computed from the deepest depth up."""
    total = np.array(values, copy=True)
    order = np.argsort(nodes.depth, kind="stable")
    starts = np.searchsorted(nodes.depth[order], np.arange(nodes.depth.max() + 2))
    for depth in range(len(starts) - 2, 0, -1):
        here = order[starts[depth] : starts[depth + 1]]
        np.add.at(total, nodes.parent[here], total[here])
    return total


def remaining_nodes(nodes: Nodes, cut: Marks) -> tuple[Marks, Marks]:
    """The leaves and the inner nodes that remain if the marked nodes are cut."""
    gone = [False] * len(nodes)
    ends = (cut | nodes.is_leaf).tolist()
    for node, above in enumerate(nodes.parent.tolist()):
        gone[node] = above >= 0 and (gone[above] or ends[above])
    alive = ~np.array(gone)
    is_end = np.array(ends)
    return alive & is_end, alive & ~is_end


def topmost(nodes: Nodes, cut: Marks) -> tuple[int, ...]:
    """The cut inner nodes that have no cut node above them."""
    leaves, _ = remaining_nodes(nodes, cut)
    return tuple(np.flatnonzero(leaves & ~nodes.is_leaf).tolist())


def inner_nodes(nodes: Nodes) -> list[int]:
    """The inner nodes, parents first."""
    found: list[int] = np.flatnonzero(~nodes.is_leaf).tolist()
    return found


def stayed_stats(nodes: Nodes) -> Numbers:
    """The statistics of the training rows that ended at an inner node (class weights); 0 at leaves."""
    rest = np.array(nodes.stats, copy=True)
    rest[nodes.is_leaf] = 0.0
    np.subtract.at(rest, nodes.parent[1:], nodes.stats[1:])
    rest[np.abs(rest) <= 1e-9 * np.maximum(nodes.weight, 1.0)[:, None]] = 0.0
    return np.maximum(rest, 0.0)
