"""Every kind of decision tree: read, grow, prune, judge, look, explain, ship.

    import hornbeam as hb

    table = hb.read("patients.csv", target="outcome")
    tree = hb.grow(table, "cart")
    print(tree)
    hb.save(tree, "patients.tree")

Names are loaded when first used, so that importing hornbeam stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Every public name, and the module that defines it.
_HOMES = {
    "errors": "",
    "datasets": "",
    "drawing": "",
    "Column": "table.column",
    "Kind": "table.column",
    "Schema": "table.table",
    "Table": "table.table",
    "read": "table.read",
    "table_from_arrays": "table.read",
    "match_columns": "table.match",
    "describe": "table.describe",
    "Tree": "tree.nodes",
    "Prediction": "tree.prediction",
    "Predictor": "tree.predictor",
    "predict": "tree.prediction",
    "format_tree": "tree.text",
    "summary": "tree.summary",
    "format_path": "tree.paths",
    "Forest": "tree.forest",
    "combine_trees": "tree.forest",
    "load": "tree.file.files",
    "load_tree": "tree.file.files",
    "save": "tree.file.files",
    "collapse": "tree.edit",
    "graft": "tree.edit",
    "replace_question": "tree.edit",
    "prune": "parts.prunings.prune",
    "PruningData": "parts.prunings.pruning_data",
    "Trace": "growing.trace",
    "format_trace": "growing.trace",
    "Method": "growing.method",
    "relabel": "growing.relabeling",
    "Rule": "rules.rule",
    "RuleSet": "rules.rule",
    "extract_rules": "rules.leaves",
    "postprune_rules": "rules.postpruning",
    "c45rules": "rules.c45",
    "measure_rules": "rules.measure",
    "load_rules": "rules.files",
    "evaluate": "evaluation",
    "LeafStatistics": "evaluation",
    "leaf_statistics": "evaluation",
    "Scores": "evaluation",
    "cross_validate_with": "evaluation",
    "bayes_risk_bounds": "evaluation",
    "compare_predictions": "evaluation",
    "compare_auc": "evaluation",
    "compare_folds": "evaluation",
    "shap_values": "explanation.shap",
    "Diagnostic": "explanation.diagnostics",
    "Diagnostics": "explanation.diagnostics",
    "Counterfactual": "explanation.counterfactual",
    "PartialDependence": "explanation.partial_dependence",
    "Importance": "explanation.importance",
    "Explanation": "explanation.paths",
    "Stability": "explanation.stability",
    "diagnostics": "explanation.diagnostics",
    "partial_dependence": "explanation.partial_dependence",
    "explain": "explanation.paths",
    "importance": "explanation.importance",
    "counterfactual": "explanation.counterfactual",
    "stability": "explanation.stability",
    "Contributions": "explanation.shap",
    "draw": "drawing",
    "Picture": "drawing",
    "report": "drawing",
    "Report": "drawing",
    "regions": "drawing",
    "plot_regions": "drawing",
    "Recipe": "recipes.recipe",
    "recipe": "recipes.recipe",
    "estimate_memory": "recipes.grow",
    "grow": "recipes.grow",
    "compare_prunings": "recipes.compare_prunings",
    "complexity_table": "recipes.complexity",
    "RuleClassifier": "estimators.rules",
    "forest": "recipes.forests",
    "bag": "recipes.forests",
    "adaboost": "recipes.forests",
    "boost": "ensembles.boosting",
    "Boosting": "ensembles.boosting",
    "RowSampling": "ensembles.row_sampling",
    "Honesty": "ensembles.honest",
    "out_of_bag": "ensembles.out_of_bag",
    "permutation_importance": "ensembles.out_of_bag",
    "quantiles": "ensembles.quantiles",
    "ForestClassifier": "estimators.forests",
    "ForestRegressor": "estimators.forests",
    "ExtraTreesClassifier": "estimators.forests",
    "ExtraTreesRegressor": "estimators.forests",
    "BaggedClassifier": "estimators.forests",
    "BaggedRegressor": "estimators.forests",
    "AdaBoostTreeClassifier": "estimators.adaboost",
    "BoostedClassifier": "estimators.boosted",
    "BoostedRegressor": "estimators.boosted",
    "NestedDichotomy": "ensembles.reductions.dichotomy",
    "NestedDichotomyClassifier": "estimators.reductions",
    "DDAGClassifier": "estimators.reductions",
    "ADAGClassifier": "estimators.reductions",
    "PairwiseClassifier": "estimators.reductions",
    "TreeClassifier": "estimators.trees",
    "TreeRegressor": "estimators.trees",
}

__all__ = [
    "ADAGClassifier",
    "AdaBoostTreeClassifier",
    "BaggedClassifier",
    "BaggedRegressor",
    "BoostedClassifier",
    "BoostedRegressor",
    "Boosting",
    "Column",
    "Contributions",
    "Counterfactual",
    "DDAGClassifier",
    "Diagnostic",
    "Diagnostics",
    "Explanation",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "Forest",
    "ForestClassifier",
    "ForestRegressor",
    "Honesty",
    "Importance",
    "Kind",
    "LeafStatistics",
    "Method",
    "NestedDichotomy",
    "NestedDichotomyClassifier",
    "PairwiseClassifier",
    "PartialDependence",
    "Picture",
    "Prediction",
    "Predictor",
    "PruningData",
    "Recipe",
    "Report",
    "RowSampling",
    "Rule",
    "RuleClassifier",
    "RuleSet",
    "Schema",
    "Scores",
    "Stability",
    "Table",
    "Trace",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "adaboost",
    "bag",
    "bayes_risk_bounds",
    "boost",
    "c45rules",
    "collapse",
    "combine_trees",
    "compare_auc",
    "compare_folds",
    "compare_predictions",
    "compare_prunings",
    "complexity_table",
    "counterfactual",
    "cross_validate_with",
    "datasets",
    "describe",
    "diagnostics",
    "draw",
    "drawing",
    "errors",
    "estimate_memory",
    "evaluate",
    "explain",
    "extract_rules",
    "forest",
    "format_path",
    "format_trace",
    "format_tree",
    "graft",
    "grow",
    "importance",
    "leaf_statistics",
    "load",
    "load_rules",
    "load_tree",
    "match_columns",
    "measure_rules",
    "out_of_bag",
    "partial_dependence",
    "permutation_importance",
    "plot_regions",
    "postprune_rules",
    "predict",
    "prune",
    "quantiles",
    "read",
    "recipe",
    "regions",
    "relabel",
    "replace_question",
    "report",
    "save",
    "shap_values",
    "stability",
    "summary",
    "table_from_arrays",
]

if TYPE_CHECKING:
    from hornbeam import datasets, drawing, errors
    from hornbeam.drawing.draw import draw
    from hornbeam.drawing.picture import Picture
    from hornbeam.drawing.regions import plot_regions, regions
    from hornbeam.drawing.report.page import Report, report
    from hornbeam.ensembles.boosting import Boosting, boost
    from hornbeam.ensembles.honest import Honesty
    from hornbeam.ensembles.out_of_bag import out_of_bag, permutation_importance
    from hornbeam.ensembles.quantiles import quantiles
    from hornbeam.ensembles.reductions.dichotomy import NestedDichotomy
    from hornbeam.ensembles.row_sampling import RowSampling
    from hornbeam.estimators.adaboost import AdaBoostTreeClassifier
    from hornbeam.estimators.boosted import BoostedClassifier, BoostedRegressor
    from hornbeam.estimators.forests import (
        BaggedClassifier,
        BaggedRegressor,
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
    from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
    from hornbeam.evaluation import (
        LeafStatistics,
        Scores,
        bayes_risk_bounds,
        compare_auc,
        compare_folds,
        compare_predictions,
        cross_validate_with,
        leaf_statistics,
    )
    from hornbeam.evaluation.evaluate import evaluate
    from hornbeam.explanation.counterfactual import Counterfactual, counterfactual
    from hornbeam.explanation.diagnostics import Diagnostic, Diagnostics, diagnostics
    from hornbeam.explanation.importance import Importance, importance
    from hornbeam.explanation.partial_dependence import PartialDependence, partial_dependence
    from hornbeam.explanation.paths import Explanation, explain
    from hornbeam.explanation.shap import Contributions, shap_values
    from hornbeam.explanation.stability import Stability, stability
    from hornbeam.growing.method import Method
    from hornbeam.growing.relabeling import relabel
    from hornbeam.growing.trace import Trace, format_trace
    from hornbeam.parts.prunings.prune import prune
    from hornbeam.parts.prunings.pruning_data import PruningData
    from hornbeam.recipes.compare_prunings import compare_prunings
    from hornbeam.recipes.complexity import complexity_table
    from hornbeam.recipes.forests import adaboost, bag, forest
    from hornbeam.recipes.grow import estimate_memory, grow
    from hornbeam.recipes.recipe import Recipe, recipe
    from hornbeam.rules.c45 import c45rules
    from hornbeam.rules.files import load_rules
    from hornbeam.rules.leaves import extract_rules
    from hornbeam.rules.measure import measure_rules
    from hornbeam.rules.postpruning import postprune_rules
    from hornbeam.rules.rule import Rule, RuleSet
    from hornbeam.table.column import Column, Kind
    from hornbeam.table.describe import describe
    from hornbeam.table.match import match_columns
    from hornbeam.table.read import read, table_from_arrays
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.edit import collapse, graft, replace_question
    from hornbeam.tree.file.files import load, load_tree, save
    from hornbeam.tree.forest import Forest, combine_trees
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.paths import format_path
    from hornbeam.tree.prediction import Prediction, predict
    from hornbeam.tree.predictor import Predictor
    from hornbeam.tree.summary import summary
    from hornbeam.tree.text import format_tree


def _loaded(name: str) -> Any:
    """A public name, imported when it is first used."""
    if name not in _HOMES:
        from hornbeam.errors import did_you_mean

        raise AttributeError(f"hornbeam has no {name!r}. {did_you_mean(name, _HOMES)}".strip())
    home = _HOMES[name]
    module = importlib.import_module(f"hornbeam.{home or name}")
    value = module if not home else getattr(module, name)
    globals()[name] = value
    return value


# Type checkers see the imports above: a module `__getattr__` would let them accept any name.
if not TYPE_CHECKING:
    __getattr__ = _loaded


def _framed(tree: Any) -> str:
    return str(importlib.import_module("hornbeam.drawing.notebook").tree_frame(tree))


# The drawing code is in a layer above the trees, so the package connects them (by name: no layer imports upwards).
importlib.import_module("hornbeam.tree.views").register_html_view(_framed)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
