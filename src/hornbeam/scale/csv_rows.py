"""New rows of a model from CSV files of any size, parsed by pyarrow in blocks, by the rules for files.

    typed columns   plain numbers are converted by the parser; a cell that it rejects starts the reading again,
                    and the column is then read as text
    text columns    `csv_texts.py`: levels, dates, numbers in other formats
    anything else   a cell that the rules for files could read in two ways: all files are read at once

Faults of the file are errors with their line, as in the reader of whole files.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError, InputError, short_repr
from hornbeam.scale.csv_inspection import Inspection, inspect
from hornbeam.scale.csv_texts import ColumnReader, NumberReader, Uncertain, column_reader
from hornbeam.scale.kept_texts import KeptReader
from hornbeam.scale.matched_rows import MatchedRows, ReadAgain, ReadAtOnce, check_names
from hornbeam.table.column import ColumnSpec
from hornbeam.table.file_rules.settings import FileSettings, file_settings
from hornbeam.table.read import missing_texts
from hornbeam.table.readers import csv_faults, csv_layout, files
from hornbeam.table.readers.csv import as_utf8
from hornbeam.table.table import Schema

_BLOCK = 1 << 21  # bytes; pyarrow holds several blocks at once
_MIN_ROWS = 65_536
_RULES = ("decimal", "thousands", "date_format", "keep_blanks", "na_values", "keep_default_na")


@dataclasses.dataclass(frozen=True)
class CsvFile:
    """One file as UTF-8 on disk, with its layout."""

    path: str
    local: Path
    layout: csv_layout.Layout
    bytes: Inspection
    notes: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows, too large by the number of blank lines and of line ends inside quotes."""
        return self.bytes.n_lines - self.layout.has_header

    def is_readable(self) -> bool:
        """Whether pyarrow parses the file as the reader of whole files does."""
        if not self.bytes.is_strict or not self.layout.delimiter.isascii() or len(self.layout.names) < 2:
            return False
        with self.local.open(encoding="utf-8-sig", newline="") as file:
            first = next(csv.reader(io.StringIO(file.readline(csv_faults.MAX_RECORD_BYTES)), delimiter=self._mark), [])
        return len(first) == len(self.layout.names)

    @property
    def _mark(self) -> str:
        return self.layout.delimiter


