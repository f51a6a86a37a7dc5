"""A converter for skl2onnx, so that whole scikit-learn pipelines with hornbeam's estimators become one graph.

    hb.exporting.register_skl2onnx()
    skl2onnx.to_onnx(pipeline, rows[:1])

Inside a pipeline the estimator receives one tensor of numbers; NaN is missing. skl2onnx has version 3 of `ai.onnx.ml`,
which has no sets of levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import InputError
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats.onnx import Onnx, add_graph
from hornbeam.exporting.onnx.columns import Columns
from hornbeam.exporting.onnx.graph import ML, Graph

_ESTIMATORS = (
    "TreeClassifier", "TreeRegressor", "AdaBoostTreeClassifier", "BoostedClassifier", "BoostedRegressor",
    "BaggedClassifier", "BaggedRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor", "ForestClassifier",
    "ForestRegressor",
)  # fmt: skip
_ML_VERSION = 3
_MIN_VERSION = 18  # of the other operators
_MAX_LEAVES = 1 << 24  # the operator returns leaves as float32


def register_skl2onnx(*estimators: type) -> None:
    """Register converters of hornbeam's trees, forests and boosted estimators with skl2onnx.

    Without arguments all of them are registered.
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError:
        raise InputError(
            "The converter needs the package skl2onnx.", hint="Install it: pip install skl2onnx."
        ) from None
    for kind in estimators or _all_estimators():
        name = f"Hornbeam{kind.__name__}"
        options = {"zipmap": [False]} if hasattr(kind, "predict_proba") else None
        update_registered_converter(kind, name, _shapes, _convert, parser=_parse, options=options, overwrite=True)


def _parse(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """Declare the outputs as tensors; skl2onnx's maps of probabilities (zipmap) hold float32 only."""
    from skl2onnx import get_model_alias
    from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType

    operator = scope.declare_local_operator(get_model_alias(type(model)), model)
    operator.inputs = inputs
    if hasattr(model, "predict_proba"):
        operator.outputs.append(scope.declare_local_variable("label", Int64TensorType()))
        operator.outputs.append(scope.declare_local_variable("probabilities", DoubleTensorType()))
    else:
        operator.outputs.append(scope.declare_local_variable("prediction", DoubleTensorType()))
    return operator.outputs


def _all_estimators() -> list[type]:
    import hornbeam

    return [getattr(hornbeam, name) for name in _ESTIMATORS]


def _shapes(operator: Any) -> None:
    """The types of the outputs: label and probabilities, or the number."""
    from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType, StringTensorType

    model = export_model(operator.raw_operator)
    rows = operator.inputs[0].get_first_dimension()
    if not model.is_class:
        operator.outputs[0].type = DoubleTensorType([rows, 1])
        return
    is_text = all(isinstance(label, str) for label in model.classes)
    operator.outputs[0].type = StringTensorType([rows]) if is_text else Int64TensorType([rows])
    operator.outputs[1].type = DoubleTensorType([rows, len(model.classes)])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the graph of one estimator."""
    model = export_model(operator.raw_operator)
    reasons = list(Onnx().unsupported(model))
    reasons += [f"Column {spec.name!r} has levels." for spec in model.inputs if spec.has_levels]
    if sum(map(len, model.trees)) >= _MAX_LEAVES:
        reasons.append(f"It has {_MAX_LEAVES} nodes or more.")
    version = int(container.target_opset_any_domain(""))
    if version < _MIN_VERSION:
        reasons.append(f"target_opset must be at least {_MIN_VERSION}, got {version}.")
    if reasons:
        raise InputError(f"The estimator cannot be converted to ONNX: {' '.join(reasons)}", reasons=reasons)
    graph, columns = Graph(scope.get_unique_operator_name("hornbeam"), _ML_VERSION), Columns.of(model)
    tensor = operator.inputs[0].full_name
    inputs = [graph.add("Gather", tensor, graph.constant([position], np.int64), axis=1) for position in columns.used]
    label, values = add_graph(graph, model, columns, inputs)
    outputs = (label, values) if model.is_class else (values,)
    for found, output in zip(outputs, operator.outputs, strict=True):
        graph.add("Identity", found, output=output.full_name)
    container.nodes.extend(graph.nodes)
    container.initializers.extend(graph.constants)
    container.node_domain_version_pair_sets.update({("", version), (ML, _ML_VERSION)})
