"""The form of a model that all writers share.

A route decides the branch of a row, as the walk does (`tree/walk.py`):

    1. the outcome of the question (`tree/questions/forms.py`: cuts, level map, plane, ball, junction)
    2. a level without a branch: `unseen`, or the next steps if it is None
    3. the first surrogate with a defined outcome; a flipped one swaps the branches
    4. `missing`: a branch, STAY (the row ends at the node) or ALL_BRANCHES (the row becomes fractional)

A fractional row goes down every branch with its fraction; portions below `MIN_FRACTION` are dropped, and a node whose
portions are all dropped is an end. The prediction is the sum of fraction times value over the ends, in ascending order
of the nodes, divided by the sum of the fractions.

An ensemble adds `weight * value` of its trees in their order, then divides by `divisor` and applies the link.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree import reference_walk, walk
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.questions import UNKNOWN
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap, Plane, form_at

MIN_FRACTION = reference_walk.MIN_FRACTION
REJECTED = -3  # the result of a route for a level that the model rejects

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Route:
    """The branch of a row; `unseen` is the branch of a level without one, None if it is treated as missing."""

    form: Form
    surrogates: tuple[tuple[Form, bool], ...] = ()
    missing: int = STAY
    unseen: int | None = None

    @property
    def columns(self) -> tuple[int, ...]:
        """The positions of the columns that it reads, each once."""
        forms = [self.form, *(form for form, _ in self.surrogates)]
        return tuple(dict.fromkeys(column for form in forms for column in form_columns(form)))


@dataclasses.dataclass(frozen=True)
class ExportNode:
    """A node: its route and children (none at a leaf), the fractions of the branches, its prediction.

    `values` are class probabilities or one number; `label` is the index of the predicted class, -1 in a regression.
    """

    index: int
    route: Route | None
    children: tuple[int, ...]
    fractions: tuple[float, ...]
    values: tuple[float, ...]
    label: int


class ExportTree:
    """A tree as nodes with routes; `source` is the tree itself.

    `schema` is that of the model: it may have more levels than the tree, which have no branch in its questions.
    """

    def __init__(self, source: Tree, schema: Schema | None = None) -> None:
        self.source = source
        self.schema = source.schema if schema is None else schema
        self._forms: dict[int, Form] = {}
        self._routes: dict[int, Route] = {}

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> ExportNode:
        nodes, route = self.source.nodes, self.route(index)
        children = tuple(nodes.children(index))
        return ExportNode(
            index,
            route,
            children,
            self._fractions(children) if route is not None and route.missing == ALL_BRANCHES else (),
            tuple(self.values[index].tolist()),
            int(self.labels[index]),
        )

    def __iter__(self) -> Iterator[ExportNode]:
        return (self[index] for index in range(len(self)))

    @cached_property
    def values(self) -> Floats:
        """The prediction of each node: class probabilities or one number; without a target, no columns."""
        return walk.node_values(self.source) if self.source.is_labeled else np.zeros((len(self), 0))

    @cached_property
    def labels(self) -> npt.NDArray[np.int32]:
        """The index of the predicted class of each node; -1 in a regression."""
        is_class = self.source.is_class
        answer = self.source.nodes.answer
        return answer.astype(np.int32) if is_class else np.full(len(self), -1, dtype=np.int32)

    @property
    def inner(self) -> list[int]:
        """The nodes that have children, in ascending order."""
        return [int(node) for node in np.flatnonzero(~self.source.nodes.is_leaf)]

    @cached_property
    def has_fractional(self) -> bool:
        """Whether a row can become fractional."""
        return any(self._missing(node) == ALL_BRANCHES for node in self.inner)

    @cached_property
    def has_rejection(self) -> bool:
        """Whether the tree rejects rows with a level that has no branch."""
        return self.source.unseen == "error"

    def form(self, row: int) -> Form:
        """The form of a question, by its row in the table of questions."""
        if row not in self._forms:
            self._forms[row] = self._with_all_levels(form_at(self.source.questions, row))
        return self._forms[row]

    def _with_all_levels(self, form: Form) -> Form:
        if self.schema is self.source.schema or isinstance(form, (Cuts, Plane, Ball)):
            return form
        if isinstance(form, Junction):
            literals = tuple((self._with_all_levels(literal), negated) for literal, negated in form.literals)
            return dataclasses.replace(form, literals=literals)
        known = dict(zip(self.source.schema.columns[form.column].levels, form.branches, strict=True))
        levels = self.schema.columns[form.column].levels
        return LevelMap(form.column, tuple(known.get(level, UNKNOWN) for level in levels))

    def route(self, node: int) -> Route | None:
        """The route of a node; None at a leaf."""
        if node not in self._routes:
            if self.source.nodes.first_child[node] < 0:
                return None
            self._routes[node] = self._route(node)
        return self._routes[node]

    def _route(self, node: int) -> Route:
        nodes = self.source.nodes
        start, stop = nodes.surrogate_start[node : node + 2]
        surrogates = [
            (self.form(int(nodes.surrogate_question[row])), bool(nodes.surrogate_flipped[row]))
            for row in range(int(start), int(stop))
        ]
        return Route(self.form(int(nodes.question[node])), tuple(surrogates), self._missing(node), self._unseen(node))

    def _missing(self, node: int) -> int:
        found = int(self.source.nodes.missing_branch[node])
        if found != ALL_BRANCHES:
            return found
        children = self.source.nodes.children(node)
        return ALL_BRANCHES if self.source.nodes.weight[children.start : children.stop].sum() > 0 else STAY

    def _unseen(self, node: int) -> int | None:
        policy = self.source.unseen
        if policy == "as_missing":
            return None
        if policy == "majority":
            return reference_walk.majority_branch(self.source, node)
        return STAY if policy == "stay" else REJECTED

    def _fractions(self, children: tuple[int, ...]) -> tuple[float, ...]:
        weights = [float(self.source.nodes.weight[child]) for child in children]
        total = ordered_sum(weights)
        return tuple(weight / total for weight in weights)


@dataclasses.dataclass(frozen=True, eq=False)
class ExportModel:
    """The base of the four kinds of models. `source` is the object that was given to `export`."""

    schema: Schema
    source: Any

    @property
    def is_class(self) -> bool:
        """Whether classes are predicted (and not numbers)."""
        return self.schema.is_class

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of the probabilities; none in a regression."""
        return self.schema.classes if self.is_class else ()

    @property
    def trees(self) -> tuple[ExportTree, ...]:
        """All trees of the model, in the order in which they are evaluated."""
        return ()

    def routes(self) -> Iterator[Route]:
        """All routes of the model."""
        for tree in self.trees:
            for node in tree.inner:
                route = tree.route(node)
                assert route is not None
                yield route

    @cached_property
    def used_columns(self) -> tuple[int, ...]:
        """The positions of the columns that a prediction reads, in ascending order."""
        return tuple(sorted({column for route in self.routes() for column in route.columns}))

    @property
    def inputs(self) -> tuple[ColumnSpec, ...]:
        """The columns that a prediction reads."""
        return tuple(self.schema.columns[position] for position in self.used_columns)


