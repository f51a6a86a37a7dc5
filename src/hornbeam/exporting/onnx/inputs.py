"""The inputs of the graph and the features of the TreeEnsemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbeam.exporting.onnx.columns import Columns, has_texts
from hornbeam.exporting.onnx.graph import DOUBLE, ML, Graph
from hornbeam.table.column import ColumnSpec
from hornbeam.tree.questions.forms import Ball, Plane


def column_features(graph: Graph, columns: Columns, inputs: Sequence[str]) -> list[str]:
    """The features of the columns, as columns of doubles; `inputs` are their tensors, of shape (rows, 1)."""
    return [
        _feature(graph, columns.schema.columns[position], name)
        for position, name in zip(columns.used, inputs, strict=True)
    ]


def all_features(graph: Graph, columns: Columns, features: Sequence[str]) -> str:
    """The features of the columns and of the planes and spheres that the tests have used, as one tensor."""
    computed = [_computed(graph, columns, form, features) for form in columns.forms]
    return graph.add("Concat", *features, *computed, axis=1)


def _feature(graph: Graph, spec: ColumnSpec, name: str) -> str:
    if not has_texts(spec):
        return graph.add("Cast", name, to=DOUBLE)
    n = len(spec.levels)
    codes = graph.add(
        "LabelEncoder",
        name,
        domain=ML,
        keys_strings=[*spec.levels, ""],
        values_int64s=[*range(1, n + 1), 0],
        default_int64=n + 1,
    )
    numbers = graph.add("Cast", codes, to=DOUBLE)
    is_missing = graph.add("Equal", codes, graph.constant(0, np.int64))
    return graph.add("Where", is_missing, graph.constant(np.nan), numbers)


def _computed(graph: Graph, columns: Columns, form: Plane | Ball, features: Sequence[str]) -> str:
    """The terms added from left to right, as the model does."""
    total = ""
    for index, column in enumerate(form.columns):
        value = features[columns.feature(column)]
        if form.fill:
            value = graph.add("Where", graph.add("IsNaN", value), graph.constant(form.fill[index]), value)
        if isinstance(form, Plane):
            term = graph.add("Mul", graph.constant(form.weights[index]), value)
        else:
            away = graph.add("Sub", value, graph.constant(form.center[index]))
            scaled = graph.add("Div", away, graph.constant(form.scale[index]))
            term = graph.add("Mul", scaled, scaled)
        total = graph.add("Add", total, term) if total else term
    return total
