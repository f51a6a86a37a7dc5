"""List the recipes, or print one as TOML: a file to edit and pass to --recipe."""

from __future__ import annotations

import argparse
import itertools
from typing import TYPE_CHECKING, Any

from hornbeam.cli.method_flags import add_trust
from hornbeam.cli.output import Output, width

if TYPE_CHECKING:
    from hornbeam.recipes.recipe import Recipe

SUMMARY = "list the recipes, or print one"
DOING = "show the recipes"
EXAMPLE = "hornbeam recipes default > mine.toml"
_TARGETS = {"any": "class or number", "class": "class", "number": "number"}
_PURPOSES = {
    "adaboost": "accurate predictions by 50 small trees that vote; hard to read",
    "bagging": "steady predictions: the mean of 100 whole trees of resampled rows; hard to read",
    "boosting": "usually the most accurate predictions: small trees that correct each other; hard to read",
    "c45": "Quinlan's C4.5, release 8: gain ratio, a branch per level, error-based pruning",
    "cart": "a small tree to read: Breiman's CART with surrogates, pruned by cross-validation and one standard error",
    "ctree": "splits only where a test finds an association: conditional inference; needs no pruning",
    "default": "a good tree to start with: grown whole, pruned to the least loss on held-out rows",
    "extra_trees": "like forest with random cuts: faster, smoother predictions",
    "forest": "accurate predictions with little tuning: a random forest of 100 trees; hard to read",
    "id3": "for teaching: Quinlan's ID3 on nominal columns, information gain, no pruning",
    "lecture_notes": "for teaching: the algorithms of the lecture notes, entropy, stops eta and pi",
    "oblique": "few nodes where classes are separated by sums of columns: questions on several columns at once",
    "plain": "the whole tree down to pure leaves, as scikit-learn grows it: a start for pruning, overfits as it is",
    "regression": "a tree for numbers with the size limits of cart: means of leaves, no pruning",
}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam recipes`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of a recipe, or a TOML file to check")
    add_trust(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Show recipes."""
    from hornbeam.recipes.recipe import recipe, recipe_names

    if args.name is not None:
        found = recipe(args.name, trust=args.trust_recipe)
        out.result(found.to_toml(), found.as_table())
        return 0
    found_all = {name: recipe(name) for name in recipe_names()}
    out.result(_list(found_all), {"recipes": [_values(name, each) for name, each in found_all.items()]})
    return 0


def purpose(name: str) -> str:
    """What a recipe is for; of a recipe that is not listed here, the opening comment of its file."""
    if name in _PURPOSES:
        return _PURPOSES[name]
    import importlib.resources

    lines = importlib.resources.files("hornbeam.recipes").joinpath(f"{name}.toml").read_text("utf-8").splitlines()
    comment = [line[1:].strip() for line in itertools.takewhile(lambda line: line.startswith("#"), lines)]
    return " ".join(comment).rstrip(".")


def _values(name: str, found: Recipe) -> dict[str, Any]:
    return {**found.as_table(), "purpose": purpose(name)}


def _list(found: dict[str, Recipe]) -> str:
    """The recipes with their targets and purposes, as an aligned table."""
    import textwrap

    name_width = max(map(len, found))
    target_width = max(map(len, _TARGETS.values()))
    lines = []
    for name, each in found.items():
        start = f"{name:<{name_width}}  {_TARGETS[each.target]:<{target_width}}  "
        wrapped = textwrap.wrap(purpose(name), max((width() or 120) - len(start), 40), break_long_words=False)
        lines += [start + wrapped[0], *(" " * len(start) + line for line in wrapped[1:])]
    lines += ["", "`hornbeam recipes NAME` prints one; `hornbeam grow DATA --target COLUMN --recipe NAME` uses it."]
    return "\n".join(lines)
