"""The reference implementation of growth in Python: it defines the tree that the compiled core must reproduce.

    open a node:    compute its statistics; use the user's question for it, if any; else apply the stops that come
                    before the search, search every column, choose, and apply the stops that come after it; a node with
                    a question joins the queue under the key of the order
    take a node:    apply the stops of size; if none applies, split the node and open a node for every branch

Columns are searched in order, and the searches of a column in the order of their kinds of question; ties are broken as
in definition 0.3. The id of a node depends on its path alone (`seeds.child_id`), so random draws do not depend on the
order of growth.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Sequence

import numpy as np

from hornbeam.errors import OptionError, short_repr
from hornbeam.growing.assembly import NodeRecord, assemble
from hornbeam.growing.collapse import collapse_equal_errors
from hornbeam.growing.column_sampling import sampled_columns
from hornbeam.growing.competitors import runners_up
from hornbeam.growing.first_questions import First, below, first_candidate, unused_note
from hornbeam.growing.leaf_predictions import class_answers, number_answer
from hornbeam.growing.method import Method
from hornbeam.growing.missing_question import with_missing_question
from hornbeam.growing.routing import route_rows
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.growing.stump_score import CoreSearch
from hornbeam.growing.trace import Trace
from hornbeam.parts.node import Candidate, NodeView, sum_by_group
from hornbeam.parts.searches import Search
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.parts.stops import Stage, Stop
from hornbeam.parts.stops.no_improvement import NoImprovement
from hornbeam.seeds import child_id
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass
class _PendingNode:
    """A node in the queue with the split found for it."""

    view: NodeView
    chosen: Candidate
    score: float
    competitors: list[tuple[Candidate, float]]
    first: First | None = None


def grow(table: Table, method: Method, *, seed: int = 0, tree: int = 0, trace: Trace | None = None) -> Tree:
    """A tree for the table's target, grown by a method; `trace` records every candidate and every reason."""
    return grow_prepared(prepare(table, method, seed=seed, tree=tree), trace)


def grow_prepared(start: PreparedData, trace: Trace | None = None, *, use_core_search: bool = False) -> Tree:
    """A tree from prepared data; `use_core_search` lets stops that repeat the search of a node run it in the core."""
    growth = _Growth(start, trace, CoreSearch(start) if use_core_search else None)
    growth.run()
    tree = assemble(start, growth.nodes, growth.notes, trace)
    return collapse_equal_errors(tree) if start.method.collapse else tree


