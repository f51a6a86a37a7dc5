"""What does each leaf say, as a rule?  If every question on the way was answered so, then the leaf's answer.

    if PSA > 8.85 and lesion is yes then cancer   (41 rows, 93% right)

Rules come in the order of the leaves. Every row satisfies exactly one rule, as far as its answers are known.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from hornbeam.cli.output import safe
from hornbeam.tree.nodes import Tree
from hornbeam.tree.walk import path


@dataclasses.dataclass(frozen=True)
class LeafRule:
    """One leaf: its node, the answers that lead to it, what it says, its weight and the weight that it gets wrong."""

    node: int
    conditions: tuple[str, ...]
    answer: str
    weight: float
    wrong: float | None

    def __str__(self) -> str:
        conditions = " and ".join(self.conditions) or "always"
        if self.wrong is None:
            share = ""
        else:
            share = f", {100 * (1 - self.wrong / self.weight):.0f}% right" if self.weight > 0 else ""
        return safe(f"if {conditions} then {self.answer}   ({self.weight:g} rows{share})")

    def as_dict(self) -> dict[str, Any]:
        """The rule as plain values."""
        return dataclasses.asdict(self)


def leaf_rules(tree: Tree) -> list[LeafRule]:
    """One rule for every leaf of a tree."""
    errors = tree.errors()
    rules = []
    for leaf in tree.nodes.is_leaf.nonzero()[0].tolist():
        nodes = path(tree, leaf)
        conditions = []
        for above, node in itertools.pairwise(nodes):
            branch = node - int(tree.nodes.first_child[above])
            conditions.append(tree.branch_words(above, branch))
        wrong = float(errors[leaf]) if tree.is_class else None
        rules.append(LeafRule(leaf, tuple(conditions), tree.answer_words(leaf), float(tree.nodes.weight[leaf]), wrong))
    return rules
