"""scikit-learn: decision trees, forests, extra trees and gradient boosting (`GradientBoosting...`).

Their trees round values to float32 and compare them with float64 cuts; the converted cuts are moved to the boundary of
the rounding (`machinery/rounding.py`), so float64 rows take the same branches. Class weights, rows and impurities of
all nodes are kept.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import InputError, NotFittedError
from hornbeam.importing.machinery.binary_tests import binary_tests
from hornbeam.importing.machinery.naming import schema_of
from hornbeam.importing.machinery.rounding import cuts_of_rounded_values
from hornbeam.importing.machinery.source import Given, Source, is_object_of
from hornbeam.importing.machinery.source_tree import SourceTree, tree_of
from hornbeam.table.table import Schema
from hornbeam.tree.forest import Forest, score_schema
from hornbeam.tree.nodes import Tree

_TREES = ("BaseDecisionTree",)
_FORESTS = ("ForestClassifier", "ForestRegressor")
_BOOSTED = ("BaseGradientBoosting",)
_VARIANCE = ("squared_error", "friedman_mse", "mse")


class ScikitLearn(Source):
    """Trees, forests and gradient boosting of scikit-learn."""

    title: ClassVar[str] = "scikit-learn trees, forests and GradientBoosting"

    @classmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is an estimator of one of these families."""
        return is_object_of(given, "sklearn") and has_base(given.value, (*_TREES, *_FORESTS, *_BOOSTED))

    @classmethod
    def convert(cls, given: Given) -> Tree | Forest:
        """The estimator as a tree or a forest."""
        model = given.value
        schema = schema_of_estimator(given, model)
        about = about_estimator(model)
        if has_base(model, _TREES):
            return tree_of(_source_tree(model), schema, about)
        if has_base(model, _BOOSTED):
            return _boosted(model, schema, about)
        trees = tuple(
            tree_of(_source_tree(each), schema, {}, f"Tree {index}") for index, each in enumerate(model.estimators_)
        )
        return Forest(schema, trees, metadata=about)


def has_base(model: Any, names: tuple[str, ...]) -> bool:
    """Whether one of the model's classes has one of these names."""
    return any(kind.__name__ in names for kind in type(model).__mro__)


def about_estimator(model: Any) -> dict[str, Any]:
    """The metadata of a converted estimator."""
    return {"converted_from": f"scikit-learn {type(model).__name__}"}


def schema_of_estimator(given: Given, model: Any, **more: Any) -> Schema:
    """The schema of a fitted estimator; an error if it is not fitted or predicts several targets."""
    if not hasattr(model, "n_features_in_") or not (hasattr(model, "tree_") or has_trees(model)):
        raise NotFittedError(f"The {type(model).__name__} is not fitted.", hint="Call its fit first.")
    if getattr(model, "n_outputs_", 1) != 1:
        raise InputError(
            f"The {type(model).__name__} predicts {model.n_outputs_} targets; a hornbeam model predicts one."
        )
    classes = getattr(model, "classes_", None)
    names = getattr(model, "feature_names_in_", None)
    return schema_of(
        given,
        None if names is None else [str(name) for name in names],
        int(model.n_features_in_),
        None if classes is None else classes.tolist(),
        **more,
    )


def has_trees(model: Any) -> bool:
    """Whether an ensemble has been fitted."""
    return hasattr(model, "estimators_") or hasattr(model, "_predictors")


def _source_tree(estimator: Any, *, is_term: bool = False) -> SourceTree:
    """The arrays of one fitted tree."""
    tree = estimator.tree_
    weight = np.asarray(tree.weighted_n_node_samples, dtype=np.float64)
    tests = binary_tests(
        tree.children_left,
        tree.children_right,
        tree.feature,
        np.where(np.isposinf(tree.threshold), np.inf, cuts_of_rounded_values(tree.threshold)),
        np.where(tree.missing_go_to_left, 0, 1),
    )
    statistics: dict[str, Any] = {"rows": tree.n_node_samples, "impurity": tree.impurity, "weight": weight}
    values = np.asarray(tree.value, dtype=np.float64)[:, 0, :]
    if hasattr(estimator, "classes_"):
        return SourceTree(value=_whole_where_possible(values * weight[:, None]), **tests, **statistics)
    has_variance = estimator.criterion in _VARIANCE
    return SourceTree(value=values[:, 0], has_variance=has_variance, is_term=is_term, **tests, **statistics)


def _whole_where_possible(weights: Any) -> Any:
    """Class weights from class fractions; counts are the exact integers."""
    whole = np.rint(weights)
    return whole if np.allclose(weights, whole, rtol=1e-9, atol=1e-9) else weights


def _boosted(model: Any, schema: Schema, about: dict[str, Any]) -> Forest:
    """Gradient boosting: base score, then learning rate times the number of each tree."""
    if not (isinstance(model.init_, str) or type(model.init_).__module__ == "sklearn.dummy"):
        raise InputError(
            f"The base score comes from another model: init={type(model.init_).__name__}.",
            hint="Only constant base scores can be converted: init=None or init='zero'.",
        )
    # The score of the exponential loss is half the log odds.
    factor = 2.0 if getattr(model, "loss", "") == "exponential" else 1.0
    base = factor * np.asarray(model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32)))[0]
    stages, width = model.estimators_.shape
    scores = score_schema(schema)
    trees = tuple(
        tree_of(
            _source_tree(model.estimators_[stage, output], is_term=True), scores, {}, f"Stage {stage}, output {output}"
        )
        for stage in range(stages)
        for output in range(width)
    )
    return Forest(
        schema,
        trees,
        weights=np.full(len(trees), factor * model.learning_rate),
        combine="sum",
        link="identity" if not schema.is_class else "logistic" if width == 1 else "softmax",
        base=base,
        output=np.tile(np.arange(width, dtype=np.int32), stages),
        metadata=about,
    )
