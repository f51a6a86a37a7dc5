"""The nodes of a tree as text: split, competitors, surrogates and missing values (as rpart's summary, shorter).

    Node 0: 146 rows, 0 63%, 1 37%
      split        grade <= 2             gain 10.4
      competitors  g2 <= 13.2             gain 7.6
                   ploidy in {diploid}    gain 7.1
      surrogates   ploidy in {diploid}    agrees 0.81, adjusted 0.54
      missing      goes to grade > 2

    gain, classification   weight of the node times the decrease in impurity (entropy in bits); rpart's "improve"
    gain, regression       the fraction of the node's sum of squares that the split removes

Competitors are stored if the recipe requests them (`competitors = 4`), surrogates if they are the strategy for missing
values. The short form shows inner nodes above `depth` and the first two entries of each list; `full` shows all.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbeam.errors import InputError
from hornbeam.errors import short_repr as show
from hornbeam.number_text import number_text
from hornbeam.options import is_integer
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.text import class_fractions, printable

_SHORT = 2
_DEPTH = 3


def summary(tree: Tree, node: int | None = None, *, full: bool = False, depth: int = _DEPTH) -> str:
    """The nodes as text: one node, or the inner nodes above a depth."""
    tree = only_tree(tree, "A summary", labels=False)
    if node is not None:
        if not is_integer(node) or not 0 <= node < len(tree):
            raise InputError(f"The tree has nodes 0 to {len(tree) - 1}; got {show(node)}.", node=node)
        return "\n".join(_node_lines(tree, node, full=True))
    inner = [each for each in range(len(tree)) if full or tree.nodes.first_child[each] >= 0]
    shown = [each for each in inner if full or tree.nodes.depth[each] < depth]
    lines = [line for each in shown for line in _node_lines(tree, each, full=full)]
    if len(shown) < len(inner):
        lines.append(f"... {len(inner) - len(shown)} more inner nodes below; full=True shows them.")
    return "\n".join(lines) if lines else "\n".join(_node_lines(tree, 0, full=full))


def improvement(tree: Tree, node: int, gain: float) -> float:
    """A gain in the units of rpart."""
    if tree.is_class:
        return float(tree.nodes.weight[node]) * gain
    squares = float(tree.nodes.stats[node, 2])
    return float(tree.nodes.weight[node]) * gain / squares if squares > 0 else 0.0


def _node_lines(tree: Tree, node: int, full: bool) -> list[str]:
    nodes = tree.nodes
    head = f"Node {node}: {int(nodes.rows[node]):,} rows"
    if tree.is_labeled:
        head += f", {class_fractions(tree, node) if tree.is_class else f'mean {tree.prediction_text(node)}'}"
    if nodes.first_child[node] < 0:
        reason = tree.reason(node)
        prediction = f"; predicts {printable(tree.prediction_text(node))}" if tree.is_labeled else ""
        return [head + prediction + (f", a leaf: {reason}" if reason else "")]
    split = [(_split_text(tree, node), f"gain {number_text(improvement(tree, node, float(nodes.gain[node])), 4)}")]
    competitors = [
        (printable(question.text(tree.schema)), f"gain {number_text(improvement(tree, node, gain), 4)}")
        for question, gain, _ in tree.competitors(node)
    ]
    surrogates = [
        (printable(question.text(tree.schema, int(flipped))), f"agrees {agree:.3g}, adjusted {adjusted:.3g}")
        for question, flipped, agree, adjusted in tree.surrogates(node)
    ]
    sections = {
        "split": split,
        "competitors": _first(competitors, full),
        "surrogates": _first(surrogates, full),
        "missing": [(_missing_text(tree, node), "")],
    }
    width = max(len(text) for rows in sections.values() for text, values in rows if values)
    return [head, *(line for name, rows in sections.items() for line in _section(name, rows, width))]


def _section(name: str, rows: Iterable[tuple[str, str]], width: int) -> Iterable[str]:
    for index, (text, values) in enumerate(rows):
        yield f"  {name if index == 0 else '':<13}{text:<{width if values else 0}}   {values}".rstrip()


def _first(rows: list[tuple[str, str]], full: bool) -> list[tuple[str, str]]:
    if full or len(rows) <= _SHORT:
        return rows
    return [*rows[:_SHORT], (f"... {len(rows) - _SHORT} more", "")]


def _split_text(tree: Tree, node: int) -> str:
    question = tree.question(node)
    if question.n_branches > 2:
        return " | ".join(printable(question.text(tree.schema, branch)) for branch in range(question.n_branches))
    return printable(question.text(tree.schema))


def _missing_text(tree: Tree, node: int) -> str:
    branch = int(tree.nodes.missing_branch[node])
    if branch == STAY:
        return "ends here"
    if branch == ALL_BRANCHES:
        return "goes down all branches with fractions"
    return f"goes to {printable(tree.branch_text(node, branch))}"
