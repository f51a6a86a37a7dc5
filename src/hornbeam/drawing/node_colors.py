"""The probability of a node's predicted class, and the color that follows from its prediction."""

from __future__ import annotations

import math

from hornbeam.drawing.colors import Theme, leaf_color, number_color
from hornbeam.tree.nodes import Tree


def predicted_probability(tree: Tree, node: int) -> float:
    """The training probability of the class that a node predicts; NaN without training weight."""
    stats = tree.nodes.stats[node]
    total = float(stats.sum())
    return float(stats[int(tree.nodes.answer[node])]) / total if total > 0 else math.nan


def node_color(tree: Tree, node: int, prediction_range: tuple[float, float], theme: Theme) -> str:
    """The color of a leaf: that of its class, stronger with its probability; for a regression by the prediction."""
    prediction = float(tree.nodes.answer[node])
    if not tree.is_class:
        low, high = prediction_range
        return number_color((prediction - low) / ((high - low) or 1.0), theme)
    n_classes = max(len(tree.schema.classes), 2)
    probability = predicted_probability(tree, node)
    certainty = 0.0 if math.isnan(probability) else (probability - 1 / n_classes) / (1 - 1 / n_classes)
    return leaf_color(int(prediction), certainty, theme)
