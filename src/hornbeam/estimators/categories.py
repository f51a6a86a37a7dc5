"""The parameter categorical_features: columns whose values are categories, although they are numbers.

"from_dtype" or None    the categorical and text columns of a data frame, as always
[0, 3]                  columns by position         ["ward", "sex"]   by name
[True, False, ...]      one value per column
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.options import is_integer
from hornbeam.table.names import default_names


def categorical_kinds(given: Any, X: Any, names: Any) -> dict[str, str] | None:
    """The kind nominal per column name of `categorical_features`; None if the data alone decide.

    `names` are the column names of X if it has any.
    """
    if given is None or (isinstance(given, str) and given == "from_dtype"):
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _wrong(given)
    columns = list(default_names(_n_columns(X))) if names is None else [str(name) for name in names]
    values = np.asarray(given).ravel().tolist()
    if values and all(isinstance(value, bool) for value in values):
        if len(values) != len(columns):
            raise OptionError(
                f"categorical_features must have one value per column, {len(columns)}, got {len(values)}.",
                option="categorical_features",
            )
        return {name: "nominal" for name, is_chosen in zip(columns, values, strict=True) if is_chosen}
    return {_name(value, columns, given): "nominal" for value in values}


def _name(value: Any, columns: list[str], given: Any) -> str:
    if isinstance(value, str):
        if value not in columns:
            raise OptionError(
                f"categorical_features contains {short_repr(value)}, which is not a column.",
                hint=did_you_mean(value, columns),
                option="categorical_features",
            )
        return value
    if isinstance(value, bool) or not is_integer(value):
        raise _wrong(given)
    if not 0 <= value < len(columns):
        raise OptionError(
            f"categorical_features contains column {value}, but there are {len(columns)} columns.",
            option="categorical_features",
        )
    return columns[int(value)]


def _n_columns(X: Any) -> int:
    shape = getattr(X, "shape", None)
    return int(shape[1]) if shape is not None and len(shape) == 2 else len(X[0])


def _wrong(given: Any) -> OptionError:
    return OptionError(
        "categorical_features must be from_dtype, None, column names, positions or one true or false per column, "
        f"got {short_repr(given)}.",
        option="categorical_features",
        got=given,
    )
