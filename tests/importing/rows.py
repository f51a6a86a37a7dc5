"""Rows that show every difference between two models: random ones, missing values, neighbours of every cut."""

from __future__ import annotations

import numpy as np

from hornbeam.tree.forest import Forest
from hornbeam.tree.questions import Threshold


def table(seed: int = 1, n: int = 400, zeros: float = 0.2) -> np.ndarray:
    """Four numeric columns with ties, zeros and missing values."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(n, 4)).round(2)
    rows[random.random(rows.shape) < 0.1] = np.nan
    rows[random.random(rows.shape) < zeros] = 0.0
    return rows


def targets(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two classes, three classes and a positive number, which depend on the rows and on what is missing."""
    known = np.nan_to_num(rows)
    two = (known[:, 0] + np.isnan(rows[:, 1]) + (rows[:, 2] == 0) > 0.3).astype(int)
    return two, two + (known[:, 2] > 0), known[:, 0] ** 2 + (rows[:, 1] == 0)


def with_neighbours(model, rows: np.ndarray, seed: int = 2) -> np.ndarray:
    """The rows, and rows that have a cut of the model, the float64 before it or the one after it in one column."""
    random = np.random.default_rng(seed)
    more = [rows]
    for tree in (model.trees if isinstance(model, Forest) else (model,))[:6]:
        for question in tree.questions.all_questions():
            if isinstance(question, Threshold):
                near = [np.nextafter(question.cut, -np.inf), question.cut, np.nextafter(question.cut, np.inf)]
                block = rows[random.integers(0, len(rows), 3)].copy()
                block[:, question.column] = near
                more.append(block)
    found = np.concatenate(more)
    return found[~np.isinf(found).any(axis=1)]


def same_partition(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether two leaf numbers per row are the same up to a renaming of the leaves."""
    pairs = set(zip(ours.tolist(), theirs.tolist(), strict=True))
    return len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