@dataclasses.dataclass(frozen=True, eq=False)
class TreeModel(ExportModel):
    """One tree: the prediction of the node where a row ends; a fractional row has the class of largest probability."""

    tree: ExportTree

    @property
    def trees(self) -> tuple[ExportTree, ...]:
        """The tree."""
        return (self.tree,)


@dataclasses.dataclass(frozen=True, eq=False)
class ForestModel(ExportModel):
    """Many trees. `combine` is mean, vote, confidence or sum; `link` identity, logistic, softmax, exp or normalize.

    The sums start at `base`, one per class, output or number. Tree t adds, in this order,

        mean         weight * values                        to all sums
        vote         weight                                 to the sum of its label
        confidence   weight * probability of its label      to the sum of its label
        sum          weight * value                         to the sum of its output

    then every sum is divided by `divisor` (1 for sum) and the link is applied. For confidence, a fractional row mixes
    the values of the nodes with all but the label's set to 0 (`added_values`).
    """

    members: tuple[ExportTree, ...]
    combine: str
    link: str
    weights: tuple[float, ...]
    outputs: tuple[int, ...]
    base: tuple[float, ...]
    divisor: float

    @property
    def trees(self) -> tuple[ExportTree, ...]:
        """The trees."""
        return self.members

    @property
    def width(self) -> int:
        """The number of sums."""
        return len(self.base)

    def added_values(self, index: int) -> Floats:
        """The values of each node of a tree that are multiplied by its weight and added; not for votes."""
        tree = self.members[index]
        if self.combine != "confidence":
            return tree.values
        is_label = np.arange(tree.values.shape[1])[None, :] == tree.labels[:, None]
        return np.where(is_label, tree.values, 0.0)


