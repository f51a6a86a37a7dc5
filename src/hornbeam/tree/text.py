"""A tree as text.

    species: setosa 33%, versicolor 33%, virginica 33%   (150 / 100)
    ├─ petal length <= 2.45: setosa          (50 / 0)   setosa 100%
    └─ petal length > 2.45
       ├─ petal width <= 1.75: versicolor    (54 / 5)   versicolor 91%, virginica 9%
       └─ petal width > 1.75: virginica      (46 / 1)   virginica 98%, versicolor 2%

The parentheses show the training weight / the misclassified weight; for regression the weight ± the standard deviation;
without a target the weight alone. `depth` folds deeper nodes into one line with their number. Below depth 40, lines
start with their depth instead of the guides, so that a chain of any depth prints in linear size. Names and levels come
from data: characters that are not printable are escaped. With `min_count`, weights are multiples of it and `<5` is a
hidden one.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hornbeam.number_text import count_text, number_text
from hornbeam.tree import walk
from hornbeam.tree.hiding import hide_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree

_MAX_GUIDES = 40
_MAX_LABEL = 76
_MAX_CLASSES = 4
_MAX_NOTEBOOK_NODES = 120
_NOTEBOOK_WIDTH = 200


@dataclasses.dataclass(frozen=True)
class _Marks:
    branch: str
    last: str
    through: str
    blank: str
    more: str
    plus_minus: str
    min_count: int = 0  # weights below it are hidden


_LINES = _Marks("├─ ", "└─ ", "│  ", "   ", "…", "±")
_ASCII = _Marks("|- ", "`- ", "|  ", "   ", "...", "+-")


@dataclasses.dataclass(frozen=True)
class _Line:
    condition: str
    prediction: str = ""
    size: str = ""
    classes: str = ""


def format_tree(
    tree: Tree, *, depth: int | None = None, width: int | None = None, ascii: bool = False, min_count: int = 0
) -> str:
    """The tree as text: one line per branch, down to `depth`, truncated to `width`, in ASCII if `ascii`.

    With `min_count` all weights are multiples of it and smaller ones are hidden.
    """
    tree = hide_counts(only_tree(tree, "The text of a tree", labels=False), min_count)
    marks = dataclasses.replace(_ASCII if ascii else _LINES, min_count=min_count)
    lines = list(_lines(tree, marks, depth))
    if ascii:
        lines = [_Line(*(_ascii(part) for part in dataclasses.astuple(line))) for line in lines]
    with_size = [line for line in lines[1:] if line.size]
    lengths = [len(line.condition) + len(line.prediction) for line in with_size]
    label = max((length for length in lengths if length <= _MAX_LABEL), default=0)
    size = max((len(line.size) for line in with_size), default=0)
    out = [_laid_out(lines[0], 0, 0, width, marks)]
    out += [_laid_out(line, label, size, width, marks) for line in lines[1:]]
    return "\n".join(out)


def html_tree(tree: Tree) -> str:
    """The text of the tree as HTML for a notebook, folded to a readable depth."""
    per_level = np.cumsum(np.bincount(tree.nodes.depth))
    depth = None if len(tree) <= _MAX_NOTEBOOK_NODES else int(np.searchsorted(per_level, _MAX_NOTEBOOK_NODES)) - 1
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
        node, condition, guides, is_last = waiting.pop()
        level = int(tree.nodes.depth[node])
        lead = guides + (marks.last if is_last else marks.branch)
        is_folded = depth is not None and level >= depth and tree.nodes.first_child[node] >= 0
        if tree.nodes.first_child[node] >= 0 and not is_folded:
            yield _Line(lead + condition)
            waiting += _branches(tree, node, _deeper(guides, level, is_last, marks), marks)
            continue
        classes = _classes(tree, tree.nodes.stats[node], marks) if tree.is_class else ""
        if is_folded:
            classes += f"   {_folded(int(below[node]), marks)}"
        prediction = f": {printable(tree.prediction_text(node))}" if tree.is_labeled else ""
        yield _Line(lead + condition, prediction, _size(tree, node, marks), classes)


def _branches(tree: Tree, node: int, guides: str, marks: _Marks) -> list[tuple[int, str, str, bool]]:
    """The branches of a node in reversed order, for a stack."""
    children = tree.nodes.children(node)
    return [
        (child, printable(tree.branch_text(node, branch)), guides, branch == len(children) - 1)
        for branch, child in reversed(list(enumerate(children)))
    ]


def _deeper(guides: str, level: int, is_last: bool, marks: _Marks) -> str:
    if level >= _MAX_GUIDES:
        return f"[{level + 1}] "
    return guides + (marks.blank if is_last else marks.through)


def _head(tree: Tree, marks: _Marks) -> _Line:
    target = tree.schema.target
    if target is None:
        return _Line("no target", size=_size(tree, 0, marks))
    name = printable(target.name)
    root = _classes(tree, tree.nodes.stats[0], marks) if tree.is_class else tree.prediction_text(0)
    return _Line(name, f": {root}", _size(tree, 0, marks))


def _folded(count: int, marks: _Marks) -> str:
    return f"{marks.more} {count:,} nodes below"


def _classes(tree: Tree, stats: npt.NDArray[np.float64], marks: _Marks) -> str:
    """The classes with their fractions of `stats`, largest first."""
    total = float(stats.sum())
    if not total > 0.0:
        return "" if marks.min_count else "no rows"
    order = [k for k in np.argsort(-stats, kind="stable").tolist() if stats[k] > 0]
    parts = [f"{printable(str(tree.schema.classes[k]))} {percent(stats[k] / total)}" for k in order[:_MAX_CLASSES]]
    return ", ".join(parts) + (f", {marks.more}" if len(order) > _MAX_CLASSES else "")


def class_fractions(tree: Tree, node: int) -> str:
    """The classes of a node with their fractions of its training rows, largest first."""
    return _classes(tree, tree.nodes.stats[node], _LINES)


def class_probabilities(tree: Tree, node: int) -> str:
    """The classes of a node with the probabilities that it predicts, largest first."""
    return _classes(tree, walk.node_values(tree)[node], _LINES)


def percent(fraction: float) -> str:
    """A fraction as integer percent; 0% and 100% only if it is exactly 0 or 1."""
    if 0.0 < fraction < 0.005:
        return "<1%"
    if 0.995 <= fraction < 1.0:
        return ">99%"
    return f"{100 * fraction:.0f}%"


def _size(tree: Tree, node: int, marks: _Marks) -> str:
    weight = float(tree.nodes.weight[node])
    if weight < marks.min_count:
        return f"(<{marks.min_count})"
    if not tree.is_labeled:
        return f"({count_text(weight)})"
    if tree.is_class:
        right = float(tree.nodes.stats[node, int(tree.nodes.answer[node])])
        return f"({count_text(weight)} / {_fewer(max(weight - right, 0.0), marks.min_count)})"
    spread = float(np.sqrt(max(tree.nodes.stats[node, 2], 0.0) / weight)) if weight > 0 else 0.0
    return f"({count_text(weight)} {marks.plus_minus} {number_text(spread, 4)})"


def _fewer(count: float, min_count: int) -> str:
    """A count as text, `<5` below `min_count`."""
    return f"<{min_count}" if count < min_count else count_text(count, 4)


def _laid_out(line: _Line, label: int, size: int, width: int | None, marks: _Marks) -> str:
    """One line with its columns; if too wide, the classes are truncated, then the condition, never the prediction."""
    tail = f"   {line.size:<{size}}" if line.size else ""
    if width is not None:
        label = min(label, max(width - len(tail), 0))
        line = dataclasses.replace(
            line, condition=_truncated(line.condition, max(width - len(tail) - len(line.prediction), 12), marks)
        )
    text = f"{line.condition}{line.prediction}"
    if tail:
        text = f"{text:<{label}}{tail}   {line.classes}".rstrip()
    return text if width is None else _truncated(text, width, marks)


def _truncated(text: str, width: int, marks: _Marks) -> str:
    return text if len(text) <= width else text[: max(width - len(marks.more), 1)] + marks.more


def nodes_below(tree: Tree) -> npt.NDArray[np.int64]:
    """The number of descendants of each node."""
    count = [0] * len(tree)
    parent = tree.nodes.parent.tolist()
    for node in range(len(tree) - 1, 0, -1):
        count[parent[node]] += count[node] + 1
    return np.array(count, dtype=np.int64)


def printable(text: str) -> str:
    """Text with characters that are not printable (control characters, direction marks) escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode("ascii")
