"""How is a tree grown?  The loop in plain Python: the definition that the compiled core must reproduce, node by node.

    open a node:    note its statistics; take the question that the user gave for it; else ask the first stops, search
                    every column, choose, ask the stops that look at the choice; if a question is left, the node joins
                    the queue under the key of the order
    take a node:    ask the stops of size; if none holds, ask its question and open a node for every branch

Columns are searched in order, and the searches of a column in the order of their kinds of question; ties are broken as
definition 0.3 says. Node identities depend on the path alone (`seeds.child_id`), so random draws do not depend on the
order of growth.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.growing.collapse import collapse_equal_errors
from hornbeam.growing.column_sampling import sampled_columns
from hornbeam.growing.competitors import runners_up
from hornbeam.growing.first_questions import First, below, first_candidate
from hornbeam.growing.leaf_predictions import class_answers, number_answer
from hornbeam.growing.method import Method
from hornbeam.growing.missing_question import with_missing_question
from hornbeam.growing.numbering import canonical
from hornbeam.growing.routing import route_rows
from hornbeam.growing.sample import PreparedData, prepare, tree_metadata
from hornbeam.growing.stump_score import CoreSearch
from hornbeam.growing.trace import Trace, format_trace
from hornbeam.parts.missing.base import Surrogate
from hornbeam.parts.node import Candidate, NodeView, sum_by_group
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.many_columns import ManyColumnSearch
from hornbeam.parts.stops import Stage
from hornbeam.parts.stops.no_improvement import NoImprovement
from hornbeam.seeds import child_id
from hornbeam.table.table import Table
from hornbeam.tree.name_codes import REASONS, extend_names
from hornbeam.tree.nodes import STAY, Nodes, Tree
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.table import QuestionWriter


@dataclasses.dataclass
class _Node:
    """A node as it is being made; numbers are by creation until the tree is assembled."""

    parent: int
    depth: int
    rows: int
    weight: float
    stats: list[float]
    answer: float
    impurity: float
    reason: str = ""
    question: Question | None = None
    missing_branch: int = STAY
    gain: float = 0.0
    score: float = 0.0
    surrogates: list[Surrogate] = dataclasses.field(default_factory=list)
    competitors: list[tuple[Candidate, float]] = dataclasses.field(default_factory=list)
    children: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class _Waiting:
    """A node in the queue with the split found for it."""

    view: NodeView
    chosen: Candidate
    score: float
    competitors: list[tuple[Candidate, float]]
    first: First | None = None


def grow(table: Table, method: Method, *, seed: int = 0, tree: int = 0, trace: Trace | None = None) -> Tree:
    """A tree of the table's target, grown by a method; `trace` keeps every candidate and every reason."""
    return grow_prepared(prepare(table, method, seed=seed, tree=tree), trace)


def grow_prepared(start: PreparedData, trace: Trace | None = None, *, seeks_in_core: bool = False) -> Tree:
    """A tree from a sample that is ready; stops that search a node again may do so in the core."""
    growth = _Growth(start, trace, CoreSearch(start) if seeks_in_core else None)
    growth.run()
    tree = _assembled(growth)
    return collapse_equal_errors(tree) if start.method.collapse else tree


