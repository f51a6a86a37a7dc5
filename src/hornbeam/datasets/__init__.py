"""Built-in data sets.

    datasets.names()               play_tennis, fruit, contact_lenses, iris, penguins, breast_cancer, prostate
    datasets.load("penguins")      a Table with declared kinds and levels
    datasets.about("penguins")     title, description, source, license

Loading requires numpy only.
"""

from __future__ import annotations

import csv
import gzip
import importlib.resources
import io

import numpy as np

from hornbeam.datasets import small
from hornbeam.datasets.catalogue import ALL, Dataset
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.table.column import Column, nominal, numeric
from hornbeam.table.table import Table

__all__ = ["Dataset", "about", "load", "names"]

_SMALL = {"play_tennis": small.play_tennis, "fruit": small.fruit, "contact_lenses": small.contact_lenses}
_WHY = "declared by the data set"


def names() -> tuple[str, ...]:
    """The names of the built-in data sets."""
    return tuple(each.name for each in ALL)


def about(name: str) -> Dataset:
    """Title, description, source and license of a data set."""
    for each in ALL:
        if each.name == name:
            return each
    raise OptionError(f"Unknown data set {short_repr(name)}.", hint=did_you_mean(str(name), names()))


def load(name: str) -> Table:
    """A built-in data set as a table."""
    known = about(name)
    rows = _SMALL[name]() if name in _SMALL else _from_file(known)
    cells = list(zip(*rows, strict=True))
    columns = [_column(each, levels, cells[index]) for index, (each, levels) in enumerate(known.columns.items())]
    notes = ("synthetic: generated for this library",) if known.is_synthetic else ()
    return Table(tuple(columns[:-1]), columns[-1], notes=notes, source=f"hornbeam.datasets: {name}")


def _from_file(known: Dataset) -> list[list[str]]:
    folder = importlib.resources.files(__name__) / "data"
    file = folder / f"{known.name}.csv"
    data = file.read_bytes() if file.is_file() else gzip.decompress((folder / f"{known.name}.csv.gz").read_bytes())
    return list(csv.reader(io.StringIO(data.decode("utf-8"))))[1:]


def _column(name: str, levels: tuple[str, ...], cells: tuple[str, ...]) -> Column:
    if not levels:
        return numeric(name, [float(cell) if cell else np.nan for cell in cells], why=_WHY)
    code = {level: position for position, level in enumerate(levels)} | {"": -1}
    return nominal(name, [code[cell] for cell in cells], levels, why=_WHY)
