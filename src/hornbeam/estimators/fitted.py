"""What do all estimators share?  A model that is kept all at once or not at all, rows for it, and how it is asked.

A subclass names the attribute its model lives in (`tree_`, `forest_`, `rules_`) and the kind of its target, and mixes
`PredictsClasses` or `PredictsNumbers` in.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import NotFittedError as SklearnNotFittedError

from hornbeam.errors import HornbeamError, NotFittedError
from hornbeam.estimators.classes import labels_of, typed_classes
from hornbeam.estimators.parameters import WithParts
from hornbeam.estimators.rows import names_of, new_rows, training_table
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.shown import ShowsModel
from hornbeam.estimators.wording import translate_parameters
from hornbeam.parts.missing import missing
from hornbeam.recipes.recipe import recipe
from hornbeam.table.table import Schema, Table
from hornbeam.tree.prediction import Prediction, predict
from hornbeam.tree.walk import is_float_matrix


class NotFittedTreeError(NotFittedError, SklearnNotFittedError):  # type: ignore[misc]
    """Something was asked of a tree that has not been grown."""


def store_fitted(estimator: Any, X: Any, learned: dict[str, Any]) -> None:
    """Keep all that was learned at once, with the names of the columns where they have some."""
    names = names_of(X)
    if names is not None:
        learned["feature_names_in_"] = names
    else:
        estimator.__dict__.pop("feature_names_in_", None)
    estimator.__dict__.update(learned)


class Fitted(ShowsModel, WithParts):
    """An estimator whose model is grown from a table."""

    _model: ClassVar[str] = "tree_"
    _target_kind: ClassVar[str] = "numeric"
    n_jobs: int | None

    def _table(self, X: Any, y: Any, sample_weight: Any, *, copy: bool = True) -> Table:
        return training_table(type(self).__name__, X, y, sample_weight, self._target_kind, copy=copy)

    def _keep(self, model: Any, X: Any, y: Any, learned: dict[str, Any]) -> Self:
        """All that was learned, at once."""
        schema: Schema = model.schema
        learned = {self._model: model, "n_features_in_": len(schema.columns), **self._of_target(schema, y), **learned}
        store_fitted(self, X, learned)
        return self

    def _of_target(self, schema: Schema, y: Any) -> dict[str, Any]:
        """What is learned of the target: its classes, where it has some."""
        return {}

    def _fitted(self) -> Any:
        """The model, or an error that says there is none yet."""
        model = self.__dict__.get(self._model)
        if model is None:
            name = type(self).__name__
            raise NotFittedTreeError(f"This {name} instance is not fitted yet.", hint="Call fit before using it.")
        return model

    def _model_html(self) -> str:
        model = self.__dict__.get(self._model)
        return "" if model is None else str(model._repr_html_())

    def _rows(self, X: Any) -> Table:
        return new_rows(type(self).__name__, self._fitted().schema, X, hasattr(self, "feature_names_in_"))

    def _said(self, X: Any) -> Prediction:
        """What the model says of new rows; everything comes from one model, even while another thread fits anew."""
        model = self._fitted()
        knows_names = hasattr(self, "feature_names_in_")
        is_ready = not knows_names and is_float_matrix(model.schema, X)
        rows = X if is_ready else new_rows(type(self).__name__, model.schema, X, knows_names).columns
        with translate_parameters():
            return predict(model, rows, threads=threads_of(self.n_jobs))

    def _refuses_missing(self) -> bool:
        """Whether missing values are an error, by the parameter or by the recipe."""
        params = self.get_params(deep=False)
        try:
            wanted = params.get("missing")
            part = recipe(params["recipe"]).missing if wanted is None and "recipe" in params else wanted
            return part is not None and missing.part(part).name == "error"
        except HornbeamError:  # said when it is fitted
            return False

    def __sklearn_is_fitted__(self) -> bool:
        return self._model in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._refuses_missing()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class PredictsClasses:
    """Prediction of classes."""

    _target_kind: ClassVar[str] = "nominal"
    classes_: npt.NDArray[Any]

    def _of_target(self, schema: Schema, y: Any) -> dict[str, Any]:
        classes = typed_classes(schema.classes, y)
        return {"classes_": classes, "n_classes_": len(classes)}

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of each row."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return labels_of(said, self.classes_)[said.codes]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The share of each class, in the order of `classes_`."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return said.probabilities

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithms of the shares; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class PredictsNumbers:
    """Prediction of numbers."""

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """The number of each row."""
        said: Prediction = self._said(X)  # type: ignore[attr-defined]
        return said.numbers
