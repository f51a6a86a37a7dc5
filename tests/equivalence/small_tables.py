"""A small table of numbers and levels for the tests of stops."""

import numpy as np

from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


def small_table(seed, classes=3, number=False, missing=False, weights=False):
    """150 rows, three numbers and a column of levels, with classes or a number as the target."""
    random = np.random.default_rng(seed)
    n = 150
    x = random.normal(size=(n, 3)).round(1)
    if missing:
        x[random.random((n, 3)) < 0.1] = np.nan
    colour = random.integers(0, 4, n).astype(np.int32)
    signal = np.nan_to_num(x[:, 0]) + (colour == 2) + random.normal(size=n)
    cuts = np.linspace(-0.5, 1.0, classes - 1)
    target = nominal("y", np.digitize(signal, cuts).astype(np.int32), tuple("ABC")[:classes])
    columns = (*(numeric(f"x{i}", x[:, i]) for i in range(3)), nominal("c", colour, tuple("pqrs")))
    given = random.integers(1, 4, n).astype(float) if weights else None
    return Table(columns, numeric("y", signal) if number else target, given)
