"""Measures recipes of single trees on held-out rows: how the default recipe was chosen, and how good it is.

    python -m benchmarks.default_recipe FILE.json --half choose                      the default and other recipes
    python -m benchmarks.default_recipe FILE.json --half choose --recipe mine.toml   one recipe
    python -m benchmarks.default_recipe FILE.json --half report

FILE maps recipe and data set to the metrics of every fold; results that it already has are not computed again. Then the
tables of docs/decisions/0009-default-recipe.md are printed; `--to` writes their numbers. Data sets, folds and the two
halves are those of benchmarks/quality_sets.py. There are two log losses: `log loss` with the probabilities that the
tree predicts, of at least 1e-15 (the log loss of a pure leaf that is wrong once would be infinite), and `laplace` with
Laplace's correction of the leaves for all recipes.
"""

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import hornbeam as hb
from benchmarks.quality_sets import GROUPS, DataSet, folds, half_of, read
from hornbeam.tree import walk
from hornbeam.tree.probabilities.laplace import Laplace

MIN_PROBABILITY = 1e-15
TARGET = "the target"
SETS = {"class": [*GROUPS["categories"], *GROUPS["numeric"]], "number": GROUPS["regression"]}
RECIPES = {"class": ["default", "plain", "cart", "c45", "ctree"], "number": ["default", "plain", "cart", "regression"]}
METRICS = {"class": ("accuracy", "log loss", "laplace"), "number": ("r2",)}


def as_table(data: DataSet) -> hb.Table:
    """The data set as a table with its target."""
    y = [f"class {code}" for code in data.y] if data.n_classes else data.y
    return hb.read(data.X.assign(**{TARGET: y}), target=TARGET)


def fold_metrics(table: hb.Table, test: np.ndarray, recipe: hb.Recipe) -> dict[str, float]:
    """The metrics of a tree that is grown without the test rows."""
    start = time.process_time()
    tree = hb.grow(table.take(~test), recipe, threads=1)
    found = {"seconds": round(time.process_time() - start, 4), "leaves": tree.n_leaves}
    rows = table.take(test)
    prediction = hb.predict(tree, rows)
    truth = rows.target.values
    if not tree.is_class:
        residuals = ((prediction.numbers - truth) ** 2).sum()
        return {**found, "r2": float(1 - residuals / ((truth - truth.mean()) ** 2).sum())}
    corrected = walk.values_at(
        tree, rows.columns, walk.row_ends(tree, rows.columns)[0], node_table=Laplace().of_nodes(tree.nodes)
    )
    return {
        **found,
        "accuracy": float((prediction.codes == truth).mean()),
        "log loss": _log_loss(prediction.probabilities, truth),
        "laplace": _log_loss(corrected, truth),
    }


def _log_loss(probabilities: np.ndarray, truth: np.ndarray) -> float:
    return float(-np.log(np.clip(probabilities[np.arange(len(truth)), truth], MIN_PROBABILITY, 1.0)).mean())


def run(path: Path, recipe: hb.Recipe, names: list[str], n_folds: int | None) -> None:
    """All folds of all sets that the file does not have yet."""
    found = json.loads(path.read_text()) if path.exists() else {}
    of_recipe = found.setdefault(recipe.name, {})
    for name in names:
        if name in of_recipe:
            continue
        data = read(name)
        table = as_table(data)
        of_recipe[name] = [fold_metrics(table, test, recipe) for test in folds(data)[:n_folds]]
    path.write_text(json.dumps(found) + "\n")


def means_by_set(found: dict[str, Any]) -> dict[str, Any]:
    """The mean of every metric over the folds, per recipe and data set."""
    return {
        recipe: {
            name: {key: round(float(np.mean([fold[key] for fold in of_set])), 4) for key in of_set[0]}
            for name, of_set in sorted(sets.items())
        }
        for recipe, sets in found.items()
    }


def table(recorded: dict[str, Any], target: str, half: str) -> str:
    """One line per recipe as Markdown: the means over the data sets, and the median of the leaves."""
    names = [name for name in SETS[target] if half_of(name) == half]
    lines = [
        f"| {target}, {half} | {' | '.join(METRICS[target])} | leaves |",
        "|---|" + "--:|" * (len(METRICS[target]) + 1),
    ]
    for recipe, sets in recorded.items():
        if not all(name in sets for name in names):
            continue
        values = [np.mean([sets[name][key] for name in names]) for key in METRICS[target]]
        leaves = np.median([sets[name]["leaves"] for name in names])
        lines.append(f"| `{recipe}` | {' | '.join(f'{value:.3f}' for value in values)} | {leaves:.1f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", choices=("choose", "report"), default="choose")
    parser.add_argument("--target", choices=tuple(SETS), action="append", help="class or number (default: both)")
    parser.add_argument("--recipe", action="append", help="a name or a TOML file (default: the recipes of the page)")
    parser.add_argument("--folds", type=int, help="use the first folds only, while choosing")
    parser.add_argument("--to", type=Path, help="write the means over the folds to this JSON file")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    for target in given.target or SETS:
        names = [name for name in SETS[target] if half_of(name) == given.half]
        recipes = [hb.recipe(each) for each in given.recipe or RECIPES[target]]
        for recipe in recipes:
            run(given.file, recipe, names, given.folds)
        found = means_by_set(json.loads(given.file.read_text()))
        print(table(found, target, given.half), flush=True)
        if given.to:
            given.to.write_text(json.dumps(found, separators=(",", ":")).replace("},", "},\n") + "\n")


if __name__ == "__main__":
    main()
