"""What should a reader beware of?  Tiny leaves, no fresh rows, a give-away column, gaps, rare classes."""

from __future__ import annotations

import numpy as np

from hornbeam.drawing.report.facts import told
from hornbeam.drawing.text import counted
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict

_TINY = 5
_FEW = 10


def cautions(tree: Tree, table: Table | None, test: Table | None) -> list[str]:
    """One sentence a caution."""
    found = [_tiny_leaves(tree), _no_fresh_rows(test), _given_away(tree), _rare_classes(tree)]
    found += [_gaps(table), _unseen(tree, test)]
    return [told(each) for each in found if each]


def _tiny_leaves(tree: Tree) -> str:
    tiny = int((tree.nodes.is_leaf & (tree.nodes.rows < _TINY)).sum())
    if not tiny:
        return ""
    leaves = f"{tiny} of {tree.n_leaves} leaves hold fewer than {_TINY} training rows"
    return f"{leaves}; their shares are hardly more than a guess."


def _no_fresh_rows(test: Table | None) -> str:
    if test is not None:
        return ""
    return "No fresh rows were given: the scores are those of the training rows and flatter the tree."


def _given_away(tree: Tree) -> str:
    """A first question that leaves no error is often the answer under another name."""
    if not tree.is_class or tree.nodes.first_child[0] < 0:
        return ""
    wrong = tree.errors()
    if wrong[0] > 0 and all(wrong[child] <= 1e-9 for child in tree.nodes.children(0)):
        names = ", ".join(tree.schema.columns[c].name for c in tree.question(0).columns)
        return f"The first question ({names}) settles everything: does that column give the answer away?"
    return ""


def _rare_classes(tree: Tree) -> str:
    if not tree.is_class:
        return ""
    weights = tree.nodes.stats[0]
    rare = [str(tree.schema.classes[k]) for k in np.flatnonzero(weights < _FEW).tolist()]
    if not rare:
        return ""
    more = f" and {len(rare) - 5} more" if len(rare) > 5 else ""
    return f"Fewer than {_FEW} training rows of: {', '.join(rare[:5])}{more}."


def _gaps(table: Table | None) -> str:
    if table is None or not len(table):
        return ""
    shares = {column.name: float(column.is_missing.mean()) for column in table.columns}
    gappy = sorted((name for name, share in shares.items() if share > 0.2), key=lambda name: -shares[name])
    if not gappy:
        return ""
    named = ", ".join(f"{name} ({100 * shares[name]:.0f}%)" for name in gappy[:5])
    return f"More than a fifth of the values are missing in: {named}."


def _unseen(tree: Tree, test: Table | None) -> str:
    if test is None or not len(test) or tree.unseen == "error":
        return ""
    met = int(predict(tree, test).met_unseen.sum())
    return f"{counted(met, 'test row')} met a level that has no branch where it was asked for." if met else ""
