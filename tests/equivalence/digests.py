"""Digests of grown models: every recipe on twelve tables, with one and two threads.

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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="record the digests")
    if parser.parse_args().write:
        RECORD.write_text(json.dumps(digests(1), indent=1) + "\n", encoding="utf-8")
    else:
        print(json.dumps(digests(1), indent=1))
