"""The part of benchmarks/exports.py that runs in the environment of the other libraries.

    python benchmarks/export_sources.py sources FOLDER     trains the models, writes the C sources of each library
    python benchmarks/export_sources.py predict MODEL N    predicts with LightGBM, one turn per line of the input

`sources` writes NAME.txt (LightGBM's model file), a folder per library and `libraries.json`: versions, and the
reasons why a library is skipped.
"""

import importlib.metadata
import json
import sys
import time
from pathlib import Path

import numpy as np

COLUMNS, CALLS = 20, 200
# LightGBM's settings; 100 trees each.
MODELS = {
    "forest": {
        "boosting_type": "rf",
        "num_leaves": 63,
        "subsample": 0.63,
        "subsample_freq": 1,
        "colsample_bynode": 0.5,
    },
    "boosted": {"num_leaves": 31},
}


def random_rows(n: int, seed: int) -> np.ndarray:
    """Rows of independent normal columns."""
    return np.random.default_rng(seed).normal(size=(n, COLUMNS))


def train(name: str):
    """A fitted LGBMClassifier of 100 trees."""
    import lightgbm

    rows = random_rows(20_000, 0)
    noise = np.random.default_rng(1).normal(size=len(rows))
    target = (rows[:, 0] * rows[:, 1] + rows[:, 2] + np.sin(3 * rows[:, 3]) + noise > 0).astype(int)
    return lightgbm.LGBMClassifier(n_estimators=100, verbose=-1, n_jobs=1, **MODELS[name]).fit(rows, target)


def write_treelite(fitted, model: Path, folder: Path) -> None:
    import tl2cgen
    import treelite

    tl2cgen.generate_c_code(treelite.frontend.load_lightgbm_model(model), dirpath=folder, params={})


def write_m2cgen(fitted, model: Path, folder: Path) -> None:
    import m2cgen

    sys.setrecursionlimit(100_000)
    (folder / "main.c").write_text(m2cgen.export_to_c(fitted))


def write_lleaves(fitted, model: Path, folder: Path) -> None:
    import lleaves

    lleaves.Model(model_file=str(model)).compile(cache=folder / "main.o")


WRITERS = {
    "tl2cgen": (write_treelite, ("tl2cgen", "treelite")),
    "m2cgen": (write_m2cgen, ("m2cgen",)),
    "lleaves": (write_lleaves, ("lleaves", "llvmlite")),
}


def write_sources(folder: Path) -> None:
    found = {"versions": {"lightgbm": f"lightgbm {importlib.metadata.version('lightgbm')}"}, "skipped": {}}
    for name in MODELS:
        fitted = train(name)
        model = folder / f"{name}.txt"
        fitted.booster_.save_model(model)
        for library, (write, packages) in WRITERS.items():
            target = folder / f"{name}-{library}"
            target.mkdir()
            try:
                write(fitted, model, target)
                found["versions"][library] = ", ".join(
                    f"{each} {importlib.metadata.version(each)}" for each in packages
                )
            except Exception as error:
                found["skipped"][f"{library}, {name}"] = f"{type(error).__name__}: {str(error)[:120]}"
    (folder / "libraries.json").write_text(json.dumps(found))


def predict_by_turns(model: str, n: int) -> None:
    """LightGBM's times on one row (mean of CALLS calls) and on n rows: one line of output per line of input."""
    import lightgbm

    booster = lightgbm.Booster(model_file=model)
    rows = random_rows(n, 2)
    first = rows[:1].copy()
    options = {"num_threads": 1}
    booster.predict(first, **options)
    print(json.dumps(booster.predict(rows[:1000], **options).tolist()), flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        for _ in range(CALLS):
            booster.predict(first, **options)
        middle = time.process_time()
        booster.predict(rows, **options)
        print(json.dumps([(middle - start) / CALLS, time.process_time() - middle]), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "sources":
        write_sources(Path(sys.argv[2]))
    else:
        predict_by_turns(sys.argv[2], int(sys.argv[3]))
