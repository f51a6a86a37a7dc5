"""Makes the tables on which the peers are recorded, from a fixed seed: `python -m tests.peers.record.tables FOLDER`.

Each table is written as `<name>.csv.gz` (an empty cell is a missing value) and `<name>.schema.json`. The tables are
made to show what the comparisons need: mixed kinds, missing values, ties, many levels, several classes, regression,
imbalanced classes and very few rows. Running the script again gives the same tables.
"""

import csv
import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np

LICENCE = "CC0 (made by tests/peers/record/tables.py)"


class Maker:
    """Random columns of one table and a score per row, from which the target is made."""

    def __init__(self, name, rows):
        self.name = name
        self.rng = np.random.default_rng([20240611, *name.encode()])
        self.rows = rows
        self.columns = []
        self.score = np.zeros(rows)

    def numeric(self, name, digits=2, spread=1.0, center=0.0, effect=None):
        """A rounded normal column; few digits give many equal values."""
        values = np.round(center + spread * self.rng.standard_normal(self.rows), digits) + 0.0
        self.score += 0 if effect is None else effect((values - center) / spread)
        self.columns.append({"name": name, "kind": "numeric", "cells": values, "digits": digits})
        return values

    def levels(self, name, levels, kind="nominal", effects=None, odds=None):
        """A column of levels; `effects` is added to the score by level."""
        odds = np.ones(len(levels)) if odds is None else np.array(odds, dtype=float)
        codes = self.rng.choice(len(levels), self.rows, p=odds / odds.sum())
        self.score += 0 if effects is None else np.array(effects, dtype=float)[codes]
        self.columns.append({"name": name, "kind": kind, "cells": codes, "levels": list(levels)})
        return codes

    def missing(self, fraction, names=None, rows=()):
        """Empties a fraction of the cells of the named columns, and every predictor of the given rows."""
        for column in self.columns:
            empty = self.rng.random(self.rows) < (fraction if names is None or column["name"] in names else 0.0)
            empty[list(rows)] = True
            column["empty"] = empty

    def classes(self, name, labels, odds, noise):
        """Classes by quantiles of the noisy score."""
        noisy = self.score + noise * self.rng.standard_normal(self.rows)
        edges = np.quantile(noisy, np.cumsum(odds)[:-1] / np.sum(odds))
        return self.finish(
            {"name": name, "kind": "nominal", "cells": np.searchsorted(edges, noisy), "levels": list(labels)}
        )

    def number(self, name, noise, digits=2):
        """The noisy score itself."""
        values = np.round(10 * (self.score + noise * self.rng.standard_normal(self.rows)) + 50, digits)
        return self.finish({"name": name, "kind": "numeric", "cells": values, "digits": digits})

    def finish(self, target):
        return {"name": self.name, "target": target["name"], "columns": [*self.columns, target]}


def letters(n, first="a"):
    return [f"{first}{place}" for place in range(n)]


def mixed():
    """Two classes, all kinds of columns, no missing value."""
    made = Maker("made_mixed", 420)
    made.numeric("age", 0, 12, 50, lambda z: 0.9 * z)
    made.numeric("dose", 1, 2, 8, lambda z: -0.8 * (z > 0.4))
    made.levels("ward", ["north", "south", "west"], effects=[0.6, -0.5, 0.0])
    made.levels("smoker", ["no", "yes"], effects=[-0.3, 0.5])
    made.numeric("marker", 3, 1, 0, lambda z: 0.5 * z**2)
    made.levels("stage", ["I", "II", "III", "IV"], "ordinal", effects=[-0.6, -0.2, 0.3, 0.8])
    made.levels("blood", ["0", "A", "B", "AB"], odds=[4, 4, 2, 1])
    made.numeric("noise", 2)
    return made.classes("outcome", ["well", "ill"], [3, 2], 0.9)


def classes():
    """Five classes of unequal sizes, mostly numeric columns."""
    made = Maker("made_classes", 480)
    made.numeric("x1", 3, effect=lambda z: 1.3 * z)
    made.numeric("x2", 3, effect=lambda z: 0.9 * np.sin(2 * z))
    made.numeric("x3", 2, effect=lambda z: 0.7 * (z > 0))
    made.numeric("x4", 3, effect=lambda z: -0.6 * np.abs(z))
    made.numeric("x5", 2)
    made.numeric("x6", 3, 25, 100)
    made.levels("site", letters(4, "s"), effects=[0.9, 0.0, -0.4, 0.3])
    return made.classes("kind", ["k1", "k2", "k3", "k4", "k5"], [8, 5, 4, 2, 1], 0.35)


def numeric():
    """Three classes, numeric columns alone, with enough digits to have few ties."""
    made = Maker("made_numeric", 520)
    for place, weight in enumerate((1.4, -1.0, 0.7, 0.5, 0.0, 0.0)):
        made.numeric(f"x{place + 1}", 4, effect=lambda z, weight=weight: weight * z)
    made.score += 0.9 * (made.columns[0]["cells"] * made.columns[1]["cells"] > 0)
    return made.classes("group", ["low", "middle", "high"], [2, 3, 2], 0.7)


