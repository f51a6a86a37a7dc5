"""Many classes from classifiers of two, as scikit-learn estimators.

    ClassTreeClassifier(LogisticRegression())       K - 1 classifiers, a path of them a row
    DDAGClassifier(SVC())                           K(K-1)/2 classifiers, K - 1 of them a row
    ADAGClassifier(order="reorder")                 the same, as a knock-out
    PairwiseClassifier()                            the same, all of them vote

`estimator` is any scikit-learn classifier of two classes, a TreeClassifier when there is none. `n_classifiers_` and
`evaluations(X)` say what it costs. `fit` is all or nothing, and its result does not depend on `n_jobs`; a
`random_state` that is given is keyed into every random state of the base, else the base keeps its own.
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


def _says_shares(reduction: _Reduction) -> bool:
    return hasattr(reduction._base(), "predict_proba")


class _Reduction(ShowsModel, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all reductions share."""

    estimator: Any
    folds: int
    random_state: Any
    n_jobs: int | None
    classes_: npt.NDArray[Any]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn all classifiers; rows of weight 0 count as not there."""
        problem, classes = self._problem(X, y, sample_weight)
        reduction, learned = self._reduced(problem, classes)
        learned = {
            "_kept": (reduction, problem.table.schema, classes),
            "classes_": classes,
            "n_classes_": len(classes),
            "n_features_in_": len(problem.table.columns),
            "n_classifiers_": len(reduction.models),
            "estimators_": reduction.models,
            **learned,
        }
        store_fitted(self, X, learned)
        return self

    def _reduced(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Nested | Pairs, dict[str, Any]]:
        raise NotImplementedError

    def _base(self) -> Any:
        return TreeClassifier() if self.estimator is None else self.estimator

    def _problem(self, X: Any, y: Any, sample_weight: Any) -> tuple[Problem, npt.NDArray[Any]]:
        """The rows that have weight, and their classes in the order of their codes."""
        base = self._base()
        if sample_weight is not None and not has_fit_parameter(base, "sample_weight"):
            name = type(base).__name__
            raise OptionError(f"sample_weight was given, but {name} takes no weights.", option="sample_weight")
        table = training_table(type(self).__name__, X, y, sample_weight, "nominal")
        X = indexable(X)
        if table.weights is not None and not (table.weights > 0).all():
            kept = np.flatnonzero(table.weights > 0)
            table, X = table.take(kept), take_rows(X, kept)
        assert table.target is not None  # training_table refuses rows without
        present, codes = np.unique(table.target.values, return_inverse=True)
        classes = typed_classes(tuple(table.target.levels[code] for code in present), y)
        weights = None if sample_weight is None else table.weights
        seed = None if self.random_state is None else as_seed(self.random_state)
        threads = threads_of(self.n_jobs)
        codes = codes.reshape(-1).astype(np.int64)
        return Problem(base, X, table, codes, len(classes), weights, seed, threads), classes

    def _folds(self, problem: Problem) -> npt.NDArray[np.int64]:
        """The fold of every row, each class spread evenly, so that they serve any set of classes."""
        return stratified_folds(problem.codes, self.folds, problem.seed or 0)

    def _asked(self, X: Any) -> tuple[Nested | Pairs, npt.NDArray[Any], int]:
        """What was learned in one fit, its classes, and how many rows are asked about."""
        kept: tuple[Nested | Pairs, Schema, npt.NDArray[Any]] | None = self.__dict__.get("_kept")
        if kept is None:
            name = type(self).__name__
            raise NotFittedTreeError(f"This {name} instance is not fitted yet.", hint="Call fit before using it.")
        reduction, schema, classes = kept
        return reduction, classes, len(new_rows(type(self).__name__, schema, X, hasattr(self, "feature_names_in_")))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row."""
        reduction, classes, n_rows = self._asked(X)
        found: npt.NDArray[Any] = classes[reduction.played(indexable(X), n_rows).codes]
        return found

    def evaluations(self, X: Any) -> npt.NDArray[np.int64]:
        """How many classifiers were asked for the class of each row."""
        reduction, _, n_rows = self._asked(X)
        return reduction.played(indexable(X), n_rows).evaluations

    @available_if(_says_shares)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The share of each class, in the order of `classes_`; the largest need not be the class that predict says."""
        reduction, _, n_rows = self._asked(X)
        return self._shares(reduction, indexable(X), n_rows)

    def _shares(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = reduction.coupled_shares(X, n_rows)
        return found

    @available_if(_says_shares)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithms of the shares; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            logs: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logs

    def __sklearn_is_fitted__(self) -> bool:
        return "_kept" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self._base()).input_tags
        for name in ("allow_nan", "string", "categorical", "sparse"):
            setattr(tags.input_tags, name, getattr(base, name))
        return tags


class NestedDichotomyClassifier(_Reduction):
    """A tree of classes with one classifier a node: the notes' DAG, in the literature a nested dichotomy.

    `structure` says how the classes are split: "purity" (what single columns tell best), "cv" (what the base tells best
    over `folds` folds), or pairs within pairs, `("a", ("b", "c"))`. What was learned is in `class_tree_`. The share of
    a class is the product along its path.
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

    def _reduced(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Nested, dict[str, Any]]:
        reduction = fit_dichotomy(problem, self._class_tree(problem, classes.tolist()))
        return reduction, {"class_tree_": reduction.tree}

    def _model_html(self) -> str:
        from hornbeam.drawing.nested_dichotomy import draw_nested_dichotomy
        from hornbeam.drawing.notebook import picture_frame

        learned = self.__dict__.get("class_tree_")
        return "" if learned is None else picture_frame(draw_nested_dichotomy(learned))

    def _class_tree(self, problem: Problem, labels: list[Any]) -> NestedDichotomy:
        if isinstance(self.structure, str) and self.structure not in STRUCTURES:
            raise OptionError(
                f"structure must be purity, cv or pairs within pairs of classes; got {short_repr(self.structure)}.",
                hint=did_you_mean(self.structure, STRUCTURES),
                option="structure",
                got=self.structure,
            )
        if isinstance(self.structure, str) and self.structure == "purity":
            return dichotomy_by_purity(problem, labels)
        if isinstance(self.structure, str):
            return dichotomy_by_folds(problem, labels, self._folds(problem))
        return dichotomy_from_pairs(self.structure, labels)

    def _shares(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = reduction.probabilities(X, n_rows)
        return found


class DDAGClassifier(_Reduction):
    """Platt's DDAG: one classifier a pair of classes; the first of the list plays the last and the loser is dropped.

    `order` lists the classes; None takes them in the order of `classes_`. Shares are coupled from all pairs.
    """

    def __init__(
        self, estimator: Any = None, *, order: Any = None, random_state: Any = None, n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduced(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        return fit_pairs(problem, "ddag", _listed(self.order, classes.tolist())), {}


class ADAGClassifier(_Reduction):
    """The ADAG: one classifier a pair of classes, a knock-out in ceil(log2 K) rounds; an odd last class has a bye.

    `order` lists the classes; None takes them in the order of `classes_`; "reorder" lets those play each round whose
    errors over `folds` folds add up to the least (`pairwise_errors_`). `probabilities` is "coupling" (all pairs) or
    "games" (the product along the games that a row played).
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

    def _reduced(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        if self.probabilities not in ("coupling", "games"):
            raise OptionError(
                f"probabilities must be coupling or games; got {short_repr(self.probabilities)}.",
                option="probabilities",
                got=self.probabilities,
            )
        reorders = isinstance(self.order, str) and self.order == "reorder"
        order = None if reorders else _listed(self.order, classes.tolist())
        folds = self._folds(problem) if reorders and problem.n_classes > 1 else None
        reduction = fit_pairs(problem, "adag", order, folds)
        return reduction, {"pairwise_errors_": reduction.errors}

    def _shares(self, reduction: Any, X: Any, n_rows: int) -> npt.NDArray[np.float64]:
        if self.probabilities == "games":
            found: npt.NDArray[np.float64] = reduction.played_shares(X, n_rows)
            return found
        return super()._shares(reduction, X, n_rows)


class PairwiseClassifier(_Reduction):
    """Max-wins: one classifier a pair of classes, all of them vote; ties by the sum of margins, then by class order."""

    def __init__(self, estimator: Any = None, *, random_state: Any = None, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _reduced(self, problem: Problem, classes: npt.NDArray[Any]) -> tuple[Pairs, dict[str, Any]]:
        return fit_pairs(problem, "max_wins"), {}


def _listed(order: Any, labels: list[Any]) -> tuple[int, ...] | None:
    """The list of classes by their codes; every class once."""
    if order is None:
        return None
    if isinstance(order, str) or not isinstance(order, (Sequence, np.ndarray)):
        raise OptionError(f"order must be a list of all classes; got {short_repr(order)}.", option="order", got=order)
    codes = tuple(code_of(label, labels, "order") for label in order)
    if sorted(codes) != list(range(len(labels))):
        raise OptionError(
            f"order must hold each of the {len(labels)} classes once; got {short_repr(list(order))}.",
            option="order",
            got=order,
        )
    return codes
