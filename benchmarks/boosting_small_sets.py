"""Measures the loss of boosting on 25 problems of few rows and several classes: the mean of each, and of all.

    python -m benchmarks.boosting_small_sets                              hornbeam
    python -m benchmarks.boosting_small_sets --set joint_trees=false      hornbeam with other settings
    python -m benchmarks.boosting_small_sets --only catboost              another library

The problems are training sets of 150 to 500 rows of tables with more than two classes, and regression tables whose
target is divided into classes of equal size. All tables are from the half for choosing settings (quality_sets.py) or
from scikit-learn; the libraries and the number of rounds are those of boosting_quality.py.
"""

import argparse
import json
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.boosting_quality import MIN_PROBABILITY, PEERS, Predictions, by_hornbeam
from benchmarks.quality_sets import DataSet, folds, read

# Table, training rows, classes (None: all).
SAMPLED = [
    ("vowel", 200, None),
    ("vowel", 400, None),
    ("segment", 150, None),
    ("segment", 300, None),
    ("digits", 200, None),
    ("digits", 400, None),
    ("letter", 150, 4),
    ("letter", 300, 6),
    ("car", 200, None),
    ("car", 400, None),
    ("nursery", 200, None),
    ("nursery", 400, None),
    ("dna", 150, None),
    ("dna", 300, None),
    ("poker", 300, None),
    ("poker", 500, None),
]
DIVIDED = [
    ("airquality", 3),
    ("airquality", 5),
    ("boston_housing", 3),
    ("boston_housing", 5),
    ("ozone", 3),
    ("ozone", 5),
    ("cu_summary", 3),
    ("diabetes", 3),
    ("diabetes", 5),
]
SAMPLES, USED_FOLDS, TEST_ROWS, MIN_CLASS_ROWS = 6, 10, 1500, 4

# Training columns and classes, test columns and classes, number of classes.
Problem = tuple[pd.DataFrame, np.ndarray, pd.DataFrame, np.ndarray, int]


def table(name: str) -> DataSet:
    """A table of the half for choosing, or of scikit-learn."""
    if name not in ("digits", "diabetes"):
        return read(name)
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
    return DataSet(name, X, y.to_numpy(), 10 if name == "digits" else 0)


def sampled(data: DataSet, n: int, sample: int, classes: int | None) -> Problem:
    """A training set of n rows and up to 1,500 other rows; classes with fewer than four training rows are dropped."""
    rng = np.random.default_rng(100 + sample)
    kept = np.arange(len(data.y))
    if classes:
        kept = np.flatnonzero(np.isin(data.y, rng.permutation(data.n_classes)[:classes]))
    rows = rng.permutation(kept)
    train, test = rows[:n], rows[n : n + TEST_ROWS]
    is_used = np.bincount(data.y[train], minlength=data.n_classes) >= MIN_CLASS_ROWS
    train, test = train[is_used[data.y[train]]], test[is_used[data.y[test]]]
    code = np.cumsum(is_used) - 1
    return data.X.iloc[train], code[data.y[train]], data.X.iloc[test], code[data.y[test]], int(is_used.sum())


def divided(data: DataSet, classes: int) -> list[Problem]:
    """The folds of a regression table whose target is divided into classes of equal size."""
    cuts = np.quantile(data.y, np.arange(1, classes) / classes)
    of = DataSet(data.name, data.X, np.searchsorted(cuts, data.y, side="left"), classes)
    return [(of.X[~test], of.y[~test], of.X[test], of.y[test], classes) for test in folds(of)[:USED_FOLDS]]


def problems() -> Iterator[tuple[str, list[Problem]]]:
    """Every problem with its training and test sets."""
    for name, n, classes in SAMPLED:
        data = table(name)
        yield f"{name}, {n} rows", [sampled(data, n, sample, classes) for sample in range(SAMPLES)]
    for name, classes in DIVIDED:
        yield f"{name}, {classes} classes", divided(table(name), classes)


def loss(problem: Problem, predictions: Predictions) -> float:
    """The log loss of the test rows."""
    X, y, Xt, yt, n_classes = problem
    found = predictions(X, y, Xt, n_classes)
    return float(-np.log(np.clip(found[np.arange(len(yt)), yt], MIN_PROBABILITY, 1.0)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PEERS)
    parser.add_argument("--set", action="append", default=[], metavar="SETTING=VALUE")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    settings = {key: json.loads(value) for key, value in (each.split("=", 1) for each in given.set)}
    predictions = PEERS[given.only] if given.only else by_hornbeam(settings)
    losses = []
    for name, sets in problems():
        losses.append(np.mean([loss(problem, predictions) for problem in sets]))
        print(f"{name:28} {losses[-1]:.4f}", flush=True)
    print(f"{'mean':28} {np.mean(losses):.4f}\n{'geometric mean':28} {np.exp(np.mean(np.log(losses))):.4f}")


if __name__ == "__main__":
    main()
