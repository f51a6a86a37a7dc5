"""Estimators fitted on files or Dask collections that need not fit into memory, and predictions of files in batches.

    TreeClassifier().fit("data/*.parquet", "outcome", memory="2GB")          y is the name of the target
    TreeClassifier().fit(hb.scale.Dataset("data/*.csv", weights="w"), "outcome", memory="2GB")
    TreeClassifier().fit(dask_frame, dask_series)                            the workers of the cluster grow the tree

`memory` is an argument of `fit` and no parameter: it never changes the model. Without it the files are read into
memory. All columns except the target and the weights are features.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.estimators.categories import categorical_kinds
from hornbeam.estimators.rows import names_of
from hornbeam.scale.dask_collections import DaskRows, is_collection
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.labeled_rows import is_row_source
from hornbeam.scale.new_rows import TypedRows, read_at_once, source_in_batches
from hornbeam.scale.prediction_files import PredictionRun
from hornbeam.scale.prepare import PreparedFiles
from hornbeam.tree.prediction import Prediction


def is_files(X: Any) -> bool:
    """Whether X is files, a stream or a dataset instead of rows."""
    return isinstance(X, Dataset) or is_row_source(X)


def is_elsewhere(X: Any, memory: Any, client: Any) -> bool:
    """Whether the rows are not read into the memory of this process."""
    return memory is not None or client is not None or is_collection(X)


def kind_of(X: Any) -> str:
    """What X is, in messages."""
    return "a Dask collection" if is_collection(X) else "files and memory is set"


def known_classes(X: Any, files: PreparedFiles) -> tuple[Any, ...]:
    """The classes of the rows; y as a collection must be complete, as in memory."""
    if is_collection(X) and any("missing target" in str(note) for note in files.plan.notes):
        raise InputError("y contains missing values.", hint="Omit these rows.")
    return tuple(files.schema.classes)


def dataset_of(owner: str, X: Any, y: Any, sample_weight: Any, target_kind: str, categorical: Any = None) -> Dataset:
    """The rows X with the target y; `sample_weight` of files is the name of a column."""
    if is_collection(X):
        data = DaskRows.of(X, y, sample_weight)
        chosen: dict[str, Any] = dict(categorical_kinds(categorical, X, names_of(X)) or {})
        kinds = {**chosen, data.target: target_kind}
        return Dataset(data, data.target, kinds=kinds, weights=data.weights, keep_ids=True)
    if not is_files(X):
        raise OptionError(
            f"memory requires files, got a {type(X).__name__}.",
            hint='Pass a path such as "data.parquet", or omit memory.',
            option="memory",
        )
    name = y
    if name is None and isinstance(X, Dataset):
        name = X.target
    if not isinstance(name, str):
        raise InputError(
            f"{owner} requires y to be the name of the target column if X is files, got {short_repr(y)}.",
            hint="Pass fit('data/*.parquet', 'outcome').",
        )
    if sample_weight is not None and not isinstance(sample_weight, str):
        raise OptionError(
            f"sample_weight must be the name of a column if X is files, got a {type(sample_weight).__name__}.",
            option="sample_weight",
        )
    dataset = X if isinstance(X, Dataset) else Dataset(X, keep_ids=True)
    weights = dataset.weights if sample_weight is None else sample_weight
    kinds = {**_kinds(categorical), name: target_kind, **dataset.kinds}
    return dataclasses.replace(dataset, target=name, weights=weights, kinds=kinds)


def _kinds(categorical: Any) -> dict[str, str]:
    if categorical is None or (isinstance(categorical, str) and categorical == "from_dtype"):
        return {}
    values = np.asarray(categorical).ravel().tolist()
    if not all(isinstance(each, str) for each in values):
        raise OptionError(
            "categorical_features must be column names if X is files.", option="categorical_features", got=categorical
        )
    return categorical_kinds(values, None, values) or {}


def refuse_with_files(X: Any, **given: Any) -> None:
    """Raise an error if an argument or a parameter is set that needs rows in memory."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise OptionError(
                f"{name} requires rows in memory, but X is {kind_of(X)}.",
                hint=f"Omit {name}, or fit on rows in memory.",
                option=name,
            )


def predict_files(model: Any, X: Any, threads: int) -> Prediction:
    """The predictions of files, read in batches."""
    rows = X.source if isinstance(X, Dataset) else X
    source = source_in_batches(rows)
    batches = iter([read_at_once(model.schema, rows)]) if source is None else TypedRows(source).matched(model.schema)
    found = [batch.predicted for batch in PredictionRun(model).predicted(batches, threads)]
    if not found:
        raise InputError("X has no rows.")
    names = ("values", "codes", "nodes", "is_fractional", "has_unseen_level")
    arrays = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
    return Prediction(model.schema, **arrays)
