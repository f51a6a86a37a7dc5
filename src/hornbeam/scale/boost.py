"""Gradient boosting from binned data in pieces.

The core decides splits from sums of gradients per bin and makes requests; `rounds` answers them from the pieces, which
keep the scores of their rows. Sums are integers, so the trees are the same for any pieces, any number of threads and
any memory limit; where every bin is one value they are those boosted in memory.
"""

from __future__ import annotations

import dataclasses
import functools
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.ensembles.boosting.class_groups import class_group
from hornbeam.ensembles.boosting.early_stopping import improves
from hornbeam.ensembles.boosting.gradients import LOSSES
from hornbeam.ensembles.boosting.plan import RowFacts, boosting_settings
from hornbeam.ensembles.methods.boosting import Boosting, boosted_forest
from hornbeam.errors import InputError, Set
from hornbeam.growing.method import Method
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.boost_columns import core_columns
from hornbeam.scale.boost_rows import FactsTask, HeldOut, RowRules, SumTask, TrainingFacts
from hornbeam.scale.boost_states import CodedTree, Growth, state_bytes
from hornbeam.scale.boost_store import restored_trees, stored_trees
from hornbeam.scale.boost_tasks import CellsTask, LeavesTask, MomentsTask, ScoreFacts, ScoresTask
from hornbeam.scale.checkpoint import Growth as SavedGrowth
from hornbeam.scale.counting import Root, count_rows
from hornbeam.scale.grow import DEFAULT_MEMORY, idle_columns, metadata_of
from hornbeam.scale.outline import outline, prepared_outline, schema_of
from hornbeam.scale.refusals import check_boosting_from_pieces
from hornbeam.scale.rounds import LocalRounds, Rounds
from hornbeam.tree.forest import Forest

_NOTHING, _ROOT, _CELLS, _MOMENTS, _LEAVES = range(5)  # what the core requests (native/pieces/tree_from_sums.hpp)
_CELL = 8
# Losses whose largest derivatives depend on the scores.
_BY_SCORES = ("squared", "poisson")


def boost_binned(
    data: BinnedData,
    boosting: Boosting | None = None,
    *,
    seed: int = 0,
    memory_limit: int | None = None,
    rounds: Rounds | None = None,
    threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    record_loss: bool = False,
    saved: SavedGrowth | None = None,
) -> Forest:
    """Boosted trees of binned data; `memory_limit` is the number of bytes for sums and scores, and changes no tree.

    `progress(n)` is called with the number of rounds done; `record_loss` stores the training loss of each round.
    `saved` has the trees of an interrupted growth, and receives them after every round.
    """
    chosen = boosting or Boosting()
    rounds = LocalRounds(data.pieces, threads=threads) if rounds is None else rounds
    counting = count_rows(data, Method(), rounds)
    check_boosting_from_pieces(chosen, data, counting.n_classes)
    root = Root(counting, rounds.statistics([counting.root_request()])[0])
    rules = RowRules(counting.n_classes, counting.rule, HeldOut(chosen.validation_fraction, seed))
    facts = _training_facts(root, rules, rounds)
    booster = _Booster(data, chosen, rules, facts, rounds, memory_limit or DEFAULT_MEMORY, threads, record_loss)
    try:
        results = booster.run(progress, saved)
    finally:
        rounds.drop_states(booster.growth.name)
    table = outline(data, root.class_weights, [weight > 0 for weight in root.missing_weights()])
    start = prepared_outline(table, Method(), seed=seed)
    schema = schema_of(data, idle_columns(data, root))
    forest = boosted_forest(schema, chosen, results, booster.plan, list(booster.growth.base))
    return dataclasses.replace(forest, metadata={**metadata_of(start, root), **forest.metadata})


