"""How right are oblique trees?  Repeated folds of every numeric data set of a folder; run once in each environment.

    python -m benchmarks.oblique_accuracy FOLDER --results DIR             hornbeam: cuts of single columns, and planes
    python -m benchmarks.oblique_accuracy FOLDER --results DIR --ydf       YDF's sparse oblique tree
    python -m benchmarks.oblique_accuracy FOLDER --results DIR --treeple   treeple's oblique tree
    python -m benchmarks.oblique_accuracy --table DIR                      the tables of what was written there
    ... --forest                                                           the same of forests of 100 trees

FOLDER holds CSV files without missing values, the target last but for wine, whose target is first. The folds are the
same for all, five a repeat; a set that DIR has already is not run again. Trees are grown by entropy (YDF has nothing
else), bounded by depth 8 and five rows a leaf, and not pruned, so that questions alone are compared; what is drawn at
random is drawn anew in every fold. Forests are fully grown, of two repeats, and have about as many directions at a node
as there are columns: ours d, made of sqrt(d) columns drawn, and 32 at least. The difference of two ways has a standard
error over the folds, whose training rows overlap: the mean of J differences has the variance
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
FOLDS, REPEATS, DEPTH, LEAST = 5, 10, 8, 5
TREES, FOREST_REPEATS = 100, 2
WAYS = {
    "single columns": "sorted_cuts",
    "`logistic_plane`": "logistic_plane",
    "`lda_plane`": "lda_plane",
    "`sparse_planes`": "sparse_planes",
    "`sparse_planes`, weights -1 and +1": {"name": "sparse_planes", "is_binary": True},
}
YDF, TREEPLE, TREEPLE_MORE = "YDF, sparse oblique", "treeple, oblique", "treeple, as many directions as YDF"
PEERS = (YDF, TREEPLE, TREEPLE_MORE)
# What is to reach the peers.
OURS = "`sparse_planes`"

# What some ways answer for other rows, by the name of the way, from a seed, by one tree or a forest.
Answers = Callable[[np.ndarray, np.ndarray, np.ndarray, int, bool], dict[str, np.ndarray]]


def numbers(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The columns as numbers, and the codes of the target."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    place = 0 if path.stem == "wine" else -1
    target = np.unique([row[place] for row in rows], return_inverse=True)[1]
    columns = [row[1:] if place == 0 else row[:-1] for row in rows]
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
        learner = ydf.CartLearner(**common, max_depth=DEPTH + 1, min_examples=LEAST, validation_ratio=0.0)
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
    limits = {"criterion": "entropy", "max_depth": DEPTH, "min_samples_leaf": LEAST, "random_state": seed}
    more = {"max_features": min(6000, X.shape[1] ** 2), "feature_combinations": 2.0}
    plain, wide = ObliqueDecisionTreeClassifier(**limits), ObliqueDecisionTreeClassifier(**limits, **more)
    return {name: tree.fit(X, y).predict(Xt) for name, tree in ((TREEPLE, plain), (TREEPLE_MORE, wide))}


def by_hornbeam(X: np.ndarray, y: np.ndarray, Xt: np.ndarray, seed: int, is_forest: bool) -> dict[str, np.ndarray]:
    import hornbeam as hb

    if is_forest:
        made = {
            name: hb.ForestClassifier(n_estimators=TREES, searches=WAYS[name], random_state=seed)
            for name in ("single columns", OURS)
        }
        return {name: forest.fit(X, y).predict(Xt) for name, forest in made.items()}
    limits = {"criterion": "entropy", "max_depth": DEPTH, "min_samples_leaf": LEAST, "random_state": seed}
    made = {name: hb.TreeClassifier(searches=way, **limits) for name, way in WAYS.items()}
    return {name: tree.fit(X, y).predict(Xt) for name, tree in made.items()}


def shares_right(X: np.ndarray, y: np.ndarray, answers: Answers, is_forest: bool) -> dict[str, list[float]]:
    """The share of each fold's rows that each way answers rightly."""
    found: dict[str, list[float]] = {}
    for repeat in range(FOREST_REPEATS if is_forest else REPEATS):
        fold = np.random.default_rng(repeat + 1).permutation(len(y)) % FOLDS
        for held in range(FOLDS):
            out = fold == held
            for way, said in answers(X[~out], y[~out], X[out], FOLDS * repeat + held + 1, is_forest).items():
                found.setdefault(way, []).append(float((said == y[out]).mean()))
    return found


def difference(ours: list[float], theirs: list[float]) -> tuple[float, float]:
    """The mean difference in percent, and its standard error."""
    off = 100 * (np.array(ours) - np.array(theirs))
    return float(off.mean()), math.sqrt((1 / len(off) + 1 / (FOLDS - 1)) * float(off.var(ddof=1)))


def table(found: dict[str, dict[str, list[float]]]) -> str:
    """Two tables: shares of rows answered rightly, and the differences of pairs."""
    head = f"| | {' | '.join(SETS)} |\n|{'---|' * (len(SETS) + 1)}"
    ways = [way for way in (*WAYS, *PEERS) if way in found[SETS[0]]]
    lines = [head, *(f"| {way} | {' | '.join(f'{100 * np.mean(found[s][way]):.1f}' for s in SETS)} |" for way in ways)]
    lines += ["", head]
    for peer in PEERS:
        if peer in ways:
            off = [difference(found[s][OURS], found[s][peer]) for s in SETS]
            lines.append(f"| {OURS} less {peer} | {' | '.join(f'{mean:+.1f} ± {se:.1f}' for mean, se in off)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="How right are oblique trees?")
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
            for name, ways in json.loads(path.read_text()).items():
                merged.setdefault(name, {}).update(ways)
        print(table(merged))
        return
    who, answers = "hornbeam", by_hornbeam
    if given.ydf or given.treeple:
        who, answers = ("ydf", by_ydf) if given.ydf else ("treeple", by_treeple)
    path = given.results / f"{what}_{who}.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    for name in (name for name in SETS if name not in found):
        found[name] = shares_right(*numbers(given.folder / f"{name}.csv"), answers, given.forest)
        print(name, *(f"{way} {100 * np.mean(right):.1f}" for way, right in found[name].items()), sep="  ", flush=True)
        path.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
