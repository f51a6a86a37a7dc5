"""The data sets of benchmarks/boosting_quality.py: frames, folds, groups, and fixed halves for choosing and reporting.

The folder that the environment variable HORNBEAM_ORACLES names has `data/<name>.csv[.gz]` and `data/<name>.schema.json`
(columns with their kind and levels, the target). Levels of ordinal columns become their codes; rows of classes with
fewer than five rows are dropped, because not every fold could train on them; of larger tables 4,000 rows are sampled.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

CATEGORIES = [
    "adult",
    "attrition",
    "birthwt",
    "breast_cancer",
    "car",
    "colic",
    "credit_a",
    "credit_g",
    "dna",
    "heart_c",
    "hepatitis",
    "mushroom",
    "nursery",
    "penguins",
    "poker",
    "soybean",
    "stagec",
    "tic_tac_toe",
    "titanic_survival",
    "vote",
    "vowel",
    "zoo",
]
NUMERIC = [
    "checkerboard4",
    "glass",
    "ionosphere",
    "iris",
    "letter",
    "pima",
    "pima_missing",
    "satellite",
    "segment",
    "shuttle",
    "sonar",
    "vehicle",
    "wdbc",
    "wine",
]
REGRESSION = ["airquality", "auto_mpg", "boston_housing", "cpu", "cu_summary", "diamonds", "ozone", "servo"]
GROUPS = {"categories": CATEGORIES, "numeric": NUMERIC, "regression": REGRESSION}

FOLDS, MAX_ROWS, SMALL, REPEATS = 5, 4000, 1000, 3


@dataclass(frozen=True)
class DataSet:
    """A table: nominal columns are of the dtype category; the target is class codes 0..K-1 or numbers (K = 0)."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    n_classes: int


def half_of(name: str) -> str:
    """Every second set of a group, in alphabetical order, is for choosing settings; the others are for reporting."""
    group = next(sets for sets in GROUPS.values() if name in sets)
    return "choose" if group.index(name) % 2 == 0 else "report"


def data_folder() -> Path:
    """The folder with the files; exits with a message if it is not set."""
    if not os.environ.get("HORNBEAM_ORACLES"):
        raise SystemExit("Set HORNBEAM_ORACLES to the folder whose data/ has the data sets.")
    return Path(os.environ["HORNBEAM_ORACLES"]) / "data"


def read(name: str) -> DataSet:
    """A data set as it is passed to every library."""
    schema = json.loads((data_folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    frame = pd.read_csv(data_folder() / schema["file"], dtype=str, keep_default_na=False, na_values=[""])
    target = schema["target"]
    rows = frame[target].notna().to_numpy()
    columns = {
        column["name"]: _column(frame[column["name"]], column)
        for column in schema["columns"]
        if column["name"] != target
    }
    X, raw = pd.DataFrame(columns).loc[rows].reset_index(drop=True), frame[target][rows]
    if schema["task"] == "regression":
        return _sampled(DataSet(name, X, raw.astype(float).to_numpy(), 0))
    _, codes, counts = np.unique(raw.to_numpy(dtype=str), return_inverse=True, return_counts=True)
    kept = counts[codes] >= FOLDS
    codes = np.unique(codes[kept], return_inverse=True)[1]
    return _sampled(DataSet(name, X.loc[kept].reset_index(drop=True), codes, int(codes.max()) + 1))


def _column(values: pd.Series, column: dict) -> pd.Series:
    if column["kind"] == "numeric":
        return values.astype(float)
    coded = pd.Categorical(values, categories=column["levels"])
    if column["kind"] == "ordinal":
        return pd.Series(np.where(coded.codes < 0, np.nan, coded.codes), index=values.index)
    return pd.Series(coded, index=values.index)


def _sampled(data: DataSet) -> DataSet:
    if len(data.y) <= MAX_ROWS:
        return data
    rows = np.sort(np.random.default_rng(0).permutation(len(data.y))[:MAX_ROWS])
    if data.n_classes:
        counts = np.bincount(data.y[rows], minlength=data.n_classes)
        rows = rows[counts[data.y[rows]] >= FOLDS]
    y = np.unique(data.y[rows], return_inverse=True)[1] if data.n_classes else data.y[rows]
    return DataSet(data.name, data.X.iloc[rows].reset_index(drop=True), y, int(y.max()) + 1 if data.n_classes else 0)


def folds(data: DataSet) -> list[np.ndarray]:
    """The test rows of every fold, as masks: five stratified folds, repeated for small tables."""
    found = []
    for repeat in range(REPEATS if len(data.y) < SMALL else 1):
        shuffled = np.random.default_rng(repeat + 1).permutation(len(data.y))
        if data.n_classes:
            shuffled = shuffled[np.argsort(data.y[shuffled], kind="stable")]
        fold = np.empty(len(data.y), dtype=int)
        fold[shuffled] = np.arange(len(data.y)) % FOLDS
        found += [fold == held for held in range(FOLDS)]
    return found
