"""Reference implementation of the contributions: every subset of the columns. For small trees, tests and teaching.

phi_j = sum over S without j of |S|! (d - |S| - 1)! / d! * (worth(S + j) - worth(S))
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from hornbeam.errors import InputError
from hornbeam.explanation.games import Game
from hornbeam.explanation.models import Floats
from hornbeam.table.column import Column
from hornbeam.tree import reference_walk, walk
from hornbeam.tree.nodes import ALL_BRANCHES, Tree

MAX_COLUMNS = 12


def by_subsets(n_columns: int, players: Sequence[int], worth: Callable[[frozenset[int]], Floats]) -> Floats:
    """The Shapley values of the players (columns, width); 0 for the other columns."""
    d = len(players)
    if d > MAX_COLUMNS:
        raise InputError(f"The reference implementation supports at most {MAX_COLUMNS} columns, got {d}.")
    known = {
        frozenset(subset): worth(frozenset(subset))
        for size in range(d + 1)
        for subset in itertools.combinations(players, size)
    }
    width = len(known[frozenset()])
    out = np.zeros((n_columns, width))
    for subset, value in known.items():
        for j in set(players) - subset:
            size = len(subset)
            weight = math.factorial(size) * math.factorial(d - size - 1) / math.factorial(d)
            out[j] += weight * (known[subset | {j}] - value)
    return out


def path_dependent(game: Game, columns: Sequence[Column], row: int) -> Floats:
    """The contribution of every column to the prediction for one row."""
    fractions = {
        node: _edge_fractions(game, columns, row, node)
        for node in range(len(game.tree))
        if game.edge_start[node] < game.edge_start[node + 1]
    }
    players = sorted({column for node in fractions for column in game.columns_of(node)})

    def worth(coalition: frozenset[int]) -> Floats:
        total = np.zeros(game.values.shape[1])
        waiting = [(0, 1.0)]
        while waiting:
            node, part = waiting.pop()
            if node not in fractions:
                total += part * game.values[node]
                continue
            edges = slice(game.edge_start[node], game.edge_start[node + 1])
            is_known = coalition.issuperset(game.columns_of(node))
            taken = fractions[node] if is_known else game.share[edges]
            waiting += [
                (child, part * fraction)
                for child, fraction in zip(game.child[edges].tolist(), taken.tolist(), strict=True)
                if fraction > 0
            ]
        return total

    return by_subsets(len(columns), players, worth)


def _edge_fractions(game: Game, columns: Sequence[Column], row: int, node: int) -> Floats:
    """The fraction of a row that takes each edge of a node."""
    edges = slice(game.edge_start[node], game.edge_start[node + 1])
    fractions = np.zeros(edges.stop - edges.start)
    branch = int(reference_walk.step(game.tree, node, columns, np.array([row]))[0][0])
    stay = int(game.has_stay[node])
    if branch == ALL_BRANCHES and stay != 2:
        own = game.share[edges].copy()
        if stay:
            own[-1] = 0.0
        return np.asarray(own / own.sum())
    fractions[branch if branch >= 0 else -1] = 1.0
    return fractions


def interventional(
    tree: Tree, values: Floats, columns: Sequence[Column], row: int, background: Sequence[Column], weights: Floats
) -> Floats:
    """The contributions when columns outside the coalition are those of background rows; `values` is per node."""
    used = tree.used_columns()
    used |= {
        c
        for node in np.flatnonzero(~tree.nodes.is_leaf).tolist()
        for question, *_ in tree.surrogates(node)
        for c in question.columns
    }
    n = walk.n_rows_of(background)

    def worth(coalition: frozenset[int]) -> Floats:
        mixture = [
            dataclasses.replace(theirs, values=np.repeat(mine.values[row : row + 1], n)) if c in coalition else theirs
            for c, (mine, theirs) in enumerate(zip(columns, background, strict=True))
        ]
        ends, _, _ = reference_walk.row_ends(tree, mixture, n)
        predicted = values[np.where(ends < 0, ~ends, ends)]
        fractional = np.flatnonzero(ends < 0)
        predicted[fractional] = reference_walk.mix_fractional(tree, mixture, fractional, ~ends[fractional], values)
        found: Floats = weights @ predicted
        return found

    return by_subsets(len(columns), sorted(used), worth)
