"""The digest of rows depends on the values, not on the order of rows and levels."""

import numpy as np

import hornbeam as hb
from hornbeam.tree.row_digest import row_digest

CELLS = {"x": [1.5, np.nan, 0.0, 2.0], "c": ["a", None, "b", "a"], "y": ["u", "v", "v", "u"]}


def test_the_digest_does_not_depend_on_the_order():
    table = hb.read(CELLS, target="y")
    shuffled = table.take(np.array([2, 0, 3, 1]))
    other = hb.read({**CELLS, "x": [1.5, np.nan, -0.0, 2.0]}, target="y", kinds={"c": ["b", "a"]})
    assert row_digest(table) == row_digest(shuffled) == row_digest(other)


def test_another_value_gives_another_digest():
    found = {row_digest(hb.read(CELLS, target="y"))}
    for name, cells in CELLS.items():
        found.add(row_digest(hb.read({**CELLS, name: [cells[3], *cells[1:3], cells[0]]}, target="y")))
        found.add(row_digest(hb.read({**CELLS, name: [cells[2], *cells[1:]]}, target="y")))
    assert len(found) == 4  # rows 0 and 3 differ in x alone, so that exchanging their values changes nothing
    assert len(row_digest(hb.read(CELLS, target="y")).split("-")[1]) == 16
