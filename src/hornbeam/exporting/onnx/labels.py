"""The classes of a graph as constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.exporting.model import ExportModel
from hornbeam.exporting.onnx.graph import Graph


def add_labels(graph: Graph, model: ExportModel, codes: str) -> str:
    """The classes of codes: texts, integers, or floats."""
    classes: Any = model.classes
    if all(isinstance(label, str) for label in classes):
        return graph.add("Gather", graph.texts(classes), codes, axis=0)
    whole = all(type(label) in (int, bool) for label in classes)
    return graph.add("Gather", graph.constant(classes, np.int64 if whole else np.float64), codes, axis=0)
