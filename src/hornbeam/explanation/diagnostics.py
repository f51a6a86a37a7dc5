"""What should a reader of a tree beware of?  One sentence a caution, each with its kind.

tiny leaves      fewer than 5 training rows: their shares are hardly more than a guess
near ties        leaves that one row more would turn; questions that another would have matched within a hundredth
rare branches    a branch that takes less than a hundredth of its node's rows
given away       the first question settles everything, or one column alone tells (nearly) every row apart
ids              a column of levels, nearly one a row, that the tree asks
leakage          test rows that stand among the training rows too; a hole in a column that tells the target
rare classes, gaps, unseen levels, no fresh rows
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator
from typing import Any

import numpy as np

from hornbeam.explanation.losses import target_of
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.prediction import columns_of, predict
from hornbeam.tree.text import printable

_TINY = 5
_FEW = 10
_RARE = 0.01
_NEAR = 0.01
_GIVES_AWAY = 0.99
_MOST_NAMED = 5
_MANY_LEVELS = 0.5


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What kind of caution, and the sentence."""

    kind: str
    words: str

    def __str__(self) -> str:
        return self.words


@dataclasses.dataclass(frozen=True)
class Diagnostics:
    """All that a reader should beware of."""

    found: tuple[Diagnostic, ...]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def kinds(self) -> tuple[str, ...]:
        """The kinds, in order."""
        return tuple(each.kind for each in self.found)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {"cautions": [dataclasses.asdict(each) for each in self.found]}

    def __str__(self) -> str:
        return "\n".join(printable(f"{each.kind}: {each.words}") for each in self.found) or "Nothing to beware of."

    def _repr_html_(self) -> str:
        items = "".join(f"<li><b>{html.escape(e.kind)}</b>: {html.escape(e.words)}</li>" for e in self.found)
        return f"<ul>{items}</ul>" if items else "<p>Nothing to beware of.</p>"


def diagnostics(model: Any, table: Table | None = None, test: Table | None = None) -> Diagnostics:
    """What to beware of in a tree; `table` holds its training rows, `test` fresh rows."""
    tree = only_tree(model, "A list of cautions", "Use one of its trees, or shap_values.")
    found = [
        ("tiny leaves", _tiny_leaves(tree)),
        ("near ties", _near_ties(tree)),
        ("near ties", _near_questions(tree)),
        ("rare branches", _rare_branches(tree)),
        ("no fresh rows", _no_fresh_rows(test)),
        ("given away", _given_away(tree)),
        ("rare classes", _rare_classes(tree)),
        ("ids", _ids(tree, table)),
        ("leakage", _telling_holes(tree, table)),
        ("leakage", _shared_rows(tree, table, test)),
        ("gaps", _gaps(table)),
        ("unseen levels", _unseen(tree, test)),
    ]
    return Diagnostics(tuple(Diagnostic(kind, words) for kind, words in found if words))


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _tiny_leaves(tree: Tree) -> str:
    tiny = int((tree.nodes.is_leaf & (tree.nodes.rows < _TINY)).sum())
    if not tiny:
        return ""
    leaves = f"{tiny} of {tree.n_leaves} leaves hold fewer than {_TINY} training rows"
    return f"{leaves}; their shares are hardly more than a guess."


def _near_ties(tree: Tree) -> str:
    """Leaves whose two largest classes are less than a row apart."""
    if not tree.is_class or tree.nodes.stats.shape[1] < 2:
        return ""
    stats = np.sort(tree.nodes.stats[tree.nodes.is_leaf], axis=1)
    close = (stats[:, -1] - stats[:, -2] <= 1.0) & (stats[:, -2] > 0)
    if not close.any():
        return ""
    n = int(close.sum())
    return f"One row more or less would turn the answer of {'1 leaf' if n == 1 else f'{n:,} leaves'}."


def _near_questions(tree: Tree) -> str:
    """Nodes where another column's question was as good within a hundredth, as far as the tree kept them."""
    start = tree.nodes.competitor_start
    if not len(tree.nodes.competitor_gain):
        return ""
    close = []
    for node in np.flatnonzero(np.diff(start)).tolist():
        best = float(np.max(tree.nodes.competitor_gain[start[node] : start[node + 1]]))
        if best > 0 and best >= (1 - _NEAR) * float(tree.nodes.gain[node]):
            close.append(node)
    if not close:
        return ""
    where = "the first one among them" if close[0] == 0 else f"the topmost at node {close[0]}"
    return f"{_counted(len(close), 'question')} had a rival as good within 1%, {where}: other rows might ask otherwise."


