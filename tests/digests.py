"""Prints a digest of the bytes of models of every engine: two builds of the compiled core must print the same text."""

from __future__ import annotations

import hashlib

import numpy as np

import hornbeam as hb
from hornbeam.tree.file.files import to_bytes
from hornbeam.tree.one_tree import unwrapped


def models(n: int = 3000):
    """Fitted models by name: trees, forests in both precisions, boosting, planes, quantiles, missing values."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 12))
    X[:, 3], X[:, 4] = X[:, 3].round(), X[:, 4] > 0
    y = (X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n) > 0).astype(int) + (X[:, 5] > 1)
    r = X[:, 0] + X[:, 1] ** 2 + random.normal(size=n)
    incomplete = np.where(random.random(X.shape) < 0.1, np.nan, X)
    weights = random.integers(1, 5, n) / 2
    for name, rows in (("double", X), ("single", X.astype(np.float32)), ("missing", incomplete)):
        yield f"tree {name}", hb.TreeClassifier(max_depth=8).fit(rows, y)
        yield f"numbers {name}", hb.TreeRegressor(max_depth=8).fit(rows, r)
        yield f"boosted {name}", hb.BoostedClassifier(max_iter=5).fit(rows, y)
        yield f"boosted numbers {name}", hb.BoostedRegressor(max_iter=5).fit(rows, r, sample_weight=weights)
        yield f"forest {name}", hb.ForestClassifier(3, random_state=0).fit(rows, y)
        yield f"forest numbers {name}", hb.ForestRegressor(3, random_state=0).fit(rows, r, sample_weight=weights)
        yield f"extra trees {name}", hb.ExtraTreesClassifier(3, random_state=0).fit(rows, y)
        yield f"extra numbers {name}", hb.ExtraTreesRegressor(3, random_state=0).fit(rows, r)
    for criterion in ("entropy", "gini"):
        yield f"weighted {criterion}", hb.TreeClassifier(criterion=criterion).fit(X, y, sample_weight=weights)
    yield "quantiles", hb.TreeRegressor(criterion="absolute_error", max_depth=5).fit(X[:500], r[:500])
    yield (
        "quantiles weighted",
        hb.TreeRegressor(criterion="absolute_error", max_depth=5).fit(X[:500], r[:500], sample_weight=weights[:500]),
    )
    table = hb.table.table_from_arrays(X[:600], y[:600], target_kind="nominal")
    yield "planes", hb.grow(table, "oblique")
    yield "tree of C4.5", hb.grow(table, "c45")


def digest(data: bytes) -> str:
    """The start of the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()[:16]


def main() -> None:
    """One line per model, then the SHAP values of one of them."""
    explained = None
    for name, model in models():
        print(f"{digest(to_bytes(unwrapped(model, labels=False)))}  {name}", flush=True)
        explained = model if name == "boosted missing" else explained
    rows = np.random.default_rng(1).normal(size=(200, 12))
    values = hb.shap_values(explained, rows).values
    print(f"{digest(np.ascontiguousarray(values).tobytes())}  SHAP values")


if __name__ == "__main__":
    main()
