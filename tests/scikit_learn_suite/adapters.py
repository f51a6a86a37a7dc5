"""Classes with the parameter names of scikit-learn's gradient boosting and bagging, which fit hornbeam's estimators.

hornbeam's boosted estimators have the parameters of HistGradientBoosting, and its bagged estimators take a recipe. A
parameter that has no counterpart is refused unless it has scikit-learn's default.
"""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

import hornbeam as hb


class _Adapter(BaseEstimator):  # type: ignore[misc]
    """Fits an estimator of hornbeam and passes everything else on to it."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit hornbeam's estimator with the translated parameters."""
        fitted = self.__dict__.get("inner_")
        inner = fitted if fitted is not None and getattr(self, "warm_start", False) else self._make()
        inner.set_params(**self._translated())
        self.inner_ = inner.fit(X, y, sample_weight=sample_weight)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner_" or "inner_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.inner_, name)

    def __len__(self) -> int:
        return len(self.inner_)

    def __getitem__(self, index: int) -> Any:
        return self.inner_[index]

    def predict(self, X: Any) -> Any:
        """The predictions of hornbeam's estimator."""
        return self._fitted().predict(X)

    def _fitted(self) -> Any:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "inner_")
        return self.inner_

    def _make(self) -> Any:
        raise NotImplementedError

    def _translated(self) -> dict[str, Any]:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _refuse(owner: Any, **defaults: Any) -> None:
    for name, default in defaults.items():
        if getattr(owner, name) != default:
            raise ValueError(f"hornbeam has no parameter {name}.")


class _GradientBoosting(_Adapter):
    def __init__(
        self,
        *,
        loss: Any = None,
        learning_rate: float = 0.1,
        n_estimators: int = 100,
        subsample: float = 1.0,
        criterion: str = "squared_error",
        min_samples_split: Any = 2,
        min_samples_leaf: Any = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_depth: int | None = 3,
        min_impurity_decrease: float = 0.0,
        init: Any = None,
        random_state: Any = None,
        max_features: Any = None,
        alpha: float = 0.9,
        verbose: int = 0,
        max_leaf_nodes: int | None = None,
        warm_start: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int | None = None,
        tol: float = 1e-4,
        ccp_alpha: float = 0.0,
    ) -> None:
        for name, value in list(locals().items()):
            if name != "self":
                setattr(self, name, value)

    def _translated(self) -> dict[str, Any]:
        _refuse(self, min_samples_split=2, min_weight_fraction_leaf=0.0, min_impurity_decrease=0.0, init=None)
        _refuse(self, ccp_alpha=0.0)
        shared = ("learning_rate", "subsample", "max_depth", "random_state", "verbose", "warm_start")
        given = {name: getattr(self, name) for name in shared}
        given |= {"max_iter": self.n_estimators, "min_samples_leaf": self.min_samples_leaf}
        given |= {"max_leaf_nodes": self.max_leaf_nodes, "l2_regularization": 0.0, "min_hessian": 0.0, "min_f": 0.0}
        given |= {"early_stopping": self.n_iter_no_change is not None, "tol": self.tol}
        given |= {"validation_fraction": self.validation_fraction, "max_features": 1.0}
        if self.n_iter_no_change is not None:
            given["n_iter_no_change"] = self.n_iter_no_change
        if self.loss is not None:
            given["loss"] = self.loss
        return given

    def staged_predict(self, X: Any) -> Any:
        """The predictions after each round."""
        return self._fitted().staged_predict(X)

    @property
    def n_estimators_(self) -> int:
        """The number of rounds."""
        return int(self.inner_.n_iter_)


class GradientBoostingClassifier(ClassifierMixin, _GradientBoosting):  # type: ignore[misc]
    """BoostedClassifier with the parameters of GradientBoostingClassifier."""

    def predict_proba(self, X: Any) -> Any:
        """The class probabilities."""
        return self._fitted().predict_proba(X)

    def staged_predict_proba(self, X: Any) -> Any:
        """The class probabilities after each round."""
        return self._fitted().staged_predict_proba(X)

    def _make(self) -> Any:
        return hb.BoostedClassifier()


class GradientBoostingRegressor(RegressorMixin, _GradientBoosting):  # type: ignore[misc]
    """BoostedRegressor with the parameters of GradientBoostingRegressor."""

    def _make(self) -> Any:
        return hb.BoostedRegressor()


class _Bagging(_Adapter):
    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: Any = None,
        max_features: Any = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        for name, value in list(locals().items()):
            if name != "self":
                setattr(self, name, value)

    def _translated(self) -> dict[str, Any]:
        _refuse(self, estimator=None, max_features=1.0, bootstrap_features=False)
        shared = ("n_estimators", "bootstrap", "oob_score", "warm_start", "n_jobs", "random_state", "verbose")
        given = {name: getattr(self, name) for name in shared}
        return {**given, "max_samples": 1.0 if self.max_samples is None else self.max_samples}


class BaggingClassifier(ClassifierMixin, _Bagging):  # type: ignore[misc]
    """BaggedClassifier with the parameters of BaggingClassifier."""

    def _make(self) -> Any:
        return hb.BaggedClassifier()


class BaggingRegressor(RegressorMixin, _Bagging):  # type: ignore[misc]
    """BaggedRegressor with the parameters of BaggingRegressor."""

    def _make(self) -> Any:
        return hb.BaggedRegressor()
