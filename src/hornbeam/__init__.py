"""Decision trees: read, grow, prune, evaluate, draw, explain, save.

    import hornbeam as hb

    table = hb.read("patients.csv", target="outcome")
    tree = hb.grow(table, "cart")
    print(tree)
    hb.save(tree, "patients.tree")

`_PUBLIC` is the only list of public names; each is imported when it is first used, so `import hornbeam` stays light.
Type checkers and editors read `__init__.pyi`, which `make stubs` writes from the list.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Module -> its public names. A module that is public itself has the name "".
_PUBLIC: dict[str, tuple[str, ...]] = {
    "datasets": ("",),
    "drawing": ("", "draw", "report"),
    "drawing.sklearn_style.graphviz": ("export_graphviz",),
    "drawing.sklearn_style.plot": ("plot_tree",),
    "drawing.sklearn_style.text": ("export_text",),
    "ensembles": ("",),
    "ensembles.out_of_bag": ("out_of_bag",),
    "ensembles.quantiles": ("quantiles",),
    "errors": ("",),
    "estimators": ("",),
    "estimators.adaboost": ("AdaBoostTreeClassifier", "AdaBoostTreeRegressor"),
    "estimators.bagged": ("BaggedClassifier", "BaggedRegressor"),
    "estimators.boosted": ("BoostedClassifier", "BoostedRegressor"),
    "estimators.forests": (
        "ExtraTreesClassifier",
        "ExtraTreesRegressor",
        "ForestClassifier",
        "ForestRegressor",
    ),
    "estimators.trees": ("TreeClassifier", "TreeRegressor"),
    "evaluation": ("",),
    "explanation.card": ("card",),
    "explanation.counterfactual": ("counterfactual",),
    "explanation.diagnostics": ("diagnostics",),
    "explanation.importance": ("importance",),
    "explanation.partial_dependence": ("partial_dependence",),
    "explanation.paths": ("explain",),
    "explanation.shap": ("shap_values",),
    "explanation.stability": ("stability",),
    "exporting": ("export",),
    "growing.relabeling": ("relabel",),
    "growing.trace": ("Trace", "format_trace"),
    "importing.convert": ("convert",),
    "importing.refill": ("refill",),
    "model_files": ("load", "save"),
    "parts.criteria": ("criteria",),
    "parts.losses": ("losses",),
    "parts.missing": ("missing",),
    "parts.orders": ("orders",),
    "parts.prunings": ("PruningData", "prunings"),
    "parts.searches": ("searches",),
    "parts.stops": ("stops",),
    "recipes.boost": ("boost",),
    "recipes.candidates": ("candidates",),
    "recipes.forests": ("adaboost", "bag", "forest"),
    "recipes.estimate": ("estimate",),
    "recipes.grow": ("grow",),
    "recipes.prune": ("prune",),
    "recipes.recipe": ("Recipe", "recipe"),
    "recipes.regrow": ("regrow",),
    "rules": ("", "extract_rules"),
    "scale": ("",),
    "scale.prediction_files": ("predict",),
    "studies": ("compare", "compare_prunings", "complexity_table", "cross_validate", "evaluate"),
    "table": ("",),
    "table.describe": ("describe",),
    "table.prepared": ("prepare",),
    "table.read": ("read",),
    "table.table": ("Table",),
    "tree": ("",),
    "tree.forest": ("Forest",),
    "tree.nodes": ("Tree",),
    "tree.predictor": ("Predictor",),
}
_HOMES = {name or module: module for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used."""
    if name not in _HOMES:
        from hornbeam.errors import did_you_mean

        raise AttributeError(f"hornbeam has no {name!r}. {did_you_mean(name, _HOMES)}".strip())
    home = _HOMES[name]
    module = importlib.import_module(f"hornbeam.{home}")
    value = module if name == home else getattr(module, name)
    globals()[name] = value
    return value


def _tree_frame(tree: Any) -> str:
    return str(importlib.import_module("hornbeam.drawing.notebook").tree_frame(tree))


# The drawing code is in a layer above the trees, so the package connects them (by name: no layer imports upwards).
importlib.import_module("hornbeam.tree.views").register_html_view(_tree_frame)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
