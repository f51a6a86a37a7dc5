"""Questionnaire: a tree as a form to print and to fill in by hand.

    1  psa
       psa <= 8.85     -> 2
       psa > 8.85      -> result 3
       not known       -> 2

Each inner node is a numbered item with one line per branch, each leaf a numbered result. The line `not known` states
the tree's rule for missing values: the surrogates (questions that replace it), then one branch, all branches, or the
prediction of the node itself.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator
from typing import Any

import numpy as np

from hornbeam.number_text import count_text
from hornbeam.table.column import MISSING, Column, Kind
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import UNKNOWN
from hornbeam.tree.reference_walk import step
from hornbeam.tree.text import class_fractions, percent, printable

_NOT_KNOWN = "not known"


@dataclasses.dataclass(frozen=True)
class Item:
    """One inner node: its number, the columns that it tests, and the condition and destination of each line."""

    number: int
    title: str
    lines: tuple[tuple[str, str], ...]


@dataclasses.dataclass(frozen=True)
class Result:
    """One leaf: its number, its prediction, and the training rows behind it."""

    number: int
    prediction: str
    rows: str


@dataclasses.dataclass(frozen=True, eq=False)
class Questionnaire:
    """A tree as a form: its items in the order of the tree, and its results."""

    title: str
    items: tuple[Item, ...]
    results: tuple[Result, ...]

    @property
    def start(self) -> str:
        """The first line: where to begin."""
        return "Start with item 1 and follow the number after the first line that applies." if self.items else ""

    def text(self) -> str:
        """The form as text."""
        lines = [self.title, "=" * len(self.title), *(["", self.start] if self.start else [])]
        margin = len(str(len(self.items))) + 2
        for item in self.items:
            width = max(len(condition) for condition, _ in item.lines)
            lines += ["", f"{item.number}".ljust(margin) + item.title]
            lines += [f"{' ' * margin}[ ] {condition:<{width}}  -> {then}" for condition, then in item.lines]
        lines += ["", "Results", "-------"]
        number_width, width = _widths(self.results)
        lines += [f"{each.number:>{number_width}}  {each.prediction:<{width}}  {each.rows}" for each in self.results]
        return "\n".join(lines)

    def markdown(self) -> str:
        """The form as Markdown."""
        lines = [f"# {_escaped(self.title)}", *(["", self.start] if self.start else [])]
        for item in self.items:
            lines += ["", f"**{item.number}. {_escaped(item.title)}**", ""]
            lines += [f"- [ ] {_escaped(condition)} → **{_escaped(then)}**" for condition, then in item.lines]
        lines += ["", "## Results", "", "| result | prediction | training rows |", "|--:|---|---|"]
        lines += [f"| {each.number} | {_escaped(each.prediction)} | {_escaped(each.rows)} |" for each in self.results]
        return "\n".join(lines)

    def html(self) -> str:
        """The form as one HTML page with links between the items, made for printing."""
        body = [f"<h1>{html.escape(self.title)}</h1>", f"<p>{self.start}</p>" if self.start else ""]
        for item in self.items:
            lines = "".join(
                f"<tr><td>☐ {html.escape(condition)}</td><td>{_link(then)}</td></tr>" for condition, then in item.lines
            )
            head = f'<h2 id="i{item.number}">{item.number}. {html.escape(item.title)}</h2>'
            body.append(f"<section>{head}<table>{lines}</table></section>")
        results = "".join(
            f'<tr id="r{each.number}"><td>{each.number}</td><td>{html.escape(each.prediction)}</td>'
            f"<td>{html.escape(each.rows)}</td></tr>"
            for each in self.results
        )
        head = "<tr><th>result</th><th>prediction</th><th>training rows</th></tr>"
        body.append(f"<section><h2>Results</h2><table>{head}{results}</table></section>")
        return _PAGE.format(title=html.escape(self.title), body="\n".join(filter(None, body)))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Questionnaire {self.title!r}: {len(self.items)} items, {len(self.results)} results>"


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 11pt/1.4 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; }}
h1 {{ font-size: 1.4rem; }} h2 {{ font-size: 1.05rem; margin: 1.2rem 0 .3rem; }}
section {{ break-inside: avoid; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ padding: .15rem .6rem .15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ccc; }}
a {{ color: inherit; font-weight: 600; }}
</style></head><body>
{body}
</body></html>"""


