"""Digests of grown models: every recipe on twelve tables, with one and two threads.

    python -m tests.equivalence.digests              print them, with those of more models: two builds print the same
    python -m tests.equivalence.digests --write      record them again (tests/data/digests.json)

A change of the core that is meant to keep all trees keeps all digests; a change that moves some names them in its
commit. They were recorded on Linux, x86-64: the last bit of a logarithm may differ elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.recipes.recipe import recipe, recipe_names
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.one_tree import unwrapped

RECORD = Path(__file__).resolve().parents[1] / "data" / "digests.json"
BUILT_IN = ("play_tennis", "fruit", "contact_lenses", "iris", "penguins", "breast_cancer", "prostate")


def tables() -> dict[str, Table]:
    """Twelve tables: the built-in ones, and five with ties, missing values, weights, many levels and numbers."""
    found = {name: hb.datasets.load(name) for name in BUILT_IN}
    for seed, (name, is_number, has_missing, is_weighted) in enumerate(
        [
            ("classes", False, False, False),
            ("missing classes", False, True, False),
            ("weighted classes", False, True, True),
            ("numbers", True, False, False),
            ("missing numbers", True, True, True),
        ]
    ):
        found[name] = _table(seed, is_number, has_missing, is_weighted)
    return found


def _table(seed: int, is_number: bool, has_missing: bool, is_weighted: bool, n: int = 300) -> Table:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 40, (n, 4)).astype(np.float64)
    levels, ranks = rng.integers(0, 7, n), rng.integers(0, 4, n)
    signal = values[:, 0] + 10 * (levels % 3) + rng.integers(0, 20, n)
    if has_missing:
        values[rng.random(values.shape) < 0.1] = np.nan
        levels = np.where(rng.random(n) < 0.1, -1, levels)
    columns = (
        *(numeric(f"x{index}", values[:, index]) for index in range(4)),
        nominal("level", levels, tuple("abcdefg")),
        ordinal("rank", ranks, ("low", "mid", "high", "top")),
    )
    target = numeric("y", signal) if is_number else nominal("y", np.digitize(signal, [25, 45]), ("a", "b", "c"))
    return Table(columns, target, rng.integers(1, 4, n).astype(np.float64) if is_weighted else None)


def digests(threads: int) -> dict[str, str]:
    """The digest of every model that a recipe grows; recipes that do not take a table are left out."""
    return {f"{name}: {kind}": digest_of(model) for name, kind, model in _models(threads)}


def _models(threads: int) -> Iterator[tuple[str, str, Any]]:
    for name, table in tables().items():
        for kind in recipe_names():
            chosen = recipe(kind)
            if chosen.ensemble_method is not None:
                small = {"n_rounds": 5} if kind == "boosting" else {"n_trees": 5}
                chosen = chosen.with_changes(ensemble=chosen.ensemble_method.replace(**small))
            try:
                yield name, kind, hb.grow(table, chosen, seed=1, threads=threads)
            except HornbeamError:
                continue  # the recipe requires another target or other columns


def digest_of(model: Any) -> str:
    """The first characters of a hash of all arrays of the trees of a model."""
    found = hashlib.sha256()
    for tree in getattr(model, "trees", (model,)):
        for part in (tree.nodes.arrays(), tree.questions.arrays()):
            for name, values in part.items():
                array = np.ascontiguousarray(values)
                if array.dtype.kind == "f":
                    array = array + 0.0  # one zero
                found.update(f"{name}{array.shape}".encode())
                found.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
    return found.hexdigest()[:16]


def estimators(n: int = 3000) -> Iterator[tuple[str, Any]]:
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


def digests_of_builds() -> Iterator[tuple[str, str]]:
    """Digests that two builds of the core must share: all recipes, estimators of larger tables, SHAP values."""
    yield from digests(1).items()
    explained = None
    for name, model in estimators():
        yield name, digest_of(unwrapped(model, labels=False))
        explained = model if name == "boosted missing" else explained
    rows = np.random.default_rng(1).normal(size=(200, 12))
    values = np.ascontiguousarray(hb.shap_values(explained, rows).values)
    yield "SHAP values", hashlib.sha256(values.tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="record the digests")
    if parser.parse_args().write:
        RECORD.write_text(json.dumps(digests(1), indent=1) + "\n", encoding="utf-8")
    else:
        for name, digest in digests_of_builds():
            print(f"{digest}  {name}", flush=True)
