"""Multi-class classification from binary classifiers, as scikit-learn estimators.

    NestedDichotomyClassifier(LogisticRegression())  K - 1 classifiers, those of one path per row
    DDAGClassifier(SVC())                            K(K-1)/2 classifiers, K - 1 of them per row
    ADAGClassifier(order="reorder")                  the same, as a knock-out
    PairwiseClassifier()                             the same, all of them vote

`estimator` is any scikit-learn classifier, by default a TreeClassifier. `n_classifiers_` and `evaluations(X)` are the
costs of training and prediction. If `fit` fails, the estimator keeps its state; the result does not depend on `n_jobs`.
A given `random_state` is keyed into every random state of the base classifier, else the base keeps its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from hornbeam.ensembles.reductions.dichotomy import NestedDichotomy, code_of, dichotomy_from_pairs
from hornbeam.ensembles.reductions.nested import Nested, fit_dichotomy
from hornbeam.ensembles.reductions.pairs import Pairs, fit_pairs
from hornbeam.ensembles.reductions.problem import Problem, indexable, take_rows
from hornbeam.ensembles.reductions.structure import dichotomy_by_folds, dichotomy_by_purity
from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.estimators.classes import typed_classes
from hornbeam.estimators.fitted import NotFittedTreeError, store_fitted
from hornbeam.estimators.rows import new_rows, training_table
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.shown import ShowsModel
from hornbeam.estimators.trees import TreeClassifier
from hornbeam.evaluation.folds import stratified_folds
from hornbeam.seeds import as_seed
from hornbeam.table.table import Schema

STRUCTURES = ("purity", "cv")


def _has_probabilities(reduction: _Reduction) -> bool:
    return hasattr(reduction._base(), "predict_proba")


class _Reduction(ShowsModel, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The common base of all reductions."""

    estimator: Any
    folds: int
    random_state: Any
    n_jobs: int | None
    classes_: npt.NDArray[Any]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit all classifiers; rows of weight 0 are ignored."""
        problem, classes = self._problem(X, y, sample_weight)
        reduction, more = self._reduce(problem, classes)
        attributes = {
            "_fitted_state": (reduction, problem.table.schema, classes),
            "classes_": classes,
            "n_classes_": len(classes),
            "n_features_in_": len(problem.table.columns),
            "n_classifiers_": len(reduction.models),
            "estimators_": reduction.models,
            **more,
        }
        store_fitted(self, X, attributes)
        return self

    def _reduce(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Nested | Pairs, dict[str, Any]]:
        raise NotImplementedError

    def _base(self) -> Any:
        return TreeClassifier() if self.estimator is None else self.estimator

    def _problem(self, X: Any, y: Any, sample_weight: Any) -> tuple[Problem, npt.NDArray[Any]]:
        """The rows of positive weight, and their classes in the order of their codes."""
        base = self._base()
        if sample_weight is not None and not has_fit_parameter(base, "sample_weight"):
            name = type(base).__name__
            raise OptionError(
                f"sample_weight requires a base classifier that supports weights; {name} does not.",
                option="sample_weight",
            )
        table = training_table(type(self).__name__, X, y, sample_weight, "nominal")
        X = indexable(X)
        if table.weights is not None and not (table.weights > 0).all():
            kept = np.flatnonzero(table.weights > 0)
            table, X = table.take(kept), take_rows(X, kept)
        assert table.target is not None  # training_table rejects rows without a target
        present, codes = np.unique(table.target.values, return_inverse=True)
        classes = typed_classes(tuple(table.target.levels[code] for code in present), y)
        weights = None if sample_weight is None else table.weights
        seed = None if self.random_state is None else as_seed(self.random_state)
        threads = threads_of(self.n_jobs)
        codes = codes.reshape(-1).astype(np.int64)
        return Problem(base, X, table, codes, len(classes), weights, seed, threads), classes

    def _folds(self, problem: Problem) -> npt.NDArray[np.int64]:
        """The fold of each row, stratified, so that the folds are valid for any set of classes."""
        return stratified_folds(problem.codes, self.folds, problem.seed or 0)

    def _fitted(self, X: Any) -> tuple[Nested | Pairs, npt.NDArray[Any], int]:
        """The fitted reduction, its classes, and the number of rows of X."""
        state: tuple[Nested | Pairs, Schema, npt.NDArray[Any]] | None = self.__dict__.get("_fitted_state")
        if state is None:
            name = type(self).__name__
            raise NotFittedTreeError(f"This {name} instance is not fitted yet.", hint="Call fit before using it.")
        reduction, schema, classes = state
        return reduction, classes, len(new_rows(type(self).__name__, schema, X, hasattr(self, "feature_names_in_")))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row."""
        reduction, classes, n_rows = self._fitted(X)
        found: npt.NDArray[Any] = classes[reduction.classify(indexable(X), n_rows).codes]
        return found

    def evaluations(self, X: Any) -> npt.NDArray[np.int64]:
        """The number of classifiers evaluated for the prediction of each row."""
        reduction, _, n_rows = self._fitted(X)
        return reduction.classify(indexable(X), n_rows).evaluations

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The class probabilities, in the order of `classes_`; `predict` need not return the most probable class."""
        reduction, _, n_rows = self._fitted(X)
        return self._probabilities(reduction, indexable(X), n_rows)

    def _probabilities(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = reduction.coupled_probabilities(X, n_rows)
        return found

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            logs: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logs

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted_state" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base()).input_tags
        for name in ("allow_nan", "string", "categorical", "sparse"):
            setattr(tags.input_tags, name, getattr(base, name))
        return tags


class NestedDichotomyClassifier(_Reduction):
    """A nested dichotomy: a tree of class sets with one classifier per inner node (the DAG of the lecture notes).

    `structure` is how the classes are split: "purity" (by the groups that single columns separate best), "cv" (by the
    cross-validated accuracy of the base classifier in `folds` folds), or nested pairs, `("a", ("b", "c"))`. The fitted
    tree is `class_tree_`. The probability of a class is the product along its path.
    """

    class_tree_: NestedDichotomy

    def __init__(
        self,
        estimator: Any = None,
        *,
        structure: Any = "purity",
        folds: int = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.structure = structure
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduce(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Nested, dict[str, Any]]:
        reduction = fit_dichotomy(problem, self._class_tree(problem, classes.tolist()))
        return reduction, {"class_tree_": reduction.tree}

    def _model_html(self) -> str:
        from hornbeam.drawing.nested_dichotomy import draw_nested_dichotomy
        from hornbeam.drawing.notebook import picture_frame

        tree = self.__dict__.get("class_tree_")
        return "" if tree is None else picture_frame(draw_nested_dichotomy(tree))

    def _class_tree(self, problem: Problem, labels: list[Any]) -> NestedDichotomy:
        if isinstance(self.structure, str) and self.structure not in STRUCTURES:
            raise OptionError(
                f"structure must be purity, cv or nested pairs of classes, got {short_repr(self.structure)}.",
                hint=did_you_mean(self.structure, STRUCTURES),
                option="structure",
                got=self.structure,
            )
        if isinstance(self.structure, str) and self.structure == "purity":
            return dichotomy_by_purity(problem, labels)
        if isinstance(self.structure, str):
            return dichotomy_by_folds(problem, labels, self._folds(problem))
        return dichotomy_from_pairs(self.structure, labels)

    def _probabilities(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = reduction.probabilities(X, n_rows)
        return found


class DDAGClassifier(_Reduction):
    """Platt's DDAG: one classifier per pair; the first class of a list plays the last, the loser is removed.

    `order` is the list of classes, by default `classes_`. Probabilities are coupled from all pairs.
    """

    def __init__(
        self, estimator: Any = None, *, order: Any = None, random_state: Any = None, n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduce(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        return fit_pairs(problem, "ddag", _order_codes(self.order, classes.tolist())), {}


class ADAGClassifier(_Reduction):
    """The ADAG: one classifier per pair, a knock-out in ceil(log2 K) rounds; an odd last class has a bye.

    `order` is the list of classes, by default `classes_`; "reorder" pairs the classes of each round such that the sum
    of their errors in `folds` folds is minimal (`pairwise_errors_`). `probabilities` is "coupling" (all pairs) or
    "games" (the product along the games of a row).
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        order: Any = None,
        probabilities: str = "coupling",
        folds: int = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.probabilities = probabilities
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduce(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        if self.probabilities not in ("coupling", "games"):
            raise OptionError(
                f"probabilities must be coupling or games, got {short_repr(self.probabilities)}.",
                option="probabilities",
                got=self.probabilities,
            )
        reorders = isinstance(self.order, str) and self.order == "reorder"
        order = None if reorders else _order_codes(self.order, classes.tolist())
        folds = self._folds(problem) if reorders and problem.n_classes > 1 else None
        reduction = fit_pairs(problem, "adag", order, folds)
        return reduction, {"pairwise_errors_": reduction.errors}

    def _probabilities(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        if self.probabilities == "games":
            found: npt.NDArray[np.float64] = reduction.game_probabilities(X, n_rows)
            return found
        return super()._probabilities(reduction, X, n_rows)


class PairwiseClassifier(_Reduction):
    """Max-wins: one classifier per pair, all vote; ties by the sum of margins, then by class order."""

    def __init__(self, estimator: Any = None, *, random_state: Any = None, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduce(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        return fit_pairs(problem, "max_wins"), {}


def _order_codes(order: Any, labels: list[Any]) -> tuple[int, ...] | None:
    """The codes of a list of all classes."""
    if order is None:
        return None
    if isinstance(order, str) or not isinstance(order, (Sequence, np.ndarray)):
        raise OptionError(f"order must be a list of all classes, got {short_repr(order)}.", option="order", got=order)
    codes = tuple(code_of(label, labels, "order") for label in order)
    if sorted(codes) != list(range(len(labels))):
        raise OptionError(
            f"order must contain each of the {len(labels)} classes once, got {short_repr(list(order))}.",
            option="order",
            got=order,
        )
    return codes
