"""Writes the results of benchmarks/boosting_quality.py: mean losses and ranks by group and half, and all tables.

    python -m benchmarks.boosting_quality_table FILE.json ... --to results/NAME [--versions TEXT]

Writes NAME.md and NAME.json (all losses of all folds). The smallest loss on a table has rank 1; equal losses have their
mean rank.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.boosting_quality import ROUNDS
from benchmarks.quality_sets import FOLDS, GROUPS, REPEATS, SMALL, half_of

# Library -> data set -> the loss of every fold.
Found = dict[str, dict[str, list[float]]]
TITLES = {
    "categories": "Classes, tables with categories: log loss",
    "numeric": "Classes, numeric tables: log loss",
    "regression": "Numbers: root mean squared error over the standard deviation",
}
NAMES = {"lightgbm": "LightGBM", "xgboost": "XGBoost", "catboost": "CatBoost", "sklearn": "scikit-learn"}
HALVES = {"choose": "settings were chosen on these", "report": "the other half"}


def ranks(losses: np.ndarray) -> np.ndarray:
    """The rank of every library (rows) on every table (columns)."""
    less = (losses[:, None, :] > losses[None, :, :]).sum(axis=1)
    equal = (losses[:, None, :] == losses[None, :, :]).sum(axis=1)
    return less + (equal + 1) / 2


def summary(found: Found, libraries: list[str]) -> list[str]:
    """Mean loss and mean rank by group and half."""
    lines = [f"| tables | | {' | '.join(map(_title, libraries))} |", f"|---|---|{'--:|' * len(libraries)}"]
    for group, names in GROUPS.items():
        for half, use in HALVES.items():
            chosen = [name for name in names if half_of(name) == half and all(name in found[lib] for lib in libraries)]
            if not chosen:
                continue
            losses = np.array([[np.mean(found[lib][name]) for name in chosen] for lib in libraries])
            head = f"{group}, {len(chosen)} tables; {use}"
            lines.append(_line(head, "mean loss", losses.mean(axis=1), 3))
            lines.append(_line("", "mean rank", ranks(losses).mean(axis=1), 2))
    return lines


def _line(head: str, what: str, numbers: np.ndarray, digits: int) -> str:
    cells = [f"{number:.{digits}f}" for number in numbers]
    best = min(cells, key=float)
    return f"| {head} | {what} | {' | '.join(f'**{cell}**' if cell == best else cell for cell in cells)} |"


def every_table(found: Found, libraries: list[str]) -> list[str]:
    """The mean loss of every library on every table."""
    lines = []
    for group, names in GROUPS.items():
        lines += ["", f"## {TITLES[group]}", ""]
        lines += [f"| table | half | {' | '.join(map(_title, libraries))} |", f"|---|---|{'--:|' * len(libraries)}"]
        for name in names:
            if all(name in found[lib] for lib in libraries):
                lines.append(_line(name, half_of(name), np.array([np.mean(found[lib][name]) for lib in libraries]), 4))
    return lines


def _title(library: str) -> str:
    return NAMES.get(library, library)


def page(found: Found, versions: str) -> str:
    """The whole page."""
    libraries = sorted(found, key=lambda name: (name in NAMES, list(NAMES).index(name) if name in NAMES else name))
    return "\n".join(
        [
            "# Loss of boosting on held-out rows",
            "",
            f"{ROUNDS} rounds; all other settings are the defaults of each library. {FOLDS} folds, of tables under",
            f"{SMALL:,} rows {REPEATS} times; the same folds for all. The smallest loss of a line is bold.",
            "Made by `python -m benchmarks.boosting_quality` and `python -m benchmarks.boosting_quality_table`.",
            "",
            versions,
            "",
            *summary(found, libraries),
            *every_table(found, libraries),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--versions", default="")
    given = parser.parse_args()
    found: Found = {}
    for path in given.files:
        for library, sets in json.loads(path.read_text()).items():
            found.setdefault(library, {}).update(sets)
    made = page(found, given.versions)
    if given.to is None:
        print(made)
        return
    given.to.with_suffix(".md").write_text(made, encoding="utf-8")
    about = {"commit": machine.commit(), "versions": given.versions, "losses": found}
    given.to.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
