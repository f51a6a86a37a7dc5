"""Converts X and y to tables, with the error messages that scikit-learn expects.

Text classes are sorted as text; a data frame with numbers as column names counts as one without names.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from hornbeam.errors import InputError
from hornbeam.estimators.wording import translate_parameters
from hornbeam.table.match import match_columns
from hornbeam.table.names import default_names
from hornbeam.table.read import table_from_arrays
from hornbeam.table.sources import has_names
from hornbeam.table.table import Schema, Table


def training_table(
    owner: str,
    X: Any,
    y: Any,
    sample_weight: Any,
    target_kind: str,
    *,
    kinds: dict[str, str] | None = None,
    copy: bool = True,
) -> Table:
    """The training rows; with `copy=False` float columns may be views of X. `kinds` are kinds by column name."""
    if y is None:
        raise InputError(f"{owner} requires y to be passed, but the target y is None.", hint="Pass one value per row.")
    if isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] == 1:
        y = _flattened(y)
    if isinstance(y, (list, tuple)):
        y = np.asarray(y)
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "y"
    with translate_parameters():
        table = table_from_arrays(
            X, y, sample_weight, target_kind=target_kind, kinds=kinds, target_name=name, copy=copy
        )
    return _with_sorted_classes(table)


def _with_sorted_classes(table: Table) -> Table:
    """The table with text classes sorted as text ("10" before "9"), as scikit-learn's tools expect."""
    target = table.target
    if target is None or not target.levels or not isinstance(target.levels[0], str):
        return table
    order = sorted(range(len(target.levels)), key=target.levels.__getitem__)
    if order == list(range(len(order))):
        return table
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    levels = tuple(target.levels[code] for code in order)
    return dataclasses.replace(table, target=dataclasses.replace(target, values=rank[target.values], levels=levels))


def _flattened(y: Any) -> Any:
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples, ), for "
        "example using ravel().",
        DataConversionWarning,
        stacklevel=5,
    )
    return y[:, 0]


def names_of(X: Any) -> Any:
    """The column names of a data frame if all are text, else None."""
    columns = getattr(X, "columns", None)
    if columns is None and hasattr(X, "column_names"):
        columns = X.column_names
    if columns is None or callable(columns):
        return None
    names = list(columns)
    return np.array(names, dtype=object) if names and all(isinstance(name, str) for name in names) else None


def new_rows(owner: str, schema: Schema, X: Any, has_fitted_names: bool) -> Table:
    """New rows with the columns of the model."""
    is_named = has_names(X)
    if is_named and not has_fitted_names and names_of(X) is None and hasattr(X, "set_axis"):
        defaults = default_names(len(X.columns))
        X = X.set_axis(list(defaults), axis=1) if schema.names == defaults else X
    try:
        with translate_parameters():
            return match_columns(schema, X, warn=is_named or has_fitted_names)
    except InputError as error:
        if "given" not in error.details or "needed" not in error.details:
            raise
        given, needed = error.details["given"], error.details["needed"]
        raise InputError(
            f"X has {given} features, but {owner} is expecting {needed} features as input.", hint=str(error)
        ) from None