@dataclasses.dataclass(frozen=True)
class RuleTest:
    """A condition of a rule: the result of the route is one of `accepted` (-1: undefined, -2: unseen level)."""

    route: Route
    accepted: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class ExportRule:
    """A rule: all tests are true. `strength` is the weight of its vote."""

    tests: tuple[RuleTest, ...]
    values: tuple[float, ...]
    label: int
    strength: float
    text: str


@dataclasses.dataclass(frozen=True, eq=False)
class RulesModel(ExportModel):
    """Rules. `by` is first (the first rule that matches predicts) or vote; `default` predicts if no rule matches.

    A vote adds the strength of each matching rule, in their order, to the sum of its label (in a regression: strength
    times value to one sum) and to a total; the sums are divided by the total. With a total of 0, the first match or the
    default predicts.
    """

    rules: tuple[ExportRule, ...]
    default: ExportRule | None
    by: str

    def routes(self) -> Iterator[Route]:
        """The routes of all conditions."""
        return (test.route for rule in self.rules for test in rule.tests)


@dataclasses.dataclass(frozen=True)
class ClassSplit:
    """A set of classes: its binary model (or `only`, a constant), and the nodes of the two groups; -1 for one class."""

    classes: tuple[int, ...]
    first: int
    second: int
    model: ExportModel | None = None
    only: float = 0.0


@dataclasses.dataclass(frozen=True, eq=False)
class NestedModel(ExportModel):
    """A nested dichotomy: P(class) is the product along its path; the label follows the group with 2 p - 1 > 0.

    p is the probability of the second class of the binary model; the first group gets reached * (1 - p), the second
    reached * p.
    """

    nodes: tuple[ClassSplit, ...]

    @property
    def trees(self) -> tuple[ExportTree, ...]:
        """The trees of all binary models."""
        return tuple(tree for node in self.nodes if node.model is not None for tree in node.model.trees)

    def routes(self) -> Iterator[Route]:
        """The routes of all binary models."""
        return (route for node in self.nodes if node.model is not None for route in node.model.routes())


def form_columns(form: Form) -> tuple[int, ...]:
    """The positions of the columns that a form reads."""
    if isinstance(form, (Cuts, LevelMap)):
        return (form.column,)
    if isinstance(form, (Plane, Ball)):
        return form.columns
    assert isinstance(form, Junction)
    return tuple(dict.fromkeys(column for literal, _ in form.literals for column in form_columns(literal)))


def level_branches(form: Cuts | LevelMap, n_levels: int) -> tuple[int, ...]:
    """The branch of each level code; cuts of an ordinal column count the cuts below the code."""
    if isinstance(form, LevelMap):
        return form.branches
    below = np.searchsorted(np.asarray(form.cuts, dtype=np.float64), np.arange(n_levels), side="left")
    return tuple((form.first + below).tolist())
