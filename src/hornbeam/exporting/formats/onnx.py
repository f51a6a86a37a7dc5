"""ONNX: one graph from the raw columns, text levels included, to label and probabilities, in float64.

The tests of all trees are one `TreeEnsemble` of `ai.onnx.ml` 5 whose inputs and cuts are float64. Inputs of float32 are
converted inside the graph without rounding, so they take the branches that `predict` gives them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hornbeam.errors import InputError
from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature
from hornbeam.exporting.model import ExportModel, ForestModel, RulesModel
from hornbeam.exporting.onnx.columns import Columns, has_texts
from hornbeam.exporting.onnx.ensemble import Ensemble
from hornbeam.exporting.onnx.graph import ML, Graph, free_name
from hornbeam.exporting.onnx.inputs import all_features, column_features
from hornbeam.exporting.onnx.scores import add_prediction
from hornbeam.options import option

OPSETS = {"": 21, ML: 5}
_IR_VERSION = 10


@dataclasses.dataclass(frozen=True)
class Onnx(Format):
    """ONNX (`ai.onnx.ml` 5) for onnxruntime; needs the extra `onnx`."""

    name: ClassVar[str] = "onnx"
    suffixes: ClassVar[tuple[str, ...]] = (".onnx",)
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.NO_TARGET: "It predicts nothing without a target.",
        Feature.NESTED: "A nested dichotomy multiplies the probabilities of several models.",
        Feature.FRACTIONAL: "A row takes one branch in a TreeEnsemble, not all of them.",
        Feature.UNSEEN_ERROR: "A graph cannot reject a row.",
        Feature.MEDIAN: "The trees are combined by a median, which is no sum of their predictions.",
    }
    numbers: str = option("float64", "type of the numeric inputs", choices=("float64", "float32"))

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """The reasons of the features, and levels that have no tensor type."""
        found = list(super().unsupported(model))
        for spec in model.inputs:
            types = {isinstance(level, str) for level in spec.levels}
            if len(types) > 1:
                found.append(f"Column {spec.name!r} has levels of several types.")
            if "" in spec.levels:
                found.append(f"Column {spec.name!r} has an empty level; an empty text means a missing value.")
        if len({isinstance(label, str) for label in model.classes}) > 1:
            found.append("The classes have several types.")
        if isinstance(model, ForestModel) and not model.members:
            found.append("It has no trees.")
        if isinstance(model, RulesModel) and not model.rules:
            found.append("It has no rules.")
        if not model.schema.columns:
            found.append("It has no columns.")
        return found

    def notes(self, model: ExportModel) -> Sequence[str]:
        """A graph cannot reject a row that no rule matches."""
        is_open = isinstance(model, RulesModel) and model.default is None
        return ["A row that no rule matches has NaN and the first class as its label."] if is_open else []

    def write(self, model: ExportModel) -> Any:
        """The graph as an `onnx.ModelProto`."""
        helper, types = _onnx()
        graph, columns = Graph(), Columns.of(model)
        names = [model.schema.columns[position].name for position in columns.used]
        numeric = types.FLOAT if self.numbers == "float32" else types.DOUBLE
        inputs = [
            helper.make_tensor_value_info(
                name, types.STRING if has_texts(model.schema.columns[position]) else numeric, [None, 1]
            )
            for name, position in zip(names, columns.used, strict=True)
        ]
        label, values = add_graph(graph, model, columns, names)
        outputs = []
        if model.is_class:
            kind = _label_type(model.classes, types)
            outputs.append(_output(graph, helper, label, free_name("label", names), kind, [None]))
        name = free_name("probabilities" if model.is_class else "prediction", names)
        width = len(model.classes) if model.is_class else 1
        outputs.append(_output(graph, helper, values, name, types.DOUBLE, [None, width]))
        made = helper.make_graph(graph.nodes, "hornbeam", inputs, outputs, graph.constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        return helper.make_model(made, producer_name="hornbeam", opset_imports=opsets, ir_version=_IR_VERSION)

    def to_bytes(self, contents: Any) -> bytes:
        """The model in the binary format of ONNX."""
        return bytes(contents.SerializeToString())


def add_graph(graph: Graph, model: ExportModel, columns: Columns, inputs: Sequence[str]) -> tuple[str, str]:
    """Add the nodes from the tensors of the columns to (label, values)."""
    features = column_features(graph, columns, inputs)
    ensemble = Ensemble(columns)
    # The tests name the planes and spheres that must be computed, so they are built before the features are joined.
    rest = Graph(f"{graph.prefix}/scores", graph.ml)
    joined = rest.name("features")
    label, values = add_prediction(rest, model, columns, ensemble, joined)
    graph.add("Identity", all_features(graph, columns, features), output=joined)
    graph.nodes += rest.nodes
    graph.constants += rest.constants
    return label, values


def _onnx() -> tuple[Any, Any]:
    try:
        from onnx import TensorProto, helper
    except ImportError:
        raise InputError(
            "Export to ONNX needs the package onnx.", hint='Install it: pip install "hornbeam[onnx]".'
        ) from None
    return helper, TensorProto


def _label_type(classes: Sequence[Any], types: Any) -> int:
    if all(isinstance(label, str) for label in classes):
        return int(types.STRING)
    return int(types.INT64 if all(type(label) in (int, bool) for label in classes) else types.DOUBLE)


def _output(graph: Graph, helper: Any, found: str, name: str, kind: int, shape: list[int | None]) -> Any:
    graph.add("Identity", found, output=name)
    return helper.make_tensor_value_info(name, kind, shape)
