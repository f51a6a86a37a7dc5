"""Purity: how well a single column separates two groups of classes.

    score = max over columns and cuts of gain(groups; cut) / H(groups)            between 0 and 1

The gain is the information gain in bits. Numeric and ordinal values are cut between neighbors; the levels of a nominal
column are first sorted by their fraction of the second group, which finds the best of all subsets. A column is scored
on the rows where it is not missing, and its gain is multiplied by their fraction of the weight. All groupings of a set
of classes are scored from one table of weights by value and class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.reductions.problem import Floats, Problem, Rows
from hornbeam.parts.criteria.entropy import entropy
from hornbeam.table.column import Column, Kind

_MAX_CELLS = 2_000_000
Marks = npt.NDArray[np.bool_]


def purity_scores(problem: Problem, classes: Sequence[int], seconds: Sequence[Sequence[int]]) -> Floats:
    """The score of each grouping of the classes; a grouping is given by its second group."""
    rows = problem.rows_of(classes)
    position = np.full(problem.n_classes, -1)
    position[list(classes)] = np.arange(len(classes))
    codes, weights = position[problem.codes[rows]], problem.row_weights[rows]
    is_second = np.array([[code in second for code in classes] for second in seconds], dtype=np.float64)
    best = np.zeros(len(seconds))
    for column in problem.table.columns:
        taken = column.take(rows)
        known = ~taken.is_missing
        if known.any():
            fraction = float(weights[known].sum() / weights.sum())
            counted = _weights_by_value(taken, known, codes, weights, len(classes))
            gains = _best_gains(counted, is_second, column.kind is Kind.NOMINAL)
            best = np.maximum(best, fraction * gains)
    by_class = np.bincount(codes, weights, len(classes))
    second = is_second @ by_class
    bits = entropy(np.stack([by_class.sum() - second, second], axis=-1))
    return np.divide(best, bits, out=np.zeros_like(best), where=bits > 0)


def _weights_by_value(column: Column, known: Marks, codes: Rows, weights: Floats, n_classes: int) -> Floats:
    """Weights (values, classes), sorted by value."""
    values, position = np.unique(column.values[known], return_inverse=True)
    flat = position.reshape(-1) * n_classes + codes[known]
    counted = np.bincount(flat, weights[known], len(values) * n_classes).astype(np.float64)
    return counted.reshape(len(values), n_classes)


def _best_gains(counted: Floats, is_second: Floats, is_nominal: bool) -> Floats:
    """The best gain of each grouping, computed in blocks to limit memory."""
    if len(counted) < 2:
        return np.zeros(len(is_second))
    step = max(1, _MAX_CELLS // len(counted))
    parts = [_gains(counted, is_second[start : start + step], is_nominal) for start in range(0, len(is_second), step)]
    return np.concatenate(parts)


def _gains(counted: Floats, is_second: Floats, is_nominal: bool) -> Floats:
    second = counted @ is_second.T
    every = np.broadcast_to(counted.sum(axis=1)[:, None], second.shape)
    if is_nominal:
        order = np.argsort(second / every, axis=0, kind="stable")
        second, every = np.take_along_axis(second, order, 0), np.take_along_axis(every, order, 0)
    second_left, left = second.cumsum(axis=0), every.cumsum(axis=0)
    second_all, whole = second_left[-1], left[-1]
    second_left, left = second_left[:-1], left[:-1]
    second_right, right = np.maximum(second_all - second_left, 0.0), np.maximum(whole - left, 0.0)
    split = left * _bits(second_left, left) + right * _bits(second_right, right)
    gain: Floats = (_bits(second_all, whole) - split / whole).max(axis=0)
    return np.maximum(gain, 0.0)


def _bits(second: Floats, every: Floats) -> Floats:
    return entropy(np.stack([np.maximum(every - second, 0.0), second], axis=-1))
