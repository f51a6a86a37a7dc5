"""From the leaves of a row to its prediction: table of values, sums in the order of the trees, link, label."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.exporting.model import ExportModel, ForestModel, RulesModel, TreeModel
from hornbeam.exporting.onnx.columns import Columns
from hornbeam.exporting.onnx.ensemble import Ensemble
from hornbeam.exporting.onnx.graph import Graph
from hornbeam.exporting.onnx.labels import add_labels
from hornbeam.exporting.onnx.rules import add_rules

Floats = npt.NDArray[np.float64]
_INT64 = 7  # TensorProto.INT64


def add_prediction(
    graph: Graph, model: ExportModel, columns: Columns, ensemble: Ensemble, features: str
) -> tuple[str, str]:
    """Add the nodes from the features to (label, values); for regression both are the number, as a column."""
    if isinstance(model, ForestModel):
        return _forest(graph, model, columns, ensemble, features)
    if isinstance(model, RulesModel):
        return add_rules(graph, model, len(columns.used) + len(columns.forms), ensemble, features)
    assert isinstance(model, TreeModel)
    ensemble.add_tree(model.tree, 0)
    rows = graph.add("Squeeze", _rows(graph, columns, ensemble, features), graph.constant([1], np.int64))
    found = graph.add("Gather", graph.constant(model.tree.values), rows, axis=0)
    if not model.is_class:
        return found, found
    codes = graph.add("Gather", graph.constant(model.tree.labels, np.int64), rows, axis=0)
    return add_labels(graph, model, codes), found


def _rows(graph: Graph, columns: Columns, ensemble: Ensemble, features: str) -> str:
    """The row of the table of values where each row of the data ends, per tree."""
    n = len(columns.used) + len(columns.forms)
    return graph.add("Cast", graph.add_ensemble(ensemble, n, features), to=_INT64)


def _forest(graph: Graph, model: ForestModel, columns: Columns, ensemble: Ensemble, features: str) -> tuple[str, str]:
    """The values of all trees after the base, added one after the other (CumSum), then divisor, link and label."""
    for index, tree in enumerate(model.members):
        ensemble.add_tree(tree, index)
    table = graph.constant(np.concatenate([_added(model, index) for index in range(len(model.members))]))
    terms = graph.add("Gather", table, _rows(graph, columns, ensemble, features), axis=0)
    base = graph.constant(np.array(model.base)[None, None, :])
    rows = graph.add("Shape", terms, start=0, end=1)
    shape = graph.add("Concat", rows, graph.constant([1, model.width], np.int64), axis=0)
    whole = graph.add("Concat", graph.add("Expand", base, shape), terms, axis=1)
    sums = graph.add("CumSum", whole, graph.constant(1, np.int64))
    total = graph.add("Gather", sums, graph.constant(len(model.members), np.int64), axis=1)
    if model.combine != "sum":
        total = graph.add("Div", total, graph.constant(model.divisor))
    values = _linked(graph, model, total)
    if not model.is_class:
        return values, values
    return add_labels(graph, model, graph.add("ArgMax", values, axis=1, keepdims=0, select_last_index=0)), values


def _added(model: ForestModel, index: int) -> Floats:
    """What the nodes of a tree add to the sums."""
    tree, weight = model.members[index], model.weights[index]
    if model.combine == "vote":
        return np.asarray(weight * (np.arange(model.width)[None, :] == tree.labels[:, None]))
    values = weight * model.added_values(index)
    if model.combine != "sum":
        return np.asarray(values)
    out = np.zeros((len(tree), model.width))
    out[:, model.outputs[index]] = values[:, 0]
    return out


def _linked(graph: Graph, model: ForestModel, total: str) -> str:
    if model.link == "identity":
        return total
    if model.link == "exp":
        return graph.add("Exp", total)
    if model.link == "logistic":
        one = graph.constant(1.0)
        second = graph.add("Div", one, graph.add("Add", one, graph.add("Exp", graph.add("Neg", total))))
        return graph.add("Concat", graph.add("Sub", one, second), second, axis=1)
    raised = total
    axis = graph.constant([1], np.int64)
    if model.link == "softmax":
        raised = graph.add("Exp", graph.add("Sub", total, graph.add("ReduceMax", total, axis, keepdims=1)))
    return graph.add("Div", raised, graph.add("ReduceSum", raised, axis, keepdims=1))
