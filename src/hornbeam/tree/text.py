"""How does a tree read as text?

    species: setosa 33%, versicolor 33%, virginica 33%   (150 / 100)
    ├─ petal length <= 2.45: setosa          (50 / 0)   setosa 100%
    └─ petal length > 2.45
       ├─ petal width <= 1.75: versicolor    (54 / 5)   versicolor 91%, virginica 9%
       └─ petal width > 1.75: virginica      (46 / 1)   virginica 98%, versicolor 2%

In brackets: training weight / weight that is wrong, or for numbers weight ± standard deviation, or without a target
the weight alone. `depth` folds what
lies deeper into one line that says how much there is. Beyond 40 levels lines start with their depth in place of the
guides, so that a chain of any depth prints in linear size. Names and levels come from data: what is not printable is
escaped.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree

_MOST_GUIDES = 40
_WIDEST_LABEL = 76
_MOST_SHARES = 4
_MOST_IN_NOTEBOOK = 120
_NOTEBOOK_WIDTH = 200


@dataclasses.dataclass(frozen=True)
class _Marks:
    branch: str
    last: str
    through: str
    blank: str
    more: str
    plus_minus: str


_LINES = _Marks("├─ ", "└─ ", "│  ", "   ", "…", "±")
_ASCII = _Marks("|- ", "`- ", "|  ", "   ", "...", "+-")


@dataclasses.dataclass(frozen=True)
class _Line:
    asks: str
    answer: str = ""
    figures: str = ""
    says: str = ""


def format_tree(tree: Tree, *, depth: int | None = None, width: int | None = None, ascii: bool = False) -> str:
    """The tree as text: one line a branch, down to `depth`, cut to `width`, with plain characters if `ascii`."""
    tree = only_tree(tree, "The text of a tree", labels=False)
    marks = _ASCII if ascii else _LINES
    lines = list(_lines(tree, marks, depth))
    if ascii:
        lines = [_Line(*(_ascii(part) for part in dataclasses.astuple(line))) for line in lines]
    with_figures = [line for line in lines[1:] if line.figures]
    lengths = [len(line.asks) + len(line.answer) for line in with_figures]
    label = max((length for length in lengths if length <= _WIDEST_LABEL), default=0)
    figures = max((len(line.figures) for line in with_figures), default=0)
    out = [_laid_out(lines[0], 0, 0, width, marks)]
    out += [_laid_out(line, label, figures, width, marks) for line in lines[1:]]
    return "\n".join(out)


def html_tree(tree: Tree) -> str:
    """The tree for a notebook: its text, escaped, folded to the depth at which it stays readable."""
    per_level = np.cumsum(np.bincount(tree.nodes.depth))
    depth = None if len(tree) <= _MOST_IN_NOTEBOOK else int(np.searchsorted(per_level, _MOST_IN_NOTEBOOK)) - 1
    style = "line-height: 1.25; white-space: pre; overflow-x: auto"
    return f'<pre style="{style}">{html.escape(format_tree(tree, depth=depth, width=_NOTEBOOK_WIDTH))}</pre>'


def _lines(tree: Tree, marks: _Marks, depth: int | None) -> Iterator[_Line]:
    below = nodes_below(tree)
    yield _head(tree, marks)
    if tree.nodes.first_child[0] < 0:
        return
    if depth is not None and depth <= 0:
        yield _Line(f"{marks.last}{_folded(int(below[0]), marks)}")
        return
    waiting = _branches(tree, 0, "", marks)
    while waiting:
        node, words, guides, is_last = waiting.pop()
        level = int(tree.nodes.depth[node])
        lead = guides + (marks.last if is_last else marks.branch)
        is_folded = depth is not None and level >= depth and tree.nodes.first_child[node] >= 0
        if tree.nodes.first_child[node] >= 0 and not is_folded:
            yield _Line(lead + words)
            waiting += _branches(tree, node, _deeper(guides, level, is_last, marks), marks)
            continue
        says = _says(tree, node, marks)
        if is_folded:
            says += f"   {_folded(int(below[node]), marks)}"
        answer = f": {printable(tree.prediction_text(node))}" if tree.is_labeled else ""
        yield _Line(lead + words, answer, _figures(tree, node, marks), says)


def _branches(tree: Tree, node: int, guides: str, marks: _Marks) -> list[tuple[int, str, str, bool]]:
    """The branches of a node, last one first, as they are popped from a stack."""
    children = tree.nodes.children(node)
    return [
        (child, printable(tree.branch_text(node, branch)), guides, branch == len(children) - 1)
        for branch, child in reversed(list(enumerate(children)))
    ]


def _deeper(guides: str, level: int, is_last: bool, marks: _Marks) -> str:
    if level >= _MOST_GUIDES:
        return f"[{level + 1}] "
    return guides + (marks.blank if is_last else marks.through)


def _head(tree: Tree, marks: _Marks) -> _Line:
    target = tree.schema.target
    if target is None:
        return _Line("no target", figures=_figures(tree, 0, marks))
    name = printable(target.name)
    says = _shares(tree, 0, marks) if tree.is_class else tree.prediction_text(0)
    return _Line(name, f": {says}", _figures(tree, 0, marks))


def _folded(count: int, marks: _Marks) -> str:
    return f"{marks.more} {count} nodes below"


def _says(tree: Tree, node: int, marks: _Marks) -> str:
    return _shares(tree, node, marks) if tree.is_class else ""


def _shares(tree: Tree, node: int, marks: _Marks) -> str:
    """The classes of a node with their shares, largest first."""
    stats = tree.nodes.stats[node]
    total = float(stats.sum())
    if not total > 0.0:
        return "no rows"
    order = [k for k in np.argsort(-stats, kind="stable").tolist() if stats[k] > 0]
    parts = [f"{printable(str(tree.schema.classes[k]))} {percent(stats[k] / total)}" for k in order[:_MOST_SHARES]]
    return ", ".join(parts) + (f", {marks.more}" if len(order) > _MOST_SHARES else "")


def class_probabilities(tree: Tree, node: int) -> str:
    """The classes of a node with their shares, largest first."""
    return _shares(tree, node, _LINES)


def percent(share: float) -> str:
    """Whole percent, but never 0% or 100% for what is neither."""
    if 0.0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1.0:
        return ">99%"
    return f"{100 * share:.0f}%"


def _figures(tree: Tree, node: int, marks: _Marks) -> str:
    weight = float(tree.nodes.weight[node])
    if not tree.is_labeled:
        return f"({_amount(weight, 6)})"
    if tree.is_class:
        right = float(tree.nodes.stats[node, int(tree.nodes.answer[node])])
        return f"({_amount(weight, 6)} / {_amount(max(weight - right, 0.0), 4)})"
    spread = float(np.sqrt(max(tree.nodes.stats[node, 2], 0.0) / weight)) if weight > 0 else 0.0
    return f"({_amount(weight, 6)} {marks.plus_minus} {spread:.4g})"


def _amount(weight: float, digits: int) -> str:
    """A weight: counts of rows in full, other weights to some digits."""
    return f"{weight:.0f}" if weight == int(weight) and weight < 1e15 else f"{weight:.{digits}g}"


def _laid_out(line: _Line, label: int, figures: int, width: int | None, marks: _Marks) -> str:
    """One line with its columns; in a narrow place the shares are cut first, then the question, never the answer."""
    tail = f"   {line.figures:<{figures}}" if line.figures else ""
    if width is not None:
        label = min(label, max(width - len(tail), 0))
        line = dataclasses.replace(line, asks=_cut(line.asks, max(width - len(tail) - len(line.answer), 12), marks))
    text = f"{line.asks}{line.answer}"
    if tail:
        text = f"{text:<{label}}{tail}   {line.says}".rstrip()
    return text if width is None else _cut(text, width, marks)


def _cut(text: str, room: int, marks: _Marks) -> str:
    return text if len(text) <= room else text[: max(room - len(marks.more), 1)] + marks.more


def nodes_below(tree: Tree) -> npt.NDArray[np.int64]:
    """How many nodes lie below each node."""
    count = [0] * len(tree)
    parent = tree.nodes.parent.tolist()
    for node in range(len(tree) - 1, 0, -1):
        count[parent[node]] += count[node] + 1
    return np.array(count, dtype=np.int64)


def printable(text: str) -> str:
    """Text with everything that is not printable (control characters, direction marks) escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")
