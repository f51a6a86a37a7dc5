"""Rules: the first that matches predicts, or all that match vote; NaN where none matches and there is no default."""

from __future__ import annotations

import numpy as np

from hornbeam.exporting.model import RulesModel
from hornbeam.exporting.onnx.ensemble import Ensemble
from hornbeam.exporting.onnx.graph import Graph
from hornbeam.exporting.onnx.labels import add_labels


def add_rules(graph: Graph, model: RulesModel, n_features: int, ensemble: Ensemble, features: str) -> tuple[str, str]:
    """Add the nodes from the features to (label, values); for regression both are the number, as a column."""
    for number, rule in enumerate(model.rules):
        ensemble.add_rule(rule, number)
    matches = graph.add_ensemble(ensemble, n_features, features)
    values, codes = _first(graph, model, matches)
    if model.by == "vote":
        values, codes = _votes(graph, model, matches, values, codes)
    return (add_labels(graph, model, codes) if model.is_class else values), values


def _first(graph: Graph, model: RulesModel, matches: str) -> tuple[str, str]:
    """The values and the label of the first rule that matches; the default follows the last rule."""
    rows = graph.add("Shape", matches, start=0, end=1)
    shape = graph.add("Concat", rows, graph.constant([1], np.int64), axis=0)
    default = graph.add("Expand", graph.constant([[1.0]]), shape)
    which = graph.add("ArgMax", graph.add("Concat", matches, default, axis=1), axis=1, keepdims=0, select_last_index=0)
    width = len(model.classes) or 1
    order = [*model.rules, *([model.default] if model.default is not None else [])]
    values = [rule.values for rule in order] + [(np.nan,) * width] * (model.default is None)
    codes = [max(rule.label, 0) for rule in order] + [0] * (model.default is None)
    return (
        graph.add("Gather", graph.constant(values), which, axis=0),
        graph.add("Gather", graph.constant(codes, np.int64), which, axis=0),
    )


def _votes(graph: Graph, model: RulesModel, matches: str, values: str, codes: str) -> tuple[str, str]:
    """Strengths added in the order of the rules, divided by their total; the first match where the total is 0."""
    width = len(model.classes) or 1
    terms = np.zeros((len(model.rules), width + 1))
    for number, rule in enumerate(model.rules):
        terms[number, max(rule.label, 0)] = rule.strength if model.is_class else rule.strength * rule.values[0]
        terms[number, width] = rule.strength
    last = graph.constant([2], np.int64)
    weighted = graph.add("Mul", graph.add("Unsqueeze", matches, last), graph.constant(terms[None]))
    sums = graph.add("CumSum", weighted, graph.constant(1, np.int64))
    end = graph.add("Gather", sums, graph.constant(len(model.rules) - 1, np.int64), axis=1)
    scores = graph.add("Gather", end, graph.constant(range(width), np.int64), axis=1)
    total = graph.add("Gather", end, graph.constant([width], np.int64), axis=1)
    has_votes = graph.add("Greater", total, graph.constant(0.0))
    found = graph.add("Where", has_votes, graph.add("Div", scores, total), values)
    best = graph.add("ArgMax", scores, axis=1, keepdims=0, select_last_index=0)
    flat = graph.add("Squeeze", has_votes, graph.constant([1], np.int64))
    return found, graph.add("Where", flat, best, codes)
