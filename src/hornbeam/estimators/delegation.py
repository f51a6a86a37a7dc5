"""AdaBoost of estimators that are not trees of hornbeam: scikit-learn's AdaBoost fits them and answers for them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
FITTED = "sklearn_adaboost_"
_SHARED = ("classes_", "n_classes_", "n_features_in_", "feature_names_in_", "estimator_weights_", "estimator_errors_")


def delegated(method: Method) -> Method:
    """A method that scikit-learn's AdaBoost answers if it was fitted, under the same name."""

    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **settings: Any) -> Any:
        other = self.__dict__.get(FITTED)
        if other is None:
            return method(self, *arguments, **settings)
        found = getattr(other, method.__name__)
        return found(*arguments, **settings) if callable(found) else found

    return call  # type: ignore[return-value]


@functools.cache
def sklearn_adaboost() -> tuple[Any, Any]:
    """scikit-learn's AdaBoost of regressors, and of classifiers."""
    from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor

    return AdaBoostRegressor, AdaBoostClassifier


def fit_delegate(owner: Any, X: Any, y: Any, sample_weight: Any, *, is_class: bool) -> Any:
    """Fit scikit-learn's AdaBoost of the owner's `estimator`, and store it with its public fitted attributes."""
    sklearn_class = sklearn_adaboost()[is_class]
    seed = 0 if owner.random_state is None else owner.random_state
    others = {} if is_class else {"loss": owner.loss}
    other = sklearn_class(
        **others,
        estimator=owner.estimator,
        n_estimators=owner.n_estimators,
        learning_rate=owner.learning_rate,
        random_state=seed,
    ).fit(X, y, sample_weight=sample_weight)
    for name in ("forest_", "feature_names_in_", "classes_", "n_classes_", "n_outputs_"):
        owner.__dict__.pop(name, None)
    owner.__dict__[FITTED] = other
    owner.__dict__.update({name: getattr(other, name) for name in _SHARED if hasattr(other, name)})
    return owner
