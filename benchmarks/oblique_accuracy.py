"""Measures the accuracy of oblique trees: repeated folds of numeric data sets in a folder; run once per environment.

    python -m benchmarks.oblique_accuracy FOLDER --results DIR             hornbeam: cuts of single columns, and planes
    python -m benchmarks.oblique_accuracy FOLDER --results DIR --ydf       YDF's sparse oblique tree
    python -m benchmarks.oblique_accuracy FOLDER --results DIR --treeple   treeple's oblique tree
    python -m benchmarks.oblique_accuracy --table DIR                      the tables of the results in DIR
    ... --forest                                                           the same for forests of 100 trees

FOLDER contains CSV files without missing values; the target is the last column, in wine the first. All libraries use
the same folds, five per repeat; data sets that DIR already has are not run again. Trees are grown by entropy (the only
criterion of YDF) to depth 8 with at least five rows per leaf and are not pruned, so that only the questions differ;
every fold has its own random seed. Forests are fully grown, with two repeats, and try about as many directions per node
as there are columns: hornbeam d directions of sqrt(d) sampled columns, at least 32. The standard error of the
difference of two methods takes into account that the training rows of the folds overlap: the mean of J differences has
the variance
(1 / J + test rows / training rows) s^2 (Nadeau and Bengio 2003).
"""

import argparse
import csv
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

SETS = ("glass", "ionosphere", "iris", "pima", "sonar", "vehicle", "wdbc", "wine")
FOLDS, REPEATS, DEPTH, MIN_LEAF = 5, 10, 8, 5
TREES, FOREST_REPEATS = 100, 2
METHODS = {
    "single columns": "sorted_cuts",
    "`logistic_plane`": "logistic_plane",
    "`lda_plane`": "lda_plane",
    "`sparse_planes`": "sparse_planes",
    "`sparse_planes`, weights -1 and +1": {"name": "sparse_planes", "is_binary": True},
}
YDF, TREEPLE, TREEPLE_MORE = "YDF, sparse oblique", "treeple, oblique", "treeple, as many directions as YDF"
PEERS = (YDF, TREEPLE, TREEPLE_MORE)
# The method that is compared with the other libraries.
OURS = "`sparse_planes`"

# Trains on (X, y) with a seed, one tree or a forest, and predicts other rows: predictions by method.
Predictions = Callable[[np.ndarray, np.ndarray, np.ndarray, int, bool], dict[str, np.ndarray]]


