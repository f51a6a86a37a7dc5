"""Small spreadsheets with the minimum XML that Office Open XML (ECMA-376) requires."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


class Cell(str):
    """The XML of a cell, taken as it is."""


def workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], merged: str = "") -> Path:
    """A workbook of sheets of rows; `merged` is a range such as A2:A3 that is merged on every sheet."""
    names = list(sheets)
    entries = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(names, start=1)
    )
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(names) + 1)
    )
    styles = f'<Relationship Id="s" Type="{_LINKS}/styles" Target="styles.xml"/>'
    book_link = f'<Relationship Id="r1" Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/>'
    book_links = f'<Relationships xmlns="{_PACKAGE}/relationships">{links}{styles}</Relationships>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Default Extension="rels" ContentType="{_PACKAGE}/relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{book_link}</Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": book_links,
        # Style 1 shows a number as a date (format 14).
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/>'
        "</cellXfs></styleSheet>",
    }
    tail = f'<mergeCells count="1"><mergeCell ref="{merged}"/></mergeCells>' if merged else ""
    for i, rows in enumerate(sheets.values(), start=1):
        inside = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{i}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}</sheetData>{tail}</worksheet>'
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return path


def _cell(value: Any) -> str:
    if isinstance(value, Cell):
        return str(value)
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value!r}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
