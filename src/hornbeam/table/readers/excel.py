"""Reads one sheet of a spreadsheet: .xlsx and .xls of Excel, .ods of OpenDocument; `book.xlsx::Sheet` selects a sheet.

    formulas        their saved values; nothing is calculated, no link is followed, no macro is run a column
    numbers if every cell is a number, likewise dates and booleans; else texts as in a CSV file, with the
                    same rules for missing values and numbers
    empty cells     missing; empty rows at the end and columns without any cell are dropped
    merged cells    an error: only the first of them has the value

The first row contains the column names. The sheet may be omitted if all others are empty. Requires python-calamine.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.table import coding
from hornbeam.table.names import checked_names, default_names
from hornbeam.table.number_grammar import LARGEST_EXACT
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import compressed, files
from hornbeam.table.readers.database import MARK, chosen

_ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA")


def raw(path: files.Source, *, header: bool | None = None) -> RawTable:
    """Read one sheet of a spreadsheet; `header=False` when its first row is data."""
    file_name, _, sheet = files.path_of(path).partition(MARK)
    found = files.checked(file_name)
    _reject_bomb(file_name, found)
    rows = _cells(file_name, found, sheet)
    width = max((len(row) for row in rows), default=0)
    rows = [[_value(cell) for cell in row] + [None] * (width - len(row)) for row in rows]
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    if not rows or (header is not False and len(rows) == 1):
        raise files.wrong(path, "the sheet has 0 rows of data")
    first, body = (rows[0], rows[1:]) if header is not False else (None, rows)
    cells = [list(column) for column in zip(*body, strict=True)]
    kept = [index for index in range(width) if (first and first[index] is not None) or any(_known(cells[index]))]
    named = default_names(len(kept)) if first is None else checked_names([_name(first[index]) for index in kept])
    columns = tuple(_column(file_name, name, cells[index]) for name, index in zip(named, kept, strict=True))
    return RawTable(columns, source=files.called(path))


def _reject_bomb(file_name: str, found: Path) -> None:
    if not zipfile.is_zipfile(found):
        return
    with zipfile.ZipFile(found) as packed:
        unpacked = sum(entry.file_size for entry in packed.infolist())
    size = found.stat().st_size
    if compressed.is_bomb(size, unpacked):
        raise files.wrong(
            file_name, f"{size} bytes unpack to {unpacked}, more than {compressed.MAX_RATIO} times as many"
        )
    files.check_memory(file_name, unpacked)


def _cells(file_name: str, found: Path, sheet: str) -> list[list[Any]]:
    try:
        import python_calamine
    except ImportError:
        raise OptionError(
            "Reading a spreadsheet requires the package python-calamine, which is not installed.",
            hint='Run pip install "hornbeam[excel]", or save the sheet as CSV.',
            option="format",
        ) from None
    try:
        with python_calamine.CalamineWorkbook.from_path(str(found)) as book:
            names = list(book.sheet_names)
            if not sheet and len(names) > 1:
                names = [name for name in names if book.get_sheet_by_name(name).total_height] or names[:1]
            page = book.get_sheet_by_name(chosen(file_name, sheet, names, "sheet"))
            _reject_merged(file_name, page)
            return list(page.to_python(skip_empty_area=True))
    except (python_calamine.CalamineError, OSError) as error:
        raise files.wrong(file_name, f"it is not a readable spreadsheet ({error})") from None


def _reject_merged(file_name: str, page: Any) -> None:
    merged = page.merged_cell_ranges  # None if the format does not record them
    if merged:
        (row, column), (last_row, last_column) = merged[0]
        where = f"{_letters(column)}{row + 1}:{_letters(last_column)}{last_row + 1}"
        raise files.wrong(
            file_name,
            f"the cells {where} of the sheet {short_repr(page.name)} are merged",
            hint="Unmerge them and fill each cell.",
        )


def _letters(column: int) -> str:
    """The letters of a column: A, B, ..., Z, AA, ..."""
    out = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        out = chr(ord("A") + rest) + out
    return out


def _value(cell: Any) -> Any:
    """The value of a cell; None if it is empty or the error of a formula."""
    if isinstance(cell, str) and (not cell or cell in _ERRORS):
        return None
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < LARGEST_EXACT else cell


def _known(cells: Sequence[Any]) -> list[bool]:
    return [cell is not None for cell in cells]


def _name(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, str) else str(cell)


def _column(file_name: str, name: str, cells: list[Any]) -> RawColumn:
    types = coding.value_types(cells)
    if types <= {coding.NUMBER} or types == {coding.DATE} or types == {coding.BOOLEAN}:
        return coding.raw_from_values(name, cells)
    if types - {coding.TEXT, coding.NUMBER}:
        coding.reject_mixture(name, cells)
        value = next(cell for cell in cells if cell is not None)
        raise files.wrong(
            file_name, f"column {short_repr(name)} contains durations or times of day, such as {short_repr(str(value))}"
        )
    codes, distinct = coding.encode_values(name, [None if cell is None else str(cell) for cell in cells])
    return RawColumn(name, codes=codes, distinct=distinct, from_text=True)
