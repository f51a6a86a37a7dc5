"""Export of models to other formats: code, SQL, documents and exchange formats.

export            hb.export(model, "model.sql"): finds the format, checks that it can express the model, writes the file
register_skl2onnx converters for scikit-learn pipelines that skl2onnx exports
formats/          one format per file, a part each: its suffixes, settings, what it cannot express, and its writer
model             the form of a model that all writers share: trees as routes and values, and how they are combined
conversion        trees, forests, rule sets, nested dichotomies and fitted estimators in that form
features          what a model uses: kinds of questions, strategies for missing values, combinations of trees
"""

from hornbeam.exporting.base import Format
from hornbeam.exporting.export import export
from hornbeam.exporting.formats import formats
from hornbeam.exporting.onnx.skl2onnx import register_skl2onnx

__all__ = ["Format", "export", "formats", "register_skl2onnx"]