class _Growth:
    """The queue and the nodes made so far."""

    def __init__(self, start: PreparedData, trace: Trace | None, core: CoreSearch | None = None) -> None:
        self.start = start
        self.trace = trace
        self.core = core
        self.nodes: list[_Node] = []
        self.queue: list[tuple[tuple[float, ...], int, _Waiting]] = []
        self.leaves = 1
        self.notes: list[str] = []

    def run(self) -> None:
        """Grow until nobody waits."""
        sample = self.start.sample
        everyone = np.arange(sample.n_rows)
        first = self.start.method.first_question
        self.open(NodeView(sample, everyone, sample.weights), parent=-1, branch=0, first=first)
        while self.queue:
            _, created, waiting = heapq.heappop(self.queue)
            self.take(created, waiting)

    def open(self, view: NodeView, parent: int, branch: int, first: First | None = None) -> None:
        """Make a node, and let it wait if it has a question to ask; `first` is what the user asks there."""
        created = len(self.nodes)
        view = dataclasses.replace(view, seek=self.seek, notebook=[] if self.trace is not None else None)
        node = describe_node(view, self.start, parent)
        self.nodes.append(node)
        if parent >= 0:
            self.nodes[parent].children.append(created)
        if first is not None and self._ask_first(created, view, first):
            return
        before = self._reason(Stage.BEFORE, view, None)
        candidates, values, chosen = ([], [], None) if before else _found(view, self.start.method)
        candidate = None if chosen is None else candidates[chosen]
        node.reason = before or self._after(view, candidate)
        if self.trace is not None:
            self.trace.note(created, view, self.start.method, candidates, values, chosen)
        if candidate is not None and not node.reason:
            key = self.start.method.order.key(created, branch, view.share * candidate.gain)
            next_best = self._next_best(candidates, values, chosen or 0, view)
            heapq.heappush(self.queue, (key, created, _Waiting(view, candidate, values[chosen or 0], next_best)))

    def _ask_first(self, created: int, view: NodeView, first: First) -> bool:
        """Let a node wait with the question that the user gave for it; False if it does not divide the rows."""
        method = self.start.method
        assert method.criterion is not None
        found = first_candidate(view, first, method.criterion)
        if found is None:
            self.notes.append(f"A first question was not used: all {view.n_rows} rows at its node answer it alike.")
            return False
        if self.trace is not None:
            self.trace.note(created, view, method, [found], [found.score], 0)
        waiting = _Waiting(view, found, found.score, [], first)
        heapq.heappush(self.queue, ((-np.inf, float(created)), created, waiting))
        return True

    def _next_best(
        self, candidates: list[Candidate], values: list[float], chosen: int, view: NodeView
    ) -> list[tuple[Candidate, float]]:
        method = self.start.method
        assert method.criterion is not None
        return runners_up(candidates, values, chosen, view, method.criterion, method.competitors)

    def seek(self, view: NodeView) -> float:
        """The score of the question that the method would choose at a node; minus infinity if there is none."""
        by_core = None if self.core is None else self.core.score(view)
        if by_core is not None:
            return by_core
        _, values, chosen = _found(view, self.start.method)
        return -np.inf if chosen is None else values[chosen]

    def _reason(self, stage: Stage, view: NodeView, candidate: Candidate | None) -> str:
        for stop in self.start.method.stops_at(stage):
            found = stop.reason(view, candidate)
            if found:
                return found
        return ""

    def _after(self, view: NodeView, candidate: Candidate | None) -> str:
        """Why there is no question, or why the best one is not asked."""
        if candidate is None:
            reason = NoImprovement().reason(view, candidate) or ""
            return reason if _may_ask(view, self.start.method) else "no attributes left"
        return self._reason(Stage.AFTER, view, candidate)

    def take(self, created: int, waiting: _Waiting) -> None:
        """Ask a node's question and open its branches, unless the tree is large enough."""
        node, chosen = self.nodes[created], waiting.chosen
        view = dataclasses.replace(waiting.view, leaves=self.leaves, nodes=len(self.nodes), notebook=None)
        node.reason = "" if waiting.first is not None else self._reason(Stage.SIZE, view, chosen)
        if node.reason:
            return
        node.question, node.gain, node.score = chosen.question, chosen.gain, waiting.score
        node.competitors = waiting.competitors
        node.missing_branch = self.start.method.missing.direction(view, chosen)
        node.surrogates = self.start.method.missing.surrogates(view, chosen)
        self.leaves += chosen.n_branches - 1
        asked = view.asked | {chosen.column} if chosen.question.kind == "multiway" else view.asked
        for branch, (rows, weights) in enumerate(route_rows(view, chosen, node.missing_branch, node.surrogates)):
            if len(rows) == 0:
                self._open_empty(created)
                continue
            inside = NodeView(view.sample, rows, weights, child_id(view.id, branch), view.depth + 1, asked)
            self.open(inside, created, branch, below(waiting.first, branch))

    def _open_empty(self, parent: int) -> None:
        """A branch that no row took: a leaf with the parent's answer."""
        above = self.nodes[parent]
        stats = [0.0] * len(above.stats) if self.start.sample.n_classes else [0.0, above.stats[1], 0.0]
        above.children.append(len(self.nodes))
        self.nodes.append(_Node(parent, above.depth + 1, 0, 0.0, stats, above.answer, 0.0, "empty"))