class _Growth:
    """The queue and the nodes created so far."""

    def __init__(self, start: PreparedData, trace: Trace | None, core: CoreSearch | None = None) -> None:
        self.start = start
        self.trace = trace
        self.core = core
        self.nodes: list[NodeRecord] = []
        self.queue: list[tuple[tuple[float, ...], int, _PendingNode]] = []
        self.leaves = 1
        self.notes: list[str] = []

    def run(self) -> None:
        """Grow until the queue is empty."""
        sample = self.start.sample
        all_rows = np.arange(sample.n_rows)
        first = self.start.method.first_question
        self.open(NodeView(sample, all_rows, sample.weights), parent=-1, branch=0, first=first)
        while self.queue:
            _, created, pending = heapq.heappop(self.queue)
            self.take(created, pending)

    def open(self, view: NodeView, parent: int, branch: int, first: First | None = None) -> None:
        """Create a node, and queue it if it has a question; `first` is the user's question for it."""
        created = len(self.nodes)
        view = dataclasses.replace(
            view, best_score=self.best_score, tried_candidates=[] if self.trace is not None else None
        )
        node = describe_node(view, self.start, parent)
        self.nodes.append(node)
        if parent >= 0:
            self.nodes[parent].children.append(created)
        if first is not None and self._queue_first(created, view, first):
            return
        before = self._reason(Stage.BEFORE, view, None)
        candidates, values, chosen = ([], [], None) if before else _found(view, self.start.method)
        candidate = None if chosen is None else candidates[chosen]
        node.reason = before or self._after(view, candidate)
        if self.trace is not None:
            self.trace.record(created, view, self.start.method, candidates, values, chosen)
        if candidate is not None and not node.reason:
            key = self.start.method.order.key(created, branch, view.fraction * candidate.gain)
            next_best = self._next_best(candidates, values, chosen or 0, view)
            heapq.heappush(self.queue, (key, created, _PendingNode(view, candidate, values[chosen or 0], next_best)))

    def _queue_first(self, created: int, view: NodeView, first: First) -> bool:
        """Queue a node with the user's question for it; False if the question does not separate its rows."""
        method = self.start.method
        assert method.criterion is not None
        found = first_candidate(view, first, method.criterion)
        if found is None:
            self.notes.append(unused_note(view.n_rows))
            return False
        if self.trace is not None:
            self.trace.record(created, view, method, [found], [found.score], 0)
        pending = _PendingNode(view, found, found.score, [], first)
        heapq.heappush(self.queue, ((-np.inf, float(created)), created, pending))
        return True

    def _next_best(
        self, candidates: list[Candidate], values: list[float], chosen: int, view: NodeView
    ) -> list[tuple[Candidate, float]]:
        method = self.start.method
        assert method.criterion is not None
        return runners_up(candidates, values, chosen, view, method.criterion, method.competitors)

    def best_score(self, view: NodeView) -> float:
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
                return _declared(stop, found)
        return ""

    def _after(self, view: NodeView, candidate: Candidate | None) -> str:
        """Why there is no question, or why the best one is not used."""
        if candidate is None:
            reason = NoImprovement().reason(view, candidate) or ""
            return reason if _can_use_any(view, self.start.method) else "no attributes left"
        return self._reason(Stage.AFTER, view, candidate)

    def take(self, created: int, pending: _PendingNode) -> None:
        """Split a node and open its branches, unless the tree has reached its maximum size."""
        node, chosen = self.nodes[created], pending.chosen
        view = dataclasses.replace(pending.view, leaves=self.leaves, nodes=len(self.nodes), tried_candidates=None)
        node.reason = "" if pending.first is not None else self._reason(Stage.SIZE, view, chosen)
        if node.reason:
            return
        node.question, node.gain, node.score = chosen.question, chosen.gain, pending.score
        node.competitors = pending.competitors
        node.missing_branch = self.start.method.missing.direction(view, chosen)
        node.surrogates = self.start.method.missing.surrogates(view, chosen)
        self.leaves += chosen.n_branches - 1
        is_multiway = chosen.question.kind == "multiway"
        used = view.used_columns | {chosen.column} if is_multiway else view.used_columns
        for branch, (rows, weights) in enumerate(route_rows(view, chosen, node.missing_branch, node.surrogates)):
            if len(rows) == 0:
                self._open_empty(created)
                continue
            inside = NodeView(view.sample, rows, weights, child_id(view.id, branch), view.depth + 1, used)
            self.open(inside, created, branch, below(pending.first, branch))

    def _open_empty(self, parent: int) -> None:
        """A branch that no row takes: a leaf with the parent's prediction."""
        above = self.nodes[parent]
        stats = [0.0] * len(above.stats) if self.start.sample.n_classes else [0.0, above.stats[1], 0.0]
        above.children.append(len(self.nodes))
        self.nodes.append(NodeRecord(parent, above.depth + 1, 0, 0.0, stats, above.answer, 0.0, "empty"))


def _declared(stop: Stop, reason: str) -> str:
    """The reason of a stop; an error unless the stop declares it."""
    if reason not in stop.reasons:
        raise OptionError(
            f"Stop {stop.name!r} returned the reason {short_repr(reason)}, which is not among its reasons "
            f"({', '.join(stop.reasons)}).",
            option="stop",
            got=reason,
        )
    return reason


def describe_node(view: NodeView, start: PreparedData, parent: int) -> NodeRecord:
    """A node with its statistics, prediction and impurity."""
    sample = view.sample
    assert start.method.criterion is not None
    impurity = float(start.method.criterion.impurity(view.stats, view.targets))
    if sample.n_classes:
        weights = view.weights * start.factors[view.target]
        stats = sum_by_group(view.target, weights, sample.n_classes)
        answer = float(class_answers(start.loss, stats))
        return NodeRecord(parent, view.depth, view.n_rows, float(stats.sum()), stats.tolist(), answer, impurity)
    stats = np.array([view.weight, view.mean, view.squares])
    return NodeRecord(parent, view.depth, view.n_rows, view.weight, stats.tolist(), _number(view, start), impurity)


def _number(view: NodeView, start: PreparedData) -> float:
    """The prediction of a node for a numeric target."""
    if start.loss.name == "squared":
        return view.mean
    if start.loss.statistics == "moments":
        apart = view.target - view.mean
        moments = np.array([view.weight, (view.weights * apart).sum(), (view.weights * apart * apart).sum()])
        return view.mean + float(number_answer(start.loss, moments, None, view.n_rows))
    targets, group = np.unique(view.target, return_inverse=True)
    answer = number_answer(start.loss, sum_by_group(group, view.weights, len(targets)), targets, view.n_rows)
    overall = float(np.average(start.sample.target, weights=start.sample.weights))
    return float(start.loss.shrunken(answer, np.asarray(view.weight), overall))


