"""How rows in pieces are counted: the units of integers, the weights of classes, the sums of the root."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.growing.method import Method
from hornbeam.growing.sample import balanced_factors, by_class
from hornbeam.scale.binned import BinnedData
from hornbeam.scale.rounds import Request, Rounds, Sums
from hornbeam.scale.row_hash import fold_key, fold_limits
from hornbeam.scale.target_facts import Units, WeightFacts, WeightRule, units_of
from hornbeam.seeds import Purpose, key
from hornbeam.table.column import Kind

# The largest count of a row in a sample (native/pieces/row_sample.hpp).
MAX_TIMES = 16


@dataclasses.dataclass(frozen=True)
class RowSample:
    """How often rows are in the sample of a tree: counts with a Poisson distribution, or once with a probability."""

    with_replacement: bool
    fraction: float
    seed: int
    tree: int

    def settings(self) -> dict[str, Any]:
        """The entries of a request."""
        return {
            "sample_method": 1 if self.with_replacement else 2,
            "sample_key": key(self.seed, Purpose.BOOTSTRAP, self.tree),
            "sample_fraction": self.fraction,
            "sample_none": math.exp(-self.fraction),
        }


@dataclasses.dataclass(frozen=True)
class OutsideFold:
    """The rows that do not belong to one of several folds, which a hash of the number of the row decides."""

    fold: int
    n_folds: int
    seed: int

    def settings(self) -> dict[str, Any]:
        """The entries of a request."""
        from_hash, to_hash = fold_limits(self.n_folds)[self.fold : self.fold + 2]
        found = {"sample_method": 3, "sample_key": fold_key(self.seed)}
        return found | {"sample_from": from_hash, "sample_to": to_hash}


@dataclasses.dataclass(frozen=True)
class Counting:
    """The units of a table, the rule of its weights, and the sample of a tree; None for all rows."""

    n_rows: int
    n_classes: int
    n_codes: tuple[int, ...]
    units: Units
    rule: WeightRule
    sample: RowSample | OutsideFold | None = None
    tree: int = 0
    # By column, the code that replaces each code (`imputation.py`).
    recoded: Mapping[int, npt.NDArray[Any]] = dataclasses.field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """The entries that every request of a tree has."""
        rule = {"weight_scale": self.rule.scale, "weight_step": self.rule.step, "tree": self.tree}
        found: dict[str, Any] = {**self.units.as_dict(), **rule}
        if self.rule.by_class:
            found["class_weight"] = np.array(self.rule.by_class)
        if self.recoded:
            found["recoded"] = self.recoded
        return found | (self.sample.settings() if self.sample is not None else {})

    def for_tree(self, tree: int, sample: RowSample | OutsideFold | None) -> Counting:
        """The counting of one tree of several; the rows of a sample are counted with weights."""
        if sample is None:
            return dataclasses.replace(self, tree=tree)
        units = dataclasses.replace(
            self.units,
            is_weighted=True,
            unit=self.units.unit * MAX_TIMES * 2,
            square_unit=self.units.square_unit * self.n_rows * MAX_TIMES,
        )
        return dataclasses.replace(self, units=units, sample=sample, tree=tree)

    def root_request(self) -> Request:
        """The sums of all columns over all rows."""
        return {
            "first_child": np.array([-1], dtype=np.int32),
            "first_question": np.zeros(2, dtype=np.int32),
            "otherwise": np.array([-1], dtype=np.int16),
            "question_column": np.zeros(0, dtype=np.int32),
            "question_map": np.zeros(0, dtype=np.int64),
            "maps": np.zeros(0, dtype=np.int16),
            "slot": np.zeros(1, dtype=np.int32),
            "total": np.zeros(1, dtype=np.int32),
            "columns": np.arange(len(self.n_codes), dtype=np.int32),
            "n_codes": np.array(self.n_codes, dtype=np.uint32),
            "n_slots": 1,
            "n_totals": 1,
            "by_side": False,
            "n_classes": self.n_classes,
            **self.settings(),
        }


@dataclasses.dataclass(frozen=True, eq=False)
class Root:
    """The sums of all rows of a tree, and what they are by class and by column."""

    counting: Counting
    sums: Sums

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        n_sums = self.counting.n_classes or 1
        totals = self.sums.totals
        return int(totals[self.counting.n_classes or 2] if self.counting.units.is_weighted else totals[:n_sums].sum())

    @property
    def class_totals(self) -> list[int]:
        """The weight of every class in units; of all rows for numbers."""
        return [int(total) for total in self.sums.totals[: self.counting.n_classes or 1]]

    @property
    def class_weights(self) -> npt.NDArray[np.float64]:
        """The weight of every class; of all rows for numbers."""
        return np.array(self.class_totals, dtype=np.float64) * self.counting.units.weight_unit

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return sum(self.class_totals) * self.counting.units.weight_unit

    def cells(self) -> list[npt.NDArray[np.int64]]:
        """The sums by column: a row per code, the last for missing values."""
        codes = [n + 1 for n in self.counting.n_codes]
        width = len(self.sums.cells) // sum(codes) if codes else 1
        return [part.reshape(-1, width) for part in np.split(self.sums.cells, np.cumsum(codes)[:-1] * width)]

    def rows(self) -> list[npt.NDArray[np.int64]]:
        """The number of rows by column and code."""
        n_sums = self.counting.n_classes or 1
        is_weighted = self.counting.units.is_weighted
        return [cells[:, -1] if is_weighted else cells[:, :n_sums].sum(axis=1) for cells in self.cells()]

    def code_weights(self) -> list[list[int]]:
        """The weight by column and code in units, the last of missing values."""
        n_sums = self.counting.n_classes or 1
        return [cells[:, :n_sums].sum(axis=1).tolist() for cells in self.cells()]

    def missing_weights(self) -> list[float]:
        """The weight of the missing values of every column."""
        return [weights[-1] * self.counting.units.weight_unit for weights in self.code_weights()]


def count_rows(data: BinnedData, method: Method, rounds: Rounds) -> Counting:
    """The units of the target and of the weights."""
    target = data.target
    n_classes = len(target.levels) if target.kind is not Kind.NUMERIC else 0
    rule, weights = _weights(data, method, rounds, n_classes)
    numbers = None
    if not n_classes:
        nearest = rounds.target_facts(0, target.minimum / 2 + target.maximum / 2).nearest
        numbers = target.minimum, target.maximum, nearest
    n_codes = tuple(len(column.low) for column in data.columns)
    return Counting(data.n_rows, n_classes, n_codes, units_of(data.n_rows, weights, numbers), rule)


def _weights(data: BinnedData, method: Method, rounds: Rounds, n_classes: int) -> tuple[WeightRule, WeightFacts | None]:
    """How the weights of rows are changed, and what they add up to; None without weights."""
    has_weights = any(piece.weights is not None for piece in data.pieces)
    if not has_weights and (method.class_weight is None or not n_classes):
        return WeightRule(), None
    rule = WeightRule()
    if method.weights == "importance" and has_weights:
        rule = WeightRule(scale=data.n_rows / rounds.weight_facts(rule, 0).total)
    if n_classes and method.class_weight is not None:
        if isinstance(method.class_weight, str):
            factors = balanced_factors(rounds.target_facts(n_classes, 0.0).rows)
        else:
            factors = by_class("class_weight", method.class_weight, data.target.levels, missing=1.0)
        rule = dataclasses.replace(rule, by_class=tuple(factors.tolist()))
    total = rounds.weight_facts(rule, 0).total
    rule = dataclasses.replace(rule, step=2.0 ** (int(np.frexp(total)[1]) - 52))
    return rule, rounds.weight_facts(rule, n_classes)
