"""Would the best question look as good if the target had nothing to do with the columns?

The targets of the node are shuffled among its rows and the whole search is run again, over all columns and all cuts:

    p = (1 + draws that score at least as well) / (draws + 1)

so the price of having looked at many questions is in p already. Once `max_exceedances` draws did as well the outcome is clear:
drawing stops and p = hits / draws (Besag and Clifford 1991). Draws come from the node's own stream, so neither the
order of growth nor threads change them. This stop runs in the plain grower, and the core repeats the search where it
can (`growing/stump_score.py`).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hornbeam.errors import OptionError
from hornbeam.options import option
from hornbeam.parts.node import Cache, Candidate, NodeView, Sample
from hornbeam.parts.stops.base import Stage, Stop
from hornbeam.seeds import Purpose, Stream

# A draw that scores this little less than the question itself did as well.
_SAME = 1e-12


@dataclass(frozen=True)
class PermutationTest(Stop):
    """A node whose best question is no better than those of shuffled targets is a leaf."""

    name: ClassVar[str] = "permutation_test"
    stage: ClassVar[Stage] = Stage.AFTER
    rank: ClassVar[int] = 21
    alpha: float = option(0.05, "the largest p that still splits", at_least=0, at_most=1)
    draws: int = option(199, "how many times the targets are shuffled at most", at_least=1, at_most=1_000_000)
    max_exceedances: int = option(20, "stop drawing after so many draws did as well; 0 for never", at_least=0)

    def reason(self, node: NodeView, candidate: Candidate | None) -> str | None:
        """'not significant'."""
        return "not significant" if candidate is not None and self.p(node) > self.alpha else None

    def p(self, node: NodeView) -> float:
        """The share of shuffled targets whose best question scores as well."""
        hits, drawn = self.hits(node)
        return hits / drawn if self.max_exceedances and hits >= self.max_exceedances else (1 + hits) / (drawn + 1)

    def hits(self, node: NodeView) -> tuple[int, int]:
        """How many draws did as well, of how many."""
        if node.best_score is None:
            raise OptionError("permutation_test runs inside growth alone: this node has no search to repeat.")
        stream = Stream.of(node.sample.seed, Purpose.PERMUTATIONS, node.sample.tree, node.id)
        alone = _alone(node)
        least = node.best_score(alone) - _SAME
        hits = 0
        for drawn in range(1, self.draws + 1):
            order = stream.shuffled(node.n_rows)
            mixed = dataclasses.replace(alone.sample, target=alone.sample.target[order], cache=Cache())
            hits += node.best_score(dataclasses.replace(alone, sample=mixed)) >= least
            if self.max_exceedances and hits >= self.max_exceedances:
                return hits, drawn
        return hits, self.draws


def _alone(node: NodeView) -> NodeView:
    """The node's rows as a sample of their own."""
    sample: Sample = dataclasses.replace(
        node.sample,
        columns=tuple(column.take(node.rows) for column in node.sample.columns),
        target=node.target,
        weights=node.weights,
        cache=Cache(),
    )
    return dataclasses.replace(node, sample=sample, rows=np.arange(node.n_rows), tried_candidates=None)
