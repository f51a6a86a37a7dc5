"""The schema of a converted model: names of the columns, levels, and the target with its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.errors import InputError, ModelFileError, OptionError, short_repr
from hornbeam.importing.machinery.source import Given
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.names import checked_names, default_names
from hornbeam.table.table import Schema

TARGET = "y"


def schema_of(
    given: Given,
    names: Sequence[str] | None,
    n_columns: int,
    classes: Sequence[Any] | None = None,
    levels: Mapping[int, Sequence[Any]] | None = None,
    target: str = TARGET,
) -> Schema:
    """The schema; the names that the caller gave replace those of the source, and x0, x1, ... those that it lacks."""
    found = column_names(given, names, n_columns)
    labels = class_levels(given, classes)
    levels = levels or {}
    columns = tuple(
        ColumnSpec(name, Kind.NOMINAL, tuple(levels[index])) if index in levels else ColumnSpec(name, Kind.NUMERIC)
        for index, name in enumerate(found)
    )
    name = free_name(given.target or target, found) if given.target is None else given.target
    kind = Kind.NUMERIC if labels is None else Kind.NOMINAL
    return Schema(columns, ColumnSpec(name, kind, labels or ()))


def free_name(name: str, others: Sequence[str]) -> str:
    """The name, with underscores if a column has it already."""
    while name in others:
        name += "_"
    return name


def column_names(given: Given, names: Sequence[str] | None, n_columns: int) -> tuple[str, ...]:
    """The names of the columns."""
    if given.columns is not None:
        if len(given.columns) != n_columns:
            raise OptionError(
                f"The model has {n_columns} columns; got {len(given.columns)} names.",
                option="columns",
                needed=n_columns,
            )
        return checked_names(given.columns)
    if names is None or not len(names):
        return default_names(n_columns)
    if len(names) != n_columns:
        raise ModelFileError(f"{given.name}: the model has {n_columns} columns and {len(names)} column names.")
    try:
        return checked_names(names)
    except InputError as error:
        raise ModelFileError(f"{given.name}: {error.message}", **error.remedy) from None


def class_levels(given: Given, classes: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """The classes as Python values; None for regression."""
    if classes is None:
        if given.classes is not None:
            raise OptionError("The model predicts numbers: it has no classes to name.", option="classes")
        return None
    if given.classes is not None:
        if len(given.classes) != len(classes) or len(set(given.classes)) != len(classes):
            raise OptionError(
                f"The model has {len(classes)} classes; got {short_repr(list(given.classes))}.", option="classes"
            )
        classes = given.classes
    return tuple(each.item() if isinstance(each, np.generic) else each for each in classes)
