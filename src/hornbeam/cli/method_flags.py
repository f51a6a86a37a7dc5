"""Which method grows the tree?  A recipe, changed by flags.

    --recipe cart --criterion entropy --max-depth 5 --priors equal --class-weight ill=3

The recipe is a name (`hornbeam recipes` lists them) or a TOML file; every flag changes one thing of it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, pairs
from hornbeam.cli.part_flags import GROWING, add_part_flags, chosen_parts, json_value, part_of, registries
from hornbeam.errors import short_repr

if TYPE_CHECKING:
    from hornbeam.recipes.recipe import Recipe

DEFAULT = "plain"
_FIELDS = {"search": "searches", "stop": "stops"}


def add_method(parser: argparse.ArgumentParser) -> None:
    """The flags that choose a recipe and change it."""
    group = parser.add_argument_group("method")
    group.add_argument("--recipe", metavar="NAME", default=DEFAULT, help=f"a name or a TOML file (default: {DEFAULT})")
    add_trust(group)
    group.add_argument(
        "--priors", metavar="SHARES", action="append", help="data, equal, or CLASS=SHARE for every class"
    )
    group.add_argument(
        "--class-weight", metavar="FACTORS", action="append", help="balanced, or CLASS=FACTOR; repeatable"
    )
    group.add_argument("--column-cost", metavar="COLUMN=COST", action="append", help="what it costs to ask; repeatable")
    group.add_argument(
        "--split-penalty",
        metavar="KIND=PENALTY",
        action="append",
        help="by what share a kind of question must be better than the others to be asked; repeatable",
    )
    group.add_argument(
        "--unseen",
        metavar="RULE",
        help="what becomes of a level that a node has never met: as_missing, majority, stay or error",
    )
    group.add_argument(
        "--first-question",
        metavar="JSON",
        help="the question at the root, and below it under yes and no; the method grows the rest",
    )
    group.add_argument("--no-pruning", action="store_true", help="keep the tree as it was grown")
    add_part_flags(parser, GROWING)


def add_trust(group: Any) -> None:
    """The flag that lets a recipe name Python functions."""
    group.add_argument(
        "--trust-recipe",
        action="store_true",
        help="import and run the Python functions that the recipe, or its file of questions, names",
    )


def method_of(args: argparse.Namespace) -> Recipe:
    """The recipe with the flags' changes."""
    from hornbeam.recipes.recipe import import_trusted, recipe

    found = recipe(args.recipe, trust=args.trust_recipe)
    asked = chosen_parts(args, GROWING)
    if args.trust_recipe and "search" in asked:
        asked["search"] = import_trusted({"searches": asked["search"]})["searches"]
    changes: dict[str, Any] = {}
    known = registries()
    for sort, tables in asked.items():
        old = getattr(found, _FIELDS.get(sort, sort))
        before = {part.name: part for part in (old if isinstance(old, tuple) else (old,)) if part is not None}
        parts = [part_of(known[sort], table, before.get(table["name"])) for table in tables]
        if sort == "search" and not getattr(args, "part.search"):
            parts = _changed_searches(before, parts)
        changes[_FIELDS.get(sort, sort)] = parts if sort in _FIELDS else parts[0]
    if args.no_pruning and "pruning" in asked:
        raise Usage("--no-pruning and a pruning exclude each other.", hint="Leave one out.", option="--no-pruning")
    if args.no_pruning:
        changes["pruning"] = None
    changes |= _shares(args)
    return found.with_changes(without=args.without_stop or (), **changes)


def _changed_searches(before: dict[str, Any], parts: list[Any]) -> list[Any]:
    """The recipe's searches with some settings changed: a setting alone must be one of theirs."""
    for part in parts:
        if part.name not in before:
            raise Usage(
                f"The recipe does not use the search {short_repr(part.name)}, whose setting is given.",
                hint=f"Its searches are: {', '.join(before)}. Say --search for each that is wanted.",
                option="--search",
            )
    return list({**before, **{part.name: part for part in parts}}.values())


def _shares(args: argparse.Namespace) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for name, word in (("priors", ("data", "equal")), ("class_weight", ("balanced",))):
        given = getattr(args, name)
        if given and len(given) == 1 and given[0] in word:
            changes[name] = given[0]
        elif given:
            changes[name] = _numbers(given, f"--{name.replace('_', '-')}")
    if args.column_cost:
        changes["column_costs"] = _numbers(args.column_cost, "--column-cost")
    if args.split_penalty:
        changes["split_penalty"] = _numbers(args.split_penalty, "--split-penalty")
    if args.unseen is not None:
        changes["unseen"] = args.unseen
    if args.first_question is not None:
        changes["first_question"] = json_value(args.first_question)
    return changes


def _numbers(given: list[str], flag: str) -> dict[str, float]:
    found = {}
    for name, value in pairs(given, flag):
        try:
            found[name] = float(value)
        except ValueError:
            raise Usage(f"{flag} takes NAME=NUMBER; got {short_repr(f'{name}={value}')}.", option=flag) from None
    return found
