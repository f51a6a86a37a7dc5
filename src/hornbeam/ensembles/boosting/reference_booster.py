"""Reference implementation of the boosting loop of native/boosting/booster.cpp.

F = base; each round computes the gradients of the loss at F, grows a tree on them and adds rate * leaf value to F.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosting import class_groups, gradients
from hornbeam.ensembles.boosting.early_stopping import improves
from hornbeam.ensembles.boosting.gradient_nodes import CUT, IS_MISSING, LEVELS, EncodedColumn, Node
from hornbeam.ensembles.boosting.gradient_tree import GradientTree
from hornbeam.ensembles.boosting.gradients import Floats, Whole
from hornbeam.parts.node import Sample
from hornbeam.parts.searches.binned_cuts import bin_column
from hornbeam.parts.searches.sorted_cuts import midpoint
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.column import Column, Kind
from hornbeam.tree.name_codes import REASONS
from hornbeam.tree.nodes import Nodes
from hornbeam.tree.questions import IsMissing, Question, QuestionTable, Subset, Threshold
from hornbeam.tree.questions.table import QuestionWriter


class ReferenceBooster:
    """The same methods as the core's Booster, on the same plan."""

    def __init__(self, plan: Mapping[str, Any], sample: Sample, held_out: Sample | None) -> None:
        self.plan = plan
        self.sample, self.held_out = sample, held_out
        self.loss = gradients.LOSSES[plan["loss"]]
        self.q = float(plan["q"])
        self.outputs = plan["n_classes"] if self.loss == "softmax" else 1
        self.target = plan["rows"]["target"]
        self.columns = [encode_column(sample, index, plan["bins"]) for index in range(len(sample.columns))]
        self.base = plan.get("base") or gradients.base_scores(
            self.loss, self.q, self.target, sample.weights, self.outputs
        )
        self.scores = self._first_scores(plan["rows"], sample.n_rows)
        self.round = plan["first_round"]
        self.best, self.since_best = np.inf, 0
        if held_out is not None:
            self.held_out_codes = [
                encode_rows(column, data) for column, data in zip(held_out.columns, self.columns, strict=True)
            ]
            self.held_out_scores = self._first_scores(plan["held_out"], held_out.n_rows)

    def _first_scores(self, rows: Mapping[str, Any], n: int) -> Floats:
        if "scores" in rows:
            return np.array(rows["scores"], dtype=np.float64).reshape(self.outputs, n)
        return np.repeat(np.array(self.base)[:, None], n, axis=1)

    def run(self, n_rounds: int) -> dict[str, Any]:
        """Runs at most `n_rounds` more rounds; returns their trees as nodes and questions."""
        trees: list[tuple[Nodes, QuestionTable]] = []
        training: list[float] = []
        held_out: list[float] = []
        done, has_stopped = 0, False
        while done < n_rounds and not has_stopped:
            trees += self._round()
            done += 1
            may_stop = self.plan["patience"] >= 0
            if self.plan["watch"] or (may_stop and self.held_out is None):
                training.append(self._mean_loss(self.scores, self.target, self.sample.weights))
            if self.held_out is not None:
                target = self.plan["held_out"]["target"]
                held_out.append(self._mean_loss(self.held_out_scores, target, self.held_out.weights))
            has_stopped = may_stop and self._should_stop((held_out or training)[-1])
        return {
            "trees": trees,
            "rounds": done,
            "has_stopped": has_stopped,
            "training_loss": np.array(training),
            "held_out_loss": np.array(held_out),
        }

    def _mean_loss(self, scores: Floats, target: Floats, weights: Floats) -> float:
        return gradients.mean_loss(self.loss, self.q, scores, target, weights)

    def _should_stop(self, loss: float) -> bool:
        if improves(loss, self.best, self.plan["least"]):
            self.best, self.since_best = loss, 0
        else:
            self.since_best += 1
        return bool(self.plan["patience"] <= self.since_best)

    def _round(self) -> list[tuple[Nodes, QuestionTable]]:
        plan, sample = self.plan, self.sample
        n = sample.n_rows
        sampled = np.arange(n)
        count = max(1, int(plan["rows_per_tree"] * n))
        if count < n:
            sampled = np.array(Stream.of(plan["seed"], Purpose.SUBSAMPLE, self.round).choose(n, count))
        if plan["joint_classes"] and self.round % plan["joint_period"]:
            grown = self._joint_trees(sampled)
        else:
            grown = self._separate_trees(sampled)
        self.round += 1
        return grown

    def _joint_trees(self, sampled: Whole) -> list[tuple[Nodes, QuestionTable]]:
        """One tree grown on the loss of two groups of classes, with the values of each class."""
        plan, weights, before = self.plan, self.sample.weights, self.scores.copy()
        group = class_groups.class_group(plan["joint_classes"], self.outputs, plan["seed"], self.round)
        g, h = class_groups.derivatives(before, self.target, group)
        units = gradients.units_for("logistic", g, h, weights)
        pairs = gradients.pairs(g, h, weights, units)
        rules = {**plan, "l2": plan["joint_l2"], "min_weighted_rows": plan["joint_min_weighted_rows"]}
        tree = GradientTree(self.columns, pairs, units, sampled, rules, self.round * self.outputs)
        grown = []
        for k in range(self.outputs):
            g, h = gradients.derivatives(self.loss, self.q, before, self.target, k, plan["curvature"])
            units = gradients.units_for(self.loss, g, h, weights, plan["curvature"])
            tree.refit(gradients.pairs(g, h, weights, units), units)
            grown.append(self._add(tree, k))
        return grown

    def _separate_trees(self, sampled: Whole) -> list[tuple[Nodes, QuestionTable]]:
        plan, sample = self.plan, self.sample
        before = self.scores.copy()
        grown = []
        for k in range(self.outputs):
            g, h = gradients.derivatives(self.loss, self.q, before, self.target, k, plan["curvature"])
            units = gradients.units_for(self.loss, g, h, sample.weights, plan["curvature"])
            pairs = gradients.pairs(g, h, sample.weights, units)
            tree = GradientTree(self.columns, pairs, units, sampled, plan, self.round * self.outputs + k)
            if self.loss in ("absolute", "quantile"):
                self._refit_leaves(tree, before[k])
            if self.loss == "poisson":
                _shorten_steps(tree)
            grown.append(self._add(tree, k))
        return grown

    def _add(self, tree: GradientTree, k: int) -> tuple[Nodes, QuestionTable]:
        """Adds the values of the leaves to the scores of output k."""
        values = self.plan["rate"] * np.array([node.value for node in tree.nodes])
        all_rows = np.arange(self.sample.n_rows)
        self.scores[k] += values[tree.leaf([each.codes for each in self.columns], all_rows)]
        if self.held_out is not None:
            all_rows = np.arange(self.held_out.n_rows)
            self.held_out_scores[k] += values[tree.leaf(self.held_out_codes, all_rows)]
        return self._arrays(tree, values)

    def _refit_leaves(self, tree: GradientTree, score: Floats) -> None:
        if len(tree.nodes) == 1:
            return
        q = 0.5 if self.loss == "absolute" else self.q
        for node in tree.nodes:
            residuals = self.target[node.rows] - score[node.rows]
            value = gradients.weighted_quantile(residuals, self.sample.weights[node.rows], q)
            node.value = min(max(value, node.bound[0]), node.bound[1]) if self.plan["monotone"] else value

    def _arrays(self, tree: GradientTree, values: Floats) -> tuple[Nodes, QuestionTable]:
        writer = QuestionWriter()
        inner = [node.first_child >= 0 for node in tree.nodes]
        weight = np.array([tree.h(node.sums) for node in tree.nodes])
        arrays: dict[str, Any] = {
            "parent": [node.parent for node in tree.nodes],
            "first_child": [node.first_child for node in tree.nodes],
            "n_branches": [2 * is_inner for is_inner in inner],
            "question": [
                writer.add(self._question(node)) if is_inner else -1
                for node, is_inner in zip(tree.nodes, inner, strict=True)
            ],
            "missing_branch": [_missing_branch(node) for node in tree.nodes],
            "depth": [node.depth for node in tree.nodes],
            "reason": [REASONS.index(self._reason(node)) for node in tree.nodes],
            "rows": [tree.rows(node.sums) for node in tree.nodes],
            "weight": weight,
            "stats": np.stack([weight, values, np.zeros(len(values))], axis=1),
            "answer": values,
            "gain": [node.gain if is_inner else 0.0 for node, is_inner in zip(tree.nodes, inner, strict=True)],
        }
        arrays["score"] = arrays["gain"]
        arrays["impurity"] = np.zeros(len(values))
        return Nodes(**{name: np.asarray(value) for name, value in arrays.items()}), writer.finished()

    def _reason(self, node: Node) -> str:
        if node.first_child >= 0:
            return ""
        if node.is_weak:
            return "not significant"
        if 0 <= self.plan["max_depth"] <= node.depth:
            return "depth"
        if not node.may_split:
            return "below min_leaf"
        return "leaves" if node.gain > 0 or not node.is_searched else "no improvement"

    def _question(self, node: Node) -> Question:
        split = node.split
        assert split is not None
        column = self.sample.columns[split.column]
        if split.kind == IS_MISSING:
            return IsMissing(split.column, len(column.levels))
        if split.kind == CUT:
            return Threshold(split.column, float(self.columns[split.column].cuts[split.length]))
        assert split.kind == LEVELS
        inside = tuple(code for code, side in enumerate(split.order) if side == 0)
        outside = tuple(code for code, side in enumerate(split.order) if side == 1)
        return Subset(split.column, inside, outside, len(column.levels))