def describe_node(view: NodeView, start: PreparedData, parent: int) -> _Node:
    """A node with its statistics, answer and impurity."""
    sample = view.sample
    assert start.method.criterion is not None
    impurity = float(start.method.criterion.impurity(view.stats, view.targets))
    if sample.n_classes:
        weights = view.weights * start.factors[view.target]
        stats = sum_by_group(view.target, weights, sample.n_classes)
        answer = float(class_answers(start.loss, stats))
        return _Node(parent, view.depth, view.n_rows, float(stats.sum()), stats.tolist(), answer, impurity)
    apart = view.target - view.mean
    squares = float((view.weights * apart * apart).sum())
    stats = np.array([view.weight, view.mean, squares])
    return _Node(parent, view.depth, view.n_rows, view.weight, stats.tolist(), _number(view, start), impurity)


def _number(view: NodeView, start: PreparedData) -> float:
    """What a node says of a numeric target."""
    if start.loss.statistics == "moments":
        return view.mean
    targets, place = np.unique(view.target, return_inverse=True)
    answer = number_answer(start.loss, sum_by_group(place, view.weights, len(targets)), targets, view.n_rows)
    overall = float(np.average(start.sample.target, weights=start.sample.weights))
    return float(start.loss.shrunken(answer, np.asarray(view.weight), overall))


def _found(view: NodeView, method: Method) -> tuple[list[Candidate], list[float], int | None]:
    """All candidates with what they are compared by, and the place of the chosen one.

    Searches of last resort are asked when the others found no question that may be asked.
    """
    candidates: list[Candidate] = []
    values: list[float] = []
    for last_resort in (False, True):
        searches = [search for search in method.searches if search.is_last_resort == last_resort]
        more = _candidates(view, method, searches) if searches else []
        chosen, compared = _choice(more, view, method)
        candidates, values = [*candidates, *more], [*values, *compared]
        if chosen is not None:
            place = chosen + len(candidates) - len(more)
            candidates[place] = _without_rounding(candidates[place], view, method)
            return candidates, values, place
    return candidates, values, None


def _without_rounding(chosen: Candidate, view: NodeView, method: Method) -> Candidate:
    """The candidate, its gain 0 where one of gain 0 may be asked and it gains no more than rounding makes."""
    assert method.criterion is not None
    if not view.sample.admits_zero or chosen.gain > method.criterion.tolerance(view.stats, view.targets):
        return chosen
    return dataclasses.replace(chosen, gain=0.0)


def _candidates(view: NodeView, method: Method, searches: Sequence[Search]) -> list[Candidate]:
    """The best question of every search about every column, in canonical order."""
    assert method.criterion is not None
    found = []
    competes = sampled_columns(view, method.max_features, lambda column: _may_vary(view, method, column))
    for column, data in enumerate(view.sample.columns):
        if column not in competes or not _may_ask_about(view, method, column):
            continue
        of_column = []
        for search in sorted(searches, key=lambda each: each.rank):
            if not search.is_many and data.kind in search.kinds and search.offers(view, column):
                candidate = _asked(search, view, column, method)
                if candidate is not None:
                    of_column.append(candidate)
        found += with_missing_question(view, column, of_column, method.criterion, method.limits)
    return _admitted(view, [*found, *_of_many(view, method, searches, sorted(competes), found)])


def _admitted(view: NodeView, found: list[Candidate]) -> list[Candidate]:
    """The candidates, each of which may gain nothing where the method allows it."""
    if not view.sample.admits_zero:
        return found
    return [dataclasses.replace(each, admits_zero=True) for each in found]


def _of_many(
    view: NodeView, method: Method, searches: Sequence[Search], competes: list[int], found: list[Candidate]
) -> list[Candidate]:
    """The best questions about many columns at once; they see the best one about a single column."""
    many = [search for search in searches if isinstance(search, ManyColumnSearch) and search.reaches(view)]
    if not many:
        return []
    assert method.criterion is not None
    place = method.criterion.choose(found, view) if found else None
    rival = None if place is None else found[place]
    asked = (search.among(view, competes, method.criterion, method.limits, rival) for search in many)
    return [candidate for candidate in asked if candidate is not None]


