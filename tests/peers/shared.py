"""Reads the recorded answers of other programs and the tables they are about, and finds the rows of every node.

Answers and tables are read from `tests/data/peers`. More of them, whose licence does not allow a copy here, are read
from the folder that the environment variable HORNBEAM_ORACLES names, laid out in the same way; tests run on those
tables only where the variable is set. Tables come from `hornbeam.datasets` where they are the same.

Trees are compared by the rows of their nodes, never by numbering or by which child is called left.
"""

import csv
import dataclasses
import gzip
import io
import json
import os
from pathlib import Path

import numpy as np

from hornbeam import datasets
from hornbeam.table.column import Column, Kind, nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.walk import leaves

COPIES = Path(__file__).parents[1] / "data" / "peers"
ORACLES = Path(os.environ["HORNBEAM_ORACLES"]) if os.environ.get("HORNBEAM_ORACLES") else None
# The peers' name of a data set -> ours, where cells, levels and row order are the same.
BUILT_IN = {"iris_r": "iris", "wdbc": "breast_cancer", "contact_lenses": "contact_lenses"}


def outside(*names):
    """The names of tables that are not in this repository: all of them if HORNBEAM_ORACLES is set, else none."""
    return list(names) if ORACLES else []


def text_of(*path):
    """The text of a recorded file, compressed or not."""
    for top in (COPIES, ORACLES):
        place = top.joinpath(*path) if top else None
        if place and place.exists():
            return place.read_text("utf-8")
        if place and Path(f"{place}.gz").exists():
            return gzip.decompress(Path(f"{place}.gz").read_bytes()).decode("utf-8")
    raise FileNotFoundError(f"no recorded file {'/'.join(path)} in {COPIES} or in HORNBEAM_ORACLES ({ORACLES})")


def answers(program, name):
    """All recorded configurations of a program on a data set."""
    return json.loads(text_of(program, f"{name}.json"))["configs"]


def table(name, features=None, ordered=True):
    """A data set of the peers; `ordered=False` takes ordinal columns as nominal, as Weka and C4.5 did."""
    schema = json.loads(text_of("data", f"{name}.schema.json"))
    found = _built_in(name, schema) if name in BUILT_IN else _read(name, schema, ordered)
    return found if features is None else found.select(features)


def _built_in(name, schema):
    """One of our own data sets under the peers' names."""
    data = datasets.load(BUILT_IN[name])
    names = [spec["name"] for spec in schema["columns"] if spec["name"] != schema["target"]]
    columns = (dataclasses.replace(each, name=new) for each, new in zip(data.columns, names, strict=True))
    return dataclasses.replace(data, columns=tuple(columns))


def _read(name, schema, ordered):
    rows = list(csv.reader(io.StringIO(text_of("data", f"{name}.csv"))))[1:]
    cells = dict(zip((spec["name"] for spec in schema["columns"]), zip(*rows, strict=True), strict=True))
    columns = {spec["name"]: _column(spec, cells[spec["name"]], ordered) for spec in schema["columns"]}
    target = columns.pop(schema["target"])
    return Table(tuple(columns.values()), target)


def _column(spec, cells, ordered):
    if spec["kind"] == "numeric":
        return numeric(spec["name"], [float(cell) if cell else np.nan for cell in cells])
    codes = {str(level): place for place, level in enumerate(spec["levels"])} | {"": -1}
    make = ordinal if spec["kind"] == "ordinal" and ordered else nominal
    return make(spec["name"], [codes[cell] for cell in cells], tuple(str(level) for level in spec["levels"]))


def as_numbers(data):
    """The same columns as numbers: levels by their place, as the peers without nominal columns were given them."""
    columns = (Column(each.name, Kind.NUMERIC, each.values.astype(np.float64)) for each in data.columns)
    return Table(tuple(columns), data.target, data.weights)


def rows_of(tree, data):
    """Which rows of the table each node of ours holds, one mask per node."""
    masks = np.zeros((len(tree), len(data)), dtype=bool)
    masks[leaves(tree, data.columns), np.arange(len(data))] = True
    for node in range(len(tree) - 1, 0, -1):
        masks[tree.nodes.parent[node]] |= masks[node]
    return masks


def rows_by_id(where):
    """Which rows each node of rpart holds: children of i are 2i and 2i + 1."""
    masks = {}
    where = np.asarray(where)
    for leaf in np.unique(where):
        node = int(leaf)
        while node:
            masks.setdefault(node, np.zeros(len(where), dtype=bool))[where == leaf] = True
            node //= 2
    return masks
