"""The text and the color of a node in the style of scikit-learn.

sex = female          petal_width <= 0.8         a split on categories, and one on a number
gini = 0.667
samples = 150
value = [50, 50, 50]
class = setosa
"""

from __future__ import annotations

import colorsys
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, NotFittedError, OptionError
from hornbeam.table.names import default_names
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import Threshold


class NotAnEstimatorError(InputError, TypeError):
    """Something other than an estimator or a tree was passed."""


@dataclasses.dataclass(frozen=True)
class ShownTree:
    """A tree with the names that its nodes are labeled with."""

    tree: Tree
    schema: Schema
    criterion: str
    class_names: tuple[str, ...] | None

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """The weighted class counts of each node, or one prediction per node."""
        nodes = self.tree.nodes
        return nodes.stats if self.tree.is_class else nodes.answer[:, None]

    def question(self, node: int, precision: int) -> str:
        """The question of an inner node; branch 0 is the outcome yes. The columns alone if there are more branches."""
        question = self.tree.question(node)
        if self.tree.nodes.n_branches[node] > 2:
            return ", ".join(self.schema.columns[position].name for position in question.columns)
        if isinstance(question, Threshold):
            name = self.schema.columns[question.columns[0]].name
            return f"{name} <= {round(float(question.cut), precision)}"
        return question.text(self.schema)

    def branch(self, node: int, branch: int) -> str:
        """The outcome of a branch as text."""
        return dataclasses.replace(self.tree, schema=self.schema).branch_text(node, branch)

    def is_threshold(self, node: int) -> bool:
        """Whether a node compares a number with a threshold."""
        return isinstance(self.tree.question(node), Threshold)


def shown_tree(decision_tree: Any, feature_names: Any, class_names: Any, pattern: str) -> ShownTree:
    """The tree of a fitted estimator (or a tree), with names; `pattern` names the columns of arrays."""
    estimator = decision_tree if hasattr(decision_tree, "get_params") else None
    if estimator is not None and "tree_" not in estimator.__dict__:
        raise _not_fitted(estimator)
    tree = only_tree(decision_tree, "The picture")
    names = _column_names(tree, estimator, feature_names, pattern)
    columns = tuple(dataclasses.replace(c, name=name) for c, name in zip(tree.schema.columns, names, strict=True))
    criterion = getattr(estimator, "criterion", None)
    if not isinstance(criterion, str):
        criterion = str(tree.recipe.get("criterion", {}).get("name", "impurity"))
    return ShownTree(tree, Schema(columns, tree.schema.target), criterion, _class_names(tree, class_names))


def _not_fitted(estimator: Any) -> Exception:
    from sklearn.exceptions import NotFittedError as SklearnNotFittedError

    class NotFittedTreeError(NotFittedError, SklearnNotFittedError):  # type: ignore[misc]
        """The estimator was not fitted."""

    return NotFittedTreeError(
        f"This {type(estimator).__name__} instance is not fitted yet.", hint="Call fit before using it."
    )


def _column_names(tree: Tree, estimator: Any, given: Any, pattern: str) -> list[str]:
    n_columns = len(tree.schema.columns)
    if given is None:
        has_names = estimator is None or tuple(tree.schema.names) != tuple(default_names(n_columns))
        return list(tree.schema.names) if has_names else [pattern.format(index) for index in range(n_columns)]
    names = list(given)
    if any(not isinstance(name, str) for name in names):
        raise OptionError("All feature names must be strings.", option="feature_names", got=given)
    if len(names) != n_columns:
        raise OptionError(
            f"Length of feature_names, {len(names)} does not match number of features, {n_columns}: "
            f"feature_names must contain {n_columns} elements, got {len(names)}.",
            option="feature_names",
        )
    return names


def _class_names(tree: Tree, given: Any) -> tuple[str, ...] | None:
    if not tree.is_class or given is None or given is False:
        return None
    if given is True:
        return tuple(f"y[{index}]" for index in range(len(tree.schema.classes)))
    return tuple(str(name) for name in given)


@dataclasses.dataclass(frozen=True)
class NodeText:
    """What the label of a node contains."""

    label: str = "all"
    impurity: bool = True
    node_ids: bool = False
    proportion: bool = False
    precision: int = 3

    def lines(self, shown: ShownTree, node: int) -> list[str]:
        """The lines of a node."""
        nodes, is_named = shown.tree.nodes, (self.label == "root" and node == 0) or self.label == "all"
        lines = [f"node #{node}" if is_named else f"#{node}"] if self.node_ids else []
        if not nodes.is_leaf[node]:
            lines.append(shown.question(node, self.precision))
        if self.impurity:
            value = round(float(nodes.impurity[node]), self.precision)
            lines.append(f"{shown.criterion} = {value}" if is_named else str(value))
        samples = str(int(nodes.rows[node]))
        if self.proportion:
            samples = f"{round(100.0 * float(nodes.rows[node]) / float(nodes.rows[0]), 1)}%"
        lines.append(f"samples = {samples}" if is_named else samples)
        value_text = self._value(shown, node)
        lines.append(f"value = {value_text}" if is_named else value_text)
        if shown.class_names is not None:
            name = shown.class_names[int(shown.counts[node].argmax())]
            lines.append(f"class = {name}" if is_named else name)
        return lines

    def _value(self, shown: ShownTree, node: int) -> str:
        values = shown.counts[node]
        if not shown.tree.is_class:
            return str(round(float(values[0]), self.precision))
        if self.proportion:
            values = values / max(float(values.sum()), 1e-300)
        if not self.proportion and (values == np.round(values)).all():
            return "[" + ", ".join(str(int(value)) for value in values) + "]"
        return "[" + ", ".join(str(round(float(value), self.precision)) for value in values) + "]"


def fill_color(shown: ShownTree, node: int) -> str:
    """The background of a node: the hue of its class, the stronger the purer; for numbers the larger."""
    values = shown.counts[node]
    if shown.tree.is_class:
        share = np.sort(values / max(float(values.sum()), 1e-300))[::-1]
        hue = _hue(int(values.argmax()), len(values))
        strength = 0.0 if len(share) < 2 or share[1] >= 1 else float((share[0] - share[1]) / (1 - share[1]))
    else:
        low, high = float(shown.counts.min()), float(shown.counts.max())
        hue, strength = _hue(0, 1), (float(values[0]) - low) / (high - low) if high > low else 0.0
    mixed = [round(strength * part + (1 - strength) * 255) for part in hue]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _hue(index: int, count: int) -> Sequence[int]:
    """One of `count` colors of equal saturation, evenly spaced around the color circle."""
    red, green, blue = colorsys.hsv_to_rgb((25 + index * 360 / count) % 360 / 360, 0.75, 0.9)
    return int(red * 255), int(green * 255), int(blue * 255)
