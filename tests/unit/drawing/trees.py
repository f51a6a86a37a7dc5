"""Small trees and hostile names that the tests of pictures share."""

from __future__ import annotations

import numpy as np

import hornbeam as hb
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import Threshold
from hornbeam.tree.questions.table import QuestionWriter

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    '"onmouseover="alert(1)',
    "javascript:alert(1)",
    "{{7*7}} ${x}",
    "right\u202eleft \u2028 line \x00 nul ]]> --> &lt;",
    "long " + "x" * 100_000,
)


def hostile_table() -> Table:
    """A table whose every name and level wants to be more than text."""
    rng = np.random.default_rng(5)
    n = 240
    x, y, codes = rng.normal(size=n), rng.uniform(size=n), rng.integers(0, 4, n)
    columns = (
        numeric(HOSTILE[0], x),
        numeric(HOSTILE[6], y),
        nominal(HOSTILE[1], codes, HOSTILE[2:6]),
    )
    target = nominal(HOSTILE[2], (x + codes > 1).astype(int) + (y > 0.5), (HOSTILE[0], HOSTILE[1], HOSTILE[5]))
    return Table(columns, target, notes=(HOSTILE[1],), source=HOSTILE[0])


def numbers_table() -> Table:
    """A table with a numeric target, a gap and a nominal column."""
    rng = np.random.default_rng(6)
    n = 200
    x, y, codes = rng.normal(size=n), rng.uniform(0, 10, n), rng.integers(0, 3, n)
    x[::17] = np.nan
    target = np.where(np.isnan(x), 0, x) * 3 + y + 4 * codes
    columns = (numeric("x", x), numeric("dose", y), nominal("group", codes, ("a", "b", "c")))
    return Table(columns, numeric("pressure", target))


def chain(depth: int) -> Tree:
    """A tree that question_number `depth` times, one leaf at each step."""
    writer = QuestionWriter()
    n = 2 * depth + 1
    question = [writer.add(Threshold(0, float(step))) for step in range(depth)]
    inner = np.arange(0, n - 1, 2)
    first, count, question_number, parent = np.full(n, -1), np.zeros(n), np.full(n, -1), np.full(n, -1)
    first[inner], count[inner], question_number[inner] = inner + 1, 2, question
    parent[inner + 1], parent[inner + 2] = inner, inner
    stats = np.tile([2.0, 1.0], (n, 1))
    arrays = {"parent": parent, "first_child": first, "n_branches": count, "question": question_number}
    arrays |= {"rows": np.full(n, 3), "weight": np.full(n, 3.0), "stats": stats, "answer": np.zeros(n)}
    schema = Schema((numeric("x", []).spec,), nominal("y", [], ("no", "yes")).spec)
    return Tree(schema, Nodes(**arrays), writer.finished())


def grown(table: Table) -> Tree:
    """A tree grown to purity."""
    return hb.grow(table, "plain")
