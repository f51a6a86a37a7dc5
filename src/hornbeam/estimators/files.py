"""Estimators fitted on files that need not fit into memory, and predictions of files in batches.

    TreeClassifier().fit("data/*.parquet", "outcome", memory="2GB")          y is the name of the target
    TreeClassifier().fit(hb.scale.Dataset("data/*.csv", weights="w"), "outcome", memory="2GB")

`memory` is an argument of `fit` and no parameter: it never changes the model. Without it the files are read into
memory. All columns except the target and the weights are features.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.estimators.categories import categorical_kinds
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.labeled_rows import is_row_source
from hornbeam.scale.new_rows import batches_of, read_at_once, source_in_batches
from hornbeam.scale.prediction_files import PredictionRun
from hornbeam.tree.prediction import Prediction


def is_files(X: Any) -> bool:
    """Whether X is files, a stream or a dataset instead of rows."""
    return isinstance(X, Dataset) or is_row_source(X)


def dataset_of(owner: str, X: Any, y: Any, sample_weight: Any, target_kind: str, categorical: Any = None) -> Dataset:
    """The files X with the target y; `sample_weight` is the name of a column."""
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
    kinds: dict[str, Any] = {**_kinds(categorical), name: target_kind, **dataset.kinds}
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


def refuse_with_files(**given: Any) -> None:
    """Raise an error if an argument or a parameter is set that needs rows in memory."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise OptionError(
                f"{name} requires rows in memory, but X is files and memory is set.",
                hint=f"Leave {name} out, or fit on rows in memory.",
                option=name,
            )


def predict_files(model: Any, X: Any, threads: int) -> Prediction:
    """The predictions of files, read in batches."""
    rows = X.source if isinstance(X, Dataset) else X
    source = source_in_batches(rows)
    batches = iter([read_at_once(model.schema, rows)]) if source is None else batches_of(model.schema, source)
    found = [batch.predicted for batch in PredictionRun(model).predicted(batches, threads)]
    if not found:
        raise InputError("X has no rows.")
    names = ("values", "codes", "nodes", "is_fractional", "has_unseen_level")
    arrays = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
    return Prediction(model.schema, **arrays)
