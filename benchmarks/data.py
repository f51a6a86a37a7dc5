"""Benchmark data: created by seeded generators and stored as .npy files that every process reads.

    folder/X.npy y.npy        training rows: a C-contiguous matrix; class codes as int32, regression targets as float64
    folder/Xt.npy yt.npy      held-out rows of the same sample (25 %, between 1,000 and 200,000)
    folder/about.json         rows, columns, classes (0: regression), levels of each categorical column

Two random streams: `problem` determines the relation to learn (effects, cuts) and does not depend on the number of
rows, so that a series with increasing rows is one problem; `draw` generates the rows. Categorical columns come first
and contain level codes.
"""

import functools
import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

SEED = 20240611


class Made(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    levels: tuple[int, ...] = ()


def cut_into_classes(score, classes, problem, draw, noise=0.05):
    """Classes of different sizes along the score, with shuffled codes; a fraction `noise` of the labels is random."""
    size = np.array([0.7, 0.3]) if classes == 2 else np.maximum(0.75 ** np.arange(classes), 0.8 / classes)
    cuts = np.quantile(score, np.cumsum(size / size.sum())[:-1])
    y = problem.permutation(classes)[np.searchsorted(cuts, score)]
    wrong = draw.random(len(y)) < noise
    y[wrong] = draw.integers(0, classes, wrong.sum())
    return y.astype(np.int32)


def interacting_score(X, problem):
    """Steps, gated slopes and products of pairs of columns; the last fifth of the columns is never used."""
    middle, spread = X[:20_000].mean(0), X[:20_000].std(0) + 1e-12
    used = max(1, int(X.shape[1] * 0.8))
    score = np.zeros(len(X))
    for _ in range(min(3 * X.shape[1], 40)):
        i, j = problem.integers(0, used, 2)
        kind, effect, cut = problem.integers(0, 3), problem.normal(), problem.normal()
        a, b = ((X[:, c] - middle[c]) / spread[c] for c in (i, j))
        score += effect * ((a > cut) if kind == 0 else np.tanh(a) * (b > cut) if kind == 1 else 0.5 * np.tanh(a * b))
    return score


def correlated_columns(rows, columns, problem, draw, grain):
    """Continuous columns; `mixed` rounds some (150 values, five, two decimals), copies 10 %, repeats 3 % of rows."""
    hidden = max(2, columns // 3)
    mix = problem.standard_normal((hidden, columns)) * (problem.random((hidden, columns)) < 0.4)
    X = draw.standard_normal((rows, hidden)) @ mix + 0.7 * draw.standard_normal((rows, columns))
    if grain == "continuous":
        return X
    for j in range(columns):
        match j % 10:
            case 1 | 4:
                X[:, j] = np.round(X[:, j] * 20)
            case 5:
                X[:, j] = np.clip(np.round(X[:, j]), -2, 2)
            case 7:
                X[:, j] = np.round(np.exp(X[:, j]), 2)
            case 8:
                X[:, j] = X[:, j - 1] * 0.9 + 0.1 * X[:, j]
    repeated = draw.random(rows) < 0.03
    X[repeated] = X[draw.integers(0, rows, repeated.sum())]
    return X


def numbers(problem, draw, rows, columns, classes=2, grain="continuous"):
    """Numeric columns only; classes=0 gives a regression problem."""
    X = correlated_columns(rows, columns, problem, draw, grain)
    score = interacting_score(X, problem) + 0.3 * draw.standard_normal(rows)
    if classes == 0:
        return Made(X, score + 0.3 * draw.standard_normal(rows))
    return Made(X, cut_into_classes(score, classes, problem, draw))


def cover_type(problem, draw, rows):
    """Like the forest cover data: 10 integer columns, one-hot area (4) and soil (40), seven unequal classes."""
    area = draw.choice(4, rows, p=[0.45, 0.05, 0.436, 0.064])
    height = np.round(np.array([3000, 2900, 2950, 2400])[area] + draw.normal(0, 180, rows))
    soil = np.round((height - 1850) / 50 + draw.normal(0, 5, rows) + 3 * (area - 1)).clip(0, 39).astype(int)
    aspect, slope = draw.integers(0, 361, rows), np.round(draw.gamma(3.5, 4, rows))
    water = np.round(draw.gamma(1.3, 210, rows) / 30) * 30
    water_height = np.round(water * draw.normal(0.15, 0.15, rows))
    road = np.round(draw.gamma(2.3, 1000, rows) + 0.3 * (height - 2400).clip(0))
    fire = np.round(draw.gamma(2.2, 900, rows))

    def shade(level, swing, facing, by_slope):
        light = level + swing * np.cos(np.radians(aspect - facing)) - by_slope * slope + draw.normal(0, 6, rows)
        return np.round(light.clip(0, 254))

    morning, noon, afternoon = shade(212, 26, 120, 0.4), shade(223, 18, 180, 0.3), shade(142, 38, 250, 0.0)
    score = height + problem.normal(0, 120, 40)[soil] + np.array([60, -40, 0, -120])[area] + 0.12 * water_height
    score += 0.02 * (road - 2000) * (area == 0) - 0.015 * (fire - 2000) * (height > 2900) + 0.4 * (noon - 223)
    score += draw.normal(0, 55, rows)
    cumulative = np.cumsum([0.0047, 0.0299, 0.0615, 0.0163, 0.4876, 0.3646, 0.0354])
    y = np.array([3, 5, 2, 4, 1, 0, 6])[np.searchsorted(np.quantile(score, cumulative[:-1]), score)]
    numeric = (height, aspect, slope, water, water_height, road, morning, noon, afternoon, fire)
    return Made(np.column_stack([*numeric, np.eye(4)[area], np.eye(40)[soil]]), y.astype(np.int32))


def categories(problem, draw, rows, levels, columns=6, numeric=4):
    """`columns` categorical columns with `levels` levels of different sizes and random codes, and numeric columns."""
    size = 1.0 / np.arange(1, levels + 1) ** 0.9
    codes, score = [], np.zeros(rows)
    for _ in range(columns):
        code = problem.permutation(levels)[draw.choice(levels, rows, p=size / size.sum())]
        score += problem.normal(0, 1, levels)[code] / np.sqrt(columns)
        codes.append(code)
    X = correlated_columns(rows, numeric, problem, draw, "mixed")
    score += 0.5 * np.tanh(X[:, 0]) + 0.4 * problem.normal(0, 1, levels)[codes[0]] * (codes[1] % 2)
    score += 0.5 * draw.standard_normal(rows)
    y = cut_into_classes(score, 2, problem, draw)
    return Made(np.column_stack([*codes, X]), y, (levels,) * columns)


def iris(problem, draw, rows=0):
    """Fisher's iris data from scikit-learn, shuffled."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    order = draw.permutation(len(y))
    return Made(X[order], y[order].astype(np.int32))


GENERATORS = {f.__name__: f for f in (numbers, cover_type, categories, iris)}


def make(
    root: Path, generator: str, rows: int = 0, dtype: str = "float64", held_out: int | None = None, **settings: Any
) -> Path:
    """The folder of a data set, created if it does not exist; `held_out` rows instead of 25 %."""
    options = {**settings, **({} if held_out is None else {"held_out": held_out})}
    folder = root / "-".join([generator, str(rows), dtype, *(f"{k}={v}" for k, v in sorted(options.items()))])
    if (folder / "about.json").exists():
        return folder
    if held_out is None:
        held_out = int(np.clip(rows // 4, 1_000, 200_000)) if rows else 0
    problem = np.random.default_rng([SEED, sum(map(ord, generator))])
    draw = np.random.default_rng([SEED, rows + 1])
    X, y, levels = GENERATORS[generator](problem, draw, rows=rows + held_out, **settings)
    held_out = held_out or len(y) // 4
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    X, n = np.ascontiguousarray(X, dtype=dtype), len(y) - held_out
    for name, part in (("X", X[:n]), ("y", y[:n]), ("Xt", X[n:]), ("yt", y[n:])):
        np.save(folder / f"{name}.npy", part)
    classes = int(y.max()) + 1 if y.dtype.kind == "i" else 0
    about = {
        "rows": n,
        "columns": X.shape[1],
        "held_out": held_out,
        "classes": classes,
        "levels": levels,
        "dtype": dtype,
    }
    (folder / "about.json").write_text(json.dumps(about))  # written last: it marks the folder as complete
    return folder


class Data:
    """A data set in one process: matrices, and data frames with categorical columns."""

    def __init__(self, folder: Path, first: int | None = None) -> None:
        """Read it; `first` keeps only the first rows (to warm up a library), with every class present."""
        about = json.loads((folder / "about.json").read_text())
        self.classes: int = about["classes"]
        self.levels: list[int] = about["levels"]
        self.X, self.y, self.Xt, self.yt = (np.load(folder / f"{name}.npy")[:first] for name in ("X", "y", "Xt", "yt"))
        if first is not None:
            self.y[: self.classes] = np.arange(self.classes)
        self.names = [f"c{j}" if j < len(self.levels) else f"x{j}" for j in range(self.X.shape[1])]

    @functools.cached_property
    def frames(self) -> tuple[Any, Any]:
        """Training and held-out rows as pandas frames: categories with string levels, and floats."""
        import pandas as pd

        def frame(X):
            columns = {}
            for j, name in enumerate(self.names):
                if j < len(self.levels):
                    names = [f"v{i}" for i in range(self.levels[j])]
                    columns[name] = pd.Categorical.from_codes(X[:, j].astype(np.int32), names)
                else:
                    columns[name] = X[:, j].copy()
            return pd.DataFrame(columns)

        return frame(self.X), frame(self.Xt)