def levels():
    """Three classes, nominal columns alone, one of twelve levels."""
    made = Maker("made_levels", 640)
    effects = made.rng.normal(0, 1.0, 12)
    made.levels("maker", letters(12, "m"), effects=effects)
    made.levels("color", ["red", "green", "blue", "gray", "black"], effects=[1.1, -0.7, 0.1, 0.0, -0.3])
    made.levels("wheels", ["two", "three", "four"], effects=[0.8, 0.0, -0.9])
    made.levels("new", ["no", "yes"], effects=[-0.4, 0.4])
    made.levels("door", letters(3, "d"))
    made.levels("trim", letters(7, "t"), effects=made.rng.normal(0, 0.4, 7))
    return made.classes("grade", ["poor", "fair", "good"], [3, 4, 2], 0.45)


def many_levels():
    """Two classes, a nominal column of forty levels with two others."""
    made = Maker("made_many_levels", 500)
    made.levels("town", letters(40, "town"), effects=made.rng.normal(0, 0.9, 40))
    made.numeric("income", 1, 8, 30, lambda z: 0.7 * z)
    made.levels("trade", letters(9, "w"), effects=made.rng.normal(0, 0.6, 9))
    return made.classes("pays", ["no", "yes"], [3, 2], 0.8)


def sixteen_levels():
    """Three classes, nominal columns of sixteen and of thirteen levels."""
    made = Maker("made_sixteen_levels", 640)
    made.levels("plant", letters(16, "p"), effects=made.rng.normal(0, 1.0, 16))
    made.levels("team", letters(13, "c"), effects=made.rng.normal(0, 0.7, 13))
    made.levels("shift", ["early", "late", "night"], effects=[0.4, 0.0, -0.4])
    return made.classes("quality", ["low", "middle", "high"], [2, 3, 2], 0.5)


def rare():
    """Two classes, one of them four rows of a hundred."""
    made = Maker("made_rare", 700)
    made.numeric("x1", 2, effect=lambda z: 1.2 * z)
    made.numeric("x2", 1, effect=lambda z: 0.8 * z)
    made.numeric("x3", 2)
    made.levels("shift", ["day", "night"], effects=[0.0, 0.6], odds=[3, 1])
    return made.classes("fault", ["no", "yes"], [24, 1], 0.5)


def grid():
    """Two classes; columns of few integers, so that many cuts tie."""
    made = Maker("made_grid", 300)
    made.numeric("a", 0, 2.5, 6, lambda z: z)
    made.numeric("b", 0, 1.5, 4, lambda z: -0.7 * z)
    made.numeric("c", 0, 3, 9, lambda z: 0.4 * z**2)
    made.levels("d", ["low", "mid", "high"], "ordinal", effects=[-0.4, 0.0, 0.5])
    return made.classes("y", ["n", "p"], [1, 1], 0.8)


def few():
    """Fourteen rows."""
    made = Maker("made_few", 14)
    made.numeric("height", 0, 9, 70, lambda z: z)
    made.levels("shade", ["light", "dark", "half"], effects=[0.8, -0.6, 0.0])
    made.numeric("soil", 1, 1, 6, lambda z: 0.5 * z)
    return made.classes("grows", ["no", "yes"], [5, 9], 0.5)


def missing():
    """Two classes, all kinds of columns, missing values; one row has no value at all."""
    made = Maker("made_missing", 380)
    made.numeric("age", 0, 12, 50, lambda z: 0.9 * z)
    made.numeric("weight", 1, 11, 75, lambda z: 0.5 * z)
    made.columns[1]["cells"] = np.round(made.columns[1]["cells"] + 0.6 * (made.columns[0]["cells"] - 50), 1)
    made.levels("ward", ["north", "south", "west"], effects=[0.7, -0.6, 0.0])
    made.levels("fever", ["no", "yes"], effects=[-0.4, 0.6])
    made.levels("stage", ["I", "II", "III"], "ordinal", effects=[-0.6, 0.0, 0.7])
    made.numeric("lab", 2, 1, 5, lambda z: 0.8 * (z > 0.2))
    made.missing(0.09, rows=[200])
    return made.classes("result", ["neg", "pos"], [3, 2], 0.7)


def missing_levels():
    """Four classes, mostly nominal columns, missing values."""
    made = Maker("made_missing_levels", 360)
    made.levels("leaf", ["oval", "round", "long", "cut"], effects=[1.2, -0.9, 0.2, 0.0])
    made.levels("spots", ["none", "few", "many"], effects=[0.8, 0.0, -0.8])
    made.levels("root", ["thin", "thick"], effects=[-0.5, 0.5])
    made.levels("month", letters(7, "month"), effects=made.rng.normal(0, 0.7, 7))
    made.numeric("size", 1, 3, 20, lambda z: 0.8 * z)
    made.missing(0.08)
    return made.classes("disease", ["blight", "rust", "mold", "none"], [3, 2, 2, 1], 0.5)


