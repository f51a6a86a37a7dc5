"""Reports centroid, risk and divergence of every leaf for a loss.

    centroid     the prediction of smallest mean loss for the rows of the leaf
    risk         that mean loss, E[loss(Y, centroid) | leaf]: the impurity that belongs to the loss
    divergence   what the tree's own prediction costs in addition, E[loss(Y, prediction) | leaf] - risk
    from root    what the centroid of all rows costs in addition

    risk of the tree = sum of P(leaf) risk(leaf)                  risk + divergence = mean loss of the predictions
    risk of the root - risk of the tree = sum of P(leaf) from root(leaf)

Without a table the statistics that the tree keeps are used; with one, its rows. Rows that stay at an inner node because
a value is missing are reported at that node.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set
from hornbeam.evaluation.leaf_groups import LeafRows, table_groups, training_groups
from hornbeam.parts.losses import Loss, losses
from hornbeam.parts.node import Floats, Whole
from hornbeam.table.table import Table, only_table
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.text import percent, printable
from hornbeam.tree.text_tables import aligned_text, html_table, number_text


@dataclasses.dataclass(frozen=True, eq=False)
class LeafStatistics:
    """One entry per leaf; `centroid` and `prediction` are class indices, class probabilities or numbers.

    A leaf that no row reaches has probability 0 and NaN in place of the other figures.
    """

    loss: str
    classes: tuple[Any, ...]
    nodes: Whole
    conditions: tuple[str, ...]
    rows: Whole
    probability: Floats
    centroid: Floats
    prediction: Floats
    risk: Floats
    divergence: Floats
    from_root: Floats
    root_risk: float

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def tree_risk(self) -> float:
        """The mean risk of the leaves: the mean loss if every leaf predicted its centroid."""
        return self._mean(self.risk)

    @property
    def tree_divergence(self) -> float:
        """What the tree's predictions cost in addition, on average."""
        return self._mean(self.divergence)

    def _mean(self, figures: Floats) -> float:
        reached = self.probability > 0
        return float(self.probability[reached] @ figures[reached])

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "loss": self.loss,
            "root_risk": self.root_risk,
            "tree_risk": self.tree_risk,
            "tree_divergence": self.tree_divergence,
            "leaves": [
                {
                    "node": int(self.nodes[place]),
                    "condition": self.conditions[place],
                    "rows": int(self.rows[place]),
                    "probability": float(self.probability[place]),
                    "centroid": self._value(self.centroid[place]),
                    "prediction": self._value(self.prediction[place]),
                    **{name: float(getattr(self, name)[place]) for name in ("risk", "divergence", "from_root")},
                }
                for place in range(len(self))
            ],
        }

    def _value(self, found: Any) -> Any:
        """A centroid or prediction: a label, a probability per class, or a number."""
        if np.ndim(found):
            return dict(zip(map(str, self.classes), map(float, found), strict=True))
        if np.isnan(found):
            return None
        return str(self.classes[int(found)]) if self.classes else float(found)

    def _lines(self) -> list[list[str]]:
        head = ["leaf", "rows", "P(leaf)", "centroid", "risk", "divergence", "from root"]
        lines = [head]
        for place in range(len(self)):
            figures = (self.risk, self.divergence, self.from_root)
            lines.append(
                [
                    str(self.nodes[place]),
                    str(self.rows[place]),
                    number_text(float(self.probability[place])),
                    self._centroid_text(place),
                    *(_figure(float(each[place])) for each in figures),
                ]
            )
        return lines

    def _centroid_text(self, place: int) -> str:
        found = self._value(self.centroid[place])
        if found is None or (isinstance(found, dict) and any(np.isnan(each) for each in found.values())):
            return "-"
        if isinstance(found, dict):
            return ", ".join(f"{label} {percent(each)}" for label, each in found.items() if each > 0)
        return found if isinstance(found, str) else number_text(found)

    def __str__(self) -> str:
        head = (
            f"Loss {self.loss}: risk {_figure(self.tree_risk)} of the tree, {_figure(self.root_risk)} of the root; "
            f"divergence of the predictions {_figure(self.tree_divergence)}"
        )
        figures = aligned_text(self._lines()).split("\n")
        width = max(map(len, figures))
        where = ("", *(printable(condition or "all rows") for condition in self.conditions))
        lines = [f"{line:<{width}}   {words}".rstrip() for line, words in zip(figures, where, strict=True)]
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        where = ("rows where", *self.conditions)
        return html_table([[*line, words] for line, words in zip(self._lines(), where, strict=True)])


