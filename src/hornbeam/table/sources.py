"""Selects the reader of a source: by the type of data in memory, by the suffix of a file.

    .csv .tsv .txt .dat    comma, tab or semicolon separated text
    .parquet .pq           Parquet
    .jsonl .ndjson .json   JSON lines, or one JSON list of rows
    .arff                  ARFF
    .names .data           C4.5
    .db .sqlite .sqlite3 .duckdb, also with ::table
    .xlsx .xls .ods        a spreadsheet

Each may be followed by .gz. A pattern ("data/*.csv") or a list of paths stands for the rows of all files. The reader of
a file is imported when such a file is read. `builtin:penguins` is a built-in data set.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hornbeam.errors import DataFileError, InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.table.concat import concatenate
from hornbeam.table.patterns import expand_patterns, is_path
from hornbeam.table.raw import RawTable
from hornbeam.table.readers import files

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".dat": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".arff": "arff",
    ".names": "c45",
    ".data": "c45",
    ".db": "database",
    ".sqlite": "database",
    ".sqlite3": "database",
    ".duckdb": "database",
    ".xlsx": "excel",
    ".xls": "excel",
    ".ods": "excel",
}
# Accepted for every source, passed to the readers that have them.
_OPTIONAL = frozenset({"decimal", "thousands", "na_values"})
# Sources that are named by a prefix, with the module that reads them; such a module may be of a higher layer.
PREFIXES = {"builtin:": "hornbeam.datasets.source"}


def is_file(source: Any) -> bool:
    """Whether the source is a file: a path or an open file."""
    return isinstance(source, (str, os.PathLike)) or (hasattr(source, "read") and hasattr(source, "readline"))


def has_names(source: Any) -> bool:
    """Whether the source has column names; arrays and lists of rows have none."""
    from hornbeam.table.readers import arrays, frames

    if arrays.is_sparse(source):  # first: one of scipy's sparse matrices is also a mapping
        return False
    if is_file(source) or is_path(source) or isinstance(source, Mapping) or frames.is_frame(source):
        return True
    if isinstance(source, (list, tuple)):
        return len(source) > 0 and isinstance(source[0], Mapping)
    return getattr(getattr(source, "dtype", None), "names", None) is not None


def raw_table(source: Any, format: str | None = None, *, borrow: bool = False, **settings: Any) -> RawTable:
    """The raw table of any source; `borrow`: arrays of floats are not copied where that is possible.

    A pattern ("data/*.csv") or a list of paths is the rows of all files.
    """
    if isinstance(source, RawTable):
        return source
    if is_path(source):
        tables = [_from_file(path, format, settings) for path in expand_patterns(source)]
        return tables[0] if len(tables) == 1 else concatenate(tables)
    if is_file(source):
        return _from_file(source, format, settings)
    unknown = [name for name in settings if name not in _OPTIONAL]
    if unknown or format is not None:
        name = unknown[0] if unknown else "format"
        raise OptionError(f"Setting {short_repr(name)} requires a file, got a {type(source).__name__}.", option=name)
    return _from_memory(source, borrow)


def _from_file(source: Any, format: str | None, settings: dict[str, Any]) -> RawTable:
    for prefix, module in PREFIXES.items():
        if isinstance(source, str) and source.startswith(prefix) and format is None:
            found: RawTable = importlib.import_module(module).raw(source.removeprefix(prefix))
            return found
    name = format or format_of(source)
    known = sorted(set(SUFFIXES.values()))
    if name not in known:
        raise OptionError(
            f"Unknown format {short_repr(name)}.",
            hint=did_you_mean(str(name), known),
            option="format",
        )
    reader: Any = importlib.import_module(f"hornbeam.table.readers.{name}")
    accepted = inspect.signature(reader.raw).parameters
    for setting in settings:
        if setting not in accepted and setting not in _OPTIONAL:
            raise OptionError(
                f"Unknown setting {short_repr(setting)} of the {name} reader.",
                hint=did_you_mean(setting, list(accepted)[1:]),
                option=setting,
            )
    passed = {setting: value for setting, value in settings.items() if setting in accepted and value is not None}
    table: RawTable = reader.raw(source, **passed)
    return dataclasses.replace(table, is_file=True)


def format_of(source: Any) -> str:
    """The name of the reader, by the suffix of the file."""
    named = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
    if not isinstance(named, (str, os.PathLike)) or named in ("<stdin>", "-"):
        return "csv"
    path = os.fspath(named).partition("::")[0].lower()
    stem, suffix = os.path.splitext(path)
    if suffix == ".gz":
        suffix = os.path.splitext(stem)[1]
    if suffix not in SUFFIXES:
        files.checked(named)  # a path that does not exist is the more helpful error
        raise DataFileError(
            f"Unknown file suffix {short_repr(suffix)}: {short_repr(os.fspath(named))}.",
            fix=Set("format"),
            hint=f"or use a file with one of these suffixes: {', '.join(SUFFIXES)}, each also with .gz.",
            path=os.fspath(named),
        )
    return SUFFIXES[suffix]


def _from_memory(source: Any, borrow: bool = False) -> RawTable:
    from hornbeam.table.readers import arrays, frames, rows

    if type(source) is np.ndarray or arrays.is_sparse(source):  # one sparse kind is also a mapping
        return arrays.raw(source, borrow=borrow)
    if isinstance(source, Mapping):
        return rows.raw_from_dict(source)
    if frames.is_frame(source):
        return frames.raw(source)
    if frames.is_series(source):
        raise InputError(
            f"Data must have rows and columns, got one {type(source).__name__} of {len(source)} values.",
            hint="Reshape your data: series.to_frame() for a single column, frame.iloc[[i]] for a single row.",
        )
    if hasattr(source, "__cuda_array_interface__"):
        raise InputError(
            f"Data must be in main memory, got a {type(source).__name__} on a GPU.",
            hint="Copy it to the host first, for example X.get().",
        )
    if isinstance(source, tuple) and hasattr(source, "_fields"):
        raise InputError(f"Data must be rows, got a single {type(source).__name__}.", hint="Pass [row._asdict()].")
    if isinstance(source, (list, tuple)):
        return rows.raw_from_list(source)
    if (
        source is None
        or isinstance(source, Iterator)
        or not (hasattr(source, "__array__") or hasattr(source, "__array_interface__"))
    ):
        raise InputError(
            f"Data must be an array, a data frame, a dict of columns, a list of rows or a file, "
            f"got {_type_text(source)}.",
            hint="Collect its items in a list first." if isinstance(source, Iterator) else "",
        )
    return arrays.raw(source)


def _type_text(source: Any) -> str:
    return "None" if source is None else f"a {type(source).__name__}"
