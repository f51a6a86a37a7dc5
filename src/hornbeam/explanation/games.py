"""A tree as a cooperative game of its columns, for Shapley values.

The outcome of a node's question is known when all of its columns are in the coalition S; otherwise the row goes down
every edge, with the fraction of the node's training weight that the edge received:

    worth(S) = sum over leaves of value * product over the nodes of the path of
               (1 for the row's own edge and 0 for others, if the node's columns are all in S; else the edge's fraction)

Fractions are W(child) / W(node). Training rows that stayed at a node have an edge to an additional leaf; so has every
node where a row may stay. A node without training weight has equal fractions. The row's own edge follows the model's
routing: surrogates, majority branch, fractional rows.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbeam.explanation.models import AdditiveModel, Floats, TreeTerm
from hornbeam.tree import walk
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree

if TYPE_CHECKING:
    from hornbeam import _native

_ROUNDING = 1e-9  # a smaller fraction of a node's weight than this is rounding, not rows that stayed


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """The arrays of a game: the tree's nodes first, then a leaf for every node where rows may stay.

    `has_stay` is 1 where the last edge is for rows that stay, 2 where fractional rows stay too (no branch has training
    weight). `share` is the fraction of training weight per edge. The columns of set s are
    set_columns[set_start[s]:set_start[s + 1]].
    """

    tree: Tree
    edge_start: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    share: Floats
    has_stay: npt.NDArray[np.int8]
    set: npt.NDArray[np.int32]
    set_start: npt.NDArray[np.int32]
    set_columns: npt.NDArray[np.int32]
    values: Floats

    def base(self) -> Floats:
        """The worth of the empty coalition: the mean of the leaves by training weight."""
        above, share = np.zeros(len(self.set), dtype=np.int64), np.ones(len(self.set))
        above[self.child] = np.repeat(np.arange(len(self.set)), np.diff(self.edge_start))
        share[self.child] = self.share
        depth = np.zeros(len(self.set), dtype=np.int64)
        depth[: len(self.tree)] = self.tree.nodes.depth
        depth[len(self.tree) :] = depth[above[len(self.tree) :]] + 1
        reach = np.ones(len(self.set))
        levels = np.split(np.argsort(depth, kind="stable"), np.cumsum(np.bincount(depth))[:-1])
        for nodes in levels[1:]:
            reach[nodes] = reach[above[nodes]] * share[nodes]
        leaves = self.edge_start[:-1] == self.edge_start[1:]
        worth: Floats = reach[leaves] @ self.values[leaves]
        return worth

    def columns_of(self, node: int) -> tuple[int, ...]:
        """The columns of an inner node's question."""
        start, stop = self.set_start[self.set[node] : self.set[node] + 2]
        return tuple(self.set_columns[start:stop].tolist())


def game_of(member: TreeTerm) -> Game:
    """The game of one tree."""
    tree = member.tree
    nodes, n = tree.nodes, len(tree)
    inner = ~nodes.is_leaf
    total: Floats = np.bincount(nodes.parent[1:], weights=nodes.weight[1:], minlength=n).astype(np.float64)
    stay = _stays(tree, total)
    staying = np.flatnonzero(stay)
    rest = np.where(inner & (nodes.missing_branch == STAY), nodes.weight - total, 0.0)
    rest = np.where(rest > _ROUNDING * nodes.weight, rest, 0.0)
    whole = total + rest
    counts = np.where(inner, nodes.n_branches, 0) + (stay > 0)
    edge_start = np.concatenate([[0], np.cumsum(np.concatenate([counts, np.zeros(len(staying), dtype=np.int64)]))])
    child = np.zeros(int(edge_start[-1]), dtype=np.int32)
    share = np.zeros(len(child))
    below = np.arange(1, n)
    above = nodes.parent[1:].astype(np.int64)
    edge = edge_start[above] + below - nodes.first_child[above]
    child[edge] = below
    with np.errstate(divide="ignore", invalid="ignore"):
        share[edge] = np.where(whole[above] > 0, nodes.weight[1:] / whole[above], 1.0 / nodes.n_branches[above])
        last = edge_start[staying + 1] - 1
        child[last] = n + np.arange(len(staying))
        share[last] = np.where(whole[staying] > 0, rest[staying] / whole[staying], 0.0)
    values = np.concatenate([member.values, member.values[staying]])
    sets, set_start, set_columns = _sets(tree)
    return Game(
        tree,
        edge_start.astype(np.int32),
        child,
        share,
        np.concatenate([stay, np.zeros(len(staying), dtype=np.int8)]),
        np.concatenate([sets, np.full(len(staying), -1)]).astype(np.int32),
        set_start,
        set_columns,
        np.ascontiguousarray(values),
    )


def _stays(tree: Tree, total: Floats) -> npt.NDArray[np.int8]:
    """Where rows may stay: 1 by the strategy for missing or unseen values, 2 where no branch has training weight."""
    nodes = tree.nodes
    inner = ~nodes.is_leaf
    has_levels = any(spec.has_levels for spec in tree.schema.columns)
    by_unseen = has_levels and tree.unseen in ("stay", "error")
    stay: npt.NDArray[np.int8] = (inner & ((nodes.missing_branch == STAY) | by_unseen)).astype(np.int8)
    stay[inner & (nodes.missing_branch == ALL_BRANCHES) & ~(total > 0)] = 2
    return stay


def _sets(tree: Tree) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The set of columns of each node's question: set j is column j alone, sets of several columns follow."""
    n_columns = len(tree.schema.columns)
    of_question = tree.questions.column.astype(np.int32)
    found: dict[tuple[int, ...], int] = {}
    inner = ~tree.nodes.is_leaf
    for row in np.flatnonzero(of_question < 0).tolist():
        columns = tuple(sorted(set(tree.questions[row].columns)))
        of_question[row] = columns[0] if len(columns) == 1 else found.setdefault(columns, n_columns + len(found))
    lengths = [1] * n_columns + [len(columns) for columns in found]
    flat = [*range(n_columns), *(column for columns in found for column in columns)]
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    sets = np.full(len(tree), -1, dtype=np.int32)
    sets[inner] = of_question[tree.nodes.question[inner]]
    return sets, start, np.array(flat, dtype=np.int32)


def native_game(game: Game, model: AdditiveModel, member: TreeTerm, width: int) -> _native.Game:
    """The game as an object of the core; the first `width` of a node's values are explained."""
    from hornbeam import _native

    arrays: dict[str, Any] = {
        name: getattr(game, name)
        for name in ("edge_start", "child", "share", "has_stay", "set", "set_start", "set_columns")
    }
    arrays["values"] = np.ascontiguousarray(game.values[:, :width]).ravel()
    walker = walk.walker_of(game.tree)
    return _native.Game(walker, arrays, width, member.output, len(model.schema.columns), model.width)


@functools.lru_cache(maxsize=64)
def gauss_points(n_players: int) -> tuple[Floats, Floats]:
    """Points in (0, 1) and weights that integrate a polynomial of degree n - 1 exactly, for n players."""
    at, weight = np.polynomial.legendre.leggauss(max((n_players + 1) // 2, 1))
    return np.ascontiguousarray((at + 1) / 2), np.ascontiguousarray(weight / 2)
