"""CSV files as typed columns, within limited memory: the cells are stored on disk, the rules for files decide.

cells    a table of texts in DuckDB, which stores on disk what exceeds its memory
numbers  a column whose texts are all simple numbers or mean missing: converted in SQL
others   the rules for files read the distinct texts of a column, as for a small file
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hornbeam.errors import HornbeamError, InputError, short_repr
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.work_folder import WorkFolder
from hornbeam.table.column import Column, Kind
from hornbeam.table.file_rules.column import FileReader
from hornbeam.table.file_rules.settings import FileSettings, file_settings
from hornbeam.table.kinds import DEFAULT_NA_VALUES, decide_kind, requested_kind
from hornbeam.table.notes import Note, NoteCode, missing_texts_note, skipped_rows_note
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import csv, csv_faults, csv_layout, sql
from hornbeam.table.text_format import TextFormat

# A column with more distinct texts stays text: its texts would not fit into memory.
_MAX_TEXTS = 1_000_000
_RULES = ("decimal", "thousands", "date_format", "keep_blanks")


@dataclasses.dataclass
class SpooledColumns:
    """The columns of CSV files: SQL and a lookup of texts per column."""

    connection: sql.Connection
    names: tuple[str, ...]
    expressions: list[str] = dataclasses.field(default_factory=list)
    lookups: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)  # of texts, by column
    numeric: set[str] = dataclasses.field(default_factory=set)
    formats: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    notes: list[str] = dataclasses.field(default_factory=list)

    def batches(self, n_rows: int) -> Iterator[Any]:
        """Arrow tables of typed columns."""
        import pyarrow as pa

        for batch in self.connection.batches(f"SELECT {', '.join(self.expressions)} FROM cells", n_rows):
            arrays = [self._converted(name, batch.column(at)) for at, name in enumerate(self.names)]
            yield pa.table(dict(zip(self.names, arrays)))

    def _converted(self, name: str, texts: Any) -> Any:
        import pyarrow as pa

        if name not in self.lookups:
            return texts
        kind = pa.float64() if name in self.numeric else pa.string()
        encoded = texts.dictionary_encode()
        lookup = self.lookups[name]
        values = pa.array([lookup.get(text) for text in encoded.dictionary.to_pylist()], type=kind)
        return values.take(encoded.indices)


@contextlib.contextmanager
def csv_columns(dataset: Dataset, folder: WorkFolder, memory_limit: int) -> Iterator[SpooledColumns]:
    """The columns of the CSV files of a dataset."""
    rules = {name: dataset.settings[name] for name in _RULES if name in dataset.settings}
    settings = file_settings(**{**rules, "na_values": dataset.na_values})
    with sql.connected(memory_limit=memory_limit, folder=str(folder.path)) as connection:
        scan, notes = _load(connection, dataset, settings)
        columns = SpooledColumns(connection, scan.layout.names, notes=list(notes))
        reader = _TextReader(scan, settings, dataset.kinds)
        for position in range(len(columns.names)):
            reader.read(columns, position)
        reader.finish(columns)
        yield columns


def _load(connection: sql.Connection, dataset: Dataset, settings: FileSettings) -> tuple[csv.Scan, tuple[str, ...]]:
    """Read all files into the table `cells`; the scan of the first file describes its columns."""
    import duckdb

    given = {name: value for name, value in dataset.settings.items() if name not in (*_RULES, "format")}
    skips = given.pop("bad_rows", "error") == "skip"
    encoding = given.pop("encoding", None)
    na_values = DEFAULT_NA_VALUES if dataset.na_values is None else tuple(dataset.na_values)
    first: csv.Scan | None = None
    notes: list[str] = []
    for path in dataset.paths():
        with csv.as_utf8(path, encoding, fits_memory=False) as (local, has_unusual_bytes, of_encoding):
            layout = csv_layout.find_layout(
                path,
                local,
                delimiter=given.get("delimiter"),
                header=given.get("header"),
                decimal=settings.decimal,
                thousands=settings.thousands,
                na_values=na_values,
            )
            scan = csv.Scan(connection, local, layout, skips, na_values, has_unusual_bytes)
            first = first or scan
            order = _positions(first.layout.names, layout.names, path, dataset.paths()[0])
            texts = ", ".join(f"c{at} AS t{position}" for position, at in enumerate(order))
            head = "CREATE TEMP TABLE cells AS" if scan is first else "INSERT INTO cells"
            try:
                connection.execute(f"{head} SELECT {texts} FROM {scan.source()}")
            except duckdb.OutOfMemoryException:
                raise
            except duckdb.Error as error:
                reason = sql.first_line(error)
                raise csv_faults.fault(path, local, layout.delimiter, len(layout.names), reason) from None
            notes += [*of_encoding, *layout.notes]
    assert first is not None
    if skips:
        found = connection.rows("SELECT DISTINCT line FROM reject_errors ORDER BY 1")
        notes += skipped_rows_note([row[0] for row in found])
    return first, tuple(dict.fromkeys(map(str, notes)))


def _positions(first: tuple[str, ...], names: tuple[str, ...], path: str, first_path: str) -> list[int]:
    """The position in a file of every column of the first file."""
    absent = [name for name in first if name not in names]
    extra = [name for name in names if name not in first]
    if absent or extra:
        difference = f"lacks the column {short_repr(absent[0])}" if absent else f"also has {short_repr(extra[0])}"
        raise InputError(
            f"{short_repr(path, 200)} {difference}, unlike {short_repr(first_path, 200)}.",
            hint="Use files with the same columns.",
            column=(absent or extra)[0],
            path=path,
        )
    return [names.index(name) for name in first]


class _TextReader:
    """Decides how the texts of every column are converted."""

    def __init__(self, scan: csv.Scan, settings: FileSettings, kinds: Mapping[str, Any]) -> None:
        self.scan = scan
        self.settings = settings
        self.kinds = kinds
        self.texts: dict[str, RawColumn] = {}
        self.counts: dict[str, list[tuple[str, int, int]]] = {}

    def read(self, columns: SpooledColumns, position: int) -> None:
        """Convert a column of simple numbers in SQL; the distinct texts of the others are read for the rules."""
        name, cell = self.scan.layout.names[position], f"t{position}"
        kind = requested_kind(name, self.kinds.get(name))
        if kind.kind in (None, Kind.NUMERIC) and not kind.is_date:
            found = csv.number_expression(self.scan, position, "cells")
            if found is not None:
                columns.expressions.append(f"({found.sql})::DOUBLE")
                columns.notes += [f"column {name}: {note}" for note in found.notes]
                if self._shows_format(found.text_format, cell):
                    columns.formats[name] = dataclasses.asdict(found.text_format)
                return
        columns.expressions.append(cell)
        n_texts = self.scan.connection.rows(f"SELECT count(DISTINCT {cell}) FROM cells")[0][0]
        if n_texts > _MAX_TEXTS:
            return
        self.counts[name] = self.scan.connection.rows(
            f"SELECT {cell}, count(*), min(rowid) FROM cells WHERE {cell} IS NOT NULL GROUP BY 1 ORDER BY 3"
        )
        codes = np.arange(len(self.counts[name]), dtype=np.int32)
        distinct = tuple(text for text, _, _ in self.counts[name])
        self.texts[name] = RawColumn(name, codes=codes, distinct=distinct, from_text=True)

    def _shows_format(self, text_format: TextFormat, cell: str) -> bool:
        """Whether the texts show their decimal mark; integers do not."""
        if text_format.decimal != ".":
            return True
        return bool(self.scan.connection.rows(f"SELECT bool_or(contains({cell}, '.')) FROM cells")[0][0])

    def finish(self, columns: SpooledColumns) -> None:
        """Apply the rules for files to the distinct texts; the formats of all columns are known now."""
        numbers = [
            RawColumn(name, numbers=np.empty(0), from_text=True, text_format=TextFormat(**values))
            for name, values in columns.formats.items()
        ]
        file = FileReader(RawTable((*numbers, *self.texts.values())), self.settings, DEFAULT_NA_VALUES)
        for name, raw in self.texts.items():
            with self._true_rows(name):
                column, notes = self._decided(file, raw)
            values = column.values.tolist()
            if column.kind is Kind.NUMERIC:
                columns.numeric.add(name)
                converted: list[Any] = [None if value != value else value for value in values]
                if column.text_format is not None:
                    columns.formats[name] = dataclasses.asdict(column.text_format)
            else:
                converted = [None if code < 0 else str(column.levels[code]) for code in values]
            columns.lookups[name] = dict(zip(raw.distinct, converted))
            columns.notes += [f"column {name}: {note}" for note in (*notes, *self._missing_note(name, converted))]

    def _decided(self, file: FileReader, raw: RawColumn) -> tuple[Column, list[str]]:
        """The column by the rules, and the notes of the rules."""
        request = requested_kind(raw.name, self.kinds.get(raw.name))
        given = self.settings.date_format
        is_date = request.is_date or (request.kind is None and isinstance(given, Mapping) and raw.name in given)
        read = file.read(raw, request.kind, is_date=is_date)
        notes = [str(note) for note in read.notes if not _counts_cells(note)]
        na_values = DEFAULT_NA_VALUES if self.settings.na_values is None else self.settings.na_values
        kind = self.kinds.get(raw.name) if request.kind in (None, Kind.NUMERIC) else "nominal"
        return decide_kind(read, kind, na_values, decimal=self.settings.decimal or "."), notes

    def _missing_note(self, name: str, converted: list[Any]) -> tuple[str, ...]:
        missing = [(text, n) for (text, n, _), value in zip(self.counts[name], converted) if value is None]
        return missing_texts_note(sorted(missing))

    @contextlib.contextmanager
    def _true_rows(self, name: str) -> Iterator[None]:
        """Let errors name the first row of a text instead of its position among the distinct texts."""
        try:
            yield
        except HornbeamError as error:
            position = error.details.get("row")
            if position is None:
                raise
            row = self.counts[name][position][2]
            message = error.message.replace(f"row {position}", f"row {row}")
            raise type(error)(message, **error.remedy, **{**error.details, "row": row}) from None


def _counts_cells(note: str) -> bool:
    return isinstance(note, Note) and note.code is NoteCode.MISSING_TEXTS
