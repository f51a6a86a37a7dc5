"""How right are oblique trees?  Five folds of every numeric data set of a folder; run once in each environment.

    python -m benchmarks.oblique_accuracy FOLDER            hornbeam: cuts of single columns, and planes
    python -m benchmarks.oblique_accuracy FOLDER --ydf      YDF's sparse oblique tree, where ydf is installed

FOLDER holds CSV files without missing values, the target last but for wine, whose target is first. The folds are the
same for all. Trees are bounded by depth 8 and five rows a leaf, and not pruned, so that questions alone are compared.
"""

import csv
import sys
from pathlib import Path

import numpy as np

SETS = ("glass", "ionosphere", "iris", "pima", "sonar", "vehicle", "wdbc", "wine")
FOLDS, SEED, DEPTH, LEAST = 5, 1, 8, 5
WAYS = {
    "axis": "sorted_cuts",
    "logistic": "logistic_plane",
    "lda": "lda_plane",
}


def numbers(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The columns as numbers, and the codes of the target."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    place = 0 if path.stem == "wine" else -1
    target = np.unique([row[place] for row in rows], return_inverse=True)[1]
    columns = [row[1:] if place == 0 else row[:-1] for row in rows]
    return np.array(columns, dtype=float), target


def by_ydf(X: np.ndarray, y: np.ndarray, Xt: np.ndarray) -> dict[str, np.ndarray]:
    import ydf

    ydf.verbose(0)
    names = [f"x{j}" for j in range(X.shape[1])]
    learner = ydf.CartLearner(
        label="y",
        task=ydf.Task.CLASSIFICATION,
        features=[(name, ydf.Semantic.NUMERICAL) for name in names],
        include_all_columns=False,
        max_depth=DEPTH + 1,
        min_examples=LEAST,
        validation_ratio=0.0,
        split_axis="SPARSE_OBLIQUE",
        random_seed=SEED,
    )
    model = learner.train({**{name: X[:, j] for j, name in enumerate(names)}, "y": y.astype(str)})
    shares = np.asarray(model.predict({name: Xt[:, j] for j, name in enumerate(names)}))
    labels = np.array(model.label_classes(), dtype=int)
    return {"YDF sparse oblique": labels[(shares > 0.5).astype(int) if shares.ndim == 1 else shares.argmax(axis=1)]}


def by_hornbeam(X: np.ndarray, y: np.ndarray, Xt: np.ndarray) -> dict[str, np.ndarray]:
    import hornbeam as hb

    limits = {"max_depth": DEPTH, "min_samples_leaf": LEAST}
    made = {name: hb.TreeClassifier(searches=way, **limits) for name, way in WAYS.items()}
    return {name: tree.fit(X, y).predict(Xt) for name, tree in made.items()}


def main() -> None:
    folder, answers = Path(sys.argv[1]), by_ydf if "--ydf" in sys.argv else by_hornbeam
    for name in SETS:
        X, y = numbers(folder / f"{name}.csv")
        fold = np.random.default_rng(SEED).permutation(len(y)) % FOLDS
        right: dict[str, int] = {}
        for held in range(FOLDS):
            out = fold == held
            for way, said in answers(X[~out], y[~out], X[out]).items():
                right[way] = right.get(way, 0) + int((said == y[out]).sum())
        print(name, *(f"{way} {100 * count / len(y):.1f}" for way, count in right.items()), sep="  ")


if __name__ == "__main__":
    main()