def _rare_branches(tree: Tree) -> str:
    parent = tree.nodes.parent[1:]
    share = tree.nodes.rows[1:] / np.maximum(tree.nodes.rows[parent], 1)
    rare = np.flatnonzero((share < _RARE) & (tree.nodes.rows[parent] >= 1 / _RARE)) + 1
    if not len(rare):
        return ""
    nodes = _listed([str(node) for node in rare.tolist()])
    return f"{len(rare):,} branch{'' if len(rare) == 1 else 'es'} took less than 1% of the rows (node {nodes})."


def _no_fresh_rows(test: Table | None) -> str:
    if test is not None:
        return ""
    return "No fresh rows were given: the scores are those of the training rows and flatter the tree."


def _given_away(tree: Tree) -> str:
    """A first question that leaves (nearly) no error is often the answer under another name."""
    if tree.nodes.first_child[0] < 0:
        return ""
    wrong = tree.errors()
    names = ", ".join(tree.schema.columns[c].name for c in tree.question(0).columns)
    left = sum(float(wrong[child]) for child in tree.nodes.children(0))
    if not wrong[0] > 0:
        return ""
    if left <= 1e-9 * float(wrong[0]):
        return f"The first question ({names}) settles everything: does that column give the answer away?"
    if left <= (1 - _GIVES_AWAY) * float(wrong[0]):
        return f"The first question ({names}) settles all but 1% of the errors: does it give the answer away?"
    return ""


def _rare_classes(tree: Tree) -> str:
    if not tree.is_class:
        return ""
    rare = [str(tree.schema.classes[k]) for k in np.flatnonzero(tree.nodes.stats[0] < _FEW).tolist()]
    return f"Fewer than {_FEW} training rows of: {_listed(rare)}." if rare else ""


def _ids(tree: Tree, table: Table | None) -> str:
    rows = len(table) if table is not None else int(tree.nodes.rows[0])
    names = [
        tree.schema.columns[c].name
        for c in sorted(tree.used_columns())
        if tree.schema.columns[c].kind is Kind.NOMINAL
        and len(tree.schema.columns[c].levels) > max(_FEW, _MANY_LEVELS * rows)
    ]
    if not names:
        return ""
    return f"The tree asks columns with nearly a level a row, which new rows will not have: {_listed(names)}."


def _telling_holes(tree: Tree, table: Table | None) -> str:
    """Columns whose holes alone tell one class nearly always, and tell it far more often than the rest does."""
    if table is None or table.target is None or not tree.is_class or not len(table):
        return ""
    target = target_of(tree.schema, table).astype(np.int64)
    names = []
    for column in columns_of(tree.schema, table):
        gone = column.is_missing & (target >= 0)
        if gone.sum() < _FEW or gone.all():
            continue
        counts = np.bincount(target[gone], minlength=len(tree.schema.classes))
        top = int(counts.argmax())
        usual = float(np.mean(target[~gone] == top))
        if counts[top] >= _GIVES_AWAY * gone.sum() and usual < 0.9:
            names.append(column.name)
    if not names:
        return ""
    return f"A missing value alone tells the target nearly always: {_listed(names)}. Was it recorded afterwards?"


def _shared_rows(tree: Tree, table: Table | None, test: Table | None) -> str:
    if table is None or test is None or not len(test) or not tree.schema.columns:
        return ""
    seen = set(_keys(tree, table))
    both = sum(key in seen for key in _keys(tree, test))
    if not both:
        return ""
    return f"{both:,} of {_counted(len(test), 'test row')} stand among the training rows too, value for value."


def _keys(tree: Tree, table: Table) -> list[bytes]:
    """Every row's values as bytes; few values make chance meetings likely, so short rows are left out."""
    columns = columns_of(tree.schema, table)
    if sum(len(np.unique(column.values)) for column in columns) < len(table) / 2:
        return []
    stacked = np.column_stack([column.values.astype(np.float64) for column in columns])
    return [row.tobytes() for row in np.ascontiguousarray(stacked)]


def _gaps(table: Table | None) -> str:
    if table is None or not len(table):
        return ""
    probabilities = {column.name: float(column.is_missing.mean()) for column in table.columns}
    gappy = sorted(
        (name for name, share in probabilities.items() if share > 0.2), key=lambda name: -probabilities[name]
    )
    named = ", ".join(f"{name} ({100 * probabilities[name]:.0f}%)" for name in gappy[:_MOST_NAMED])
    return f"More than a fifth of the values are missing in: {named}." if gappy else ""


def _unseen(tree: Tree, test: Table | None) -> str:
    if test is None or not len(test) or tree.unseen == "error":
        return ""
    met = int(predict(tree, test).has_unseen_level.sum())
    return f"{_counted(met, 'test row')} met a level that has no branch where it was asked for." if met else ""
