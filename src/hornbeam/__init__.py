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
    "table_from": "table.read",
    "matched": "table.match",
    "describe": "table.describe",
    "Tree": "tree.nodes",
    "Prediction": "tree.prediction",
    "Predictor": "tree.predictor",
    "predict": "tree.prediction",
    "text_tree": "tree.words",
    "summary": "tree.summary",
    "path_words": "tree.paths",
    "Forest": "tree.forest",
    "forest_of": "tree.forest",
    "load": "tree.files",
    "load_tree": "tree.files",
    "save": "tree.files",
    "collapsed": "tree.edit",
    "grafted": "tree.edit",
    "replaced": "tree.edit",
    "prune": "parts.prunings.prune",
    "Evidence": "parts.prunings.evidence",
    "Trace": "growing.trace",
    "steps": "growing.trace",
    "Method": "growing.method",
    "relabel": "growing.relabeling",
    "Rule": "rules.rule",
    "RuleSet": "rules.rule",
    "rules_of": "rules.leaves",
    "postpruned": "rules.postpruning",
    "c45rules": "rules.c45",
    "measured": "rules.measuring",
    "load_rules": "rules.files",
    "evaluate": "evaluation",
    "LeafStatistics": "evaluation",
    "leaf_statistics": "evaluation",
    "Scores": "evaluation",
    "cross_validated": "evaluation",
    "bayes_risk": "evaluation",
    "compare_answers": "evaluation",
    "compare_scores": "evaluation",
    "compare_folds": "evaluation",
    "shap_values": "explanation.shap",
    "Caution": "explanation.cautions",
    "Cautions": "explanation.cautions",
    "Change": "explanation.changes",
    "Dependence": "explanation.dependence",
    "Importance": "explanation.importance",
    "Reasons": "explanation.paths",
    "Stability": "explanation.stability",
    "cautions": "explanation.cautions",
    "dependence": "explanation.dependence",
    "explain": "explanation.paths",
    "importance": "explanation.importance",
    "smallest_change": "explanation.changes",
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
    "cost_table": "recipes.complexity",
    "RuleClassifier": "estimators.rules",
    "forest": "recipes.forests",
    "bag": "recipes.forests",
    "adaboost": "recipes.forests",
    "boost": "ensembles.boosting",
    "Boosting": "ensembles.boosting",
    "Draw": "ensembles.draws",
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
    "ClassTree": "ensembles.reductions.class_tree",
    "ClassTreeClassifier": "estimators.reductions",
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
    "Caution",
    "Cautions",
    "Change",
    "ClassTree",
    "ClassTreeClassifier",
    "Column",
    "Contributions",
    "DDAGClassifier",
    "Dependence",
    "Draw",
    "Evidence",
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
    "PairwiseClassifier",
    "Picture",
    "Prediction",
    "Predictor",
    "Reasons",
    "Recipe",
    "Report",
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
    "bayes_risk",
    "boost",
    "c45rules",
    "cautions",
    "collapsed",
    "compare_answers",
    "compare_folds",
    "compare_prunings",
    "compare_scores",
    "cost_table",
    "cross_validated",
    "datasets",
    "dependence",
    "describe",
    "draw",
    "drawing",
    "errors",
    "estimate_memory",
    "evaluate",
    "explain",
    "forest",
    "forest_of",
    "grafted",
    "grow",
    "importance",
    "leaf_statistics",
    "load",
    "load_rules",
    "load_tree",
    "matched",
    "measured",
    "out_of_bag",
    "path_words",
    "permutation_importance",
    "plot_regions",
    "postpruned",
    "predict",
    "prune",
    "quantiles",
    "read",
    "recipe",
    "regions",
    "relabel",
    "replaced",
    "report",
    "rules_of",
    "save",
    "shap_values",
    "smallest_change",
    "stability",
    "steps",
    "summary",
    "table_from",
    "text_tree",
]

if TYPE_CHECKING:
    from hornbeam import datasets, drawing, errors
    from hornbeam.drawing.draw import draw
    from hornbeam.drawing.picture import Picture
    from hornbeam.drawing.regions import plot_regions, regions
    from hornbeam.drawing.report.page import Report, report
    from hornbeam.ensembles.boosting import Boosting, boost
    from hornbeam.ensembles.draws import Draw
    from hornbeam.ensembles.honest import Honesty
    from hornbeam.ensembles.out_of_bag import out_of_bag, permutation_importance
    from hornbeam.ensembles.quantiles import quantiles
    from hornbeam.ensembles.reductions.class_tree import ClassTree
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
        ClassTreeClassifier,
        DDAGClassifier,
        PairwiseClassifier,
    )
    from hornbeam.estimators.rules import RuleClassifier
    from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
    from hornbeam.evaluation import (
        LeafStatistics,
        Scores,
        bayes_risk,
        compare_answers,
        compare_folds,
        compare_scores,
        cross_validated,
        evaluate,
        leaf_statistics,
    )
    from hornbeam.explanation.cautions import Caution, Cautions, cautions
    from hornbeam.explanation.changes import Change, smallest_change
    from hornbeam.explanation.dependence import Dependence, dependence
    from hornbeam.explanation.importance import Importance, importance
    from hornbeam.explanation.paths import Reasons, explain
    from hornbeam.explanation.shap import Contributions, shap_values
    from hornbeam.explanation.stability import Stability, stability
    from hornbeam.growing.method import Method
    from hornbeam.growing.relabeling import relabel
    from hornbeam.growing.trace import Trace, steps
    from hornbeam.parts.prunings.evidence import Evidence
    from hornbeam.parts.prunings.prune import prune
    from hornbeam.recipes.compare_prunings import compare_prunings
    from hornbeam.recipes.complexity import cost_table
    from hornbeam.recipes.forests import adaboost, bag, forest
    from hornbeam.recipes.grow import estimate_memory, grow
    from hornbeam.recipes.recipe import Recipe, recipe
    from hornbeam.rules.c45 import c45rules
    from hornbeam.rules.files import load_rules
    from hornbeam.rules.leaves import rules_of
    from hornbeam.rules.measuring import measured
    from hornbeam.rules.postpruning import postpruned
    from hornbeam.rules.rule import Rule, RuleSet
    from hornbeam.table.column import Column, Kind
    from hornbeam.table.describe import describe
    from hornbeam.table.match import matched
    from hornbeam.table.read import read, table_from
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.edit import collapsed, grafted, replaced
    from hornbeam.tree.files import load, load_tree, save
    from hornbeam.tree.forest import Forest, forest_of
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.paths import path_words
    from hornbeam.tree.prediction import Prediction, predict
    from hornbeam.tree.predictor import Predictor
    from hornbeam.tree.summary import summary
    from hornbeam.tree.words import text_tree


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
    return str(importlib.import_module("hornbeam.drawing.notebook").framed(tree))


# Trees lie below pictures and cannot ask for them: here, above both, they are told who shows them in a notebook.
setattr(importlib.import_module("hornbeam.tree.views"), "shown_by", _framed)  # noqa: B010 - mypy sees no such name


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
