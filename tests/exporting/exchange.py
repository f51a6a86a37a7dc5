"""Runs exported models in scoring engines: onnxruntime, and JPMML through jpmml_evaluator (Java)."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.exporting.runners import Case, Found, Results, text_of

from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats import formats


def in_onnxruntime(cases: list[Case], folder: Path, **settings: Any) -> Results:
    """Predictions of onnxruntime; an empty text and NaN are missing."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    found: Results = []
    for model, rows in cases:
        exported = export_model(model)
        written = formats.part({"name": "onnx", **settings}).write(exported)
        run = runtime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
        outputs = run.run(None, tensors(run, rows)) if rows else [np.zeros(0), np.zeros((0, 1))]
        labels = [text_of(label) for label in outputs[0].tolist()] if exported.classes else [None] * len(rows)
        values = outputs[-1].tolist()
        found.append([Found(label, tuple(value), ()) for label, value in zip(labels, values, strict=True)])
    return found


def tensors(run: Any, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The rows as one tensor per input."""
    out = {}
    for each in run.get_inputs():
        values = [row[each.name] for row in rows]
        if each.type == "tensor(string)":
            out[each.name] = np.array([["" if value is None else str(value)] for value in values], dtype=object)
        else:
            dtype = np.float32 if each.type == "tensor(float)" else np.float64
            numbers = [np.nan if value is None else value if not isinstance(value, str) else np.inf for value in values]
            out[each.name] = np.array([[number] for number in numbers], dtype=dtype)
    return out


@functools.cache
def backend() -> Any:
    """The Java machine, started once."""
    jpmml = pytest.importorskip("jpmml_evaluator", reason="jpmml_evaluator is not installed")
    try:
        return jpmml.make_backend("jpype")
    except Exception as error:  # no Java
        pytest.skip(f"the backend of jpmml_evaluator does not start: {error}")


def in_jpmml(cases: list[Case], folder: Path, **settings: Any) -> Results:
    """Predictions of JPMML."""
    java = backend()
    from jpmml_evaluator import make_evaluator

    found: Results = []
    for model, rows in cases:
        exported = export_model(model)
        path = folder / "model.pmml"
        path.write_text(formats.part("pmml").write(exported), encoding="utf-8")
        evaluator = make_evaluator(str(path), backend=java).verify()
        target = exported.schema.target
        assert target is not None
        here: list[Found | None] = []
        for row in rows:
            result = evaluator.evaluate({spec.name: row[spec.name] for spec in exported.inputs})
            if result[target.name] is None:
                here.append(None)
            elif exported.classes:
                values = tuple(result[f"probability_{label}"] for label in exported.classes)
                here.append(Found(text_of(result["prediction"]), values, ()))
            else:
                here.append(Found(None, (float(result[target.name]),), ()))
        found.append(here)
    return found
