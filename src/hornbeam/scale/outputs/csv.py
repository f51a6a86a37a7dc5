"""Predictions as CSV; `for_spreadsheet` puts a ' before text that a spreadsheet would evaluate as a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, BinaryIO

from hornbeam.scale.predicted_batch import PredictedBatch, probability_names
from hornbeam.table.table import Schema

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Writer:
    """Writes CSV with a header."""

    def __init__(self, file: BinaryIO, schema: Schema, *, for_spreadsheet: bool = False) -> None:
        self.file = file
        self.schema = schema
        self.for_spreadsheet = for_spreadsheet
        self.has_header = False

    def append(self, batch: PredictedBatch) -> None:
        """Write the rows of a batch."""
        if not self.has_header:
            names = ["row", *batch.kept, "prediction", "node", *probability_names(self.schema)]
            self.file.write(_lines([map(self._cell, names)])[0].encode())
            self.has_header = True
        ends = batch.text_per_row(self._row_ends(batch))
        rows = range(batch.first_row, batch.first_row + len(batch))
        if not batch.kept:
            starts: Iterable[Any] = rows
        else:
            columns = [map(self._cell, values) for values in batch.kept_lists()]
            starts = [line[:-1] for line in _lines(zip(rows, *columns))]
        self.file.write("".join([f"{start},{end}" for start, end in zip(starts, ends)]).encode())

    def close(self) -> None:
        """Nothing follows the last row."""

    def _row_ends(self, batch: PredictedBatch) -> Any:
        """The function that returns the prediction, the node and the probabilities of a row as text."""
        predicted, labels = batch.predicted, batch.labels()
        nodes, is_class = predicted.nodes, predicted.is_class

        def text_of(row: int) -> str:
            probabilities = predicted.values[row].tolist() if is_class else ()
            return _lines([(self._cell(labels[row]), int(nodes[row]), *probabilities)])[0]

        return text_of

    def _cell(self, value: Any) -> Any:
        is_formula = self.for_spreadsheet and isinstance(value, str) and value.startswith(_FORMULA)
        return f"'{value}" if is_formula else value


class _Lines(list[str]):
    """The lines that a CSV writer writes, one item per line."""

    write = list.append


def _lines(rows: Iterable[Iterable[Any]]) -> list[str]:
    found = _Lines()
    csv.writer(found, lineterminator="\n").writerows(rows)
    return found
