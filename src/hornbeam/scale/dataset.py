"""Dataset: the files of a table that need not fit into memory, and the roles of their columns."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hornbeam.errors import InputError, OptionError, Set, available, did_you_mean, short_repr
from hornbeam.scale.dask_collections import DaskRows, Partitions, is_collection
from hornbeam.scale.sources.arrow import is_stream
from hornbeam.table.kinds import DEFAULT_NA_VALUES, requested_kind
from hornbeam.table.patterns import expand_patterns, is_path
from hornbeam.table.read import KindArgument, read
from hornbeam.table.sources import format_of, raw_table
from hornbeam.table.table import Table

SPOOLED = ("csv", "database", "stream")
DASK = "dask"


def is_source(source: Any) -> bool:
    """Whether a dataset can be made of a source: files, an Arrow stream, an iterator of frames, a Dask DataFrame."""
    return is_path(source) or is_stream(source) or is_collection(source)


@dataclasses.dataclass(frozen=True)
class Dataset:
    """A source and what its columns are for; nothing is read before it is used.

    `source` is a path, a pattern ("data/*.parquet"), a list of files, an Arrow stream, an iterator of data frames or a
    Dask DataFrame.
    The other settings are those of `read`; `settings` are passed to the reader of a text file (`delimiter`, `encoding`,
    `decimal`, `thousands`, `date_format` and others).
    """

    source: Any
    target: str | None = None
    kinds: Mapping[str, KindArgument] = dataclasses.field(default_factory=dict)
    na_values: Collection[str] | None = None
    weights: str | None = None
    columns: Sequence[str] | None = None
    drop: Sequence[str] = ()
    keep_ids: bool = False
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if not is_source(self.source):
            raise InputError(
                f"A dataset needs files, an Arrow stream or an iterator of frames, got a {type(self.source).__name__}.",
                hint="Data in memory can be passed to hornbeam.read.",
            )

    @property
    def label(self) -> str:
        """The name of the source in messages."""
        if isinstance(self.source, (str, os.PathLike)):
            return os.fspath(self.source)
        if is_collection(self.source):
            return "the Dask collection"
        return f"{len(self.source)} files" if is_path(self.source) else "the stream"

    def paths(self) -> list[str]:
        """The files of the source; none for a stream or a Dask collection."""
        return expand_patterns(self.source) if is_path(self.source) else []

    def format(self) -> str:
        """The format of the source: parquet, csv, database, stream or dask; an error for other formats."""
        if is_collection(self.source):
            return DASK
        paths = self.paths()
        if not paths:
            return "stream"
        found = {self.settings.get("format") or format_of(path) for path in paths}
        name = next(iter(found)) if len(found) == 1 else "several formats"
        if name not in ("parquet", *SPOOLED) or (name == "database" and len(paths) > 1):
            raise OptionError(
                f"memory= supports Parquet, CSV, one DuckDB table and Arrow streams, got {name}: "
                f"{short_repr(self.label, 200)}.",
                hint="Convert the files to Parquet, or grow in memory without memory=.",
                option="memory",
            )
        return name

    def partitions(self) -> Partitions:
        """The partitions of a Dask collection, with the columns that are used."""
        if isinstance(self.source, DaskRows):
            return Partitions.of(self.source)
        names = list(getattr(self.source, "columns", ()))
        used = [*self.predictors(names), self.target, *([self.weights] if self.weights else [])]
        return Partitions.of(self.source, [name for name in names if name in used])

    def read(self) -> Table:
        """The whole dataset as a table in memory; several files are concatenated."""
        if not is_path(self.source):
            raise OptionError(
                "A stream is read in memory as a table or in pieces.",
                fix=Set("memory", "2GB", "to read it in pieces"),
                hint="or pass hornbeam.read(stream.read_all()).",
                option="memory",
            )
        settings = dict(self.settings)
        format_name = settings.pop("format", None)
        rules = {name: settings.pop(name) for name in ("date_format", "keep_blanks") if name in settings}
        cells = {name: settings.pop(name, None) for name in ("decimal", "thousands")}
        na_values = DEFAULT_NA_VALUES if self.na_values is None else tuple(self.na_values)
        return read(
            raw_table(self.source, format_name, na_values=na_values, **cells, **settings),
            self.target,
            kinds=self.kinds,
            na_values=self.na_values,
            weights=self.weights,
            columns=self.columns,
            drop=self.drop,
            keep_ids=self.keep_ids,
            **cells,
            **rules,
        )

    def predictors(self, names: Sequence[str]) -> list[str]:
        """The names of the predictors among the columns of the source; an error for an unknown or missing name."""
        known = set(names)
        if self.target is None:
            raise OptionError("No target is given.", hint=f"Pass target=. {available(names)}", option="target")
        for name in (self.target, self.weights, *(self.columns or ()), *self.drop, *self.kinds):
            if name is not None and name not in known:
                raise InputError(
                    f"Unknown column {short_repr(name)}.", hint=did_you_mean(str(name), names), column=name
                )
        for name, kind in self.kinds.items():
            requested_kind(name, kind)
        chosen = names if self.columns is None else self.columns
        found = [name for name in chosen if name not in {self.target, self.weights, *self.drop}]
        if not found:
            raise InputError("The table has no predictors.", hint="Select at least one column other than the target.")
        return list(dict.fromkeys(found))
