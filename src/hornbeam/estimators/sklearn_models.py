"""A fitted tree or forest as scikit-learn's own class, for libraries that accept classes by name.

    shap.TreeExplainer(hb.estimators.to_sklearn(model))       dtreeviz.model(hb.estimators.to_sklearn(model), ...)

scikit-learn's trees test `x <= threshold` with x in single precision. So every question must be a cut of a numeric
column with two branches, and a missing value must follow one branch; anything else is rejected.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.errors import InputError, Set
from hornbeam.estimators.fitted import Fitted
from hornbeam.estimators.forests import ExtraTreesClassifier, ExtraTreesRegressor
from hornbeam.estimators.many import EnsembleEstimator
from hornbeam.estimators.sklearn_arrays import SklearnTree
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
from hornbeam.tree.forest import Forest


def to_sklearn(model: Any) -> Any:
    """scikit-learn's DecisionTree, RandomForest or ExtraTrees estimator with the nodes of a fitted estimator.

    Its predictions are equal for values that single precision represents. `tree_` and `estimators_` have the same
    numbers of nodes as those of `model`.
    """
    if isinstance(model, TreeClassifier | TreeRegressor):
        return _decision_tree(model, model.tree_, getattr(model, "classes_", None))
    if isinstance(model, EnsembleEstimator) and _is_mean_of_trees(model.forest_):
        return _forest(model)
    raise InputError(
        f"Only fitted trees and forests have a counterpart in scikit-learn, got {type(model).__name__}.",
        hint="hb.shap_values(model, X).to_shap() explains every model; hb.draw and hb.report draw it.",
    )


def _is_mean_of_trees(forest: Forest) -> bool:
    """Whether the prediction is the mean of the trees, each with the same weight."""
    weights = np.asarray(forest.weights)
    return forest.combine == "mean" and bool((weights == weights[0]).all())


def _forest(model: EnsembleEstimator) -> Any:
    import sklearn.ensemble

    is_class = model._target_kind == "nominal"
    kind = "ExtraTrees" if isinstance(model, ExtraTreesClassifier | ExtraTreesRegressor) else "RandomForest"
    out = getattr(sklearn.ensemble, kind + ("Classifier" if is_class else "Regressor"))(len(model))
    classes = np.arange(len(model.classes_), dtype=float) if is_class else None
    out.estimators_ = [_decision_tree(model, each.tree_, classes) for each in model.estimators_]
    out.estimator_ = type(out.estimators_[0])()
    return _with_names(out, model, getattr(model, "classes_", None))


def _decision_tree(model: Fitted, tree: SklearnTree, classes: Any) -> Any:
    import sklearn.tree

    _require_cuts(tree)
    out = sklearn.tree.DecisionTreeRegressor() if classes is None else sklearn.tree.DecisionTreeClassifier()
    out.tree_ = _compiled_tree(tree)
    out.max_features_ = tree.n_features
    return _with_names(out, model, classes)


def _with_names(out: Any, model: Fitted, classes: Any) -> Any:
    """The fitted attributes that do not depend on the nodes."""
    out.n_outputs_ = 1
    out.n_features_in_ = model.n_features_in_
    if hasattr(model, "feature_names_in_"):
        out.feature_names_in_ = model.feature_names_in_
    if classes is not None:
        out.classes_, out.n_classes_ = classes, len(classes)
    return out


def _compiled_tree(tree: SklearnTree) -> Any:
    """The nodes in scikit-learn's compiled class."""
    from sklearn.tree._tree import NODE_DTYPE, Tree

    out = Tree(tree.n_features, tree.n_classes.astype(np.intp), 1)
    nodes = np.zeros(len(tree), dtype=NODE_DTYPE)
    for field, values in (
        ("left_child", tree.children_left),
        ("right_child", tree.children_right),
        ("feature", tree.feature),
        ("threshold", tree.threshold),
        ("impurity", tree.impurity),
        ("n_node_samples", tree.n_node_samples),
        ("weighted_n_node_samples", tree.weighted_n_node_samples),
        ("missing_go_to_left", tree.missing_go_to_left),
    ):
        nodes[field] = values
    state = {"max_depth": tree.depth, "node_count": len(tree), "nodes": nodes}
    out.__setstate__({**state, "values": np.ascontiguousarray(tree.value)})
    return out


def _require_cuts(tree: SklearnTree) -> None:
    tree._require_two_branches()
    inner = ~tree.nodes.is_leaf
    without = np.flatnonzero(inner & np.isnan(tree.threshold))
    if len(without):
        raise InputError(
            f"Node {without[0]} is no cut of a numeric column ({tree.question(int(without[0]))}): scikit-learn's trees "
            "have nothing else.",
            hint="Encode the categories before fitting, for example with sklearn.preprocessing.OneHotEncoder.",
            node=int(without[0]),
        )
    has_surrogates = np.diff(tree.nodes.surrogate_start) > 0
    many = np.flatnonzero(inner & ((tree.nodes.missing_branch < 0) | has_surrogates))
    if len(many):
        raise InputError(
            f"Node {many[0]} sends a missing value to no single branch, which scikit-learn's trees require.",
            fix=Set("missing", "learned"),
            node=int(many[0]),
        )
