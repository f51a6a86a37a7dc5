"""Writes one small model file of every kind with this version, and the predictions that later versions must repeat.

    python -m tools.kept_models

The files go to `tests/data/models/VERSION`, where `tests/unit/tree/test_kept_models.py` loads them. Run it before a
release; files of released versions are never written again.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import hornbeam as hb
from hornbeam.errors import HornbeamWarning
from hornbeam.model_files import save

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "models" / hb.__version__


def training_rows(n: int = 90) -> dict[str, list[Any]]:
    """Columns of every kind, with missing values; `y` is a number and `k` a class of three."""
    random = np.random.default_rng(20)
    x, z = random.normal(size=n).round(2), random.integers(0, 9, n).astype(float)
    levels, grades = random.choice(list("abcde"), n), random.choice(["low", "middle", "high"], n)
    signal = x + (z > 4) + np.isin(levels, ["a", "d"]) + 0.3 * random.normal(size=n)
    columns: dict[str, list[Any]] = {
        "x": x.tolist(),
        "z": z.tolist(),
        "level": levels.tolist(),
        "grade": grades.tolist(),
    }
    for name in ("x", "z", "level"):
        columns[name] = [None if random.random() < 0.08 else value for value in columns[name]]
    columns["y"] = signal.round(2).tolist()
    columns["k"] = np.array(["p", "q", "r"])[np.digitize(signal, [0.3, 1.4])].tolist()
    return columns


def predicted_rows() -> dict[str, list[Any]]:
    """Corners of the training rows, missing values, and a level that was never seen."""
    cells = [
        (x, z, level, grade)
        for x in (-1.0, 0.05, 2.0, None)
        for z in (0.0, 4.5, None)
        for level in ("a", "e", "new", None)
        for grade in ("low", "high")
    ]
    return dict(zip(("x", "z", "level", "grade"), map(list, zip(*cells))))


def table(target: str, *, complete: bool = False, numeric: bool = False) -> Any:
    """The training rows with one target; `complete`: without missing values, `numeric`: numbers only."""
    columns = training_rows()
    other = "y" if target == "k" else "k"
    unused = {other, *(("level", "grade") if numeric else ())}
    kept = {name: values for name, values in columns.items() if name not in unused}
    rows = range(len(columns["x"]))
    if complete:
        rows = [i for i in rows if all(values[i] is not None for values in kept.values())]  # type: ignore[assignment]
    kinds = {} if numeric else {"grade": ["low", "middle", "high"]}
    return hb.read({name: [values[i] for i in rows] for name, values in kept.items()}, target=target, kinds=kinds)


def grown(target: str, *searches: Any, missing: str = "learned", numeric: bool = False, **changes: Any) -> Any:
    """A tree of depth 3 with the given searches and rule for missing values."""
    method = hb.recipe("plain").with_changes(
        searches=list(searches), missing=missing, stops=[{"name": "max_depth", "depth": 3}], **changes
    )
    return hb.grow(table(target, complete=missing == "error", numeric=numeric), method)


def models() -> dict[str, Callable[[], Any]]:
    """Every kind of model by the name of its file."""
    cuts, subset = "sorted_cuts", "best_subset"
    trees: dict[str, Callable[[], Any]] = {
        "tree-threshold": lambda: grown("y", cuts, numeric=True),
        "tree-subset": lambda: grown("y", cuts, subset),
        "tree-multiway": lambda: grown("k", cuts, "multiway"),
        "tree-intervals": lambda: grown("k", "intervals", numeric=True, missing="error"),
        "tree-is-missing": lambda: grown("k", cuts, subset, "is_missing"),
        "tree-hyperplane": lambda: grown("k", "lda_plane", numeric=True, missing="error"),
        "tree-sphere": lambda: grown("k", "spheres", numeric=True, missing="error"),
        "tree-conjunctions": lambda: grown("k", "conjunctions", missing="error"),
    }
    for rule in sorted({*hb.missing.names()} - {"learned"}):
        trees[f"missing-{rule.replace('_', '-')}"] = lambda rule=rule: grown("k", cuts, subset, missing=rule)
    small = hb.recipe("plain").with_changes(stops=[{"name": "max_depth", "depth": 2}])
    return {
        **trees,
        "recipe-cart": lambda: hb.grow(table("k"), "cart"),
        "recipe-c45": lambda: hb.grow(table("k"), "c45"),
        "recipe-ctree": lambda: hb.grow(table("k"), "ctree"),
        "forest-classes": lambda: hb.forest(table("k"), small, n_trees=3, seed=1),
        "forest-numbers": lambda: hb.forest(table("y"), small, n_trees=3, seed=1),
        "forest-honest": lambda: hb.forest(table("k"), small, n_trees=3, seed=1, honest=True),
        "forest-bagged": lambda: hb.bag(table("k"), small, n_trees=3, seed=1),
        "forest-extra-trees": lambda: hb.ExtraTreesClassifier(3, max_depth=2, random_state=1).fit(*arrays()),
        "boosted-classes": lambda: hb.boost(table("k"), n_rounds=3, max_leaves=4),
        "boosted-numbers": lambda: hb.boost(table("y"), n_rounds=3, max_leaves=4),
        "adaboost-samme": lambda: hb.adaboost(table("k"), n_trees=3, algorithm="samme", seed=1),
        "adaboost-c50": lambda: hb.adaboost(table("k"), n_trees=3, algorithm="c50", seed=1),
        "adaboost-r2": lambda: hb.adaboost(table("y"), small, n_trees=3, algorithm="r2", seed=1),
        "rules": lambda: hb.extract_rules(hb.grow(table("k"), "cart")),
        "estimator": lambda: hb.TreeClassifier(max_depth=2).fit(*arrays()),
    }


def arrays() -> tuple[Any, Any]:
    """The numeric columns as a matrix with NaN, and the classes."""
    columns = training_rows()
    matrix = np.array([columns["x"], columns["z"]], dtype=float).T
    return matrix, np.array(columns["k"])


def inputs_of(model: Any, rows: dict[str, list[Any]]) -> Any:
    """The rows for a model: by name, or as a matrix for models fitted on arrays."""
    names = [column.name for column in model.schema.columns]
    if set(names) <= set(rows):
        return {name: rows[name] for name in names}
    return np.array([rows["x"], rows["z"]], dtype=float).T


def predictions(model: Any, rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The different predictions as hexadecimal doubles, and the index of each row's prediction among them."""
    given = inputs_of(model, rows)
    found = model.predict(given) if isinstance(model, hb.rules.RuleSet) else hb.predict(model, given)
    texts = [" ".join(value.hex() for value in row) for row in found.values.tolist()]
    different = list(dict.fromkeys(texts))
    return {"values": different, "index": [different.index(text) for text in texts]}


def main() -> int:
    """Write all files; the number of bytes is printed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = predicted_rows()
    kept: dict[str, Any] = {"rows": rows, "predictions": {}}
    warnings.simplefilter("ignore", HornbeamWarning)  # more values are missing than in training: on purpose
    for name, grow in models().items():
        save(grow(), FOLDER / f"{name}.tree")
        kept["predictions"][name] = predictions(hb.load(FOLDER / f"{name}.tree"), rows)
    (FOLDER / "predictions.json").write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(models())} models, {sum(path.stat().st_size for path in FOLDER.iterdir()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
