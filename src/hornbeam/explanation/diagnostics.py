"""Diagnostics of a tree: what a reader of it should know, one sentence each, with its kind.

small leaves      fewer than 5 training rows: their probabilities are unreliable
near ties         leaves whose prediction one row would change; questions that another matched within 1 percent
small branches    a branch with less than 1 percent of its node's rows
target leak       the root's question alone predicts (nearly) every row
identifiers       a column with nearly one level per row that the tree uses
leakage           test rows that are training rows too; missing values of a column that predict the target
rare classes, missing values, unseen levels, no test rows
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator
from typing import Any

import numpy as np

from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import Kind
from hornbeam.table.table import Table
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.prediction import predict
from hornbeam.tree.text import printable

_SMALL_LEAF = 5
_FEW_ROWS = 10
_SMALL_BRANCH = 0.01
_NEAR = 0.01
_LEAK = 0.99
_MAX_NAMED = 5
_MANY_LEVELS = 0.5


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """The kind of a diagnostic, and its sentence."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Diagnostics:
    """All diagnostics of a tree."""

    found: tuple[Diagnostic, ...]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def kinds(self) -> tuple[str, ...]:
        """The kinds, in order."""
        return tuple(each.kind for each in self.found)

    def as_dict(self) -> dict[str, Any]:
        """The diagnostics as JSON values."""
        return {"diagnostics": [dataclasses.asdict(each) for each in self.found]}

    def __str__(self) -> str:
        return "\n".join(printable(f"{each.kind}: {each.text}") for each in self.found) or "No problems found."

    def _repr_html_(self) -> str:
        items = "".join(f"<li><b>{html.escape(e.kind)}</b>: {html.escape(e.text)}</li>" for e in self.found)
        return f"<ul>{items}</ul>" if items else "<p>No problems found.</p>"


def diagnostics(model: Any, table: Any = None, test: Any = None) -> Diagnostics:
    """The diagnostics of a tree or of an estimator of one; `table` has its training rows, `test` held-out rows.

    Both are tables, data frames or anything else that `read` accepts.
    """
    tree = only_tree(model, "diagnostics", "Use one of its trees, or shap_values.")
    training, held_out = (None if rows is None else model_table(tree.schema, rows) for rows in (table, test))
    found = [
        ("small leaves", _small_leaves(tree)),
        ("near ties", _near_ties(tree)),
        ("near ties", _near_questions(tree)),
        ("small branches", _small_branches(tree)),
        ("no test rows", _no_test_rows(held_out)),
        ("target leak", _target_leak(tree)),
        ("rare classes", _rare_classes(tree)),
        ("identifiers", _identifiers(tree, training)),
        ("leakage", _predictive_missing(tree, training)),
        ("leakage", _shared_rows(training, held_out)),
        ("missing values", _missing_values(table if isinstance(table, Table) else training)),
        ("unseen levels", _unseen(tree, held_out)),
    ]
    return Diagnostics(tuple(Diagnostic(kind, text) for kind, text in found if text))


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def _small_leaves(tree: Tree) -> str:
    small = int((tree.nodes.is_leaf & (tree.nodes.rows < _SMALL_LEAF)).sum())
    if not small:
        return ""
    leaves = f"{small} of {tree.n_leaves} leaves have fewer than {_SMALL_LEAF} training rows"
    return f"{leaves}; their probabilities are unreliable."


def _near_ties(tree: Tree) -> str:
    """Leaves whose two largest classes differ by at most one row."""
    if not tree.is_class or tree.nodes.stats.shape[1] < 2:
        return ""
    stats = np.sort(tree.nodes.stats[tree.nodes.is_leaf], axis=1)
    close = (stats[:, -1] - stats[:, -2] <= 1.0) & (stats[:, -2] > 0)
    if not close.any():
        return ""
    n = int(close.sum())
    return f"One row more or less would change the prediction of {'1 leaf' if n == 1 else f'{n:,} leaves'}."


def _near_questions(tree: Tree) -> str:
    """Nodes where a competing question was as good within 1 percent, as far as the tree stores competitors."""
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
    where = "including the root's" if close[0] == 0 else f"the topmost at node {close[0]}"
    questions = f"{_counted(len(close), 'question')} had a competitor within 1%, {where}"
    return f"{questions}: with other rows the tree might use the competitor."


