"""AdaBoost: trees grown one after the other; row weights move to the rows that earlier trees misclassify.

    samme (definition 10.4)   err = weight of the misclassified rows;  alpha = rate (ln((1 - err) / err) + ln(K - 1))
                              misclassified rows weigh exp(alpha) times more; trees vote with weight alpha
    c50 (definition 10.6)     a quarter of S+ - S- moves from correct to misclassified rows; each tree votes with the
                              probability that its leaf gives the predicted class (the boosting of C5.0)
    r2 (AdaBoost.R2)          numbers: e = |error| / largest |error|, err = weighted mean of e, beta = err / (1 - err);
                              rows weigh beta^(rate (1 - e)) times more; weighted medians, with weight rate ln(1 / beta)

All stop when a tree is no better than chance, or makes no error. Trees may be pruned.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.members import make_regrower
from hornbeam.ensembles.methods.base import EnsembleMethod, EnsembleRun
from hornbeam.ensembles.progress import Progress
from hornbeam.errors import OptionError
from hornbeam.growing.method import Method
from hornbeam.growing.row_order import in_one_order
from hornbeam.growing.sample import drop_uncounted_rows
from hornbeam.options import option
from hornbeam.table.prepared_column import prepared_again
from hornbeam.table.table import Table
from hornbeam.table.target_kind import other_kind
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

Floats = npt.NDArray[np.float64]
GrowTree = Callable[[Floats, int], Tree]

# The vote of a tree without errors.
_MAX_ALPHA = math.log(1e10)
_COMBINE = {"samme": "vote", "c50": "confidence", "r2": "median"}
_MIN_WEIGHT = 1e-3
_MIN_ERROR_WEIGHT = 0.1
_MAX_ERROR = 0.49


@dataclasses.dataclass(frozen=True)
class AdaBoost(EnsembleMethod):
    """Boosting by row weights."""

    name: ClassVar[str] = "adaboost"
    n_trees: int = option(50, "maximum number of trees", at_least=1)
    learning_rate: float = option(1.0, "factor of every tree's vote (samme only)", above=0.0)
    algorithm: str | None = option(
        None,
        "how row weights change; if None, samme for classification and r2 for regression",
        choices=("samme", "c50", "r2"),
    )

    loss: str = option(
        "linear", "the loss of a row by which its weight changes (r2 only)", choices=("linear", "square", "exponential")
    )

    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """Trees that vote."""
        algorithm = self.algorithm or ("samme" if table.schema.is_class else "r2")
        if table.schema.is_class == (algorithm == "r2"):
            required, found = ("numeric", "categorical") if algorithm == "r2" else ("classification", "numeric")
            raise OptionError(
                f"The algorithm {algorithm} of AdaBoost requires a {required} target, but the target is {found}.",
                fix=other_kind(table.target),
                hint="or omit the algorithm: it is chosen from the target.",
                option="algorithm",
            )
        rows = in_one_order(method.missing.prepare(drop_uncounted_rows(table)), method, is_needed=True)
        # All trees grow on these rows, so that their columns are ranked once.
        rows = dataclasses.replace(rows, columns=prepared_again(rows.columns))
        assert rows.target is not None
        weights = np.array(rows.row_weights)
        regrow = make_regrower(rows, method, seed=run.seed, threads=run.threads)

        def grow_tree(row_weights: Floats, trial: int) -> Tree:
            weighted = dataclasses.replace(rows, weights=row_weights)
            return run.grow_tree(weighted, run.seed + trial) if run.is_pruned else regrow(weighted, trial)

        if algorithm == "r2":
            numbers = rows.target.values.astype(np.float64)
            settings: dict[str, Any] = {"n_trees": self.n_trees, "learning_rate": self.learning_rate, "loss": self.loss}
            result = r2(rows.columns, numbers, weights, grow_tree, **settings, progress=run.progress)
            return self._forest(rows, method, result, run.seed, algorithm)
        codes = rows.target.values.astype(np.int64)
        data = (rows.columns, codes, weights, len(rows.target.levels), grow_tree)
        if algorithm == "samme":
            result = samme(*data, n_trees=self.n_trees, learning_rate=self.learning_rate, progress=run.progress)
        else:
            result = c50(*data, n_trees=self.n_trees, progress=run.progress)
        return self._forest(rows, method, result, run.seed, algorithm)

    def _forest(self, rows: Table, method: Method, result: AdaBoostResult, seed: int, algorithm: str) -> Forest:
        metadata = {
            "rows": len(rows),
            "seed": seed,
            "algorithm": algorithm,
            "errors": result.errors,
            "stopped": result.reason,
            "notes": list(rows.notes),
        }
        return Forest(
            schema=rows.schema,
            trees=tuple(result.trees),
            weights=np.array(result.alphas),
            combine=_COMBINE[algorithm],
            recipe=method.as_table(),
            metadata=metadata,
        )


@dataclasses.dataclass(frozen=True, eq=False)
class AdaBoostResult:
    """The trees, their weights in the vote, their training errors, and the reason for an early stop."""

    trees: list[Tree]
    alphas: list[float]
    errors: list[float]
    reason: str = ""


def samme(
    columns: Any,
    target: npt.NDArray[Any],
    weights: Floats,
    n_classes: int,
    grow_tree: GrowTree,
    *,
    n_trees: int,
    learning_rate: float = 1.0,
    progress: Progress | None = None,
) -> AdaBoostResult:
    """AdaBoost for any number of classes."""
    trees: list[Tree] = []
    alphas: list[float] = []
    errors: list[float] = []
    current = weights / weights.sum()
    for trial in range(n_trees):
        tree = grow_tree(current * len(current), trial)
        is_wrong = _predict(tree, columns)[0] != target
        error = float(current[is_wrong].sum())
        if error >= 1 - 1 / n_classes:
            if not trees:
                trees, alphas, errors = [tree], [1.0], [error]
            return AdaBoostResult(trees, alphas, errors, "no better than chance")
        trees.append(tree)
        errors.append(error)
        if progress is not None:
            progress(trial + 1)
        if error <= 0:
            alphas.append(1.0 if trial == 0 else learning_rate * _MAX_ALPHA)
            return AdaBoostResult(trees, alphas, errors, "no error left")
        alpha, current = samme_round(current, is_wrong, n_classes, learning_rate)
        alphas.append(alpha)
    return AdaBoostResult(trees, alphas, errors)


def samme_round(
    weights: Floats, is_wrong: npt.NDArray[np.bool_], n_classes: int, learning_rate: float = 1.0
) -> tuple[float, Floats]:
    """The vote of a tree, and the row weights after it (E10.3)."""
    error = float(weights[is_wrong].sum())
    if not 0 < error < 1:
        return 0.0, weights
    alpha = learning_rate * (math.log((1 - error) / error) + math.log(max(n_classes - 1, 1)))
    increased = np.where(is_wrong, weights * math.exp(alpha), weights)
    return alpha, increased / increased.sum()


def r2(
    columns: Any,
    target: Floats,
    weights: Floats,
    grow_tree: GrowTree,
    *,
    n_trees: int,
    learning_rate: float = 1.0,
    loss: str = "linear",
    progress: Progress | None = None,
) -> AdaBoostResult:
    """AdaBoost.R2, for numbers; trees are grown on row weights, not on samples."""
    trees: list[Tree] = []
    alphas: list[float] = []
    errors: list[float] = []
    current = weights / weights.sum()
    for trial in range(n_trees):
        tree = grow_tree(current * len(current), trial)
        errors_of_rows = np.abs(walk.values(tree, columns)[:, 0] - target)
        error, alpha, current = r2_round(current, errors_of_rows, learning_rate, loss)
        if error >= 0.5 and trees:
            return AdaBoostResult(trees, alphas, errors, "no better than half of the largest error")
        trees.append(tree)
        alphas.append(alpha)
        errors.append(error)
        if progress is not None:
            progress(trial + 1)
        if error <= 0 or error >= 0.5:
            return AdaBoostResult(trees, alphas, errors, "no error left" if error <= 0 else "no better than half")
    return AdaBoostResult(trees, alphas, errors)


def r2_round(
    weights: Floats, errors: Floats, learning_rate: float = 1.0, loss: str = "linear"
) -> tuple[float, float, Floats]:
    """The error of a tree, its weight in the median, and the row weights after it."""
    largest = float(errors[weights > 0].max())
    scaled = errors / largest if largest > 0 else errors
    if loss == "square":
        scaled = scaled**2
    elif loss == "exponential":
        scaled = 1.0 - np.exp(-scaled)
    error = float((weights * scaled).sum())
    if not 0 < error < 0.5:
        return error, 1.0, weights
    beta = error / (1 - error)
    changed = weights * beta ** ((1 - scaled) * learning_rate)
    return error, learning_rate * math.log(1 / beta), changed / changed.sum()


def c50(
    columns: Any,
    target: npt.NDArray[Any],
    weights: Floats,
    n_classes: int,
    grow_tree: GrowTree,
    *,
    n_trees: int,
    progress: Progress | None = None,
) -> AdaBoostResult:
    """The boosting of C5.0. In the second half of the trials, rows whose class can no longer win have weight 0."""
    trees: list[Tree] = []
    errors: list[float] = []
    votes = np.zeros((len(target), n_classes))
    current = weights * (len(weights) / weights.sum())
    reason = ""
    for trial in range(n_trees):
        tree = grow_tree(current, trial)
        codes, confidence = _predict(tree, columns)
        is_wrong = (codes != target) & (current > 0)
        error = float(current[is_wrong].sum() / current.sum())
        if trial and (tree.n_leaves == 1 or error >= _MAX_ERROR):
            reason = "a tree of one leaf" if tree.n_leaves == 1 else "no better than chance"
            break
        trees.append(tree)
        errors.append(error)
        if progress is not None:
            progress(trial + 1)
        votes[np.arange(len(target)), codes] += confidence
        if float(current[is_wrong].sum()) < _MIN_ERROR_WEIGHT:
            reason = "no error left"
            break
        current = c50_weights(current, is_wrong)
        if 2 * (trial + 1) >= n_trees:
            current = np.where(_can_win(votes, target, n_trees - trial - 1), current, 0.0)
        if not (current > 0).any():
            reason = "no row can be won any more"
            break
    if len(trees) <= 2 and len(trees) < n_trees:
        trees, errors = trees[:1], errors[:1]
    return AdaBoostResult(trees, [1.0] * len(trees), errors, reason)


def c50_weights(weights: Floats, is_wrong: npt.NDArray[np.bool_]) -> Floats:
    """The row weights after a trial, scaled to the number of rows of positive weight (E10.4)."""
    is_counted = weights > 0
    right_sum = float(weights[is_counted & ~is_wrong].sum())
    wrong_sum = float(weights[is_wrong].sum())
    if right_sum <= 0 or not is_wrong.any():
        return weights
    moved = (right_sum - wrong_sum) / 4
    after = np.where(is_wrong, weights + moved / is_wrong.sum(), weights * ((right_sum - moved) / right_sum))
    after = np.where(is_counted, np.maximum(after, _MIN_WEIGHT), 0.0)
    return np.asarray(after * (is_counted.sum() / after.sum()), dtype=np.float64)


def _can_win(votes: Floats, target: npt.NDArray[Any], n_left: int) -> npt.NDArray[np.bool_]:
    """Whether the remaining trials, each with a vote of at most 1, can still make a row's class win."""
    rows = np.arange(len(target))
    own = votes[rows, target]
    others = votes.copy()
    others[rows, target] = -np.inf
    return np.asarray(own + n_left >= others.max(axis=1), dtype=np.bool_)


def _predict(tree: Tree, columns: Any) -> tuple[npt.NDArray[np.int64], Floats]:
    """The predicted class of each row, and its probability in the leaf."""
    ends = walk.row_ends(tree, columns)[0]
    probabilities = walk.values_at(tree, columns, ends)
    codes = walk.codes_at(tree, ends, probabilities).astype(np.int64)
    return codes, probabilities[np.arange(len(codes)), codes]
