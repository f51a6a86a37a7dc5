"""How do trees learn from the mistakes of those before them?  By the weights of the rows.

    SAMME (definition 10.4)    err = weight of the rows got wrong;  alpha = rate (ln((1 - err) / err) + ln(K - 1))
                               wrong rows weigh exp(alpha) times more; the trees vote with alpha
    C5.0's way (10.6)          a quarter of S+ - S- moves from the right rows to the wrong ones; every tree votes with
                               the share that its leaf gives the class

Both stop when a tree is no better than chance, or makes no mistake. A tree is grown by whatever `grow(weights, trial)`
grows: any method, pruned or not.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.members import Progress
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree

Floats = npt.NDArray[np.float64]
Grow = Callable[[Floats, int], Tree]

# The alpha of a tree without a mistake.
_SURE = math.log(1e10)
_FLOOR = 1e-3
_FEWEST_WRONG = 0.1
_MOST_WRONG = 0.49


@dataclasses.dataclass(frozen=True, eq=False)
class AdaBoostResult:
    """The trees, what each weighs in the vote, its error, and why there are no more of them."""

    trees: list[Tree]
    alphas: list[float]
    errors: list[float]
    reason: str = ""


def samme(
    columns: Any,
    target: npt.NDArray[Any],
    weights: Floats,
    n_classes: int,
    grow: Grow,
    *,
    trials: int,
    rate: float = 1.0,
    progress: Progress | None = None,
) -> AdaBoostResult:
    """AdaBoost for any number of classes."""
    trees: list[Tree] = []
    alphas: list[float] = []
    errors: list[float] = []
    probabilities = weights / weights.sum()
    for trial in range(trials):
        tree = grow(probabilities * len(probabilities), trial)
        wrong = predicted_codes(tree, columns) != target
        error = float(probabilities[wrong].sum())
        round_ = samme_round(probabilities, wrong, n_classes, rate)
        if error >= 1 - 1 / n_classes:
            if not trees:
                trees, alphas, errors = [tree], [1.0], [error]
            return AdaBoostResult(trees, alphas, errors, "no better than chance")
        trees.append(tree)
        errors.append(error)
        if progress is not None:
            progress(trial + 1)
        if error <= 0:
            alphas.append(1.0 if trial == 0 else rate * _SURE)
            return AdaBoostResult(trees, alphas, errors, "no mistake left")
        alpha, probabilities = round_
        alphas.append(alpha)
    return AdaBoostResult(trees, alphas, errors)


def samme_round(
    probabilities: Floats, wrong: npt.NDArray[np.bool_], n_classes: int, rate: float = 1.0
) -> tuple[float, Floats]:
    """What a tree weighs, and the weights of the rows after it (E10.3)."""
    error = float(probabilities[wrong].sum())
    if not 0 < error < 1:
        return 0.0, probabilities
    alpha = rate * (math.log((1 - error) / error) + math.log(max(n_classes - 1, 1)))
    heavier = np.where(wrong, probabilities * math.exp(alpha), probabilities)
    return alpha, heavier / heavier.sum()


def c50(
    columns: Any,
    target: npt.NDArray[Any],
    weights: Floats,
    n_classes: int,
    grow: Grow,
    *,
    trials: int,
    progress: Progress | None = None,
) -> AdaBoostResult:
    """Boosting as C5.0 does it; in the second half rows whose class can no longer win do not count."""
    trees: list[Tree] = []
    errors: list[float] = []
    votes = np.zeros((len(target), n_classes))
    now = weights * (len(weights) / weights.sum())
    reason = ""
    for trial in range(trials):
        tree = grow(now, trial)
        said, sure = _said(tree, columns)
        wrong = (said != target) & (now > 0)
        error = float(now[wrong].sum() / now.sum())
        if trial and (tree.n_leaves == 1 or error >= _MOST_WRONG):
            reason = "a tree of one leaf" if tree.n_leaves == 1 else "no better than chance"
            break
        trees.append(tree)
        errors.append(error)
        if progress is not None:
            progress(trial + 1)
        votes[np.arange(len(target)), said] += sure
        if float(now[wrong].sum()) < _FEWEST_WRONG:
            reason = "no mistake left"
            break
        now = c50_weights(now, wrong)
        if 2 * (trial + 1) >= trials:
            now = np.where(_can_win(votes, target, trials - trial - 1), now, 0.0)
        if not (now > 0).any():
            reason = "no row can be won any more"
            break
    if len(trees) <= 2 and len(trees) < trials:
        trees, errors = trees[:1], errors[:1]
    return AdaBoostResult(trees, [1.0] * len(trees), errors, reason)


def c50_weights(weights: Floats, wrong: npt.NDArray[np.bool_]) -> Floats:
    """The weights after a trial, scaled to the number of rows that count (E10.4)."""
    counted = weights > 0
    right_sum = float(weights[counted & ~wrong].sum())
    wrong_sum = float(weights[wrong].sum())
    if right_sum <= 0 or not wrong.any():
        return weights
    moved = (right_sum - wrong_sum) / 4
    after = np.where(wrong, weights + moved / wrong.sum(), weights * ((right_sum - moved) / right_sum))
    after = np.where(counted, np.maximum(after, _FLOOR), 0.0)
    return np.asarray(after * (counted.sum() / after.sum()), dtype=np.float64)


def _can_win(votes: Floats, target: npt.NDArray[Any], left: int) -> npt.NDArray[np.bool_]:
    """Whether the trials left, each with a vote of at most 1, can still give a row its class."""
    rows = np.arange(len(target))
    mine = votes[rows, target]
    others = votes.copy()
    others[rows, target] = -np.inf
    return np.asarray(mine + left >= others.max(axis=1), dtype=np.bool_)


def predicted_codes(tree: Tree, columns: Any) -> npt.NDArray[np.int64]:
    """The class that a tree says of every row."""
    return _said(tree, columns)[0]


def _said(tree: Tree, columns: Any) -> tuple[npt.NDArray[np.int64], Floats]:
    """The class that a tree says of every row, and its share in the leaf."""
    ends = walk.row_ends(tree, columns)[0]
    probabilities = walk.values_at(tree, columns, ends)
    said = walk.codes_at(tree, ends, probabilities).astype(np.int64)
    return said, probabilities[np.arange(len(said)), said]
