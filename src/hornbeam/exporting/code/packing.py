"""Trees and rules as the flat arrays that the engine reads.

QUESTIONS   8 integers per question: kind, column, first, missing, INTS start, INTS count, REALS start, REALS count
ROUTES      5 integers per route: question, missing, unseen (-9: as missing), SURROGATES start, stop
SURROGATES  pairs: question, flipped
CHILD, COLUMN, CUT, MISSING    per node: first child (-1 at a leaf); one cut of a number; the branch of a missing
value. COLUMN -1: the question is another one, and MISSING is its route
VALUES, LABELS                 per node: its prediction
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.exporting.model import ExportModel, ExportNode, ExportTree, Floats, Route, form_columns
from hornbeam.tree.nodes import ALL_BRANCHES, STAY
from hornbeam.tree.questions import UNKNOWN
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap, Plane

AS_MISSING = -9


@dataclasses.dataclass(eq=False)
class Packed:
    """The arrays of a model, by the names that the engine has for them."""

    columns: tuple[int, ...]
    ints: dict[str, list[int]]
    floats: dict[str, list[float]]


class Packer:
    """Collects questions, routes and nodes; equal questions are stored once. `columns` are those the model reads."""

    def __init__(self, model: ExportModel) -> None:
        self.columns = model.used_columns
        self.position = {column: index for index, column in enumerate(self.columns)}
        self.ints: dict[str, list[int]] = {
            "LEVELED": [int(spec.has_levels) for spec in model.inputs],
        }
        for name in ("QUESTIONS", "INTS", "ROUTES", "SURROGATES", "CHILD", "BRANCHES", "COLUMN", "MISSING", "LABELS"):
            self.ints[name] = []
        self.floats: dict[str, list[float]] = {name: [] for name in ("REALS", "CUT", "FRACTIONS", "VALUES")}
        self.roots: list[int] = [0]
        self._questions: dict[Form, int] = {}

    def question(self, form: Form) -> int:
        """The number of a question."""
        if form not in self._questions:
            row, ints, reals = self._row(form)
            found = len(self.ints["QUESTIONS"]) // 8
            self.ints["QUESTIONS"] += [
                *row, len(self.ints["INTS"]), len(ints), len(self.floats["REALS"]), len(reals)
            ]  # fmt: skip
            self.ints["INTS"] += ints
            self.floats["REALS"] += reals
            self._questions[form] = found
        return self._questions[form]

    def _row(self, form: Form) -> tuple[list[int], list[int], list[float]]:
        if isinstance(form, Cuts):
            return [0, self.position[form.column], form.first, form.missing_answer], [], list(form.cuts)
        if isinstance(form, LevelMap):
            return [1, self.position[form.column], 0, UNKNOWN], list(form.branches), []
        if isinstance(form, Junction):
            literals = [(self.question(literal), int(negated)) for literal, negated in form.literals]
            return [4, 0, 0, UNKNOWN], [int(form.is_any), *(each for pair in literals for each in pair)], []
        terms = [self.position[column] for column in form_columns(form)]
        if isinstance(form, Plane):
            return [2, 0, 0, UNKNOWN], terms, [*form.weights, form.bound, *form.fill]
        assert isinstance(form, Ball)
        return [3, 0, 0, UNKNOWN], terms, [*form.center, *form.scale, form.radius2, *form.fill]

    def route(self, route: Route) -> int:
        """Append a route and return its number."""
        question = self.question(route.form)
        start = len(self.ints["SURROGATES"]) // 2
        for form, is_flipped in route.surrogates:
            self.ints["SURROGATES"] += [self.question(form), int(is_flipped)]
        unseen = AS_MISSING if route.unseen is None else route.unseen
        found = len(self.ints["ROUTES"]) // 5
        self.ints["ROUTES"] += [question, route.missing, unseen, start, len(self.ints["SURROGATES"]) // 2]
        return found

    def tree(self, tree: ExportTree, values: Floats, *, with_questions: bool = True) -> None:
        """Append the nodes of a tree, with the values that they predict; `with_questions=False`: values alone."""
        first = len(self.ints["LABELS"])
        ends = possible_ends(tree)
        for node in tree:
            if with_questions:
                self._node(node, first)
            self.ints["LABELS"].append(node.label if node.label >= 0 else 0)
            used = node.index in ends
            self.floats["VALUES"] += values[node.index].tolist() if used else [0.0] * values.shape[1]
        if with_questions and tree.has_fractional:
            self._fractions(tree, first)
        self.roots.append(first + len(tree))

    def leaves(self, tree: ExportTree, values: Floats, order: Sequence[int]) -> None:
        """Append the predictions of the leaves of a tree alone, in the given order."""
        self.ints["LABELS"] += [max(int(tree.labels[node]), 0) for node in order]
        self.floats["VALUES"] += [value for node in order for value in values[node].tolist()]

    def _node(self, node: ExportNode, first: int) -> None:
        ints = self.ints
        ints["CHILD"].append(first + node.children[0] if node.children else -1)
        ints["BRANCHES"].append(len(node.children))
        route = node.route
        if route is not None and is_one_cut(route) and not ints["LEVELED"][self.position[form_columns(route.form)[0]]]:
            assert isinstance(route.form, Cuts)
            ints["COLUMN"].append(self.position[route.form.column])
            ints["MISSING"].append(route.missing)
            self.floats["CUT"].append(route.form.cuts[0])
            return
        ints["COLUMN"].append(-1)
        ints["MISSING"].append(0 if route is None else self.route(route))
        self.floats["CUT"].append(0.0)

    def _fractions(self, tree: ExportTree, first: int) -> None:
        fractions = self.floats["FRACTIONS"]
        fractions += [0.0] * (first + len(tree) - len(fractions))
        for node in tree:
            for child, fraction in zip(node.children, node.fractions, strict=False):
                fractions[first + child] = fraction


def is_one_cut(route: Route) -> bool:
    """Whether a route is one cut without surrogates: branch 0 or 1, or `missing`."""
    form = route.form
    return isinstance(form, Cuts) and len(form.cuts) == 1 and form.first == 0 and not route.surrogates


def possible_ends(tree: ExportTree) -> set[int]:
    """The nodes where a row can end: leaves, and inner nodes where an undefined outcome can end the path."""
    found = set()
    for node in tree:
        route = node.route
        if route is None or route.missing in (STAY, ALL_BRANCHES) or (route.unseen is not None and route.unseen < 0):
            found.add(node.index)
    return found
