"""Cost-complexity pruning: minimize risk + alpha per leaf (weakest-link pruning, Breiman et al. 1984).

    R(t) = risk of t as a leaf, as a fraction of the total weight     R(T) = sum over the leaves of T
    g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1)                      the decrease of risk per leaf of the subtree

Cutting all nodes of least g repeatedly gives a nested sequence T_1 > T_2 > ... > root with increasing alphas; T_k is
the smallest of the best prunings for every alpha from alpha_k up to alpha_(k+1). Alphas closer than 1e-12 of the root's
risk are one. The measure of risk is the misclassified weight, the cost, the impurity (scikit-learn) or the sum of
squares. Training rows that stayed at an inner node count in R(t), not in R(T_t), as in rpart.

Alpha is given, or chosen on a pruning set or by cross-validation: the errors of the fold trees, each cut at the
geometric mean of two successive alphas of this tree, are summed; the least wins, or the smallest tree within one
standard error. For a large table one tenth of the rows is a good pruning set, and folds are slow (`max_fold_rows`).
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set
from hornbeam.number_text import number_text
from hornbeam.options import option
from hornbeam.parts.prunings.base import Edits, Numbers, Pruning, inner_nodes, topmost
from hornbeam.parts.prunings.machinery.nested_prunings import Losses, choose_member, losses_along, members
from hornbeam.parts.prunings.machinery.pruning_data import PruningData, class_factors, cost_matrix
from hornbeam.parts.prunings.machinery.routes import sum_weights
from hornbeam.parts.prunings.machinery.weakest_links import one_step_alphas, weakest_links
from hornbeam.table.target_kind import other_kind
from hornbeam.tree.nodes import Nodes, Tree

MEASURES = ("error", "cost", "impurity", "squares")
TOGETHER = 1e-12


@dataclasses.dataclass(frozen=True)
class CostComplexity(Pruning):
    """Cut nodes whose leaves do not lower the risk by more than alpha each."""

    name: ClassVar[str] = "cost_complexity"
    supports_numbers: ClassVar[bool] = True

    alpha: float = option(0.0, "penalty of a leaf, in units of the tree's risk", at_least=0)
    measure: str | None = option(
        None, "measure of risk; if None: cost if there are costs, else error; squares for numbers", choices=MEASURES
    )
    rule: str = option(
        "given",
        "choice of alpha: given, the least loss on held-out rows, or the smallest tree within one standard error of it",
        choices=("given", "minimum", "one_se"),
    )
    relative: bool = option(False, "whether alpha is a fraction of the root's risk, like cp of rpart")
    exact: bool = option(True, "whether the alpha of a node is exact; false uses rpart's one-step rule")
    choose_by: str = option(
        "cost",
        "loss on held-out rows that chooses alpha: the cost of the class, or the Brier score of the probabilities if "
        "there are no costs; squared error for numbers",
        choices=("cost", "brier"),
    )
    max_fold_rows: int | None = option(
        None,
        "number of rows above which one tenth of the rows is held out instead of growing a tree per fold; if None, "
        "there is no limit",
        at_least=10,
    )

    def pruning_set_parts(self, n_rows: int) -> int:
        """One tenth of a table that is too large for folds."""
        is_large = self.max_fold_rows is not None and n_rows > self.max_fold_rows
        return 10 if is_large and self.rule != "given" else 0

    def edits(self, tree: Tree, data: PruningData) -> Edits:
        """Cut every node that collapses at or below alpha."""
        line = sequence(tree, self.measure, costs=data.costs, exact=self.exact)
        alpha = self._alpha(tree, line, data)
        cut = members(tree.nodes, line.collapse, alpha + TOGETHER * line.root_risk)
        verdicts = {}
        for node in inner_nodes(tree.nodes):
            at = number_text(line.collapse[node])
            verdicts[node] = (
                f"cut: collapses at alpha {at}, not above {number_text(alpha)}"
                if cut[node]
                else f"kept: would collapse at alpha {at}, above {number_text(alpha)}"
            )
        metadata = {"alpha": alpha, "measure": line.measure}
        if self.rule != "given" and data.pruning_set is not None:
            metadata["held_out_rows"] = len(data.pruning_set)
        return Edits(topmost(tree.nodes, cut), verdicts=verdicts, metadata=metadata)

    def _alpha(self, tree: Tree, line: Sequence, data: PruningData) -> float:
        if self.rule == "given":
            return self.alpha * (line.root_risk if self.relative else 1.0)
        if data.pruning_set is None and data.folds is None:
            raise InputError(
                f"Pruning 'cost_complexity' with rule {self.rule!r} requires held-out rows, and none were given.",
                fix=(
                    Set("pruning_set", inside="PruningData"),
                    Set("folds", inside="PruningData"),
                    Set("cost_complexity.rule", "given", "with an alpha"),
                ),
            )
        losses = losses_of_sequence(tree, line, data, exact=self.exact, by=self.choose_by)
        found = choose_member(losses.total[::-1], losses.spread[::-1], self.rule)
        return float(line.alphas[len(line.alphas) - 1 - found])


@dataclasses.dataclass(frozen=True, eq=False)
class Sequence:
    """The weakest-link sequence: alphas ascending from 0, each with the risk, leaves and splits of its tree.

    `collapse` is the alpha at which each inner node becomes a leaf or is removed below one; NaN at leaves.
    """

    alphas: Numbers
    risks: Numbers
    leaves: npt.NDArray[np.int64]
    splits: npt.NDArray[np.int64]
    collapse: Numbers
    root_risk: float
    full_risk: float
    measure: str

    @property
    def middles(self) -> Numbers:
        """The geometric mean of each alpha and the next; infinite after the last."""
        return np.append(np.sqrt(self.alphas[:-1] * self.alphas[1:]), np.inf)


def sequence(
    tree: Tree,
    measure: str | None = None,
    *,
    costs: Numbers | None = None,
    exact: bool = True,
    engine: str = "core",
) -> Sequence:
    """The whole weakest-link sequence of a tree, O(nodes log nodes); `exact=False` uses rpart's one-step alphas."""
    measure = default_measure(tree, costs) if measure is None else measure
    weight = float(tree.nodes.weight[0]) or 1.0
    risk = node_risks(tree, measure, costs)
    own = weakest_links(tree.nodes, risk, engine)[0] if exact else one_step_alphas(tree.nodes, risk)
    alphas, collapse = _grouped(tree.nodes, _capped(tree.nodes, own), TOGETHER * float(risk[0]))
    risks, leaves, splits = _totals(tree.nodes, risk, alphas, collapse)
    return Sequence(
        alphas=alphas / weight,
        risks=risks / weight,
        leaves=leaves,
        splits=splits,
        collapse=collapse / weight,
        root_risk=float(risk[0]) / weight,
        full_risk=float(risk[tree.nodes.is_leaf].sum()) / weight,
        measure=measure,
    )