def leaf_statistics(
    tree: Tree, table: Table | None = None, *, loss: Loss | str | Mapping[str, Any] | None = None
) -> LeafStatistics:
    """Centroid, risk and divergence of every leaf, on the tree's training statistics or on the rows of a table.

    `loss` is a part, its name or its table; if None, the loss of the tree's recipe.
    """
    tree = only_tree(tree, "Statistics of leaves")
    part = _loss(tree, loss)
    if table is None and part.statistics == "distribution":
        raise InputError(
            f"The loss {part.name} looks at every target, and a tree keeps means and squares only.",
            fix=Set("table"),
            loss=part.name,
        )
    found = (
        training_groups(tree) if table is None else table_groups(tree, only_table(table, "Statistics of leaves"), part)
    )
    return _statistics(tree, part, found)


def _loss(tree: Tree, wanted: Any) -> Loss:
    target = "class" if tree.is_class else "number"
    given = wanted if wanted is not None else tree.recipe.get("loss", "zero_one" if tree.is_class else "squared")
    part = losses.part(given)
    if target not in part.supports:
        names = ", ".join(kind.name for kind in losses if target in kind.supports)
        raise OptionError(
            f"The target is a {target}, and the loss {part.name} does not suit it.", hint=f"Available: {names}."
        )
    return part.bound(tree.schema.classes)


def _statistics(tree: Tree, loss: Loss, found: LeafRows) -> LeafStatistics:
    centroid_of_all = loss.centroid(found.root.stats, found.root.targets)
    is_shares = np.ndim(centroid_of_all) == 1
    predicted = walk.node_values(tree) if is_shares else tree.nodes.answer - found.centre
    figures: list[tuple[Any, float, float, float]] = []
    for node, group in found.ends.items():
        if group.weight <= 0:
            figures.append((np.full(np.shape(centroid_of_all), np.nan), np.nan, np.nan, np.nan))
            continue
        stats, targets = group.stats, group.targets
        own, of_root = (float(loss.divergence(stats, each, targets)) for each in (predicted[node], centroid_of_all))
        figures.append((loss.centroid(stats, targets), float(loss.risk(stats, targets)), own, of_root))
    nodes = np.array(list(found.ends), dtype=np.int64)
    shift = 0.0 if is_shares else found.centre
    weight = np.array([group.weight for group in found.ends.values()])
    return LeafStatistics(
        loss=loss.name,
        classes=tree.schema.classes if tree.is_class else (),
        nodes=nodes,
        conditions=tuple(_condition(tree, node) for node in nodes.tolist()),
        rows=np.array([group.rows for group in found.ends.values()], dtype=np.int64),
        probability=weight / found.root.weight if found.root.weight > 0 else weight,
        centroid=np.array([each[0] for each in figures]) + shift,
        prediction=predicted[nodes] + shift,
        risk=np.array([each[1] for each in figures]),
        divergence=np.array([each[2] for each in figures]),
        from_root=np.array([each[3] for each in figures]),
        root_risk=float(loss.risk(found.root.stats, found.root.targets)),
    )


def _condition(tree: Tree, node: int) -> str:
    """The branches from the root to a node."""
    steps = walk.path(tree, node)
    first = tree.nodes.first_child
    return " and ".join(
        tree.branch_text(above, below - int(first[above])) for above, below in itertools.pairwise(steps)
    )


def _figure(number: float) -> str:
    return "-" if np.isnan(number) else number_text(number)
