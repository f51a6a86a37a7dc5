"""scikit-learn estimators: thin wrappers of recipes, ensembles and rules.

The most common ones are also names of `hornbeam`. All are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbeam.lazy_names import lazy_names

if TYPE_CHECKING:
    from hornbeam.estimators.adaboost import AdaBoostTreeClassifier, AdaBoostTreeRegressor
    from hornbeam.estimators.bagged import BaggedClassifier, BaggedRegressor
    from hornbeam.estimators.boosted import BoostedClassifier, BoostedRegressor
    from hornbeam.estimators.forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        ForestClassifier,
        ForestRegressor,
    )
    from hornbeam.estimators.reductions import (
        ADAGClassifier,
        DDAGClassifier,
        NestedDichotomyClassifier,
        PairwiseClassifier,
    )
    from hornbeam.estimators.rules import RuleClassifier
    from hornbeam.estimators.sklearn_models import to_sklearn
    from hornbeam.estimators.trees import TreeClassifier, TreeRegressor

_HOMES = {
    "ADAGClassifier": "reductions",
    "AdaBoostTreeClassifier": "adaboost",
    "AdaBoostTreeRegressor": "adaboost",
    "BaggedClassifier": "bagged",
    "BaggedRegressor": "bagged",
    "BoostedClassifier": "boosted",
    "BoostedRegressor": "boosted",
    "DDAGClassifier": "reductions",
    "ExtraTreesClassifier": "forests",
    "ExtraTreesRegressor": "forests",
    "ForestClassifier": "forests",
    "ForestRegressor": "forests",
    "NestedDichotomyClassifier": "reductions",
    "PairwiseClassifier": "reductions",
    "RuleClassifier": "rules",
    "TreeClassifier": "trees",
    "TreeRegressor": "trees",
    "to_sklearn": "sklearn_models",
}

__all__ = [
    "ADAGClassifier",
    "AdaBoostTreeClassifier",
    "AdaBoostTreeRegressor",
    "BaggedClassifier",
    "BaggedRegressor",
    "BoostedClassifier",
    "BoostedRegressor",
    "DDAGClassifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "NestedDichotomyClassifier",
    "PairwiseClassifier",
    "RuleClassifier",
    "TreeClassifier",
    "TreeRegressor",
    "to_sklearn",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
