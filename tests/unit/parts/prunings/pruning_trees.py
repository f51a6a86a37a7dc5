"""Small trees for pruning tests: any shape, any counts at the leaves, and rows that really reach them.

One nominal column, `place`, has a level for each leaf; every inner node tests under which branch the level is.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
from tests.examples import EXAMPLES

from hornbeam.table.column import ColumnSpec, Kind, nominal, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions import Multiway
from hornbeam.tree.questions.table import QuestionWriter

DATA = Path(__file__).parents[3] / "data"


class Made:
    """A tree, and the number of each named node in it."""

    def __init__(self, children, at_leaves, classes=("yes", "no"), numbers=False, impurity=None, gain=None):
        self.children = children
        names, parent, first = [next(iter(children)) if children else "root"], [-1], [-1]
        stack = [0]
        while stack:
            node = stack.pop()
            below = children.get(names[node], [])
            if below:
                first[node] = len(names)
                for child in below:
                    names.append(child)
                    parent.append(node)
                    first.append(-1)
                stack.extend(range(len(names) - 1, first[node] - 1, -1))
        self.names = names
        self.number = {name: i for i, name in enumerate(names)}
        self.leaf_names = [name for name in names if not children.get(name)]
        self.code = {name: i for i, name in enumerate(self.leaf_names)}
        width = 3 if numbers else len(classes)
        stats = np.zeros((len(names), width))
        rows = np.zeros(len(names), dtype=np.int64)
        values = {}
        for i in range(len(names) - 1, -1, -1):
            below = children.get(names[i], [])
            mine = at_leaves[names[i]] if not below else None
            if numbers:
                values[i] = (
                    np.concatenate([values[self.number[c]] for c in below]) if below else np.asarray(mine, float)
                )
                y = values[i]
                stats[i] = (len(y), y.mean(), ((y - y.mean()) ** 2).sum()) if len(y) else (0, 0, 0)
                rows[i] = len(y)
            else:
                stats[i] = sum(stats[self.number[c]] for c in below) if below else mine
                rows[i] = int(np.ceil(stats[i].sum()))
        weight = stats[:, 0] if numbers else stats.sum(axis=1)
        answer = stats[:, 1] if numbers else np.argmax(stats, axis=1).astype(float)
        writer = QuestionWriter()
        question = np.full(len(names), -1)
        n_branches = np.zeros(len(names), dtype=int)
        for i, name in enumerate(names):
            below = children.get(name, [])
            if below:
                branch = {leaf: b for b, child in enumerate(below) for leaf in self._leaves(child)}
                question[i] = writer.add(Multiway(0, tuple(branch.get(leaf, -1) for leaf in self.leaf_names)))
                n_branches[i] = len(below)
        target = ColumnSpec("y", Kind.NUMERIC) if numbers else ColumnSpec("y", Kind.NOMINAL, tuple(classes))
        levels = tuple(map(str, self.leaf_names))
        arrays = {
            "parent": np.array(parent),
            "first_child": np.array(first),
            "n_branches": n_branches,
            "question": question,
            "rows": rows,
            "weight": weight,
            "stats": stats,
            "answer": answer,
        }
        if impurity is not None:
            arrays["impurity"] = np.array([impurity(each) for each in stats])
        if gain is not None:
            arrays["gain"] = np.array([gain.get(name, 0.0) for name in names])
        schema = Schema((ColumnSpec("place", Kind.NOMINAL, levels),), target)
        self.tree = Tree(schema, Nodes(**arrays), writer.finished())

    def _leaves(self, name):
        found, stack = [], [name]
        while stack:
            here = stack.pop()
            below = self.children.get(here, [])
            stack.extend(below)
            if not below:
                found.append(here)
        return found

    def table(self, at_leaves):
        """Rows that reach the leaves: class counts, or lists of numbers."""
        schema = self.tree.schema
        place, target = [], []
        for name, what in at_leaves.items():
            values = [k for k, n in enumerate(what) for _ in range(int(n))] if schema.is_class else list(what)
            place += [self.code[name]] * len(values)
            target += values
        y = nominal("y", target, schema.classes) if schema.is_class else numeric("y", target)
        return Table((nominal("place", place, schema.columns[0].levels),), y)

    def leaves_after(self, edits):
        """The names of the leaves that are left after edits without grafts."""
        cut = {self.names[node] for node in edits.collapse}
        found, stack = [], [self.names[0]]
        while stack:
            here = stack.pop()
            below = self.children.get(here, [])
            if here in cut or not below:
                found.append(here)
            else:
                stack.extend(reversed(below))
        return found

    def prunings(self):
        """Every pruning as a tuple of leaf names."""
        return list(all_prunings(self.children, self.names[0]))


def all_prunings(children, name):
    yield (name,)
    if children.get(name):
        for parts in itertools.product(*(tuple(all_prunings(children, child)) for child in children[name])):
            yield tuple(leaf for part in parts for leaf in part)


def worked(example="E6.1", **more):
    """The worked tree of docs/definitions/06-pruning.md, named 1 to 11."""
    given = EXAMPLES[example]["input"]
    children = {int(k): v for k, v in given["children"].items()}
    counts = {int(k): v for k, v in given["train"].items()}
    made = Made(children, {name: counts[name] for name in counts if name not in children}, **more)
    held_out = {int(k): v for k, v in given["prune_set"].items() if int(k) not in children}
    return made, held_out


def random_made(seed, *, classes=2, most=7, numbers=False, widest=3, tie_prone=True, **more):
    """A random tree with few enough prunings to try them all, and rows to prune it with."""
    draw = random.Random(seed)
    children, open_leaves, fresh = {}, [0], 1
    for _ in range(draw.randint(1, most)):
        node = open_leaves.pop(draw.randrange(len(open_leaves)))
        children[node] = list(range(fresh, fresh + draw.randint(2, widest)))
        fresh += len(children[node])
        open_leaves += children[node]
    children = {0: children[0], **children}
    top = 3 if tie_prone else 12

    def at_leaf():
        if numbers:
            return [draw.randint(0, top) for _ in range(draw.randint(1, 4))]
        counts = [draw.randint(0, top) for _ in range(classes)]
        return counts if sum(counts) else [1] + [0] * (classes - 1)

    names = sorted(open_leaves)
    labels = tuple(f"class {k}" for k in range(classes))
    made = Made(children, {name: at_leaf() for name in names}, classes=labels, numbers=numbers, **more)
    held_out = {name: at_leaf() if draw.random() < 0.8 else ([] if numbers else [0] * classes) for name in names}
    return made, held_out


def counts_of(made, at_leaves):
    """Class counts of every named node from those at the leaves, as integers."""
    total = {}
    for name in reversed(made.names):
        below = made.children.get(name, [])
        total[name] = (
            [sum(each) for each in zip(*(total[c] for c in below))] if below else list(map(int, at_leaves[name]))
        )
    return total
