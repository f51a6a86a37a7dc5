"""The arrays of a binary tree that compares columns with cuts, as fields of a `SourceTree`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.tree.questions import Question
from hornbeam.tree.questions.is_missing import IsMissing

Array = npt.NDArray[Any]


def binary_tests(left: Array, right: Array, column: Array, cut: Array, missing: Array) -> dict[str, Any]:
    """Children, columns, cuts and missing branches; branch 0 (left) iff x <= cut, leaves have left -1.

    A cut at infinity separates missing from known values where missing values go right; the node then has the question
    "is x missing?", whose branch 0 is the right child.
    """
    cut = np.asarray(cut, dtype=np.float64)
    missing = np.array(missing, dtype=np.int32)
    by_missing = np.flatnonzero(np.isposinf(cut) & (np.asarray(left) >= 0) & (missing == 1))
    pairs = zip(np.asarray(left).tolist(), np.asarray(right).tolist(), strict=True)
    children: list[tuple[int, ...]] = [(one, other) if one >= 0 else () for one, other in pairs]
    questions: dict[int, Question] = {}
    for node in by_missing.tolist():
        children[node] = children[node][::-1]
        questions[node] = IsMissing(int(column[node]))
    missing[by_missing] = 0
    largest = np.finfo(np.float64).max
    return {
        "children": children,
        "column": np.asarray(column),
        "cut": np.where(np.isposinf(cut), largest, cut),
        "missing": missing,
        "questions": questions,
    }
