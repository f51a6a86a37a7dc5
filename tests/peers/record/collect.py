"""Gathers every committed table for the recording programs: `python -m tests.peers.record.collect FOLDER`.

Writes `<name>.csv`, `<name>.schema.json` and, for Weka, `<name>.arff`: the tables of `tests/data/peers/data`, and those
that `hornbeam.datasets` holds under the names the recorded answers have. Weka takes ordinal columns as nominal.
"""

import csv
import gzip
import json
import sys
from pathlib import Path

import numpy as np
from tests.peers import shared

from hornbeam.table.column import Kind

DATA = shared.COPIES / "data"


def texts(column):
    """The cells of a column as text; a missing value is empty."""
    if column.kind is Kind.NUMERIC:
        return ["" if np.isnan(value) else repr(float(value)) for value in column.values]
    return ["" if code < 0 else column.levels[code] for code in column.values]


def csv_of(name, schema):
    """The table as CSV text."""
    place = DATA / f"{name}.csv.gz"
    if place.exists():
        return gzip.decompress(place.read_bytes()).decode("utf-8")
    data = shared.table(name)
    by_name = {column.name: column for column in (*data.columns, data.target)}
    columns = [texts(by_name.get(spec["name"], data.target)) for spec in schema["columns"]]
    lines = [[spec["name"] for spec in schema["columns"]], *zip(*columns, strict=True)]
    return "".join(",".join(line) + "\n" for line in lines)


def quoted(text):
    return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff_of(schema, text):
    """The table as Weka reads it, target last."""
    rows = list(csv.reader(text.splitlines()))[1:]
    places = [place for place, spec in enumerate(schema["columns"]) if spec["name"] != schema["target"]]
    places += [place for place, spec in enumerate(schema["columns"]) if spec["name"] == schema["target"]]
    lines = [f"@relation {quoted(schema['name'])}"]
    for place in places:
        spec = schema["columns"][place]
        kind = "numeric" if spec["kind"] == "numeric" else "{" + ",".join(map(quoted, spec["levels"])) + "}"
        lines.append(f"@attribute {quoted(spec['name'])} {kind}")
    lines.append("@data")
    for row in rows:
        lines.append(",".join(cell_of(row[place], schema["columns"][place]["kind"]) for place in places))
    return "\n".join(lines) + "\n"


def cell_of(cell, kind):
    return "?" if cell == "" else cell if kind == "numeric" else quoted(cell)


def write(folder):
    """Writes every table and returns the names."""
    folder.mkdir(parents=True, exist_ok=True)
    for place in sorted(DATA.glob("*.schema.json")):
        schema = json.loads(place.read_text("utf-8"))
        text = csv_of(schema["name"], schema)
        (folder / f"{schema['name']}.csv").write_text(text, encoding="utf-8")
        (folder / place.name).write_text(place.read_text("utf-8"), encoding="utf-8")
        if schema["task"] == "classification":
            (folder / f"{schema['name']}.arff").write_text(arff_of(schema, text), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
