"""Tables of the tests of the reference implementation."""

import numpy as np
from tests.examples import EXAMPLES

from hornbeam.recipes import recipe
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

PLAIN = recipe("plain")


def classes(values, name="y"):
    levels = tuple(sorted(set(values)))
    return nominal(name, [levels.index(value) for value in values], levels)


def random_table(seed, n=40, d=3, k=3, missing=False, weights=None, number=False):
    random = np.random.default_rng(seed)
    columns = []
    for j in range(d):
        values = random.integers(0, 9, n).astype(float)
        if missing:
            values[random.random(n) < 0.15] = np.nan
        columns.append(numeric(f"x{j}", values))
    codes = random.integers(0, 4, n)
    if missing:
        codes = np.where(random.random(n) < 0.15, -1, codes)
    columns.append(nominal("v", codes, tuple("abcd")))
    target = (
        numeric("y", random.normal(size=n)) if number else nominal("y", random.integers(0, k, n), tuple("pqrst"[:k]))
    )
    return Table(tuple(columns), target, weights)


def same(one, other):
    """Whether two trees have the same nodes and questions."""
    assert one.nodes.parent.tolist() == other.nodes.parent.tolist()
    for node in range(len(one)):
        if not one.nodes.is_leaf[node]:
            assert one.question(node) == other.question(node)
    assert np.allclose(one.nodes.stats, other.nodes.stats)
    assert one.nodes.answer.tolist() == other.nodes.answer.tolist()
    return True


def golf(unknown=False):
    rows = EXAMPLES["E4.2"]["input"]["rows"]
    outlook = [row[0] for row in rows]
    levels = ("sunny", "overcast", "rain")
    codes = [levels.index(value) for value in outlook]
    if unknown:
        codes[11] = -1
    columns = (
        nominal("outlook", codes, levels),
        numeric("temperature", [row[1] for row in rows]),
        numeric("humidity", [row[2] for row in rows]),
        nominal("windy", [("true", "false").index(row[3]) for row in rows], ("true", "false")),
    )
    labels = ("Play", "Don't Play")
    return Table(columns, nominal("class", [labels.index(row[4]) for row in rows], labels))