def _asked(search: Search, view: NodeView, column: int, method: Method) -> Candidate | None:
    """A search's word on a column; what a user's criterion got wrong is told with the node."""
    assert method.criterion is not None
    try:
        return search.best(view, column, method.criterion, method.limits)
    except OptionError as error:
        if "criterion" not in error.details:
            raise
        name = view.sample.columns[column].name
        where = f"It was asked about column {short_repr(name)} at a node of depth {view.depth} with {view.n_rows} rows."
        metadata = {**error.details, "column": name, "node": view.id, "depth": view.depth}
        raise OptionError(f"{error.message} {where}", hint=error.hint, **metadata) from error


def _choice(candidates: list[Candidate], view: NodeView, method: Method) -> tuple[int | None, list[float]]:
    assert method.criterion is not None
    if not candidates:
        return None, []
    return method.criterion.choose(candidates, view), method.criterion.values(candidates, view)


def _may_ask(view: NodeView, method: Method) -> bool:
    """Whether any search may still ask about any column."""
    return any(_may_ask_about(view, method, column) for column in range(len(view.sample.columns)))


def _may_vary(view: NodeView, method: Method, column: int) -> bool:
    """Whether the rows of a node differ in a column as some search that may ask about it sees them."""
    kind = view.sample.columns[column].kind
    return any(
        kind in search.kinds and search.offers(view, column) and search.varies(view, column)
        for search in method.searches
    )


def _may_ask_about(view: NodeView, method: Method, column: int) -> bool:
    kind = view.sample.columns[column].kind
    return any(kind in search.kinds and search.offers(view, column) for search in method.searches)


def _kept_questions(nodes: list[_Node], writer: QuestionWriter) -> dict[str, Any]:
    """The arrays of surrogates and competitors."""
    surrogates = [each for node in nodes for each in node.surrogates]
    competitors = [each for node in nodes for each in node.competitors]
    return {
        "surrogate_start": np.cumsum([0, *(len(node.surrogates) for node in nodes)]),
        "surrogate_question": [writer.add(each.question) for each in surrogates],
        "surrogate_flipped": [each.is_flipped for each in surrogates],
        "surrogate_agree": [each.agree for each in surrogates],
        "surrogate_adjusted": [each.adjusted for each in surrogates],
        "competitor_start": np.cumsum([0, *(len(node.competitors) for node in nodes)]),
        "competitor_question": [writer.add(each.question) for each, _ in competitors],
        "competitor_gain": [each.gain for each, _ in competitors],
        "competitor_score": [score for _, score in competitors],
    }


def _facts(growth: _Growth) -> dict[str, Any]:
    metadata = tree_metadata(growth.start)
    return {**metadata, "notes": [*metadata["notes"], *growth.notes]} if growth.notes else metadata


def _assembled(growth: _Growth) -> Tree:
    """The nodes in canonical order, as arrays."""
    start, made = growth.start, growth.nodes
    order = canonical([node.children for node in made])
    number = {created: place for place, created in enumerate(order)}
    nodes = [made[created] for created in order]
    writer = QuestionWriter()
    reasons = extend_names(REASONS, {node.reason for node in nodes})
    arrays: dict[str, Any] = {
        "parent": [number[node.parent] if node.parent >= 0 else -1 for node in nodes],
        "first_child": [number[node.children[0]] if node.children else -1 for node in nodes],
        "n_branches": [len(node.children) for node in nodes],
        "question": [writer.add(node.question) if node.question is not None else -1 for node in nodes],
        "reason": [reasons.index(node.reason) for node in nodes],
    }
    arrays |= _kept_questions(nodes, writer)
    for name in ("missing_branch", "depth", "rows", "weight", "stats", "answer", "impurity", "gain", "score"):
        arrays[name] = [getattr(node, name) for node in nodes]
    tree = Tree(
        schema=start.table.schema,
        nodes=Nodes(**{name: np.asarray(values) for name, values in arrays.items()}),
        questions=writer.finished(),
        recipe=start.method.as_table(),
        unseen=start.method.unseen,
        metadata=_facts(growth),
        reasons=reasons,
    )
    if growth.trace is None:
        return tree
    growth.trace.finish(order, tree)
    return dataclasses.replace(tree, metadata={**tree.metadata, "steps": format_trace(growth.trace).split("\n")})
