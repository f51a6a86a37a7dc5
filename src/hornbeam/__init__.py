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
    "predict": "tree.prediction",
    "text_tree": "tree.words",
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
    "evaluate": "evaluation",
    "Scores": "evaluation",
    "cross_validated": "evaluation",
    "bayes_risk": "evaluation",
    "compare_answers": "evaluation",
    "compare_scores": "evaluation",
    "compare_folds": "evaluation",
    "draw": "drawing",
    "Picture": "drawing",
    "report": "drawing",
    "Report": "drawing",
    "regions": "drawing",
    "plot_regions": "drawing",
    "Recipe": "recipes.recipe",
    "recipe": "recipes.recipe",
    "grow": "recipes.grow",
    "TreeClassifier": "estimators.trees",
    "TreeRegressor": "estimators.trees",
}

__all__ = [
    "Column",
    "Evidence",
    "Forest",
    "Kind",
    "Method",
    "Picture",
    "Prediction",
    "Recipe",
    "Report",
    "Schema",
    "Scores",
    "Table",
    "Trace",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "bayes_risk",
    "collapsed",
    "compare_answers",
    "compare_folds",
    "compare_scores",
    "cross_validated",
    "datasets",
    "describe",
    "draw",
    "drawing",
    "errors",
    "evaluate",
    "forest_of",
    "grafted",
    "grow",
    "load",
    "load_tree",
    "matched",
    "plot_regions",
    "predict",
    "prune",
    "read",
    "recipe",
    "regions",
    "replaced",
    "report",
    "save",
    "steps",
    "table_from",
    "text_tree",
]

if TYPE_CHECKING:
    from hornbeam import datasets, drawing, errors
    from hornbeam.drawing.draw import draw
    from hornbeam.drawing.picture import Picture
    from hornbeam.drawing.regions import plot_regions, regions
    from hornbeam.drawing.report.page import Report, report
    from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
    from hornbeam.evaluation import (
        Scores,
        bayes_risk,
        compare_answers,
        compare_folds,
        compare_scores,
        cross_validated,
        evaluate,
    )
    from hornbeam.growing.method import Method
    from hornbeam.growing.trace import Trace, steps
    from hornbeam.parts.prunings.evidence import Evidence
    from hornbeam.parts.prunings.prune import prune
    from hornbeam.recipes.grow import grow
    from hornbeam.recipes.recipe import Recipe, recipe
    from hornbeam.table.column import Column, Kind
    from hornbeam.table.describe import describe
    from hornbeam.table.match import matched
    from hornbeam.table.read import read, table_from
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.edit import collapsed, grafted, replaced
    from hornbeam.tree.files import load, load_tree, save
    from hornbeam.tree.forest import Forest, forest_of
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.prediction import Prediction, predict
    from hornbeam.tree.words import text_tree


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from hornbeam.errors import did_you_mean

        raise AttributeError(f"hornbeam has no {name!r}. {did_you_mean(name, _HOMES)}".strip())
    home = _HOMES[name]
    module = importlib.import_module(f"hornbeam.{home or name}")
    value = module if not home else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
