"""A small tree as nested conditions, in the subset of Python that `translate` understands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbeam.exporting.code.packing import Packer, is_one_cut
from hornbeam.exporting.model import REJECTED, ExportTree, Route
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions.forms import Cuts, Form, LevelMap

MAX_DEPTH = 60
_MAX_LEVELS = 8  # levels that one condition lists


class Unroller:
    """Writes trees as functions that return the node where a row ends, -2 if it is rejected.

    `constants` are the names of the positions in `x`. Questions other than one cut are looked up in the tables.
    """

    def __init__(self, packer: Packer, constants: Sequence[str]) -> None:
        self.packer = packer
        self.constants = constants

    def function(self, number: int, tree: ExportTree, first: int) -> str:
        """The function of a tree whose nodes are numbered from `first`."""
        lines = [f"def tree_{number}(x: Floats) -> int:", *self._node(tree, 0, first, 1)]
        return "\n".join(lines) + "\n\n"

    def _node(self, tree: ExportTree, index: int, first: int, depth: int) -> Iterator[str]:
        node, pad = tree[index], "    " * depth
        if node.route is None:
            yield f"{pad}return {first + index}"
            return
        simple = self._simple(node.route, len(node.children))
        if simple is not None:
            test, yes, no = simple
            yield f"{pad}if {test}:"
            yield from self._child(tree, node.index, yes, first, depth)
            yield f"{pad}else:"
            yield from self._child(tree, node.index, no, first, depth)
            return
        yield from self._general(node.route, index, first, depth)
        last = len(node.children) - 1
        for branch in range(len(node.children)):
            keyword = "else:" if branch == last else f"{'if' if branch == 0 else 'elif'} b{index} == {branch}:"
            yield f"{pad}{keyword}"
            yield from self._child(tree, index, branch, first, depth)

    def _child(self, tree: ExportTree, index: int, branch: int, first: int, depth: int) -> Iterator[str]:
        yield f"{'    ' * (depth + 1)}{tree.source.branch_text(index, branch)!r}"
        yield from self._node(tree, tree[index].children[branch], first, depth + 1)

    def _simple(self, route: Route, n_children: int) -> tuple[str, int, int] | None:
        """A condition, the branch where it is true and the branch where it is not; None if that is not enough."""
        form = route.form
        if n_children != 2 or route.surrogates or route.missing not in (0, 1):
            return None
        if isinstance(form, Cuts) and is_one_cut(route) and not self._has_levels(form.column):
            sign, yes = ("<=", 0) if route.missing == 1 else (">", 1)
            return f"{self._value(form.column)} {sign} {_number(form.cuts[0])}", yes, 1 - yes
        if isinstance(form, LevelMap) and route.unseen in (None, route.missing):
            codes = form.levels(1 - route.missing)
            if 0 < len(codes) <= _MAX_LEVELS:
                value = self._value(form.column)
                return " or ".join(f"{value} == {code}.0" for code in codes), 1 - route.missing, route.missing
        return None

    def _general(self, route: Route, index: int, first: int, depth: int) -> Iterator[str]:
        """The branch as a variable: question, unseen level, surrogates, default."""
        pad, name = "    " * depth, f"b{index}"
        yield f"{pad}{name}: int = {self._outcome(route.form)}"
        if route.unseen is not None:
            yield f"{pad}if {name} == -2:"
            yield f"{pad}    {_result(name, route.unseen, first + index)}"
        for form, is_flipped in route.surrogates:
            outcome = self._outcome(form)
            yield f"{pad}if {name} < 0:"
            yield f"{pad}    {name} = {f'flip({outcome})' if is_flipped else outcome}"
        yield f"{pad}if {name} < 0:"
        yield f"{pad}    {_result(name, route.missing, first + index)}"

    def _outcome(self, form: Form) -> str:
        is_one = isinstance(form, Cuts) and len(form.cuts) == 1 and form.first == 0
        if isinstance(form, Cuts) and is_one and not self._has_levels(form.column):
            return f"cut({self._value(form.column)}, {_number(form.cuts[0])})"
        return f"outcome({self.packer.question(form)}, x)"

    def _has_levels(self, column: int) -> bool:
        return bool(self.packer.ints["LEVELED"][self.packer.position[column]])

    def _value(self, column: int) -> str:
        return f"x[{self.constants[self.packer.position[column]]}]"


def _result(name: str, branch: int, node: int) -> str:
    if branch >= 0:
        return f"{name} = {branch}"
    assert branch in (STAY, REJECTED)
    return f"return {node if branch == STAY else -2}"


def _number(value: float) -> str:
    text = repr(value)
    return text.replace("inf", "1e999")
