"""Predictions as CSV, JSON lines, Parquet or Arrow.

The columns are row (from 0), the columns of the data that are kept, prediction, node (the leaf of the row; for rules,
the rule that applies) and one probability_CLASS per class; in JSON, the probabilities are one object per row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage
from hornbeam.cli.output import json_text
from hornbeam.errors import OutputError, short_repr

if TYPE_CHECKING:
    from hornbeam.table.raw import RawColumn
    from hornbeam.tree.prediction import Prediction

FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"} | {
    ".arrow": "arrow",
    ".feather": "arrow",
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
BLOCK = 10_000
_OWN = ("row", "prediction", "node")


class PredictedRows:
    """Predictions with kept columns of the data; `for_spreadsheet` applies to CSV."""

    def __init__(self, predicted: Prediction, kept: Sequence[RawColumn] = (), *, for_spreadsheet: bool = False) -> None:
        self.predicted = predicted
        self.kept = kept
        self.for_spreadsheet = for_spreadsheet
        self.probability_names = [f"probability_{name}" for name in predicted.classes]
        taken = {*_OWN, *self.probability_names, *(["probabilities"] if predicted.classes else [])}
        clash = next((column.name for column in kept if column.name in taken), None)
        if clash is not None:
            raise Usage(
                f"--keep: the column {short_repr(clash)} has the name of a column of the predictions.", option="--keep"
            )

    def __len__(self) -> int:
        return len(self.predicted)

    def blocks(self) -> Iterator[tuple[list[Any], list[list[Any]], list[Any], list[int], list[list[float]]]]:
        """Row numbers, kept columns, predictions, nodes and probabilities, in blocks of rows.

        A tree without labels has no predictions.
        """
        import numpy as np

        predicted = self.predicted
        labels = predicted.labels if predicted.schema.target is not None else np.full(len(predicted), None)
        kept = [_values(column) for column in self.kept]
        for start in range(0, len(predicted), BLOCK):
            block = slice(start, start + BLOCK)
            nodes = predicted.nodes[block].tolist()
            probabilities = predicted.values[block].tolist() if predicted.is_class else [[]] * len(nodes)
            rows = list(range(start, start + len(nodes)))
            yield rows, [values(block) for values in kept], labels[block].tolist(), nodes, probabilities


def chunks(rows: PredictedRows, format_name: str) -> Iterator[bytes]:
    """The file in pieces, one per block of rows; Parquet and Arrow are one piece."""
    if format_name in ("parquet", "arrow"):
        yield _parquet(rows) if format_name == "parquet" else _arrow(rows)
        return
    for text in _csv_lines(rows) if format_name == "csv" else _json_lines(rows):
        yield text.encode("utf-8")


def _values(column: RawColumn) -> Callable[[slice], list[Any]]:
    """The values of a column as the source has them: integers without a decimal point, None where missing."""
    import numpy as np

    if column.numbers is None:
        codes, distinct = column.codes, (*column.distinct, None)
        assert codes is not None
        return lambda block: [distinct[code] for code in codes[block].tolist()]
    numbers = np.asarray(column.numbers, dtype=np.float64)
    known = numbers[~np.isnan(numbers)]
    is_integer = bool((known == np.round(known)).all() and (np.abs(known) < 2**53).all())
    convert: Any = int if is_integer else float
    return lambda block: [None if value != value else convert(value) for value in numbers[block].tolist()]


def _csv_lines(rows: PredictedRows) -> Iterator[str]:
    def cell(value: Any) -> Any:
        text = isinstance(value, str) and value.startswith(_FORMULA)
        return f"'{value}" if text and rows.for_spreadsheet else value

    kept = [cell(column.name) for column in rows.kept]
    yield _csv([["row", *kept, "prediction", "node", *map(cell, rows.probability_names)]])
    for numbers, columns, labels, nodes, probabilities in rows.blocks():
        lines = []
        for at, number in enumerate(numbers):
            values = [cell(column[at]) for column in columns]
            lines.append([number, *values, cell(labels[at]), nodes[at], *probabilities[at]])
        yield _csv(lines)


def _csv(lines: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _json_lines(rows: PredictedRows) -> Iterator[str]:
    names = [str(name) for name in rows.predicted.classes]
    kept = [column.name for column in rows.kept]
    for numbers, columns, labels, nodes, probabilities in rows.blocks():
        lines = []
        for at, number in enumerate(numbers):
            values = dict(zip(kept, (column[at] for column in columns)))
            entry: dict[str, Any] = {"row": number, **values, "prediction": labels[at], "node": nodes[at]}
            if names:
                entry["probabilities"] = dict(zip(names, probabilities[at]))
            lines.append(json_text(entry, indent=None) + "\n")
        yield "".join(lines)


def _columns(rows: PredictedRows) -> dict[str, Any]:
    """The predictions as one array per column."""
    import numpy as np

    predicted = rows.predicted
    everything = slice(0, len(predicted))
    found: dict[str, Any] = {"row": np.arange(len(predicted), dtype=np.int64)}
    for column in rows.kept:
        found[column.name] = _typed_array(_values(column)(everything))
    if predicted.schema.target is not None:
        found["prediction"] = _typed_array(predicted.labels.tolist())
    found["node"] = predicted.nodes
    for at, name in enumerate(rows.probability_names):
        found[name] = np.ascontiguousarray(predicted.values[:, at])
    return found


def _typed_array(values: list[Any]) -> Any:
    """Values as an array of one type; texts and values with gaps as objects, mixed types as texts."""
    import numpy as np

    types = {type(value) for value in values if value is not None}
    if len(types) == 1 and types <= {int, float, bool} and None not in values:
        return np.array(values)
    if types == {float}:
        return np.array([np.nan if value is None else value for value in values])
    if len(types) > 1:
        values = [None if value is None else str(value) for value in values]
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _parquet(rows: PredictedRows) -> bytes:
    import tempfile

    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:") as connection:
        path = Path(folder) / "predictions.parquet"
        connection.register("predictions", _columns(rows))
        connection.execute(f"COPY predictions TO '{path}' (FORMAT PARQUET)")
        return path.read_bytes()


def _arrow(rows: PredictedRows) -> bytes:
    try:
        import pyarrow
        import pyarrow.feather
    except ImportError as error:
        raise OutputError(
            "Writing an Arrow file requires pyarrow.", hint="Install pyarrow, or use .parquet."
        ) from error
    table = pyarrow.table({name: pyarrow.array(values, from_pandas=True) for name, values in _columns(rows).items()})
    buffer = io.BytesIO()
    pyarrow.feather.write_feather(table, buffer)
    return buffer.getvalue()