class CsvRows:
    """The rows of CSV files with the same columns; temporary files exist until `close`."""

    may_read_again = True

    def __init__(self, paths: Sequence[str], **settings: Any) -> None:
        rules = {name: settings.pop(name) for name in _RULES if name in settings}
        self.settings: FileSettings = file_settings(**rules)
        self.reading: Mapping[str, Any] = settings
        self.as_text: set[str] = set()  # columns with a cell that is no plain number
        self.is_checked = False
        self._stack = contextlib.ExitStack()
        try:
            self.files = [self._opened(path) for path in paths]
        except BaseException:
            self.close()
            raise
        self.label = paths[0] if len(paths) == 1 else f"{len(paths)} files from {paths[0]} to {paths[-1]}"
        self.names = self.files[0].layout.names
        self.n_rows = sum(file.n_rows for file in self.files)
        self.notes = tuple(dict.fromkeys(note for file in self.files for note in file.notes))

    def _opened(self, path: str) -> CsvFile:
        encoding = self.reading.get("encoding")
        local, _, notes = self._stack.enter_context(as_utf8(path, encoding, fits_memory=False))
        layout = csv_layout.find_layout(
            path,
            local,
            delimiter=self.reading.get("delimiter"),
            header=self.reading.get("header"),
            na_values=missing_texts(self.settings),
            **self.settings.reading,
        )
        return CsvFile(path, local, layout, inspect(local, layout.delimiter), (*notes, *layout.notes))

    def close(self) -> None:
        """Remove temporary files."""
        self._stack.close()

    def is_readable(self) -> bool:
        """Whether the files have the same columns and pyarrow reads them by the same rules."""
        has_same_names = all(set(file.layout.names) == set(self.names) for file in self.files)
        is_strict = self.reading.get("bad_rows", "error") == "error"
        return has_same_names and is_strict and all(file.is_readable() for file in self.files)

    def matched(self, schema: Schema, keep: Sequence[str] = (), option: str = "keep") -> Iterator[MatchedRows]:
        """The rows, matched to the columns of a model."""
        if not self.is_checked:
            check_names(schema, self, keep, option)
            self.is_checked = True
        readers = [self._reader(spec, spec.name in keep) for spec in schema.columns]
        kept = [self._kept_reader(name) for name in keep]
        first_row = 0
        for file in self.files:
            for table in self._tables(file, readers, keep):
                columns = tuple(self._read(each, each.name, table, first_row) for each in readers)
                values = {each.name: self._read(each, each.name, table, first_row) for each in kept}
                yield MatchedRows(columns, values, first_row)
                first_row += table.num_rows
        undecided = next((each.name for each in kept if not each.has_evidence), None)
        if undecided is not None and first_row:
            raise ReadAtOnce(_two_readings(undecided, "", first_row))

    def _mark(self, name: str) -> tuple[str, bool]:
        """The decimal mark of a column that the heads of the files show, and whether its points are decimal points."""
        layouts = [file.layout for file in self.files]
        places = [layout.names.index(name) for layout in layouts]
        marks = {layout.decimals[place] for layout, place in zip(layouts, places)}
        has_point = all(layout.has_point[place] for layout, place in zip(layouts, places))
        return (marks.pop() if len(marks) == 1 else ""), has_point

    def _reader(self, spec: ColumnSpec, is_kept: bool) -> ColumnReader:
        mark, has_point = self._mark(spec.name)
        may_be_hexadecimal = not has_point and any(file.bytes.has_hexadecimal for file in self.files)
        is_plain = not (is_kept or may_be_hexadecimal or spec.name in self.as_text)
        return column_reader(spec, self.settings, mark, has_point, is_plain=is_plain)

    def _kept_reader(self, name: str) -> KeptReader:
        mark, has_point = self._mark(name)
        return KeptReader(name, "" if name in self.as_text else mark, has_point, missing_texts(self.settings))

    def _read(self, reader: ColumnReader | KeptReader, name: str, table: Any, first_row: int) -> Any:
        try:
            return reader.read(table.column(name))
        except Uncertain as found:
            is_typed = isinstance(reader, NumberReader) or (isinstance(reader, KeptReader) and reader.mark != "")
            if is_typed and name not in self.as_text:
                self.as_text.add(name)
                raise ReadAgain from None
            raise ReadAtOnce(_two_readings(name, found.text, first_row + found.row)) from None

    def _tables(self, file: CsvFile, readers: Sequence[ColumnReader], keep: Sequence[str]) -> Iterator[Any]:
        """Arrow tables of the columns of a file that are needed."""
        import pyarrow as pa

        types = {each.name: each.arrow_type() for each in readers} | dict.fromkeys(keep, pa.string())
        try:
            yield from _parsed(file, types, missing_texts(self.settings))
        except pa.ArrowInvalid as error:
            position = re.match(r"In CSV column #(\d+): ", str(error))
            if position is not None:
                name = file.layout.names[int(position[1])]
                if name not in self.as_text:
                    self.as_text.add(name)
                    raise ReadAgain from None
            layout = file.layout
            found = csv_faults.first_fault(file.path, file.local, layout.delimiter, len(layout.names))
            if found is not None:
                raise found from None
            raise ReadAtOnce(files.wrong(file.path, str(error).split("\n")[0])) from None


def _parsed(file: CsvFile, types: Mapping[str, Any], na_values: Sequence[str]) -> Iterator[Any]:
    """The columns of a file with these types, in tables of some blocks of the file."""
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    layout = file.layout
    header = {"column_names": list(layout.names), "skip_rows": int(layout.has_header)}
    reader = pa_csv.open_csv(
        file.local,
        pa_csv.ReadOptions(use_threads=False, block_size=_BLOCK, **header),
        pa_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=file.bytes.has_quotes),
        pa_csv.ConvertOptions(
            column_types=dict(types),
            include_columns=list(types),
            null_values=[*na_values, ""],
            strings_can_be_null=False,
        ),
    )
    held: list[Any] = []
    with reader:
        for batch in reader:
            held.append(pa.Table.from_batches([batch]))
            if sum(table.num_rows for table in held) >= _MIN_ROWS:
                yield pa.concat_tables(held)
                held = []
    if any(table.num_rows for table in held):
        yield pa.concat_tables(held)


def _two_readings(name: str, text: str, row: int) -> HornbeamError:
    """The error about a file that is too large to be read at once, which a cell requires."""
    what = f"row {row} contains {short_repr(text)}, which" if text else "its cells"
    return InputError(
        f"Column {short_repr(name)}: {what} cannot be read without all cells of the column, and the file does not fit "
        "into memory.",
        hint="Write the column in the format of the training file, or convert the file to Parquet.",
        column=name,
        row=row,
    )
