"""The method that grows a tree: a recipe changed by flags.

    --recipe cart --criterion entropy --max-depth 5 --priors equal --class-weight ill=3

The recipe is a name (`hornbeam recipes` lists the names) or a TOML file; each flag changes one setting of it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, pairs
from hornbeam.cli.part_flags import GROWING, add_part_flags, chosen_parts, part_of, registries
from hornbeam.cli.setting_text import json_value
from hornbeam.errors import short_repr

if TYPE_CHECKING:
    from hornbeam.recipes.recipe import Recipe
    from hornbeam.registry import Registry
    from hornbeam.table.table import Table

DEFAULT = "default"
_FIELDS = {"search": "searches", "stop": "stops"}


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add the flags that choose a recipe and change it."""
    group = parser.add_argument_group("method")
    group.add_argument(
        "--recipe", metavar="NAME", default=DEFAULT, help=f"name of a recipe, or a TOML file (default: {DEFAULT})"
    )
    add_trust(group)
    group.add_argument(
        "--priors",
        metavar="PRIORS",
        action="append",
        help="class priors: data, equal, or CLASS=PROBABILITY for each class",
    )
    group.add_argument(
        "--class-weight",
        metavar="WEIGHTS",
        action="append",
        help="class weights: balanced, or CLASS=FACTOR; may be repeated",
    )
    group.add_argument(
        "--column-cost", metavar="COLUMN=COST", action="append", help="cost of using a column; may be repeated"
    )
    group.add_argument(
        "--split-penalty",
        metavar="KIND=PENALTY",
        action="append",
        help="fraction by which the score of a kind of question is lowered; may be repeated",
    )
    group.add_argument(
        "--unseen",
        metavar="POLICY",
        help="policy for a level that a node did not see in training: as_missing, majority, stay or error",
    )
    group.add_argument(
        "--first-question",
        metavar="JSON",
        help="question at the root, with questions below it under yes and no; the method grows the rest",
    )
    group.add_argument("--no-pruning", action="store_true", help="do not prune the tree")
    add_part_flags(parser, GROWING)


def add_trust(group: Any) -> None:
    """Add the flag that lets a recipe name Python functions."""
    group.add_argument(
        "--trust-recipe",
        action="store_true",
        help="import and run the Python functions that the recipe or its file of questions names",
    )


def method_of(args: argparse.Namespace, table: Table | None = None) -> Recipe:
    """The recipe with the changes of the flags; with a table, the recipe for its target.

    Without a table the flags are checked before data is read, and settings of parts that a recipe has for one target
    only may come from the other target.
    """
    from hornbeam.recipes.recipe import import_trusted, recipe

    found = recipe(args.recipe, trust=args.trust_recipe)
    if table is not None:
        found = found.for_table(table)
    chosen = chosen_parts(args, GROWING)
    if args.trust_recipe and "search" in chosen:
        chosen["search"] = import_trusted({"searches": chosen["search"]})["searches"]
    changes: dict[str, Any] = {}
    known = registries()
    for part_type, tables in chosen.items():
        before = _parts_by_name(found, part_type, known[part_type])
        parts = [part_of(known[part_type], table, before.get(table["name"])) for table in tables]
        if part_type == "search" and not getattr(args, "part.search"):
            parts = _change_searches(before, parts)
        changes[_FIELDS.get(part_type, part_type)] = parts if part_type in _FIELDS else parts[0]
    if args.no_pruning and "pruning" in chosen:
        raise Usage("--no-pruning cannot be combined with a pruning.", hint="Omit one of them.", option="--no-pruning")
    if args.no_pruning:
        changes["pruning"] = None
    if "stop" in chosen and any(table["name"] == "max_leaves" for table in chosen["stop"]):
        changes.setdefault("order", "best_first")  # in another order, the first leaves would use up the maximum
    changes |= _other_changes(args)
    return found.with_changes(without=args.without_stop or (), **changes)


def _parts_by_name(recipe: Recipe, part_type: str, registry: Registry[Any]) -> dict[str, Any]:
    """The parts of one type that a recipe uses, for any target; parts for one target replace those for all targets."""
    from hornbeam.recipes.by_target import values_in_sections

    field = _FIELDS.get(part_type, part_type)
    own = getattr(recipe, field)
    given = [*(own if isinstance(own, tuple) else (own,)), *values_in_sections(recipe.by_target, field)]
    parts = [registry.part(each) for each in given if each is not None]
    return {part.name: part for part in parts}


def _change_searches(before: dict[str, Any], parts: list[Any]) -> list[Any]:
    """The searches of the recipe with some settings changed; settings of other searches are an error."""
    for part in parts:
        if part.name not in before:
            raise Usage(
                f"A setting of the search {short_repr(part.name)} is given, but the recipe does not use this search.",
                hint=f"Pass --search for each search to use. The recipe uses: {', '.join(before)}.",
                option="--search",
            )
    return list({**before, **{part.name: part for part in parts}}.values())


def _other_changes(args: argparse.Namespace) -> dict[str, Any]:
    """The changes by flags that are no parts."""
    changes: dict[str, Any] = {}
    for name, keywords in (("priors", ("data", "equal")), ("class_weight", ("balanced",))):
        given = getattr(args, name)
        if given and len(given) == 1 and given[0] in keywords:
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
            raise Usage(f"{flag} must be NAME=NUMBER, got {short_repr(f'{name}={value}')}.", option=flag) from None
    return found