def node_risks(tree: Tree, measure: str, costs: Numbers | None = None) -> Numbers:
    """The risk of every node as a leaf, in units of weight."""
    if measure not in MEASURES:
        raise OptionError(f"measure must be one of {', '.join(MEASURES)}; got {measure!r}.", option="measure")
    nodes = tree.nodes
    if measure == "impurity":
        return nodes.impurity * nodes.weight
    if tree.is_class == (measure == "squares"):
        required = "regression" if tree.is_class else "classification"
        fix = other_kind(tree.schema.target)
        raise OptionError(f"Measure {measure!r} requires a {required} tree.", fix=fix, option="measure")
    if measure == "cost":
        node_costs = cost_matrix(tree, costs)[:, nodes.answer.astype(np.int64)].T
        total: Numbers = (nodes.stats * node_costs).sum(axis=1)
        return total
    return tree.errors()


def default_measure(tree: Tree, costs: Numbers | None = None) -> str:
    """Squares for numbers; cost if there are costs; else error."""
    if not tree.is_class:
        return "squares"
    return "error" if costs is None and tree.metadata.get("costs") is None else "cost"


def _capped(nodes: Nodes, own: Numbers) -> Numbers:
    """The alphas, none above that of the parent: a node is removed with its ancestors."""
    capped = own.tolist()
    above = nodes.parent.tolist()
    for node in inner_nodes(nodes)[1:]:
        if capped[above[node]] < capped[node]:
            capped[node] = capped[above[node]]
    return np.array(capped)


