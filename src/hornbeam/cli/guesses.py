"""Names that users of other programs type, and the names that they mean here.

They are recommended in the error about the unknown name; they are no aliases.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbeam.errors import nearest

COMMANDS: dict[str, str] = {
    "apply": "predict",
    "calibration": "draw",
    "classify": "predict",
    "complete": "completion",
    "cross-validate": "evaluate",
    "crossvalidate": "evaluate",
    "cv": "evaluate",
    "describe": "inspect",
    "fit": "grow",
    "importance": "explain",
    "info": "inspect",
    "form": "questionnaire",
    "interview": "ask",
    "label": "relabel",
    "learn": "grow",
    "list": "recipes",
    "methods": "recipes",
    "models": "recipes",
    "plot": "draw",
    "roc": "draw",
    "print": "show",
    "schema": "inspect",
    "score": "evaluate",
    "summary": "inspect",
    "test": "evaluate",
    "train": "grow",
    "tree": "show",
    "validate": "evaluate",
    "view": "show",
}
FLAGS: dict[str, str] = {
    "--algorithm": "--recipe",
    "--alpha": "--cost-complexity-alpha",
    "--ccp-alpha": "--cost-complexity-alpha",
    "--class": "--target",
    "--classes": "--target",
    "--cp": "--cost-complexity-alpha",
    "--cv": "--folds",
    "--depth": "--max-depth",
    "--exclude": "--drop",
    "--features": "--columns",
    "--figure": "--what",
    "--file": "--output",
    "--ignore": "--drop",
    "--include": "--columns",
    "--index": "--row",
    "--k": "--folds",
    "--label": "--target",
    "--leaf-size": "--min-leaf",
    "--leaves": "--max-leaves",
    "--max-leaf-nodes": "--max-leaves",
    "--maxdepth": "--max-depth",
    "--method": "--recipe",
    "--metric": "--by",
    "--min-bucket": "--min-leaf",
    "--min-rows": "--min-leaf",
    "--min-samples-leaf": "--min-leaf",
    "--min-samples-split": "--min-split",
    "--minbucket": "--min-leaf",
    "--minleaf": "--min-leaf",
    "--minsplit": "--min-split",
    "--model": "--recipe",
    "--n-estimators": "--forest-n-trees",
    "--n-folds": "--folds",
    "--n-jobs": "--threads",
    "--n-trees": "--forest-n-trees",
    "--na": "--na-value",
    "--ntree": "--forest-n-trees",
    "--num-trees": "--forest-n-trees",
    "--out": "--output",
    "--plot": "--what",
    "--outcome": "--target",
    "--overwrite": "--force",
    "--random-seed": "--seed",
    "--random-state": "--seed",
    "--recipes": "--recipe",
    "--response": "--target",
    "--rounds": "--boosting-n-rounds",
    "--sep": "--delimiter",
    "--separator": "--delimiter",
    "--steps": "--trace",
    "--trees": "--forest-n-trees",
    "--type": "--kind",
    "--use": "--columns",
    "--vars": "--columns",
    "--weight": "--weights",
    "--y": "--target",
    "-c": "--columns",
    "-d": "--max-depth",
    "-f": "--force",
    "-k": "--folds",
    "-n": "--row",
    "-r": "--recipe",
    "-s": "--seed",
    "-t": "--target",
    "-y": "--target",
}


def closest(name: str, known: Iterable[str], guesses: dict[str, str]) -> list[str]:
    """The known names that a mistyped or guessed name may mean, the likeliest first."""
    names = list(known)
    dashed = name.casefold().replace("_", "-")
    if dashed in names:
        return [dashed]
    meant = guesses.get(dashed)
    if meant in names:
        return [meant]
    return nearest(dashed, names)
