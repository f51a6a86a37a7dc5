"""A pytest plugin that puts hornbeam's estimators in place of scikit-learn's, before its test files are imported.

Only the names that the test files import are replaced: the classes and export functions of `sklearn.tree` and
`sklearn.ensemble`. Everything else of scikit-learn (searches, inspection, calibration, stacking) is its own code and
works on our estimators.
"""

from __future__ import annotations

from typing import Any

import pytest
import sklearn.ensemble
import sklearn.tree
from tests.scikit_learn_suite.adapters import (
    BaggingClassifier,
    BaggingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

import hornbeam as hb
from hornbeam.estimators.delegation import sklearn_adaboost

TREES: dict[str, Any] = {
    "DecisionTreeClassifier": hb.TreeClassifier,
    "DecisionTreeRegressor": hb.TreeRegressor,
    "plot_tree": hb.plot_tree,
    "export_text": hb.export_text,
    "export_graphviz": hb.export_graphviz,
}
ENSEMBLES: dict[str, Any] = {
    "RandomForestClassifier": hb.ForestClassifier,
    "RandomForestRegressor": hb.ForestRegressor,
    "ExtraTreesClassifier": hb.ExtraTreesClassifier,
    "ExtraTreesRegressor": hb.ExtraTreesRegressor,
    "BaggingClassifier": BaggingClassifier,
    "BaggingRegressor": BaggingRegressor,
    "AdaBoostClassifier": hb.AdaBoostTreeClassifier,
    "AdaBoostRegressor": hb.AdaBoostTreeRegressor,
    "GradientBoostingClassifier": GradientBoostingClassifier,
    "GradientBoostingRegressor": GradientBoostingRegressor,
    "HistGradientBoostingClassifier": hb.BoostedClassifier,
    "HistGradientBoostingRegressor": hb.BoostedRegressor,
}


def pytest_configure(config: pytest.Config) -> None:
    """Replace the classes where test files import them from."""
    sklearn_adaboost()  # hornbeam's own use of scikit-learn's classes
    for module, replaced in ((sklearn.tree, TREES), (sklearn.ensemble, ENSEMBLES)):
        for name, replacement in replaced.items():
            setattr(module, name, replacement)
