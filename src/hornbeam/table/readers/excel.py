"""What does one sheet of a spreadsheet hold?  Excel's .xlsx and .xls, OpenDocument's .ods; `book.xlsx::Sheet` names it.

    formulas        the values that were saved with them; nothing is calculated, no link is followed, no macro runs
    a column        numbers where every cell is a number; dates, truth values alike; else text as typed, like a CSV
                    file's: its missing words count, and numbers that hide in text are found
    empty cells     missing; empty rows at the end and columns without any cell are left out
    merged cells    refused by name: their value would stand in the first of them alone

The first row names the columns. A sheet need not be named when all others are empty. Needs python-calamine.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.table import coding
from hornbeam.table.names import checked_names, default_names
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.readers import compressed, files
from hornbeam.table.readers.database import MARK, chosen

_ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA")


def raw(path: files.Source, *, header: bool | None = None) -> RawTable:
    """Read one sheet of a spreadsheet; `header=False` when its first row is data."""
    file_name, _, sheet = files.path_of(path).partition(MARK)
    found = files.checked(file_name)
    _refuse_bomb(file_name, found)
    rows = _cells(file_name, found, sheet)
    width = max((len(row) for row in rows), default=0)
    rows = [[_value(cell) for cell in row] + [None] * (width - len(row)) for row in rows]
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    if not rows or (header is not False and len(rows) == 1):
        raise files.wrong(path, "the sheet has 0 rows of data")
    first, body = (rows[0], rows[1:]) if header is not False else (None, rows)
    cells = [list(column) for column in zip(*body, strict=True)]
    kept = [place for place in range(width) if (first and first[place] is not None) or any(_known(cells[place]))]
    named = default_names(len(kept)) if first is None else checked_names([_name(first[place]) for place in kept])
    columns = tuple(_column(file_name, name, cells[place]) for name, place in zip(named, kept, strict=True))
    return RawTable(columns, source=files.called(path))


def _refuse_bomb(file_name: str, found: Path) -> None:
    if not zipfile.is_zipfile(found):
        return
    with zipfile.ZipFile(found) as packed:
        whole = sum(entry.file_size for entry in packed.infolist())
    size = found.stat().st_size
    if compressed.is_bomb(size, whole):
        raise files.wrong(file_name, f"{size} bytes unpack to {whole}, more than {compressed.RATIO} times as many")
    files.check_memory(file_name, whole)


def _cells(file_name: str, found: Path, sheet: str) -> list[list[Any]]:
    try:
        import python_calamine
    except ImportError:
        raise OptionError(
            "Reading a spreadsheet needs the package python-calamine, which is not installed.",
            hint='Run pip install "hornbeam[excel]", or save the sheet as CSV.',
            option="format",
        ) from None
    try:
        with python_calamine.CalamineWorkbook.from_path(str(found)) as book:
            names = list(book.sheet_names)
            if not sheet and len(names) > 1:
                names = [name for name in names if book.get_sheet_by_name(name).total_height] or names[:1]
            page = book.get_sheet_by_name(chosen(file_name, sheet, names, "sheet"))
            _refuse_merged(file_name, page)
            return list(page.to_python(skip_empty_area=True))
    except (python_calamine.CalamineError, OSError) as error:
        raise files.wrong(file_name, f"it is not a spreadsheet that can be read ({error})") from None


def _refuse_merged(file_name: str, page: Any) -> None:
    merged = page.merged_cell_ranges  # None where the format does not tell
    if merged:
        (row, column), (last_row, last_column) = merged[0]
        where = f"{_letters(column)}{row + 1}:{_letters(last_column)}{last_row + 1}"
        raise files.wrong(
            file_name,
            f"the cells {where} of the sheet {short_repr(page.name)} are merged",
            hint="Unmerge them and fill each cell.",
        )


def _letters(column: int) -> str:
    """A column as spreadsheets call it: A, B, ..., Z, AA, ..."""
    out = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        out = chr(ord("A") + rest) + out
    return out


def _value(cell: Any) -> Any:
    """A cell's value; None where it is empty or a formula went wrong."""
    if isinstance(cell, str) and (not cell or cell in _ERRORS):
        return None
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53 else cell


def _known(cells: Sequence[Any]) -> list[bool]:
    return [cell is not None for cell in cells]


def _name(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, str) else str(cell)


def _column(file_name: str, name: str, cells: list[Any]) -> RawColumn:
    sorts = coding.value_types(cells)
    if sorts <= {coding.NUMBER} or sorts == {coding.MOMENT} or sorts == {coding.TRUTH}:
        return coding.raw_from_values(name, cells)
    if sorts - {coding.TEXT, coding.NUMBER}:
        coding.reject_mixture(name, cells)
        value = next(cell for cell in cells if cell is not None)
        raise files.wrong(
            file_name, f"column {short_repr(name)} holds lengths or times of day, such as {short_repr(str(value))}"
        )
    codes, texts = coding.encode_values(name, [None if cell is None else str(cell) for cell in cells])
    return RawColumn(name, codes=codes, texts=texts, from_text=True)
