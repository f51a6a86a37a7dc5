"""The base class of all estimators: the fitted model, the rows passed to it, and predictions.

A subclass defines the attribute of its model (`tree_`, `forest_`, `rules_`) and the kind of its target, and inherits
from `PredictsClasses` or `PredictsNumbers`. All fitted attributes are set together, after `fit` has succeeded.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import NotFittedError as SklearnNotFittedError

from hornbeam.errors import HornbeamError, NotFittedError
from hornbeam.estimators.categories import categorical_kinds
from hornbeam.estimators.classes import labels_of, typed_classes
from hornbeam.estimators.files import dataset_of, is_files, predict_files
from hornbeam.estimators.parameters import WithParts
from hornbeam.estimators.rows import names_of, new_rows, training_table
from hornbeam.estimators.settings import threads_of
from hornbeam.estimators.shown import ShowsModel
from hornbeam.estimators.wording import translate_parameters
from hornbeam.parts.missing import missing
from hornbeam.recipes.recipe import recipe
from hornbeam.scale.dataset import Dataset
from hornbeam.table.table import Schema, Table
from hornbeam.tree.prediction import Prediction, predict
from hornbeam.tree.walk import is_float_matrix


class NotFittedTreeError(NotFittedError, SklearnNotFittedError):  # type: ignore[misc]
    """An estimator was used before it was fitted."""


def store_fitted(estimator: Any, X: Any, attributes: dict[str, Any]) -> None:
    """Set all fitted attributes at once, with the column names if X has any."""
    names = attributes.pop("names", None)
    names = names_of(X) if names is None else names
    if names is not None:
        attributes["feature_names_in_"] = names
    else:
        estimator.__dict__.pop("feature_names_in_", None)
    estimator.__dict__.update(attributes)


class Fitted(ShowsModel, WithParts):
    """An estimator whose model is grown from a table."""

    _model: ClassVar[str] = "tree_"
    _target_kind: ClassVar[str] = "numeric"
    n_jobs: int | None

    def _table(self, X: Any, y: Any, sample_weight: Any, *, copy: bool = True) -> Table:
        if is_files(X):
            return self._dataset(X, y, sample_weight).read()
        given = self.__dict__.get("categorical_features")
        kinds = categorical_kinds(given, X, names_of(X)) if given is not None else None
        return training_table(type(self).__name__, X, y, sample_weight, self._target_kind, kinds=kinds, copy=copy)

    def _dataset(self, X: Any, y: Any, sample_weight: Any) -> Dataset:
        """Files with the roles of their columns."""
        given = self.__dict__.get("categorical_features")
        return dataset_of(type(self).__name__, X, y, sample_weight, self._target_kind, given)

    def _store_model(self, model: Any, X: Any, y: Any, attributes: dict[str, Any]) -> Self:
        """Set the model and all other fitted attributes at once."""
        schema: Schema = model.schema
        of_target = self._target_attributes(schema, y)
        columns: dict[str, Any] = {"n_features_in_": len(schema.columns)}
        if is_files(X):
            columns["names"] = np.array(schema.names, dtype=object)
        store_fitted(self, X, {self._model: model, **columns, **of_target, **attributes})
        return self

    def _target_attributes(self, schema: Schema, y: Any) -> dict[str, Any]:
        """The fitted attributes of the target: its classes, if it has any."""
        return {}

    def _fitted(self) -> Any:
        """The model; raises if the estimator is not fitted."""
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

    def _predict(self, X: Any) -> Prediction:
        """The predictions for new rows, all from one model, even if another thread fits the estimator meanwhile."""
        model = self._fitted()
        if is_files(X):
            return predict_files(model, X, threads_of(self.n_jobs))
        has_names = hasattr(self, "feature_names_in_")
        is_matrix = not has_names and is_float_matrix(model.schema, X)
        rows = X if is_matrix else new_rows(type(self).__name__, model.schema, X, has_names).columns
        with translate_parameters():
            # As in scikit-learn: a fold in which other values are missing is no warning.
            return predict(model, rows, threads=threads_of(self.n_jobs), check_missing=False)

    def _rejects_missing(self) -> bool:
        """Whether missing values are an error, by the parameter or by the recipe."""
        params = self.get_params(deep=False)
        try:
            given = params.get("missing")
            part = recipe(params["recipe"]).missing if given is None and "recipe" in params else given
            return part is not None and missing.part(part).name == "error"
        except HornbeamError:  # `fit` raises it
            return False

    def __sklearn_is_fitted__(self) -> bool:
        return self._model in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._rejects_missing()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class PredictsClasses:
    """Prediction of classes."""

    _target_kind: ClassVar[str] = "nominal"
    classes_: npt.NDArray[Any]

    def _target_attributes(self, schema: Schema, y: Any) -> dict[str, Any]:
        classes = typed_classes(schema.classes, y)
        return {"classes_": classes, "n_classes_": len(classes)}

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The predicted class of each row."""
        prediction: Prediction = self._predict(X)  # type: ignore[attr-defined]
        return labels_of(prediction, self.classes_)[prediction.codes]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The class probabilities, in the order of `classes_`."""
        prediction: Prediction = self._predict(X)  # type: ignore[attr-defined]
        return prediction.probabilities

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class PredictsNumbers:
    """Numeric predictions."""

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """The predicted number of each row."""
        prediction: Prediction = self._predict(X)  # type: ignore[attr-defined]
        return prediction.numbers