def questionnaire(model: Any, *, title: str | None = None, missing: bool = True) -> Questionnaire:
    """A tree as a questionnaire to print: `.text()`, `.markdown()` or `.html()`.

    `missing=False` omits the lines for values that are not known.
    """
    tree = only_tree(model, "A questionnaire")
    target = tree.schema.target
    name = title if title is not None else f"Questionnaire: {target.name if target is not None else 'tree'}"
    order = list(_depth_first(tree))
    inner = {node: at for at, node in enumerate((n for n in order if not _is_leaf(tree, n)), start=1)}
    leaves = {node: at for at, node in enumerate((n for n in order if _is_leaf(tree, n)), start=1)}
    places = {**{n: str(at) for n, at in inner.items()}, **{n: f"result {at}" for n, at in leaves.items()}}
    items = []
    for node, at in inner.items():
        lines = [*_branch_lines(tree, node, places), *(_missing_lines(tree, node, places) if missing else ())]
        items.append(Item(at, _title(tree, node), tuple(lines)))
    results = tuple(_result(tree, node, at) for node, at in leaves.items())
    return Questionnaire(printable(name), tuple(items), results)


def _depth_first(tree: Tree) -> Iterator[int]:
    waiting = [0]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(tree.nodes.children(node))


def _is_leaf(tree: Tree, node: int) -> bool:
    return bool(tree.nodes.first_child[node] < 0)


def _title(tree: Tree, node: int) -> str:
    return printable(", ".join(tree.schema.columns[position].name for position in tree.question(node).columns))


def _branch_lines(tree: Tree, node: int, places: dict[int, str]) -> Iterator[tuple[str, str]]:
    """The condition and the destination of each branch."""
    for branch, child in enumerate(tree.nodes.children(node)[: tree.question(node).n_branches]):
        yield printable(tree.branch_text(node, branch)), places[child]


def _missing_lines(tree: Tree, node: int, places: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Where a value that is not known leads: by the surrogates in order, then by the rule of the node."""
    children = tree.nodes.children(node)
    row = _missing_row(tree)
    if int(tree.question(node).branch(row)[0]) != UNKNOWN:
        return  # the question is about missing values
    known = _NOT_KNOWN
    for surrogate, is_flipped, *_ in tree.surrogates(node):
        for outcome in (0, 1):
            branch = 1 - outcome if is_flipped else outcome
            yield f"{_NOT_KNOWN}, but {printable(surrogate.text(tree.schema, outcome))}", places[children[branch]]
        known = f"{_NOT_KNOWN} either"
    branch = int(step(tree, node, row, np.array([0]))[0][0])
    if branch == ALL_BRANCHES:
        weights = [float(tree.nodes.weight[child]) for child in children]
        fractions = [f"{percent(weight / sum(weights))} {places[child]}" for child, weight in zip(children, weights)]
        yield known, f"mean of all branches: {', '.join(fractions)}"
    elif branch < 0:
        yield known, f"{_prediction(tree, node)} (no further question)"
    else:
        yield known, places[children[branch]]


def _missing_row(tree: Tree) -> tuple[Column, ...]:
    return tuple(
        [
            Column(spec.name, spec.kind, np.array([np.nan if spec.kind is Kind.NUMERIC else MISSING]), spec.levels)
            for spec in tree.schema.columns
        ]
    )


def _prediction(tree: Tree, node: int) -> str:
    return printable(tree.prediction_text(node))


def _result(tree: Tree, node: int, number: int) -> Result:
    rows = int(tree.nodes.rows[node])
    counted = f"{count_text(rows)} row{'' if rows == 1 else 's'}"
    details = f": {class_fractions(tree, node)}" if tree.is_class else ""
    return Result(number, _prediction(tree, node), f"{counted}{details}")


def _widths(results: tuple[Result, ...]) -> tuple[int, int]:
    return len(str(len(results))), max(len(each.prediction) for each in results)


def _link(then: str) -> str:
    anchor = f"r{then[7:]}" if then.startswith("result ") else f"i{then}" if then.isdecimal() else ""
    return f'<a href="#{anchor}">{html.escape(then)}</a>' if anchor else html.escape(then)


def _escaped(text: str) -> str:
    """Text without meaning in Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else sign for sign in text)
