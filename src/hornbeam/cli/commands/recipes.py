"""List the recipes, or print one as TOML: a file to edit and pass to --recipe."""

from __future__ import annotations

import argparse
from typing import Any

from hornbeam.cli.method_flags import add_trust
from hornbeam.cli.output import Output

SUMMARY = "list the recipes, or print one"
DOING = "show the recipes"
EXAMPLE = "hornbeam recipes default > mine.toml"


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
    targets = {"any": "classification and regression", "class": "classification", "number": "regression"}
    width = max(map(len, found_all))
    lines = [f"{name:<{width}}  {targets[each.target]}; {_parts(each.as_table())}" for name, each in found_all.items()]
    lines += ["", "`hornbeam recipes NAME` prints one; `hornbeam grow DATA --target COLUMN --recipe NAME` uses it."]
    out.result("\n".join(lines), {"recipes": [each.as_table() for each in found_all.values()]})
    return 0


def _parts(table: dict[str, Any]) -> str:
    """The names of the parts of a recipe, in one line."""
    texts = []
    for key in ("criterion", "searches", "missing", "stops", "order", "pruning", "ensemble"):
        value = table.get(key)
        each = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        if each:
            texts.append(f"{key}: {', '.join(part['name'] for part in each)}")
    for target, section in table.get("by_target", {}).items():
        texts.append(f"for a {target}: {_parts(section)}")
    return "; ".join(texts)
