"""Measures the loss of boosting on held-out rows: run once per environment; all libraries use the same folds.

    python -m benchmarks.boosting_quality FILE.json                     hornbeam
    python -m benchmarks.boosting_quality FILE.json --peers             every other library that can be imported
    python -m benchmarks.boosting_quality FILE.json --only lightgbm     one library
    ... --set l2=2 --set categorical_l2=0 --name strong                 hornbeam with other settings, under a name

Every library runs 60 rounds on one thread; all other settings are its defaults. FILE maps library and data set to the
loss of every fold: log loss for classification, root mean squared error divided by the standard deviation of the target
for regression. Results that FILE already has are not computed again. `python -m benchmarks.boosting_quality_table`
writes the page.
"""

import argparse
import importlib.util
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.quality_sets import GROUPS, DataSet, folds, half_of, read

ROUNDS = 60
MIN_PROBABILITY = 1e-15

# Trains on (X, y) and predicts the test rows: class probabilities, or values.
Predictions = Callable[[pd.DataFrame, np.ndarray, pd.DataFrame, int], np.ndarray]


def by_lightgbm(X: pd.DataFrame, y: np.ndarray, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
    import lightgbm

    estimator = lightgbm.LGBMClassifier if n_classes else lightgbm.LGBMRegressor
    return _predicted(estimator(n_estimators=ROUNDS, n_jobs=1, verbosity=-1).fit(X, y), Xt, n_classes)


def by_xgboost(X: pd.DataFrame, y: np.ndarray, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
    import xgboost

    estimator = xgboost.XGBClassifier if n_classes else xgboost.XGBRegressor
    return _predicted(estimator(n_estimators=ROUNDS, n_jobs=1, enable_categorical=True).fit(X, y), Xt, n_classes)


def by_catboost(X: pd.DataFrame, y: np.ndarray, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
    import catboost

    names = [name for name in X.columns if X[name].dtype == "category"]
    X, Xt = (frame.assign(**{n: frame[n].astype(object).fillna("missing") for n in names}) for frame in (X, Xt))
    estimator = catboost.CatBoostClassifier if n_classes else catboost.CatBoostRegressor
    model = estimator(iterations=ROUNDS, thread_count=1, verbose=False, allow_writing_files=False, cat_features=names)
    return _predicted(model.fit(X, y), Xt, n_classes)


def by_sklearn(X: pd.DataFrame, y: np.ndarray, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    estimator = HistGradientBoostingClassifier if n_classes else HistGradientBoostingRegressor
    return _predicted(estimator(max_iter=ROUNDS, categorical_features="from_dtype").fit(X, y), Xt, n_classes)


def by_hornbeam(settings: dict[str, Any]) -> Predictions:
    """The estimators of hornbeam with the given settings."""

    def predictions(X: pd.DataFrame, y: np.ndarray, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
        import hornbeam as hb

        estimator = hb.BoostedClassifier if n_classes else hb.BoostedRegressor
        return _predicted(estimator(max_iter=ROUNDS, n_jobs=1, **settings).fit(X, y), Xt, n_classes)

    return predictions


PEERS = {"lightgbm": by_lightgbm, "xgboost": by_xgboost, "catboost": by_catboost, "sklearn": by_sklearn}


def _predicted(model: Any, Xt: pd.DataFrame, n_classes: int) -> np.ndarray:
    return np.asarray(model.predict_proba(Xt) if n_classes else model.predict(Xt))


def loss(data: DataSet, test: np.ndarray, predictions: Predictions) -> float:
    """The loss on the test rows of a fold."""
    y = data.y[test]
    found = predictions(data.X[~test], data.y[~test], data.X[test], data.n_classes)
    if data.n_classes:
        return float(-np.log(np.clip(found[np.arange(len(y)), y], MIN_PROBABILITY, 1.0)).mean())
    return float(np.sqrt(((found - y) ** 2).mean()) / data.y.std())


def run(name: str, predictions: Predictions, names: list[str], path: Path) -> None:
    """All folds of all sets that the file does not have yet."""
    found = json.loads(path.read_text()) if path.exists() else {}
    of_library = found.setdefault(name, {})
    for each in names:
        if each in of_library:
            continue
        data, start = read(each), time.process_time()
        of_library[each] = [loss(data, test, predictions) for test in folds(data)]
        took = time.process_time() - start
        print(f"{name:14} {each:18} {np.mean(of_library[each]):.4f}   {took:.1f} s", flush=True)
        path.write_text(json.dumps(found, indent=0) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--only", choices=PEERS)
    parser.add_argument("--set", action="append", default=[], metavar="SETTING=VALUE")
    parser.add_argument("--name", default="hornbeam")
    parser.add_argument("--half", choices=("choose", "report"))
    parser.add_argument("--group", choices=GROUPS)
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    groups = [given.group] if given.group else list(GROUPS)
    names = [name for group in groups for name in GROUPS[group] if given.half in (None, half_of(name))]
    if not given.peers and not given.only:
        settings = {key: json.loads(value) for key, value in (each.split("=", 1) for each in given.set)}
        run(given.name, by_hornbeam(settings), names, given.file)
    for peer in [given.only] if given.only else PEERS if given.peers else ():
        if importlib.util.find_spec(peer) is None:
            print(f"{peer} cannot be imported and is skipped")
        else:
            run(peer, PEERS[peer], names, given.file)


if __name__ == "__main__":
    main()