def _small_branches(tree: Tree) -> str:
    parent = tree.nodes.parent[1:]
    fraction = tree.nodes.rows[1:] / np.maximum(tree.nodes.rows[parent], 1)
    small = np.flatnonzero((fraction < _SMALL_BRANCH) & (tree.nodes.rows[parent] >= 1 / _SMALL_BRANCH)) + 1
    if not len(small):
        return ""
    nodes = _listed([str(node) for node in small.tolist()])
    branches = f"{len(small):,} branch{' has' if len(small) == 1 else 'es have'}"
    return f"{branches} less than 1% of the rows of the node above (node {nodes})."


def _no_test_rows(test: Table | None) -> str:
    if test is not None:
        return ""
    return "No test rows were given: metrics on the training rows are optimistic."


def _target_leak(tree: Tree) -> str:
    """A root question that leaves (nearly) no error is often about a copy of the target."""
    if tree.nodes.first_child[0] < 0:
        return ""
    wrong = tree.errors()
    names = ", ".join(tree.schema.columns[c].name for c in tree.question(0).columns)
    left = ordered_sum(float(wrong[child]) for child in tree.nodes.children(0))
    if not wrong[0] > 0:
        return ""
    if left <= 1e-9 * float(wrong[0]):
        return f"The first question ({names}) leaves no error: check whether that column contains the target."
    if left <= (1 - _LEAK) * float(wrong[0]):
        return f"The first question ({names}) leaves 1% of the error: check whether that column contains the target."
    return ""


def _rare_classes(tree: Tree) -> str:
    if not tree.is_class:
        return ""
    rare = [str(tree.schema.classes[k]) for k in np.flatnonzero(tree.nodes.stats[0] < _FEW_ROWS).tolist()]
    return f"Fewer than {_FEW_ROWS} training rows of: {_listed(rare)}." if rare else ""


def _identifiers(tree: Tree, table: Table | None) -> str:
    rows = len(table) if table is not None else int(tree.nodes.rows[0])
    names = [
        tree.schema.columns[c].name
        for c in sorted(tree.used_columns())
        if tree.schema.columns[c].kind is Kind.NOMINAL
        and len(tree.schema.columns[c].levels) > max(_FEW_ROWS, _MANY_LEVELS * rows)
    ]
    if not names:
        return ""
    return f"The tree uses columns with nearly one level per row, which new rows will not have: {_listed(names)}."


def _predictive_missing(tree: Tree, table: Table | None) -> str:
    """Columns whose missing values nearly always have one class, far more often than the known values."""
    if table is None or table.target is None or not tree.is_class or not len(table):
        return ""
    target = table.target.values
    names = []
    for column in table.columns:
        gone = column.is_missing & (target >= 0)
        if gone.sum() < _FEW_ROWS or gone.all():
            continue
        counts = np.bincount(target[gone], minlength=len(tree.schema.classes))
        top = int(counts.argmax())
        usual = float(np.mean(target[~gone] == top))
        if counts[top] >= _LEAK * gone.sum() and usual < 0.9:
            names.append(column.name)
    if not names:
        return ""
    return (
        f"Rows with a missing value have nearly always one class: {_listed(names)}. "
        "Check whether the value was recorded after the outcome."
    )


def _shared_rows(table: Table | None, test: Table | None) -> str:
    if table is None or test is None or not len(test) or not table.columns:
        return ""
    seen = set(_keys(table))
    both = sum(key in seen for key in _keys(test))
    if not both:
        return ""
    return (
        f"{both:,} of {_counted(len(test), 'test row')} {'has' if both == 1 else 'have'} the values of a training row."
    )


def _keys(table: Table) -> list[bytes]:
    """The values of every row as bytes; none for tables with few distinct values, whose rows are equal by chance."""
    if sum(len(np.unique(column.values)) for column in table.columns) < len(table) / 2:
        return []
    stacked = np.column_stack([column.values.astype(np.float64) for column in table.columns])
    return [row.tobytes() for row in np.ascontiguousarray(stacked)]


def _missing_values(table: Table | None) -> str:
    if table is None or not len(table):
        return ""
    fractions = {column.name: float(column.is_missing.mean()) for column in table.columns}
    names = sorted((name for name, each in fractions.items() if each > 0.2), key=lambda name: -fractions[name])
    listed = ", ".join(f"{name} ({100 * fractions[name]:.0f}%)" for name in names[:_MAX_NAMED])
    return f"More than 20% of the values are missing in: {listed}." if names else ""


def _unseen(tree: Tree, test: Table | None) -> str:
    if test is None or not len(test) or tree.unseen == "error":
        return ""
    n = int(predict(tree, test.columns).has_unseen_level.sum())
    return f"{_counted(n, 'test row')} reached a question that has no branch for their level." if n else ""
