"""Small trees that several tests share."""

import numpy as np

from hornbeam.table.column import ColumnSpec, Kind, nominal, numeric, ordinal
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Nodes, Tree
from hornbeam.tree.questions import (
    Combined,
    Hyperplane,
    Intervals,
    IsMissing,
    Literal,
    Multiway,
    Named,
    Sphere,
    Subset,
    Threshold,
)
from hornbeam.tree.questions.table import QuestionWriter

OUTLOOK = ("sunny", "overcast", "rain")


def grown(schema, shape, **more):
    """A tree from {node: (question, missing branch, surrogates)} and leaf statistics, numbered as nodes.py describes.

    `shape` is nested: a leaf is a list of statistics, an inner node a tuple (question, children, missing, surrogates).
    """
    writer = QuestionWriter()
    arrays = {k: [] for k in ("parent", "first_child", "n_branches", "question", "missing_branch")}
    stats, marks, shapes = [], [], []

    def new(parent, what):
        for name, value in zip(arrays, (parent, -1, 0, -1, STAY), strict=True):
            arrays[name].append(value)
        stats.append(None), marks.append([]), shapes.append(what)
        return len(stats) - 1

    waiting = [new(-1, shape)]
    while waiting:
        node = waiting.pop()
        what = shapes[node]
        if isinstance(what, list):
            stats[node] = np.array(what, dtype=float)
            continue
        question, children, missing, surrogates = (*what, *(STAY, [])[len(what) - 2 :])
        arrays["question"][node] = writer.add(question)
        marks[node] = [(writer.add(q), flipped) for q, flipped in surrogates]
        made = [new(node, child) for child in children]
        arrays["first_child"][node], arrays["n_branches"][node] = made[0], len(made)
        arrays["missing_branch"][node] = missing
        waiting += reversed(made)
    for node in range(len(stats) - 1, 0, -1):
        above = arrays["parent"][node]
        stats[above] = stats[node] if stats[above] is None else stats[above] + stats[node]
    table = np.array(stats)
    weight = table.sum(axis=1) if schema.is_class else table[:, 0]
    if not schema.is_class:
        arrays["answer"] = table[:, 1]
    flat = [mark for each in marks for mark in each]
    arrays |= {"stats": table, "weight": weight, "rows": weight}
    arrays.setdefault("answer", np.argmax(table, axis=1))
    arrays["surrogate_start"] = np.concatenate([[0], np.cumsum([len(each) for each in marks])])
    arrays |= {"surrogate_question": [m[0] for m in flat], "surrogate_flipped": [m[1] for m in flat]}
    arrays |= {"surrogate_agree": [0.9] * len(flat), "surrogate_adjusted": [0.5] * len(flat)}
    nodes = Nodes(**{name: np.array(value) for name, value in arrays.items()})
    return Tree(schema, nodes, writer.finished(), **more)


GOLF = Schema(
    (
        ColumnSpec("outlook", Kind.NOMINAL, OUTLOOK),
        ColumnSpec("temperature", Kind.NUMERIC),
        ColumnSpec("humidity", Kind.NUMERIC),
        ColumnSpec("windy", Kind.NOMINAL, ("true", "false")),
    ),
    ColumnSpec("class", Kind.NOMINAL, ("Play", "Don't Play")),
)


def golf_tree(**more):
    """C4.5's golf tree (example E4.2): outlook, then humidity at 75 or windy; unknown answers are shared out."""
    return grown(
        GOLF,
        (
            Multiway(0, (0, 1, 2)),
            [
                (Threshold(2, 75.0), [[2, 0], [0, 3]], ALL_BRANCHES),
                [4, 0],
                (Multiway(3, (0, 1)), [[0, 2], [3, 0]], ALL_BRANCHES),
            ],
            ALL_BRANCHES,
        ),
        **more,
    )


def golf_rows(outlook, humidity, windy=None):
    """Rows of the golf table; outlook and windy as codes."""
    n = len(outlook)
    return (
        nominal("outlook", outlook, OUTLOOK),
        numeric("temperature", np.full(n, 70.0)),
        numeric("humidity", humidity),
        nominal("windy", windy if windy is not None else [0] * n, ("true", "false")),
    )


MIXED = Schema(
    (
        ColumnSpec("size", Kind.NUMERIC),
        ColumnSpec("weight", Kind.NUMERIC),
        ColumnSpec("grade", Kind.ORDINAL, ("low", "middle", "high")),
        ColumnSpec("colour", Kind.NOMINAL, ("red", "green", "blue", "grey")),
    ),
    ColumnSpec("sort", Kind.NOMINAL, ("a", "b", "c")),
)


def mixed_tree(**more):
    """One node of every kind of question, surrogates, and every way to take missing values."""
    size, green = Threshold(0, 0.5), Subset(3, (1,), (0, 2), 4)
    plane = Hyperplane((0, 1), (0.5, -1.25), 0.1)
    ball = (Sphere((0, 1), (0.0, 0.5), (1.0, 2.0), 1.0), [[1, 0, 0], [0, 1, 3]], 1)
    both = (Combined((Literal(size, True), Literal(green)), True), [[5, 1, 0], [0, 2, 2]], ALL_BRANCHES)
    values = (Multiway(3, (0, 1, 2, -1)), [both, ball, [0, 0, 0]], ALL_BRANCHES)
    cuts = (Intervals(1, (-0.5, 0.25, 1.0)), [[1, 2, 3], [3, 2, 1], values, [0, 4, 0]], 2)
    gone = (IsMissing(2, 3), [[2, 0, 1], (plane, [[1, 1, 0], [0, 0, 6]], STAY)], STAY)
    named = (Named("is pale", green), [cuts, gone], ALL_BRANCHES, [(Threshold(2, 0.5), 1), (size, 0)])
    return grown(MIXED, named, **more)


def mixed_columns(n, seed=7):
    """Rows for the mixed tree, a fifth of each column missing or unseen."""
    rng = np.random.default_rng(seed)
    numbers = [np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)) for _ in range(2)]
    return (
        numeric("size", numbers[0]),
        numeric("weight", numbers[1]),
        ordinal("grade", rng.integers(-2, 3, n), ("low", "middle", "high")),
        nominal("colour", rng.integers(-2, 4, n), ("red", "green", "blue", "grey")),
    )


def chain(depth):
    """A tree that is one long path: node 2 d tests x <= d, its branch 0 is a leaf."""
    n = 2 * depth + 1
    parent, first, count, question = np.full((4, n), -1)
    count[:] = 0
    inner = np.arange(depth)
    at = 2 * inner
    first[at], count[at], question[at] = at + 1, 2, inner
    parent[at + 1], parent[at + 2] = at, at
    left = depth - np.arange(n) // 2 + 1
    left[1::2] = 1
    stats = np.zeros((n, 2))
    stats[:, 0] = left
    writer = QuestionWriter()
    for cut in range(depth):
        writer.add(Threshold(0, float(cut)))
    target = ColumnSpec("y", Kind.NOMINAL, ("no", "yes"))
    arrays = {"parent": parent, "first_child": first, "n_branches": count, "question": question}
    arrays |= {"stats": stats, "weight": stats[:, 0], "rows": stats[:, 0], "answer": np.zeros(n)}
    return Tree(Schema((ColumnSpec("x", Kind.NUMERIC),), target), Nodes(**arrays), writer.finished())
