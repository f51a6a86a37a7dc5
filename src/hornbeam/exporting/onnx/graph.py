"""Graph: nodes and constants of an ONNX graph under names that no column has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.exporting.onnx.ensemble import Ensemble, Tests, older_attributes

ML = "ai.onnx.ml"
DOUBLE = 11  # TensorProto.DOUBLE


class Graph:
    """Collects nodes and constants; `prefix` begins all names, `ml` is the version of the operators for trees."""

    def __init__(self, prefix: str = "hornbeam", ml: int = 5) -> None:
        self.prefix, self.ml = prefix, ml
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def name(self, what: str) -> str:
        """A new name."""
        return f"{self.prefix}/{len(self.nodes)}/{len(self.constants)}/{what}"

    def constant(self, values: npt.ArrayLike, dtype: Any = np.float64) -> str:
        """A constant tensor; returns its name."""
        from onnx import numpy_helper

        name = self.name("constant")
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype=dtype), name))
        return name

    def texts(self, values: Sequence[str]) -> str:
        """A constant tensor of texts; returns its name."""
        from onnx import TensorProto, helper

        name = self.name("texts")
        data = [value.encode("utf-8") for value in values]
        self.constants.append(helper.make_tensor(name, TensorProto.STRING, [len(data)], data))
        return name

    def add(self, op: str, *inputs: str, domain: str = "", output: str = "", **attributes: Any) -> str:
        """Add a node; returns the name of its output. Arrays become tensors."""
        from onnx import helper, numpy_helper

        given = {
            key: numpy_helper.from_array(value, key) if isinstance(value, np.ndarray) else value
            for key, value in attributes.items()
        }
        name = output or self.name(op)
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=self.name("node"), domain=domain, **given))
        return name

    def add_tests(self, tests: Tests, n_features: int, features: str) -> str:
        """Add the operator of tests; its output has one column of float64 per tree."""
        if self.ml >= 5:
            return self.add("TreeEnsemble", features, domain=ML, **tests.attributes(n_features))
        found = self.add("TreeEnsembleRegressor", features, domain=ML, **older_attributes(tests, n_features))
        return self.add("Cast", found, to=DOUBLE)

    def add_ensemble(self, ensemble: Ensemble, n_features: int, features: str) -> str:
        """Add the operators of an ensemble: the results of routes become features, then the trees follow."""
        if ensemble.routes.roots:
            outcome = self.add_tests(ensemble.routes, n_features, features)
            features = self.add("Concat", features, outcome, axis=1)
        return self.add_tests(ensemble.trees, n_features, features)


def free_name(name: str, others: Collection[str]) -> str:
    """The name, with underscores if a column has it."""
    while name in others:
        name += "_"
    return name