def _shorten_steps(tree: GradientTree) -> None:
    """Replaces Newton's step r - 1 by the optimal step ln r, where r is the ratio of observed to predicted events."""
    for node in tree.nodes:
        node.value = math.log1p(node.value) if node.value > 0 else node.value


def _missing_branch(node: Node) -> int:
    if node.first_child < 0 or node.split is None:
        return -1
    return 0 if node.split.kind == IS_MISSING or node.split.missing_left else 1


def encode_column(sample: Sample, index: int, bins: int) -> EncodedColumn:
    """A column of the training rows as codes."""
    column = sample.columns[index]
    if column.kind is Kind.NOMINAL or (column.kind is Kind.ORDINAL and len(column.levels) <= bins):
        n_bins = len(column.levels)
        codes = np.where(column.values < 0, n_bins, column.values).astype(np.int64)
        return EncodedColumn(column.kind, codes, n_bins, np.arange(n_bins - 1, dtype=np.float64) + 0.5)
    distinct, bin_of = bin_column(sample, index, bins)
    n_bins = int(bin_of[-1]) + 1 if len(bin_of) else 0
    last = np.flatnonzero(np.diff(bin_of))
    cuts = np.array([midpoint(float(distinct[at]), float(distinct[at + 1])) for at in last])
    data = EncodedColumn(column.kind, np.zeros(0, dtype=np.int64), n_bins, cuts)
    return EncodedColumn(column.kind, encode_rows(column, data), n_bins, cuts)


def encode_rows(column: Column, data: EncodedColumn) -> Whole:
    """A column of any rows as codes, by the cuts between bins."""
    codes: npt.NDArray[np.int64] = np.searchsorted(data.cuts, column.values.astype(np.float64), side="left")
    if data.kind is Kind.NOMINAL:
        codes = column.values.astype(np.int64)
    return np.where(column.is_missing, data.n_bins, codes).astype(np.int64)