def _found(view: NodeView, method: Method) -> tuple[list[Candidate], list[float], int | None]:
    """All candidates with the values they are compared by, and the index of the chosen one.

    Searches of last resort run only if the others found no admissible question. Both sample columns of their own,
    unless no column of the table has a kind that they search.
    """
    candidates: list[Candidate] = []
    values: list[float] = []
    kinds = {column.kind for column in view.sample.columns}
    used = [search for search in method.searches if not kinds.isdisjoint(search.kinds)]
    for last_resort in (False, True):
        searches = [search for search in used if search.is_last_resort == last_resort]
        more = _candidates(view, method, searches) if searches else []
        chosen, compared = _choice(more, view, method)
        candidates, values = [*candidates, *more], [*values, *compared]
        if chosen is not None:
            index = chosen + len(candidates) - len(more)
            candidates[index] = _without_rounding(candidates[index], view, method)
            return candidates, values, index
    return candidates, values, None


def _without_rounding(chosen: Candidate, view: NodeView, method: Method) -> Candidate:
    """The candidate; a gain within the tolerance is exactly 0, so that stops compare the same number everywhere."""
    assert method.criterion is not None
    if chosen.gain > method.criterion.tolerance(view.stats, view.targets):
        return chosen
    return dataclasses.replace(chosen, gain=0.0)


def _candidates(view: NodeView, method: Method, searches: Sequence[Search]) -> list[Candidate]:
    """The best question of every search about every column, in canonical order."""
    assert method.criterion is not None
    found = []
    competes = sampled_columns(view, method.max_features, lambda column: _can_vary(view, method, column))
    for column, data in enumerate(view.sample.columns):
        if column not in competes or not _can_use(view, method, column):
            continue
        of_column = []
        for search in sorted(searches, key=lambda each: each.rank):
            if not search.uses_many_columns and data.kind in search.kinds and search.can_use(view, column):
                candidate = _searched(search, view, column, method)
                if candidate is not None:
                    of_column.append(candidate)
        found += with_missing_question(view, column, of_column, method.criterion, method.limits)
    return _with_zero_gain(view, [*found, *_of_many(view, method, searches, sorted(competes), found)])


def _with_zero_gain(view: NodeView, found: list[Candidate]) -> list[Candidate]:
    """The candidates, marked as allowed with gain 0 where the method allows that."""
    if not view.sample.allow_zero_gain:
        return found
    return [dataclasses.replace(each, allow_zero_gain=True) for each in found]


def _of_many(
    view: NodeView, method: Method, searches: Sequence[Search], competes: list[int], found: list[Candidate]
) -> list[Candidate]:
    """The best questions about many columns at once; their searches receive those about single columns."""
    many = [search for search in searches if isinstance(search, ManyColumnSearch) and search.applies_at(view)]
    if not many:
        return []
    assert method.criterion is not None
    kind_of = [column.kind for column in view.sample.columns]
    candidates = []
    for search in many:
        columns = [column for column in competes if kind_of[column] in search.kinds]
        candidates.append(search.with_candidates(view, columns, method.criterion, method.limits, found))
    return [candidate for candidate in candidates if candidate is not None]


def _searched(search: Search, view: NodeView, column: int, method: Method) -> Candidate | None:
    """The candidate of a search for a column; an error of a custom criterion is reported with the node."""
    assert method.criterion is not None
    try:
        return search.best(view, column, method.criterion, method.limits)
    except OptionError as error:
        if "criterion" not in error.details:
            raise
        name = view.sample.columns[column].name
        where = f"It was called for column {short_repr(name)} at a node of depth {view.depth} with {view.n_rows} rows."
        metadata = {**error.details, "column": name, "node": view.id, "depth": view.depth}
        raise OptionError(f"{error.message} {where}", **error.remedy, **metadata) from error


def _choice(candidates: list[Candidate], view: NodeView, method: Method) -> tuple[int | None, list[float]]:
    assert method.criterion is not None
    if not candidates:
        return None, []
    return method.criterion.choose(candidates, view), method.criterion.values(candidates, view)


def _can_use_any(view: NodeView, method: Method) -> bool:
    """Whether some search may still use some column."""
    return any(_can_use(view, method, column) for column in range(len(view.sample.columns)))


def _can_vary(view: NodeView, method: Method, column: int) -> bool:
    """Whether the rows of a node differ in a column, for some search that may use it."""
    kind = view.sample.columns[column].kind
    return any(
        kind in search.kinds and search.can_use(view, column) and search.varies(view, column)
        for search in method.searches
    )


def _can_use(view: NodeView, method: Method, column: int) -> bool:
    kind = view.sample.columns[column].kind
    return any(kind in search.kinds and search.can_use(view, column) for search in method.searches)
