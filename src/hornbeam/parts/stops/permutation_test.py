"""Permutation test of the best question: how often it scores as well for a target independent of the columns.

The targets of the node are shuffled among its rows and the whole search is repeated, over all columns and all cuts:

    p = (1 + draws that score at least as well) / (draws + 1)

so p accounts for the number of questions that were searched. Once `max_exceedances` draws score as well, the outcome is
clear: drawing stops and p = exceedances / draws (Besag and Clifford 1991). Draws come from the node's own stream, so
neither the order of growth nor threads change them. This stop runs in the reference implementation, and the core
repeats the search where it can (`growing/stump_score.py`).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError
from hornbeam.options import option
from hornbeam.parts.cache import Cache
from hornbeam.parts.node import Candidate, NodeView, Sample
from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.seeds import Purpose, Stream

# A draw whose score is smaller by less than this scores as well.
_SAME = 1e-12


@dataclass(frozen=True)
class PermutationTest(Stop):
    """A node is a leaf if its best question is no better than those found for shuffled targets."""

    name: ClassVar[str] = "permutation_test"
    reasons: ClassVar[tuple[str, ...]] = ("not significant",)
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 21
    alpha: float = option(0.05, "maximum p at which a node is split", at_least=0, at_most=1)
    draws: int = option(199, "maximum number of times the targets are shuffled", at_least=1, at_most=1_000_000)
    max_exceedances: int = option(
        20, "number of draws that score as well after which drawing stops; 0 means never", at_least=0
    )

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """The reason, if the rule applies."""
        return self.reasons[0] if candidate is not None and self.p(node) > self.alpha else None

    def p(self, node: NodeView) -> float:
        """The estimated probability that the best question for a shuffled target scores as well."""
        count, draws = self.exceedances(node)
        is_clear = self.max_exceedances and count >= self.max_exceedances
        return count / draws if is_clear else (1 + count) / (draws + 1)

    def exceedances(self, node: NodeView) -> tuple[int, int]:
        """The number of draws that score as well, and the number of draws."""
        if node.best_score is None:
            raise OptionError("permutation_test requires a node of a growing tree: this node has no search to repeat.")
        stream = Stream.of(node.sample.seed, Purpose.PERMUTATIONS, node.sample.tree, node.id)
        separate = _separate(node)
        minimum = node.best_score(separate) - _SAME
        count = 0
        for draw in range(1, self.draws + 1):
            order = stream.shuffled(node.n_rows)
            shuffled = dataclasses.replace(separate.sample, target=separate.sample.target[order], cache=Cache())
            count += node.best_score(dataclasses.replace(separate, sample=shuffled)) >= minimum
            if self.max_exceedances and count >= self.max_exceedances:
                return count, draw
        return count, self.draws


def _separate(node: NodeView) -> NodeView:
    """The node's rows as a separate sample."""
    sample: Sample = dataclasses.replace(
        node.sample,
        columns=tuple(column.take(node.rows) for column in node.sample.columns),
        target=node.target,
        weights=node.weights,
        cache=Cache(),
    )
    return dataclasses.replace(node, sample=sample, rows=np.arange(node.n_rows), tried_candidates=None)
