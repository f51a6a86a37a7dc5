"""Which way with missing values suits?  Three real data sets, holes made in three ways, ten folds by turns.

    at random     every cell is missing with the same chance
    by value      cells above the column's median are missing four times as often: what is missing depends on itself
    by class      cells of the first class's rows are missing four times as often, in training only: the sign is gone
                  in use

Accuracy in percent, mean over the folds of five makings of the holes. The tables of docs/guides/missing-values.md are
printed by this script.
"""

import dataclasses
import warnings

import numpy as np

import hornbeam as hb

WAYS = ("drop_rows", "skip_column", "impute", "surrogates", "fractional", "own_branch", "learned")
SETS = ("iris", "penguins", "breast_cancer")
SHARE, MAKINGS, FOLDS = 0.25, 5, 10
STOPS = [{"name": "min_split", "rows": 10}, {"name": "min_leaf", "rows": 5}, {"name": "max_depth", "depth": 6}]


def chances(table, how):
    """The chance of every cell to be missing; about a quarter on average."""
    rows, columns = len(table), len(table.columns)
    if how == "at random":
        return np.full((rows, columns), SHARE)
    if how == "by class":
        often = np.repeat((table.target.values == 0)[:, None], columns, axis=1)
    else:
        values = [column.values.astype(float) for column in table.columns]
        often = np.stack([each > np.nanmedian(each) for each in values], axis=1)
    chance = np.where(often, 4.0, 1.0)
    return SHARE * chance / chance.mean()


def with_holes(table, how, seed):
    """The table with cells taken out."""
    gone = np.random.default_rng(seed).random((len(table), len(table.columns))) < chances(table, how)
    columns = [
        dataclasses.replace(column, values=np.where(out, np.nan if column.kind == "numeric" else -1, column.values))
        for column, out in zip(table.columns, gone.T, strict=True)
    ]
    return dataclasses.replace(table, columns=tuple(columns))


def accuracy(table, how, way):
    """The mean share of rows told right in folds that were left out; None where no complete row is left."""
    right = 0
    for seed in range(MAKINGS):
        learn = with_holes(table, how, seed)
        use = with_holes(table, "at random", 100 + seed) if how == "by class" else learn
        fold = np.random.default_rng(seed).permutation(len(table)) % FOLDS
        for each in range(FOLDS):
            teaching = learn.take(np.flatnonzero(fold != each))
            if way == "drop_rows" and not complete(teaching).any():
                return None
            tree = hb.grow(teaching, hb.Method(missing=way).with_changes(stops=STOPS))
            left_out = np.flatnonzero(fold == each)
            said = hb.predict(tree, use.take(left_out))
            right += int((said.codes == table.target.values[left_out]).sum())
    return 100 * right / (MAKINGS * len(table))


def complete(table):
    """Which rows have no hole."""
    return ~np.any([column.is_missing for column in table.columns], axis=0)


def main():
    """Print one table a way of making holes."""
    warnings.simplefilter("ignore", hb.errors.HornbeamWarning)  # of what the last table is about
    for how in ("at random", "by value", "by class"):
        print(f"missing {how:<14}" + "".join(f"{name:>15}" for name in SETS))
        for way in WAYS:
            found = [accuracy(hb.datasets.load(name), how, way) for name in SETS]
            print(f"{way:<22}" + "".join(f"{'no rows left' if a is None else f'{a:.1f}':>15}" for a in found))
        print()


if __name__ == "__main__":
    main()