def _grouped(nodes: Nodes, capped: Numbers, together: float) -> tuple[Numbers, Numbers]:
    """The distinct alphas from 0 on, those closer than `together` merged, and the alpha of each node among them."""
    inner = ~nodes.is_leaf
    collapse = np.maximum(capped, 0.0)
    values, position = np.unique(np.append(0.0, collapse[inner]), return_inverse=True)
    start, first = 0.0, []
    for value in values.tolist():
        start = value if value > start + together else start
        first.append(start)
    collapse[inner] = np.array(first)[position[1:]]
    return np.unique(first), collapse


def _totals(
    nodes: Nodes, risk: Numbers, alphas: Numbers, collapse: Numbers
) -> tuple[Numbers, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Risk, leaves and splits of each tree: a node is a leaf from its own alpha up to that of its parent."""
    n = len(alphas)
    start = np.where(nodes.is_leaf, 0, np.searchsorted(alphas, collapse))
    stop = np.append(n, start[nodes.parent[1:]])
    risks = np.cumsum(sum_weights(start, risk, n + 1) - sum_weights(stop, risk, n + 1), dtype=np.float64)[:n]
    risks[-1] = risk[0]
    leaves = np.cumsum(np.bincount(start, minlength=n + 1) - np.bincount(stop, minlength=n + 1))[:n]
    inner = ~nodes.is_leaf
    splits = int(inner.sum()) - np.cumsum(np.bincount(start[inner], minlength=n))
    return risks, leaves, splits


def losses_of_sequence(
    tree: Tree, line: Sequence, data: PruningData, *, exact: bool = True, by: str = "cost"
) -> Losses:
    """The loss of every tree of the sequence on held-out rows: a pruning set, or fold trees cut at the middles."""
    costs = data.costs
    by = by if costs is None else "cost"
    if data.pruning_set is not None:
        return losses_along(tree, line.collapse, line.alphas, data.pruning_set, costs, by=by)
    folds = data.needed("folds", CostComplexity.name)
    parts = []
    for grown, held_out in folds.trees:
        level = sequence(grown, line.measure, costs=costs, exact=exact).collapse
        parts.append(losses_along(grown, level, line.middles, held_out, costs, class_factors(tree), by))
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total


def cost_complexity_path(tree: Tree, measure: str = "impurity") -> tuple[Numbers, Numbers]:
    """scikit-learn's path: (ccp_alphas, impurities), one entry per node that is cut, the full tree first."""
    weight = float(tree.nodes.weight[0]) or 1.0
    risk = node_risks(tree, measure)
    own, _, gained = weakest_links(tree.nodes, risk)
    capped = _capped(tree.nodes, own)
    _, collapse = _grouped(tree.nodes, capped, TOGETHER * float(risk[0]))
    collapsing = np.flatnonzero(own == capped)  # the others are removed with an ancestor (leaves are NaN)
    top = np.arange(len(tree))
    for node in inner_nodes(tree.nodes)[1:]:
        above = tree.nodes.parent[node]
        if collapse[above] == collapse[node]:
            top[node] = top[above]
    order = np.unique(top[collapsing])
    rise = np.bincount(top[collapsing], gained[collapsing], minlength=len(tree))
    order = order[np.argsort(collapse[order], kind="stable")]
    full = float(risk[tree.nodes.is_leaf].sum())
    alphas = np.append(0.0, collapse[order]) / weight
    return alphas, np.append(full, full + np.cumsum(rise[order])) / weight
