"""Records scikit-learn's trees: `python -m tests.peers.record.scikit_learn TABLES OUTPUT`.

Each configuration is fitted with eight random states. Where all of them give the same tree it is recorded as `tree`;
otherwise `common_prefix` is the top on which they agree, with `"tie": true` at a node where they choose differently.
Tables with a nominal column of more than two levels are excluded: scikit-learn takes numbers only.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SEEDS = range(8)
CLASSES = {
    "gini_full": {"criterion": "gini"},
    "gini_depth3": {"criterion": "gini", "max_depth": 3},
    "gini_leaf5": {"criterion": "gini", "min_samples_leaf": 5},
    "entropy_full": {"criterion": "entropy"},
    "entropy_depth3": {"criterion": "entropy", "max_depth": 3},
    "entropy_leaf5": {"criterion": "entropy", "min_samples_leaf": 5},
    "gini_leafnodes8_bestfirst": {"max_leaf_nodes": 8},
    "gini_balanced": {"class_weight": "balanced", "min_samples_leaf": 5},
    "gini_mininc": {"min_impurity_decrease": 0.01},
    "gini_split20": {"min_samples_split": 20},
    "weights_depth4": {"max_depth": 4},
}
NUMBERS = {
    "mse_full": {},
    "mse_depth3": {"max_depth": 3},
    "mse_leaf5": {"min_samples_leaf": 5},
    "mse_leafnodes8_bestfirst": {"max_leaf_nodes": 8},
    "mae_depth3": {"criterion": "absolute_error", "max_depth": 3},
    "poisson_depth3": {"criterion": "poisson", "max_depth": 3},
    "weights_depth4": {"max_depth": 4},
}


def read(folder, schema):
    """The predictors as numbers (levels by their place, a missing value as NaN) and the target."""
    with (folder / f"{schema['name']}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns, target = {}, None
    for spec in schema["columns"]:
        cells = [row[spec["name"]] for row in rows]
        if spec["name"] == schema["target"]:
            target = np.array(cells if "levels" in spec else [float(cell) for cell in cells])
            continue
        place = {str(level): at for at, level in enumerate(spec.get("levels", []))}
        columns[spec["name"]] = [np.nan if c == "" else place[c] if place else float(c) for c in cells]
    return np.column_stack(list(columns.values())), target, list(columns)


def arrays(tree):
    """A fitted tree as plain lists."""
    found = {
        name: getattr(tree, name).tolist()
        for name in ("children_left", "children_right", "feature", "n_node_samples", "impurity")
    }
    found["threshold"] = [None if np.isinf(cut) else cut for cut in tree.threshold.tolist()]
    found["value"] = tree.value[:, 0, :].tolist()
    found["missing_go_to_left"] = tree.missing_go_to_left.tolist()
    return found


def prefix(trees, places):
    """The top on which all trees agree, from the given node of each."""
    tree, at = trees[0], places[0]
    out = {"n": tree["n_node_samples"][at], "impurity": tree["impurity"][at], "value": tree["value"][at]}
    questions = {
        (each["children_left"][p] >= 0, each["feature"][p], each["threshold"][p], each["missing_go_to_left"][p])
        for each, p in zip(trees, places, strict=True)
    }
    if len(questions) > 1:
        return {**out, "tie": True}
    if tree["children_left"][at] < 0:
        return out
    out |= {name: tree[name][at] for name in ("feature", "threshold", "missing_go_to_left")}
    for side in ("left", "right"):
        below = [each[f"children_{side}"][p] for each, p in zip(trees, places, strict=True)]
        out[side] = prefix(trees, below)
    return out


def recorded(X, y, params, weights, is_class):
    """One configuration over all seeds."""
    kind = DecisionTreeClassifier if is_class else DecisionTreeRegressor
    trees = [arrays(kind(**params, random_state=seed).fit(X, y, weights).tree_) for seed in SEEDS]
    record = {"params": params, "all_seeds_agree": all(tree == trees[0] for tree in trees)}
    if weights is not None:
        record["sample_weight"] = "row i (1-based) has weight 1 + (i mod 3)"
    if record["all_seeds_agree"]:
        return {**record, "tree": trees[0]}
    if "max_leaf_nodes" in params or weights is not None:
        return {**record, "skipped": "best-first and weighted trees are recorded only where all seeds agree"}
    return {**record, "common_prefix": prefix(trees, [0] * len(trees))}


def record(folder, schema):
    """All configurations on one table."""
    X, y, features = read(folder, schema)
    is_class = schema["task"] == "classification"
    weights = 1.0 + np.arange(1, len(y) + 1) % 3
    configs = {
        name: recorded(X, y, params, weights if name.startswith("weights") else None, is_class)
        for name, params in (CLASSES if is_class else NUMBERS).items()
        if not (np.isnan(X).any() and params.get("criterion") == "absolute_error")
    }
    facts = {"oracle": "scikit-learn", "version": sklearn.__version__, "numpy": np.__version__}
    facts |= {"dataset": schema["name"], "target": schema["target"], "features": features}
    return {**facts, "classes": sorted(set(y.tolist())) if is_class else None, "configs": configs}


def main(tables, output):
    """Records every table that scikit-learn takes."""
    (output / "sklearn").mkdir(parents=True, exist_ok=True)
    for place in sorted(tables.glob("*.schema.json")):
        schema = json.loads(place.read_text("utf-8"))
        predictors = [spec for spec in schema["columns"] if spec["name"] != schema["target"]]
        if all(spec["kind"] != "nominal" or len(spec["levels"]) <= 2 for spec in predictors):
            (output / "sklearn" / f"{schema['name']}.json").write_text(json.dumps(record(tables, schema)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
