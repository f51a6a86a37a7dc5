"""The common base of boosted classifiers and regressors: parameters to settings, fitting, staged scores."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.methods.boosting import Boosting, boost
from hornbeam.ensembles.progress import TimedProgress
from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.estimators.constraints import interaction_groups, monotone_directions
from hornbeam.estimators.files import is_elsewhere, kind_of, known_classes, refuse_with_files
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.rows import names_of
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.trees import tree_estimator
from hornbeam.estimators.validation import (
    Patience,
    ScoredRows,
    boost_by_score,
    check_validation,
    split_for_scoring,
    stage_scorer,
    validation_table,
)
from hornbeam.estimators.wording import translate_parameters
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.recipes.grow_files import boosted_from_files
from hornbeam.scale.prepare import PreparedFiles
from hornbeam.seeds import as_seed
from hornbeam.table.column import Kind
from hornbeam.table.divide import divide
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.forest_walk import forest_totals, linked

# The settings of boosting, and the parameters of the estimators for them.
_PARAMETERS = {
    "Boosting.learning_rate": "learning_rate",
    "Boosting.n_rounds": "max_iter",
    "Boosting.max_depth": "max_depth",
    "Boosting.max_leaves": "max_leaf_nodes",
    "Boosting.min_rows": "min_samples_leaf",
    "Boosting.min_hessian": "min_hessian",
    "Boosting.l1": "l1_regularization",
    "Boosting.l2": "l2_regularization",
    "Boosting.categorical_l2": "categorical_l2",
    "Boosting.categorical_smoothing": "categorical_smoothing",
    "Boosting.gamma": "min_split_gain",
    "Boosting.min_f": "min_f",
    "Boosting.joint_trees": "joint_trees",
    "Boosting.bins": "max_bins",
    "Boosting.rows_per_tree": "subsample",
    "Boosting.columns_per_tree": "columns_per_tree",
    "Boosting.columns_per_node": "max_features",
    "Boosting.validation_fraction": "validation_fraction",
    "Boosting.early_stopping_rounds": "n_iter_no_change",
    "Boosting.min_improvement": "tol",
    "Boosting.quantile": "quantile",
    "Boosting.loss": "loss",
    "Boosting.monotone_constraints": "monotonic_cst",
    "Boosting.interaction_constraints": "interaction_cst",
    "monotone_constraints": "monotonic_cst",
    "interaction_constraints": "interaction_cst",
}
_LOSSES = {
    "log_loss": None,
    "squared_error": "squared",
    "absolute_error": "absolute",
    "poisson": "poisson",
    "quantile": "quantile",
}
_EARLY_STOPPING_ROWS = 10_000


def names_of_columns(table: Table) -> list[str]:
    """The names of the columns."""
    return [column.name for column in table.columns]


class BoostedEstimator(EnsembleEstimator):
    """The common base of classifier and regressor."""

    _losses: ClassVar[tuple[str, ...]] = ()

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        groups: Any = None,
        times: Any = None,
        memory: str | int | None = None,
        client: Any = None,
    ) -> Self:
        """Grow the trees; rows of weight 0 are ignored.

        Early stopping uses X_val and y_val if they are passed. Otherwise the rows held out for it are whole `groups`
        (one value per row), or the latest by `times`. scikit-learn's tools pass them on after
        `set_fit_request(groups=True)`.

        X may be files ("data/*.parquet"), an Arrow stream or a `hornbeam.scale.Dataset`; y is the name of the target
        column then, and `sample_weight` that of the weights. With `memory` ("2GB") they need not fit into memory. Dask
        collections X and y are fitted by the workers of the `client`, or of the default client. Rows held out from
        them are chosen by a hash of the row.
        """
        if is_elsewhere(X, memory, client):
            given_rows = {"X_val": X_val, "y_val": y_val, "sample_weight_val": sample_weight_val}
            refuse_with_files(X, **given_rows, groups=groups, times=times, warm_start=self.warm_start)
            return self._fit_files(X, y, sample_weight, {"memory": memory, "client": client})
        table = divide(self._table(X, y, sample_weight), groups=groups, times=times)
        table = self._with_class_weights(table)
        stops_early = self._stops_early(len(table))
        check_validation(X_val, y_val, stops_early)
        given = None if X_val is None else ScoredRows(X_val, y_val, sample_weight_val)
        if stops_early and not (isinstance(self.scoring, str) and self.scoring == "loss"):
            forest, scores = self._boost_by_score(table, given, X, y, sample_weight)
        else:
            with translate_parameters(_PARAMETERS):
                boosting = self._boosting(names_of_columns(table), stops_early and given is None)
                validation = None if given is None else self._with_class_weights(validation_table(table, given))
            continue_from: Forest | None = self.__dict__.get("forest_") if self.warm_start else None
            forest = self._boost(table, boosting, continue_from, validation=validation)
            scores = [-loss for loss in forest.metadata.get("held_out_loss", [])]
        return self._store_boosted(forest, X, y, stops_early, scores)

    def _fit_files(self, X: Any, y: Any, sample_weight: Any, resources: dict[str, Any]) -> Self:
        """Grow the trees from rows that need not fit into memory."""
        refuse_with_files(X, class_weight=getattr(self, "class_weight", None))
        if self.scoring != "loss":
            raise OptionError(
                f"scoring requires rows in memory, but X is {kind_of(X)}.", fix=Set("scoring", "loss"), option="scoring"
            )
        stops_early = False

        def refined(files: PreparedFiles) -> Boosting:
            nonlocal stops_early
            known_classes(X, files)
            stops_early = self._stops_early(files.plan.n_rows)
            return self._boosting(list(files.schema.names), stops_early)

        with translate_parameters(_PARAMETERS):
            forest = boosted_from_files(
                self._dataset(X, y, sample_weight),
                Boosting(bins=self.max_bins),
                refine=refined,
                seed=self._seed(),
                threads=threads_of(self.n_jobs),
                record_loss=self.early_stopping is True or bool(self.verbose),
                report=(lambda text: print(text, file=sys.stderr)) if self.verbose else None,
                **resources,
            )
        scores = [-loss for loss in forest.metadata.get("held_out_loss", [])]
        return self._store_boosted(forest, X, y, stops_early, scores)

    def _store_boosted(self, forest: Forest, X: Any, y: Any, stops_early: bool, scores: list[float]) -> Self:
        """Set the model and the attributes of scikit-learn's boosted models."""
        outputs = len(forest.base)
        fitted: dict[str, Any] = {
            "n_iter_": len(forest) // outputs,
            "n_trees_per_iteration_": outputs,
            "do_early_stopping_": stops_early,
            "is_categorical_": np.array([column.kind is not Kind.NUMERIC for column in forest.schema.columns]),
            "validation_score_": np.array(scores),
            "train_score_": -np.array(forest.metadata.get("training_loss", [])),
        }
        return self._store_forest(forest, X, y, fitted)

    def _boost(self, table: Table, boosting: Boosting, continue_from: Forest | None, **settings: Any) -> Forest:
        progress = None
        if self.verbose:
            progress = TimedProgress(boosting.n_rounds, lambda text: print(text, file=sys.stderr))
        with translate_parameters(_PARAMETERS):
            return boost(
                table,
                boosting,
                seed=self._seed(),
                threads=threads_of(self.n_jobs),
                continue_from=continue_from,
                progress=progress,
                record_loss=self.early_stopping is True or bool(self.verbose),
                **settings,
            )

    def _seed(self) -> int:
        return 0 if self.random_state is None else as_seed(self.random_state)

    def _boost_by_score(
        self, table: Table, given: ScoredRows | None, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Forest, list[float]]:
        """Boosted trees up to the best round by `scoring` on the validation rows, and the score of every round."""
        with translate_parameters(_PARAMETERS):
            boosting = self._boosting(names_of_columns(table), False)
        if given is None:
            table, given = split_for_scoring(table, X, y, sample_weight, self.validation_fraction, self._seed())
        fitted = {"n_features_in_": len(table.columns), **self._target_attributes(table.schema, y)}
        if names_of(X) is not None:
            fitted["feature_names_in_"] = names_of(X)
        return boost_by_score(
            lambda n_rounds, forest: self._boost(table, boosting.replace(n_rounds=n_rounds), forest),
            stage_scorer(self, self.scoring, given, fitted),
            Patience(self.n_iter_no_change, self.tol, self.max_iter),
        )

    def _with_class_weights(self, table: Table) -> Table:
        return table

    def _stops_early(self, n_rows: int) -> bool:
        if self.early_stopping not in (True, False, "auto"):
            raise OptionError(
                f"early_stopping must be True, False or auto, got {short_repr(self.early_stopping)}.",
                option="early_stopping",
                got=self.early_stopping,
            )
        return n_rows > _EARLY_STOPPING_ROWS if self.early_stopping == "auto" else bool(self.early_stopping)

    def _boosting(self, names: list[str], stops_early: bool) -> Boosting:
        """The parameters as validated settings of boosting."""
        if self.loss not in self._losses:
            raise OptionError(
                f"loss must be one of {', '.join(self._losses)}, got {short_repr(self.loss)}.",
                option="loss",
                got=self.loss,
            )
        return Boosting(
            loss=_LOSSES[self.loss],
            quantile=self._quantile(),
            n_rounds=self.max_iter,
            learning_rate=self.learning_rate,
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            min_rows=self.min_samples_leaf,
            min_hessian=self.min_hessian,
            l1=self.l1_regularization,
            l2=self.l2_regularization,
            categorical_l2=self.categorical_l2,
            categorical_smoothing=self.categorical_smoothing,
            gamma=self.min_split_gain,
            min_f=self.min_f,
            joint_trees=getattr(self, "joint_trees", True),
            bins=self.max_bins,
            rows_per_tree=self.subsample,
            columns_per_tree=self.columns_per_tree,
            columns_per_node=self.max_features,
            validation_fraction=self.validation_fraction if stops_early else None,
            stop_by_training=stops_early and self.validation_fraction is None,
            early_stopping_rounds=self.n_iter_no_change,
            min_improvement=self.tol,
            monotone_constraints=monotone_directions(self.monotonic_cst, names),
            interaction_constraints=interaction_groups(self.interaction_cst, names),
        )

    def _quantile(self) -> float:
        return 0.5

    def _scores(self, X: Any) -> npt.NDArray[np.float64]:
        return forest_totals(self._fitted(), self._rows(X).columns, threads=threads_of(self.n_jobs)).totals

    def _staged(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The predictions after each round."""
        for scores in self._staged_scores(X):
            yield linked(self._fitted(), scores)

    def _staged_scores(self, X: Any) -> Iterator[npt.NDArray[np.float64]]:
        """The raw scores after each round."""
        forest, columns = self._fitted(), self._rows(X).columns
        outputs = len(forest.base)
        scores = np.tile(forest.base, (len(columns[0]) if columns else 0, 1))
        for begin in range(0, len(forest), outputs):
            of_round = slice(begin, begin + outputs)
            one = dataclasses.replace(
                forest,
                trees=forest.trees[of_round],
                weights=forest.weights[of_round],
                output=forest.output[of_round],
                base=np.zeros(outputs),
            )
            scores = scores + forest_totals(one, columns, threads=threads_of(self.n_jobs)).totals
            yield scores

    @property
    def estimators_(self) -> npt.NDArray[Any]:
        """The trees as fitted regression estimators, (rounds, trees per round)."""
        forest: Forest = self._fitted()
        found = np.empty(len(forest), dtype=object)
        found[:] = [tree_estimator(self, tree) for tree in forest.trees]
        return found.reshape(-1, len(forest.base))

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """The fraction of the total gain per column; all 0 for trees without splits."""
        return gain_fractions(self._fitted())