def numbers(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The columns as a matrix, and the codes of the target."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    position = 0 if path.stem == "wine" else -1
    target = np.unique([row[position] for row in rows], return_inverse=True)[1]
    columns = [row[1:] if position == 0 else row[:-1] for row in rows]
    return np.array(columns, dtype=float), target


def by_ydf(X: np.ndarray, y: np.ndarray, Xt: np.ndarray, seed: int, is_forest: bool) -> dict[str, np.ndarray]:
    import ydf

    ydf.verbose(0)
    names = [f"x{j}" for j in range(X.shape[1])]
    common = {
        "label": "y",
        "task": ydf.Task.CLASSIFICATION,
        "features": [(name, ydf.Semantic.NUMERICAL) for name in names],
        "include_all_columns": False,
        "split_axis": "SPARSE_OBLIQUE",
        "random_seed": seed,
    }
    if is_forest:
        grown = {"num_trees": TREES, "max_depth": -1, "min_examples": 1, "sparse_oblique_num_projections_exponent": 1.0}
        learner = ydf.RandomForestLearner(**common, **grown, num_threads=1)
    else:
        learner = ydf.CartLearner(**common, max_depth=DEPTH + 1, min_examples=MIN_LEAF, validation_ratio=0.0)
    model = learner.train({**{name: X[:, j] for j, name in enumerate(names)}, "y": y.astype(str)})
    probabilities = np.asarray(model.predict({name: Xt[:, j] for j, name in enumerate(names)}))
    labels = np.array(model.label_classes(), dtype=int)
    return {YDF: labels[(probabilities > 0.5).astype(int) if probabilities.ndim == 1 else probabilities.argmax(axis=1)]}


def by_treeple(X: np.ndarray, y: np.ndarray, Xt: np.ndarray, seed: int, is_forest: bool) -> dict[str, np.ndarray]:
    from treeple import ObliqueRandomForestClassifier
    from treeple.tree import ObliqueDecisionTreeClassifier

    if is_forest:
        forest = ObliqueRandomForestClassifier(n_estimators=TREES, max_features=X.shape[1], random_state=seed)
        return {TREEPLE: forest.fit(X, y).predict(Xt)}
    limits = {"criterion": "entropy", "max_depth": DEPTH, "min_samples_leaf": MIN_LEAF, "random_state": seed}
    more = {"max_features": min(6000, X.shape[1] ** 2), "feature_combinations": 2.0}
    default, wide = ObliqueDecisionTreeClassifier(**limits), ObliqueDecisionTreeClassifier(**limits, **more)
    return {name: tree.fit(X, y).predict(Xt) for name, tree in ((TREEPLE, default), (TREEPLE_MORE, wide))}


def by_hornbeam(X: np.ndarray, y: np.ndarray, Xt: np.ndarray, seed: int, is_forest: bool) -> dict[str, np.ndarray]:
    import hornbeam as hb

    if is_forest:
        models = {
            name: hb.ForestClassifier(n_estimators=TREES, searches=METHODS[name], random_state=seed)
            for name in ("single columns", OURS)
        }
        return {name: forest.fit(X, y).predict(Xt) for name, forest in models.items()}
    limits = {"criterion": "entropy", "max_depth": DEPTH, "min_samples_leaf": MIN_LEAF, "random_state": seed}
    models = {name: hb.TreeClassifier(searches=method, **limits) for name, method in METHODS.items()}
    return {name: tree.fit(X, y).predict(Xt) for name, tree in models.items()}


def accuracies(X: np.ndarray, y: np.ndarray, predictions: Predictions, is_forest: bool) -> dict[str, list[float]]:
    """The accuracy of each method on each fold."""
    found: dict[str, list[float]] = {}
    for repeat in range(FOREST_REPEATS if is_forest else REPEATS):
        fold = np.random.default_rng(repeat + 1).permutation(len(y)) % FOLDS
        for held in range(FOLDS):
            out = fold == held
            by_method = predictions(X[~out], y[~out], X[out], FOLDS * repeat + held + 1, is_forest)
            for method, predicted in by_method.items():
                found.setdefault(method, []).append(float((predicted == y[out]).mean()))
    return found


def difference(ours: list[float], theirs: list[float]) -> tuple[float, float]:
    """The mean difference in percentage points, and its standard error."""
    off = 100 * (np.array(ours) - np.array(theirs))
    return float(off.mean()), math.sqrt((1 / len(off) + 1 / (FOLDS - 1)) * float(off.var(ddof=1)))


def table(found: dict[str, dict[str, list[float]]]) -> str:
    """Two tables: accuracies, and the differences of pairs."""
    head = f"| | {' | '.join(SETS)} |\n|{'---|' * (len(SETS) + 1)}"
    methods = [method for method in (*METHODS, *PEERS) if method in found[SETS[0]]]
    lines = [
        head,
        *(f"| {method} | {' | '.join(f'{100 * np.mean(found[s][method]):.1f}' for s in SETS)} |" for method in methods),
    ]
    lines += ["", head]
    for peer in PEERS:
        if peer in methods:
            off = [difference(found[s][OURS], found[s][peer]) for s in SETS]
            lines.append(f"| {OURS} less {peer} | {' | '.join(f'{mean:+.1f} ± {se:.1f}' for mean, se in off)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the accuracy of oblique trees.")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--results", type=Path, default=Path("."))
    parser.add_argument("--ydf", action="store_true")
    parser.add_argument("--treeple", action="store_true")
    parser.add_argument("--forest", action="store_true")
    parser.add_argument("--table", type=Path)
    given = parser.parse_args()
    what = "oblique_forests" if given.forest else "oblique_accuracy"
    if given.table:
        merged: dict[str, dict[str, list[float]]] = {}
        for path in sorted(given.table.glob(f"{what}_*.json")):
            for name, methods in json.loads(path.read_text()).items():
                merged.setdefault(name, {}).update(methods)
        print(table(merged))
        return
    library, predictions = "hornbeam", by_hornbeam
    if given.ydf or given.treeple:
        library, predictions = ("ydf", by_ydf) if given.ydf else ("treeple", by_treeple)
    path = given.results / f"{what}_{library}.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    for name in (name for name in SETS if name not in found):
        found[name] = accuracies(*numbers(given.folder / f"{name}.csv"), predictions, given.forest)
        print(
            name,
            *(f"{method} {100 * np.mean(right):.1f}" for method, right in found[name].items()),
            sep="  ",
            flush=True,
        )
        path.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