class _Booster:
    """Adds trees one after the other."""

    def __init__(
        self,
        data: BinnedData,
        chosen: Boosting,
        rules: RowRules,
        facts: TrainingFacts,
        rounds: Rounds,
        memory: int,
        threads: int,
        record_loss: bool,
    ) -> None:
        self.rounds, self.chosen, self.facts = rounds, chosen, facts
        n_codes = tuple(len(column.low) for column in data.columns)
        _check_held_out(facts, chosen)
        can_stop = chosen.validation_fraction is not None or chosen.stop_by_training
        classes = tuple(np.flatnonzero(facts.class_rows > 0).tolist()) if rules.n_classes else ()
        described = RowFacts(data.columns, rules.n_classes, classes, facts.mean_weight)
        self.plan = boosting_settings(described, chosen, can_stop, rules.held_out.seed)
        self.loss = LOSSES[self.plan["loss"]]
        self.has_losses = record_loss or can_stop
        self.records = record_loss or chosen.stop_by_training
        self.core: Any = _native.TreeFromSums(
            self.plan,
            core_columns(data.columns, facts.has_code),
            facts.is_weighted,
            *_limits(n_codes, memory, threads),
        )
        outputs = int(self.plan["outputs"])
        self.growth = Growth(
            uuid.uuid4().hex,
            _piece_settings(self.plan, facts, rules, n_codes),
            tuple(self._base(rules)),
            state_bytes(data.n_rows, outputs) > memory // 2 or not isinstance(rounds, LocalRounds),
        )
        self.model: list[CodedTree] = []
        self.scores: ScoreFacts | None = None

    def _base(self, rules: RowRules) -> list[float]:
        """The scores before the first tree."""
        facts = self.facts
        task = SumTask(rules, facts.largest_product)
        mean = 0.0
        if self.loss != "softmax" and facts.largest_product > 0:
            mean = task.value(self.rounds.each(task, sum)) / facts.weight
        return list(self.core.base(mean, facts.class_weights.tolist(), facts.weight))

    def run(self, progress: Callable[[int], Any] | None, saved: SavedGrowth | None = None) -> list[dict[str, Any]]:
        """The arrays of all trees; the last tree of a round has the losses after the round.

        `saved` has the trees of an interrupted run, and receives them after every round.
        """
        results: list[dict[str, Any]] = []
        if saved is not None and saved.state is not None:
            self.model, results = restored_trees(saved.state)
        outputs, stopping = int(self.plan["outputs"]), _Stopping(self.plan["least"], self.plan["patience"])
        is_over = False
        for last in results[outputs - 1 :: outputs]:
            is_over = self.has_losses and stopping.is_over(self._loss_of(last))
        if self.loss in _BY_SCORES:
            self.scores = self._score_facts()
        for number in range(len(results) // outputs, self.chosen.n_rounds):
            if is_over:
                break
            group = self._group(number)
            results += [self._tree() for _ in range(outputs)] if group is None else self._trees(group)
            if self.has_losses or (self.loss in _BY_SCORES and number + 1 < self.chosen.n_rounds):
                self.scores = self._score_facts()
            if self.has_losses:
                self._record(results[-1])
                is_over = stopping.is_over(self._loss_of(results[-1]))
            if saved is not None:
                saved.save(functools.partial(stored_trees, self.model, results))
            if progress is not None:
                progress(number + 1)
        return results

    def _record(self, result: dict[str, Any]) -> None:
        """Stores the losses of a round."""
        assert self.scores is not None
        if self.records:
            result["training_loss"] = np.array([self.scores.training_loss])
        if self.facts.n_held_out:
            result["held_out_loss"] = np.array([self.scores.held_out_loss])

    def _loss_of(self, result: Mapping[str, Any]) -> float:
        """The loss after a round that can stop boosting."""
        return float(result["held_out_loss" if self.facts.n_held_out else "training_loss"][0])

    def _score_facts(self) -> ScoreFacts:
        task = ScoresTask(self.growth, self.has_losses and bool(self.model))
        found: ScoreFacts = self.rounds.each(task, ScoreFacts.merged, self.model)
        return found

    def _largest(self) -> tuple[float, float]:
        """Bounds of the derivatives of all training rows (`bounds` of native/boosting/gradients.cpp)."""
        if self.loss in _BY_SCORES:
            assert self.scores is not None
            return self.scores.largest
        largest = self.facts.largest_weight
        return largest, largest * float(self.plan["curvature"]) / 4

    def _group(self, number: int) -> tuple[int, ...] | None:
        """The classes of the first group of a round with one tree for all classes; None for other rounds."""
        plan = self.plan
        if not plan["joint_classes"] or number % plan["joint_period"] == 0:
            return None
        return tuple(class_group(plan["joint_classes"], plan["n_classes"], plan["seed"], number).astype(int).tolist())

    def _tree(self) -> dict[str, Any]:
        """Grows one tree and adds it to the model."""
        core, number = self.core, len(self.model)
        self._grow(core.start(*self._largest(), self.facts.n_rows, number), number, None)
        self.model = [*self.model, core.coded()]
        return dict(core.grown())

    def _trees(self, group: tuple[int, ...]) -> list[dict[str, Any]]:
        """Grows one tree for all classes, and adds it to the model with the values of each."""
        core, number, weight = self.core, len(self.model), self.facts.largest_weight
        units = core.start(weight, weight / 4, self.facts.n_rows, number, True)
        self._grow(units, number, group)
        class_units = core.units(*self._largest(), self.facts.n_rows)
        task = LeavesTask(self.growth, number, units, core.coded(), core.nodes, group, class_units)
        results, trees = [], []
        for sums in self._sums(task):
            core.refit(class_units, sums)
            trees.append(core.coded())
            results.append(dict(core.grown()))
        self.model = [*self.model, *trees]
        return results

    def _grow(self, units: tuple[float, float, int], number: int, group: tuple[int, ...] | None) -> None:
        """Answers the requests of the core until its tree is complete."""
        core = self.core
        while (wanted := core.next()) not in (_NOTHING, _LEAVES):
            tree, nodes = core.coded(), core.nodes
            if wanted == _MOMENTS:
                core.answer_moments(*self._sums(MomentsTask(self.growth, number, units, tree, nodes, group)))
                continue
            is_root = wanted == _ROOT
            task = CellsTask(self.growth, number, units, tree, nodes, core.columns, core.cells_per_node, is_root, group)
            root, cells = self._sums(task)
            if is_root:
                core.answer_root(root, cells)
            else:
                core.answer_cells(cells)

    def _sums(self, task: CellsTask | MomentsTask | LeavesTask) -> list[npt.NDArray[np.int64]]:
        found: list[npt.NDArray[np.int64]] = self.rounds.each(task, _added, self.model)
        return found


class _Stopping:
    """Early stopping: no loss improved the best one for `patience` rounds; never if that is below 0."""

    def __init__(self, least: float, patience: int) -> None:
        self._least, self._patience = least, patience
        self._best, self._since_best = np.inf, 0

    def is_over(self, loss: float) -> bool:
        """Whether boosting stops after a round with this loss."""
        if improves(loss, self._best, self._least):
            self._best, self._since_best = loss, 0
        else:
            self._since_best += 1
        return 0 <= self._patience <= self._since_best


def _added(parts: Iterable[list[npt.NDArray[np.int64]]]) -> list[npt.NDArray[np.int64]]:
    totals: list[npt.NDArray[np.int64]] = []
    for part in parts:
        if not totals:
            totals = [np.require(each, requirements="W") for each in part]
            continue
        for total, each in zip(totals, part, strict=True):
            np.add(total, each, out=total)
    return totals


def _training_facts(root: Root, rules: RowRules, rounds: Rounds) -> TrainingFacts:
    """The facts of the training rows; if these are all rows, the codes that they have are known from their sums."""
    are_all = rules.held_out.fraction is None
    n_codes = () if are_all else root.counting.n_codes
    found: TrainingFacts = rounds.each(FactsTask(rules, n_codes), TrainingFacts.merged)
    return dataclasses.replace(found, has_code=tuple(rows > 0 for rows in root.rows())) if are_all else found


def _check_held_out(facts: TrainingFacts, chosen: Boosting) -> None:
    if chosen.validation_fraction is not None and not (facts.n_rows and facts.n_held_out):
        raise InputError(
            f"{facts.n_rows + facts.n_held_out} rows are too few for a validation_fraction of "
            f"{chosen.validation_fraction:g}.",
            fix=Set("boosting.validation_fraction", None),
        )


def _piece_settings(
    plan: dict[str, Any], facts: TrainingFacts, rules: RowRules, n_codes: tuple[int, ...]
) -> dict[str, Any]:
    """The settings of the core for the rows of a piece."""
    found = {name: plan[name] for name in ("loss", "n_classes", "curvature", "rows_per_tree", "seed", "mean_weight")}
    found |= {
        "is_weighted": facts.is_weighted,
        "weight_step": rules.weights.step,
        "n_training": facts.n_rows,
        "n_codes": list(n_codes),
    }
    if rules.held_out.fraction is not None:
        found |= {"held_out_fraction": rules.held_out.fraction, "held_out_key": rules.held_out.key}
    return found


def _limits(n_codes: tuple[int, ...], memory: int, threads: int) -> tuple[int, int]:
    """The nodes whose sums are requested per round, and those whose sums are held, within a quarter each."""
    node_bytes = sum(n + 1 for n in n_codes) * 2 * _CELL
    share = memory // 4 // node_bytes
    return max(1, share // (threads + 1)), max(0, share)