def missing_numeric():
    """Two classes, numeric columns alone; one column is missing more often in one class."""
    made = Maker("made_missing_numeric", 500)
    made.numeric("x1", 2, effect=lambda z: 1.1 * z)
    made.numeric("x2", 1, 5, 20, lambda z: -0.8 * z)
    made.numeric("x3", 2, effect=lambda z: 0.7 * (z > 0.5))
    made.numeric("x4", 3)
    made.numeric("x5", 0, 6, 30, lambda z: 0.4 * z)
    made.missing(0.12)
    often = (made.score > 0.3) & (made.rng.random(made.rows) < 0.5)
    made.columns[2]["empty"] |= often
    return made.classes("state", ["off", "on"], [3, 2], 0.7)


def number():
    """A numeric target, all kinds of columns, one nominal column of thirty levels."""
    made = Maker("made_number", 450)
    made.numeric("area", 1, 20, 90, lambda z: 1.2 * z)
    made.levels("street", letters(30, "street"), effects=made.rng.normal(0, 0.8, 30))
    made.numeric("year", 0, 15, 1980, lambda z: 0.5 * z)
    made.levels("garden", ["no", "yes"], effects=[-0.3, 0.3])
    made.levels("state", ["bad", "fair", "good", "new"], "ordinal", effects=[-0.9, -0.3, 0.2, 0.9])
    made.numeric("noise", 2)
    return made.number("price", 0.4)


def number_numeric():
    """A numeric target, numeric columns alone."""
    made = Maker("made_number_numeric", 400)
    made.numeric("x1", 3, effect=lambda z: z)
    made.numeric("x2", 3, effect=lambda z: np.sin(2 * z))
    made.numeric("x3", 2, effect=lambda z: 0.8 * (z > 0))
    made.numeric("x4", 3)
    made.numeric("x5", 3, effect=lambda z: 0.3 * z)
    return made.number("y", 0.3, 3)


def number_levels():
    """A numeric target of few columns with few values."""
    made = Maker("made_number_levels", 160)
    made.levels("motor", letters(5, "m"), effects=[1.5, 0.0, -0.4, 0.8, -1.0])
    made.levels("screw", letters(5, "s"), effects=[0.5, 0.0, -0.7, 0.3, 0.1])
    made.levels("gain", letters(3, "g"), "ordinal", effects=[-1.0, 0.1, 0.9])
    return made.number("rise", 0.3)


def number_missing():
    """A numeric target, all kinds of columns, missing values."""
    made = Maker("made_number_missing", 340)
    made.numeric("temp", 0, 9, 70, lambda z: 1.3 * z)
    made.numeric("wind", 1, 3, 10, lambda z: -0.8 * z)
    made.columns[1]["cells"] = np.round(made.columns[1]["cells"] - 0.15 * (made.columns[0]["cells"] - 70), 1)
    made.numeric("sun", 0, 80, 200, lambda z: 0.5 * z)
    made.levels("month", ["May", "June", "July", "August"], effects=[-0.5, 0.1, 0.5, 0.2])
    made.levels("day", ["work", "rest"], effects=[0.1, -0.1])
    made.missing(0.1)
    return made.number("ozone", 0.5, 1)


MAKERS = (
    *(mixed, classes, numeric, levels, many_levels, sixteen_levels, rare, grid, few),
    *(missing, missing_levels, missing_numeric, number, number_numeric, number_levels, number_missing),
)


def texts(column):
    """The cells of a column as they are written."""
    if column["kind"] == "numeric":
        found = [f"{value:.{column['digits']}f}" for value in column["cells"]]
    else:
        found = [column["levels"][code] for code in column["cells"]]
    empty = column.get("empty")
    return found if empty is None else ["" if gone else cell for cell, gone in zip(found, empty, strict=True)]


def schema_of(table, cells, note):
    """The schema of a table, in the shape that all recorded tables have."""
    specs = []
    for column, written in zip(table["columns"], cells, strict=True):
        levels = {"levels": column["levels"]} if "levels" in column else {}
        specs.append({"name": column["name"], "kind": column["kind"], **levels, "missing": written.count("")})
    task = "regression" if table["columns"][-1]["kind"] == "numeric" else "classification"
    facts = {"name": table["name"], "n_rows": len(cells[0]), "task": task, "target": table["target"]}
    return {**facts, "source": "made by a script", "licence": LICENCE, "note": note, "columns": specs}


def write(folder):
    """Writes every table."""
    folder.mkdir(parents=True, exist_ok=True)
    for maker in MAKERS:
        table = maker()
        cells = [texts(column) for column in table["columns"]]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column["name"] for column in table["columns"])
        writer.writerows(zip(*cells, strict=True))
        packed = gzip.compress(text.getvalue().encode("utf-8"), 9, mtime=0)
        (folder / f"{table['name']}.csv.gz").write_bytes(packed)
        schema = schema_of(table, cells, maker.__doc__)
        (folder / f"{table['name']}.schema.json").write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
