"""Reports centroid, risk and divergence of every leaf for a loss.

    centroid     the prediction of smallest mean loss for the rows of the leaf
    risk         that mean loss, E[loss(Y, centroid) | leaf]: the impurity that belongs to the loss
    divergence   what the tree's own prediction costs in addition, E[loss(Y, prediction) | leaf] - risk
    from root    what the centroid of all rows costs in addition

    risk of the tree = sum of P(leaf) risk(leaf)                  risk + divergence = mean loss of the predictions
    risk of the root - risk of the tree = sum of P(leaf) from root(leaf)

Without a table the statistics stored in the tree are used; with one, its rows. Rows that stay at an inner node because
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
from hornbeam.number_text import short_number_text
from hornbeam.parts.losses import Loss, losses
from hornbeam.parts.node import Floats, Integers
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.text import percent, printable
from hornbeam.tree.text_tables import aligned_text, html_table


@dataclasses.dataclass(frozen=True, eq=False)
class LeafStatistics:
    """One entry per leaf; `centroid` and `prediction` are class indices, class probabilities or numbers.

    A leaf that no row reaches has probability 0 and NaN in leaf of the other values.
    """

    loss: str
    classes: tuple[Any, ...]
    nodes: Integers
    conditions: tuple[str, ...]
    rows: Integers
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

    def _mean(self, values: Floats) -> float:
        reached = self.probability > 0
        return float(self.probability[reached] @ values[reached])

    def as_dict(self) -> dict[str, Any]:
        """The statistics as JSON values."""
        return {
            "loss": self.loss,
            "root_risk": self.root_risk,
            "tree_risk": self.tree_risk,
            "tree_divergence": self.tree_divergence,
            "leaves": [
                {
                    "node": int(self.nodes[leaf]),
                    "condition": self.conditions[leaf],
                    "rows": int(self.rows[leaf]),
                    "probability": float(self.probability[leaf]),
                    "centroid": self._value(self.centroid[leaf]),
                    "prediction": self._value(self.prediction[leaf]),
                    **{name: float(getattr(self, name)[leaf]) for name in ("risk", "divergence", "from_root")},
                }
                for leaf in range(len(self))
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
        for leaf in range(len(self)):
            values = (self.risk, self.divergence, self.from_root)
            lines.append(
                [
                    str(self.nodes[leaf]),
                    str(self.rows[leaf]),
                    short_number_text(float(self.probability[leaf])),
                    self._centroid_text(leaf),
                    *(_number_text(float(each[leaf])) for each in values),
                ]
            )
        return lines

    def _centroid_text(self, leaf: int) -> str:
        found = self._value(self.centroid[leaf])
        if found is None or (isinstance(found, dict) and any(np.isnan(each) for each in found.values())):
            return "-"
        if isinstance(found, dict):
            return ", ".join(f"{label} {percent(each)}" for label, each in found.items() if each > 0)
        return found if isinstance(found, str) else short_number_text(found)

    def __str__(self) -> str:
        head = (
            f"Loss {self.loss}: risk {_number_text(self.tree_risk)} of the tree, "
            f"{_number_text(self.root_risk)} of the root; "
            f"divergence of the predictions {_number_text(self.tree_divergence)}"
        )
        values = aligned_text(self._lines()).split("\n")
        width = max(map(len, values))
        where = ("", *(printable(condition or "all rows") for condition in self.conditions))
        lines = [f"{line:<{width}}   {condition}".rstrip() for line, condition in zip(values, where, strict=True)]
        return "\n".join([head, *lines])

    def _repr_html_(self) -> str:
        where = ("rows where", *self.conditions)
        return html_table([[*line, condition] for line, condition in zip(self._lines(), where, strict=True)])


def leaf_statistics(
    tree: Any, table: Any = None, *, loss: Loss | str | Mapping[str, Any] | None = None
) -> LeafStatistics:
    """Centroid, risk and divergence of every leaf, on the tree's training statistics or on the rows of a table.

    `table` is a table, a data frame or anything else that `read` accepts; `loss` is a part, its name or its TOML table
    (default: the loss of the tree's recipe).
    """
    tree = only_tree(tree, "Statistics of leaves")
    part = _loss(tree, loss)
    if table is None and part.statistics == "distribution":
        raise InputError(
            f"The loss {part.name} requires all target values, but a tree stores means and squares only.",
            fix=Set("table"),
            loss=part.name,
        )
    if table is None:
        return _statistics(tree, part, training_groups(tree))
    rows = table if isinstance(table, Table) else model_table(tree.schema, table, needs_target=True)
    return _statistics(tree, part, table_groups(tree, rows, part))


def _loss(tree: Tree, loss: Any) -> Loss:
    target = "class" if tree.is_class else "number"
    given = loss if loss is not None else tree.recipe.get("loss", "zero_one" if tree.is_class else "squared")
    part = losses.part(given)
    if target not in part.supports:
        names = ", ".join(kind.name for kind in losses if target in kind.supports)
        raise OptionError(
            f"Loss {part.name!r} does not support a target of type {target}.", hint=f"Available: {names}."
        )
    return part.bound(tree.schema.classes)


def _statistics(tree: Tree, loss: Loss, found: LeafRows) -> LeafStatistics:
    centroid_of_all = loss.centroid(found.root.stats, found.root.targets)
    has_probabilities = np.ndim(centroid_of_all) == 1
    predicted = walk.node_values(tree) if has_probabilities else tree.nodes.answer - found.center
    values: list[tuple[Any, float, float, float]] = []
    for node, group in found.ends.items():
        if group.weight <= 0:
            values.append((np.full(np.shape(centroid_of_all), np.nan), np.nan, np.nan, np.nan))
            continue
        stats, targets = group.stats, group.targets
        own, of_root = (float(loss.divergence(stats, each, targets)) for each in (predicted[node], centroid_of_all))
        values.append((loss.centroid(stats, targets), float(loss.risk(stats, targets)), own, of_root))
    nodes = np.array(list(found.ends), dtype=np.int64)
    shift = 0.0 if has_probabilities else found.center
    weight = np.array([group.weight for group in found.ends.values()])
    return LeafStatistics(
        loss=loss.name,
        classes=tree.schema.classes if tree.is_class else (),
        nodes=nodes,
        conditions=tuple(_condition(tree, node) for node in nodes.tolist()),
        rows=np.array([group.rows for group in found.ends.values()], dtype=np.int64),
        probability=weight / found.root.weight if found.root.weight > 0 else weight,
        centroid=np.array([each[0] for each in values]) + shift,
        prediction=predicted[nodes] + shift,
        risk=np.array([each[1] for each in values]),
        divergence=np.array([each[2] for each in values]),
        from_root=np.array([each[3] for each in values]),
        root_risk=float(loss.risk(found.root.stats, found.root.targets)),
    )


def _condition(tree: Tree, node: int) -> str:
    """The branches from the root to a node."""
    steps = walk.path(tree, node)
    first = tree.nodes.first_child
    return " and ".join(
        tree.branch_text(above, below - int(first[above])) for above, below in itertools.pairwise(steps)
    )


def _number_text(number: float) -> str:
    return "-" if np.isnan(number) else short_number_text(number)
