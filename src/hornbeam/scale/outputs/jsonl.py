"""Predictions as JSON lines: one object per row; the probabilities are an object. NaN and infinity become null."""

from __future__ import annotations

from typing import Any, BinaryIO

from hornbeam.json_text import json_text
from hornbeam.scale.predicted_batch import PredictedBatch
from hornbeam.table.table import Schema


class Writer:
    """Writes JSON lines."""

    def __init__(self, file: BinaryIO, schema: Schema) -> None:
        self.file = file
        self.classes = [str(name) for name in schema.classes]

    def append(self, batch: PredictedBatch) -> None:
        """Write the rows of a batch."""
        ends = batch.text_per_row(self._row_ends(batch))
        rows = range(batch.first_row, batch.first_row + len(batch))
        starts: list[str] = []
        if batch.kept:
            names = list(batch.kept)
            for values in zip(*batch.kept_lists()):
                starts.append(json_text(dict(zip(names, values)), indent=None)[1:-1] + ", ")
        else:
            starts = [""] * len(batch)
        lines = [f'{{"row": {row}, {start}{end}' for row, start, end in zip(rows, starts, ends)]
        self.file.write("".join(lines).encode())

    def close(self) -> None:
        """Nothing follows the last row."""

    def _row_ends(self, batch: PredictedBatch) -> Any:
        """The function that returns the prediction, the node and the probabilities of a row as text."""
        predicted, labels = batch.predicted, batch.labels()

        def text_of(row: int) -> str:
            entry: dict[str, Any] = {"prediction": labels[row], "node": int(predicted.nodes[row])}
            if self.classes:
                entry["probabilities"] = dict(zip(self.classes, predicted.values[row].tolist()))
            return json_text(entry, indent=None)[1:] + "\n"

        return text_of
