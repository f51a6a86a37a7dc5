"""What does the reference say?  Pages made from the shelves, the recipes, the verbs and the public names; none by hand.

pages()                      every page by its place on the site
part_places()                where a part is told, for links: {"depth": "reference/parts/stops.md#depth"}
"""

from __future__ import annotations

import argparse
import importlib.resources
import inspect
from collections import Counter
from typing import Any

from docs.site import definitions

import hornbeam
from hornbeam.cli.command import command_names, command_parser
from hornbeam.cli.part_flags import SUMMARIES, flags_of, registries
from hornbeam.options import settings_of, type_text
from hornbeam.recipes import recipe, recipe_names

TITLES = {  # of the packages that define public names
    "table": "Tables",
    "recipes": "Recipes and growing",
    "growing": "Methods and traces",
    "tree": "Trees",
    "parts": "Pruning",
    "rules": "Rules",
    "ensembles": "Many trees",
    "evaluation": "Judging",
    "explanation": "Explaining",
    "drawing": "Drawing and reports",
    "estimators": "Estimators",
    "modules": "Modules",
}


def pages() -> dict[str, str]:
    """Every page of the reference by its place on the site."""
    found = {place_of(sort): _shelf_page(sort, shelf) for sort, shelf in registries().items()}
    found["reference/recipes.md"] = _recipes_page()
    found["reference/commands.md"] = _commands_page()
    for layer in sorted({home_of(name) for name in hornbeam.__all__}):
        names = [name for name in hornbeam.__all__ if home_of(name) == layer]
        found[f"reference/python/{layer}.md"] = _python_page(TITLES.get(layer, layer.capitalize()), names)
    return found


def place_of(sort: str) -> str:
    """The page of a sort of parts, called as its folder is."""
    return f"reference/parts/{registries()[sort].package.rpartition('.')[2]}.md"


def part_places() -> dict[str, str]:
    """Where a part is told, for every name that only one shelf knows."""
    known = [(part.name, place_of(sort)) for sort, shelf in registries().items() for part in shelf]
    times = Counter(name for name, _ in known)
    return {name: f"{place}#{name}" for name, place in known if times[name] == 1}


def home_of(name: str) -> str:
    """The package that defines a public name; "modules" for a name that is a module."""
    return hornbeam._HOMES[name].split(".")[0] or "modules"


def _shelf_page(sort: str, shelf: Any) -> str:
    lines = [f"# {sort.capitalize()}: {SUMMARIES[sort]}", "", "| name | what it does |", "|---|---|"]
    lines += [f"| [`{part.name}`](#{part.name}) | {_cell(part.text())} |" for part in shelf]
    lines += ["", f"By name in a recipe or with `--{sort} NAME` on the command line.", ""]
    return "\n".join([*lines, *(line for part in shelf for line in _part_lines(part, place_of(sort)))])


def _part_lines(part: Any, place: str) -> list[str]:
    module = inspect.getmodule(part)
    lines = [f"## {part.name} {{ #{part.name} }}", "", part.text(), ""]
    background = inspect.cleandoc((module.__doc__ if module else "") or "")
    if background:
        lines += ["```text", background, "```", ""]
    numbers = dict.fromkeys([*definitions.parts().get(part.name, ()), *definitions.cited(background)])
    links = [definitions.link_to(each, place) for each in numbers if each in definitions.known()]
    links += [definitions.linked(each, place) for each in dict.fromkeys(definitions.cited_notes(background))]
    lines += [f"Definition: {', '.join(links)}.", ""] if links else []
    serves = " and ".join({"class": "classes", "number": "numbers"}[each] for each in getattr(part, "suits", ()))
    told = [f"For {serves}."] if serves else []
    used = [name for name in recipe_names() if part.name in _parts_of(name, part.part_type)]
    told += [f"In the recipes {', '.join(f'`{name}`' for name in used)}."] if used else []
    return [*lines, *([" ".join(told), ""] if told else []), *_settings_lines(part)]


def _parts_of(recipe_name: str, sort: str) -> set[str]:
    """The names of the parts of one sort in a recipe."""
    table = recipe(recipe_name).as_table()
    key = {"search": "searches", "stop": "stops"}.get(sort, sort)
    value = table.get(key) or []
    return {each["name"] for each in (value if isinstance(value, list | tuple) else [value])}


def _settings_lines(part: Any) -> list[str]:
    settings = settings_of(part)
    if not settings:
        return ["No settings.", ""]
    flags = {flag.setting.name: flag.name for flag in flags_of([part.part_type]) if flag.part == part.name}
    rows = ["| setting | default | what it is | flag |", "|---|---|---|---|"]
    for each in settings:
        limits = each.option.limits()
        accepted = f"{type_text(each.type)}{f', must {limits}' if limits else ''}"
        flag = f"`{flags[each.name]}`" if each.name in flags else ""
        rows.append(f"| `{each.name}` | `{each.default!r}` | {_cell(each.option.words)} ({_cell(accepted)}) | {flag} |")
    return [*rows, ""]


def _recipes_page() -> str:
    lines = ["# Recipes", "", "Every recipe that comes with the library, as its file says it.", ""]
    for name in recipe_names():
        text = importlib.resources.files("hornbeam.recipes").joinpath(f"{name}.toml").read_text("utf-8")
        lines += [f"## {name} {{ #{name} }}", "", "```toml", text.rstrip(), "```", ""]
    return "\n".join(lines)


def _commands_page() -> str:
    lines = [
        "# Commands",
        "",
        "`hornbeam VERB ...`; every setting of every part is a flag too, told on the parts' pages.",
        "",
    ]
    for verb in command_names():
        lines += _verb_lines(verb)
    return "\n".join(lines)


def _verb_lines(verb: str) -> list[str]:
    parser = command_parser(verb)
    lines = [f"## hornbeam {verb} {{ #{verb} }}", "", _prose(parser.description or ""), ""]
    lines += ["```text", parser.usage or "", *(parser.epilog or "").splitlines(), "```", ""]
    rows = ["| argument | what it is |", "|---|---|"]
    sorts = []
    for group in parser._action_groups:
        sort = (group.title or "").partition(" ")[0]
        if sort in SUMMARIES:
            sorts.append(sort)
        rows += [_flag_row(each) for each in group._group_actions if sort not in SUMMARIES and each.dest != "help"]
    lines += [*rows, ""]
    if sorts:
        lines += [
            "And the flags of its parts: " + ", ".join(f"[{s}](parts/{place_of(s)[16:]})" for s in sorts) + ".",
            "",
        ]
    return lines


def _flag_row(action: argparse.Action) -> str:
    names = ", ".join(f"`{flag}`" for flag in action.option_strings) or f"`{action.metavar}`"
    value = f" `{action.metavar}`" if action.option_strings and action.metavar else ""
    choices = f" (one of {', '.join(map(str, action.choices))})" if action.choices else ""
    return f"| {names}{value} | {_cell((action.help or '').replace('%%', '%'))}{_cell(choices)} |"


def _python_page(title: str, names: list[str]) -> str:
    lines = [f"# {title}", ""]
    for name in names:
        lines += [f"::: hornbeam.{name}", ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that stands in a cell of a table."""
    for sign in "|*[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ").replace("<", "&lt;")


def _prose(text: str) -> str:
    """A docstring as a paragraph, or as it stands when it has a layout of its own."""
    return f"```text\n{text}\n```" if "\n    " in text or "\n  " in text else text
