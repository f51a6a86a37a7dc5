"""Accuracy of the strategies for missing values: three data sets, cells removed by three mechanisms, ten folds.

    at random     every cell is missing with the same probability
    by value      cells above the median of the column are missing four times as often: missingness depends on the value
    by class      cells of rows of the first class are missing four times as often, in training rows only: test rows do
                  not have this signal

Accuracy in percent, mean over the folds of five repetitions. This script prints the tables of
docs/guides/missing-values.md.
"""

import dataclasses
import warnings

import numpy as np

import hornbeam as hb

STRATEGIES = ("drop_rows", "skip_column", "impute", "surrogates", "fractional", "own_branch", "learned")
SETS = ("iris", "penguins", "breast_cancer")
FRACTION, REPEATS, FOLDS = 0.25, 5, 10
STOPS = [{"name": "min_split", "rows": 10}, {"name": "min_leaf", "rows": 5}, {"name": "max_depth", "depth": 6}]


def missing_probabilities(table, how):
    """The probability of each cell to be missing; about 25 % on average."""
    rows, columns = len(table), len(table.columns)
    if how == "at random":
        return np.full((rows, columns), FRACTION)
    if how == "by class":
        often = np.repeat((table.target.values == 0)[:, None], columns, axis=1)
    else:
        values = [column.values.astype(float) for column in table.columns]
        often = np.stack([each > np.nanmedian(each) for each in values], axis=1)
    relative = np.where(often, 4.0, 1.0)
    return FRACTION * relative / relative.mean()


def with_missing_cells(table, how, seed):
    """The table with some cells removed."""
    random = np.random.default_rng(seed).random((len(table), len(table.columns)))
    removed = random < missing_probabilities(table, how)
    columns = [
        dataclasses.replace(column, values=np.where(out, np.nan if column.kind == "numeric" else -1, column.values))
        for column, out in zip(table.columns, removed.T, strict=True)
    ]
    return dataclasses.replace(table, columns=tuple(columns))


def accuracy(table, how, strategy):
    """The accuracy on the test folds in percent; None if no complete training row is left."""
    right = 0
    for seed in range(REPEATS):
        learn = with_missing_cells(table, how, seed)
        use = with_missing_cells(table, "at random", 100 + seed) if how == "by class" else learn
        fold = np.random.default_rng(seed).permutation(len(table)) % FOLDS
        for each in range(FOLDS):
            training = learn.take(np.flatnonzero(fold != each))
            if strategy == "drop_rows" and not complete(training).any():
                return None
            tree = hb.grow(training, hb.Recipe(missing=strategy).with_changes(stops=STOPS))
            test_rows = np.flatnonzero(fold == each)
            prediction = hb.predict(tree, use.take(test_rows))
            right += int((prediction.codes == table.target.values[test_rows]).sum())
    return 100 * right / (REPEATS * len(table))


def complete(table):
    """Which rows have no missing value."""
    return ~np.any([column.is_missing for column in table.columns], axis=0)


def main():
    """Print one table per mechanism."""
    warnings.simplefilter("ignore", hb.errors.HornbeamWarning)  # every warning is about the missing values
    for how in ("at random", "by value", "by class"):
        print(f"missing {how:<14}" + "".join(f"{name:>15}" for name in SETS))
        for way in STRATEGIES:
            found = [accuracy(hb.datasets.load(name), how, way) for name in SETS]
            print(f"{way:<22}" + "".join(f"{'no rows left' if a is None else f'{a:.1f}':>15}" for a in found))
        print()


if __name__ == "__main__":
    main()
