"""What does every node ask, what came next, and what is asked instead?  (rpart's summary, in short.)

    Node 0: 146 rows, 0 63%, 1 37%
      asks        grade <= 2             improve 10.4
      next        g2 <= 13.2             improve 7.6
                  ploidy in {diploid}    improve 7.1
      instead     ploidy in {diploid}    agrees 0.81, adjusted 0.54
      unknown     follows grade > 2

    improve, classes   W(t) gain(t): the weight times the decrease in impurity (entropy is in bits here)
    improve, numbers   the share of the node's sum of squares that goes away

Competitors are there if the recipe keeps some (`competitors = 4`), surrogates if that is its way with missing values.
Short: inner nodes of the first `depth` levels, the first two of each; `full` tells everything.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbeam.errors import InputError
from hornbeam.errors import short_repr as show
from hornbeam.options import is_integer
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.text import class_probabilities, printable

_FEW = 2
_DEPTH = 3


def summary(tree: Tree, node: int | None = None, *, full: bool = False, depth: int = _DEPTH) -> str:
    """The nodes in words: what they ask, what came next, what is asked instead; one node, or all down to a depth."""
    tree = only_tree(tree, "A summary", labels=False)
    if node is not None:
        if not is_integer(node) or not 0 <= node < len(tree):
            raise InputError(f"The tree has nodes 0 to {len(tree) - 1}; got {show(node)}.", node=node)
        return "\n".join(_node_lines(tree, node, full=True))
    inner = [each for each in range(len(tree)) if full or tree.nodes.first_child[each] >= 0]
    shown = [each for each in inner if full or tree.nodes.depth[each] < depth]
    lines = [line for each in shown for line in _node_lines(tree, each, full=full)]
    if len(shown) < len(inner):
        lines.append(f"... {len(inner) - len(shown)} more nodes ask below; full=True tells them.")
    return "\n".join(lines) if lines else "\n".join(_node_lines(tree, 0, full=full))


def improvement(tree: Tree, node: int, gain: float) -> float:
    """A gain in rpart's units."""
    if tree.is_class:
        return float(tree.nodes.weight[node]) * gain
    squares = float(tree.nodes.stats[node, 2])
    return float(tree.nodes.weight[node]) * gain / squares if squares > 0 else 0.0


def _node_lines(tree: Tree, node: int, full: bool) -> list[str]:
    nodes = tree.nodes
    head = f"Node {node}: {int(nodes.rows[node])} rows"
    if tree.is_labeled:
        head += f", {class_probabilities(tree, node) if tree.is_class else f'mean {tree.prediction_text(node)}'}"
    if nodes.first_child[node] < 0:
        reason = tree.reason(node)
        says = f"; says {printable(tree.prediction_text(node))}" if tree.is_labeled else ""
        return [head + says + (f", a leaf: {reason}" if reason else "")]
    asks = [(_asked(tree, node), f"improve {improvement(tree, node, float(nodes.gain[node])):.4g}")]
    following = [
        (printable(question.text(tree.schema)), f"improve {improvement(tree, node, gain):.4g}")
        for question, gain, _ in tree.competitors(node)
    ]
    instead = [
        (printable(question.text(tree.schema, int(flipped))), f"agrees {agree:.3g}, adjusted {adjusted:.3g}")
        for question, flipped, agree, adjusted in tree.surrogates(node)
    ]
    unknown = [(_unknown(tree, node), "")]
    sections = {"asks": asks, "next": _few(following, full), "instead": _few(instead, full), "unknown": unknown}
    width = max(len(words) for rows in sections.values() for words, figures in rows if figures)
    return [head, *(line for name, rows in sections.items() for line in _section(name, rows, width))]


def _section(name: str, rows: Iterable[tuple[str, str]], width: int) -> Iterable[str]:
    for place, (words, figures) in enumerate(rows):
        yield f"  {name if place == 0 else '':<10}{words:<{width if figures else 0}}   {figures}".rstrip()


def _few(rows: list[tuple[str, str]], full: bool) -> list[tuple[str, str]]:
    if full or len(rows) <= _FEW:
        return rows
    return [*rows[:_FEW], (f"... {len(rows) - _FEW} more", "")]


def _asked(tree: Tree, node: int) -> str:
    question = tree.question(node)
    if question.n_branches > 2:
        return " | ".join(printable(question.text(tree.schema, branch)) for branch in range(question.n_branches))
    return printable(question.text(tree.schema))


def _unknown(tree: Tree, node: int) -> str:
    branch = int(tree.nodes.missing_branch[node])
    if branch == STAY:
        return "stays here"
    if branch == ALL_BRANCHES:
        return "goes down every branch in part"
    return f"goes to {printable(tree.branch_text(node, branch))}"
