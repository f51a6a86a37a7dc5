"""The rows of a batch as typed columns: Arrow arrays, or arrays for DuckDB."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import OutputError
from hornbeam.scale.predicted_batch import PredictedBatch, probability_names


def typed_columns(batch: PredictedBatch) -> dict[str, Any]:
    """One array per column; kept Arrow arrays unchanged."""
    predicted = batch.predicted
    found: dict[str, Any] = {"row": np.arange(batch.first_row, batch.first_row + len(batch), dtype=np.int64)}
    for name, values in batch.kept.items():
        found[name] = typed_array(values) if isinstance(values, list) else values
    if predicted.schema.target is not None:
        found["prediction"] = predicted.labels
    found["node"] = predicted.nodes
    for at, name in enumerate(probability_names(predicted.schema)):
        found[name] = np.ascontiguousarray(predicted.values[:, at])
    return found


def arrow_table(batch: PredictedBatch) -> Any:
    """The columns of a batch as an Arrow table."""
    pyarrow = import_pyarrow("Writing an Arrow file")
    columns = {}
    for name, values in typed_columns(batch).items():
        is_text = isinstance(values, np.ndarray) and values.dtype.kind == "U"
        if is_text:  # the labels: a dictionary is much faster than one text per row
            predicted = batch.predicted
            texts = pyarrow.array(list(predicted.classes), type=pyarrow.string())
            columns[name] = pyarrow.DictionaryArray.from_arrays(predicted.codes, texts).cast(pyarrow.string())
        elif isinstance(values, np.ndarray):
            columns[name] = pyarrow.array(values, from_pandas=True)
        else:
            columns[name] = values
    return pyarrow.table(columns)


def typed_array(values: list[Any]) -> Any:
    """Values as an array of one type; texts and values with gaps as objects, mixed types as texts."""
    types = {type(value) for value in values if value is not None}
    if len(types) == 1 and types <= {int, float, bool} and None not in values:
        return np.array(values)
    if types == {float}:
        return np.array([np.nan if value is None else value for value in values])
    if len(types) > 1:
        values = [None if value is None else str(value) for value in values]
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def import_pyarrow(what: str) -> Any:
    """The module pyarrow; an error that names the extra if it is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise OutputError(
            f"{what} requires pyarrow.", hint="Install pyarrow, or write another format (.parquet, .csv)."
        ) from error
    return pyarrow
