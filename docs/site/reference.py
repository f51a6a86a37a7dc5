"""Generates the reference pages from the registries, the recipes, the commands and the public names.

pages()                      every page by its address on the site
part_sections()              the section of a part, for links: {"max_depth": "reference/parts/stops.md#max_depth"}
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

TITLES = {  # titles of the pages about the packages that define public names
    "table": "Tables",
    "recipes": "Recipes and growing",
    "studies": "Cross-validation and comparisons",
    "growing": "Traces and relabeling",
    "tree": "Trees",
    "parts": "Pruning",
    "rules": "Rules",
    "ensembles": "Ensembles",
    "evaluation": "Evaluation",
    "explanation": "Explaining",
    "drawing": "Drawing and reports",
    "estimators": "Estimators",
    "modules": "Model files, data sets and errors",
}


def pages() -> dict[str, str]:
    """Every page of the reference by its address on the site."""
    found = {page_of(part_type): _registry_page(part_type, parts) for part_type, parts in registries().items()}
    found["reference/recipes.md"] = _recipes_page()
    found["reference/commands.md"] = _commands_page()
    for layer in sorted({home_of(name) for name in hornbeam.__all__}):
        names = [name for name in hornbeam.__all__ if home_of(name) == layer]
        found[f"reference/python/{layer}.md"] = _python_page(TITLES[layer], names)
    return found


def page_of(part_type: str) -> str:
    """The page of a part type, with the name of its folder."""
    return f"reference/parts/{registries()[part_type].package.rpartition('.')[2]}.md"


def part_sections() -> dict[str, str]:
    """The section of a part, for every name that occurs in one registry only."""
    known = [(part.name, page_of(part_type)) for part_type, parts in registries().items() for part in parts]
    times = Counter(name for name, _ in known)
    return {name: f"{page}#{name}" for name, page in known if times[name] == 1}


def home_of(name: str) -> str:
    """The package that defines a public name; "modules" if it has no page of its own."""
    package = hornbeam._HOMES[name].partition(".")[0]
    return package if package in TITLES else "modules"


def _registry_page(part_type: str, parts: Any) -> str:
    lines = [f"# {part_type.capitalize()}: {SUMMARIES[part_type]}", "", "| name | description |", "|---|---|"]
    lines += [f"| [`{part.name}`](#{part.name}) | {_cell(part.text())} |" for part in parts]
    lines += ["", f"Select a part by name in a recipe, or with `--{part_type} NAME` on the command line.", ""]
    return "\n".join([*lines, *(line for part in parts for line in _part_lines(part, page_of(part_type)))])


def _part_lines(part: Any, page: str) -> list[str]:
    module = inspect.getmodule(part)
    lines = [f"## {part.name} {{ #{part.name} }}", "", part.text(), ""]
    background = inspect.cleandoc((module.__doc__ if module else "") or "")
    if background:
        lines += ["```text", background, "```", ""]
    numbers = dict.fromkeys([*definitions.parts().get(part.name, ()), *definitions.cited(background)])
    links = [definitions.link_to(each, page) for each in numbers if each in definitions.known()]
    links += [definitions.linked(each, page) for each in dict.fromkeys(definitions.cited_notes(background))]
    lines += [f"Definition: {', '.join(links)}.", ""] if links else []
    tasks = {"class": "classification", "number": "regression"}
    supported = " and ".join(tasks[each] for each in getattr(part, "supports", ()))
    usage = [f"For {supported}."] if supported else []
    used = [name for name in recipe_names() if part.name in _parts_of(name, part.part_type)]
    usage += [f"Used in the recipes {', '.join(f'`{name}`' for name in used)}."] if used else []
    return [*lines, *([" ".join(usage), ""] if usage else []), *_settings_lines(part)]


def _parts_of(recipe_name: str, part_type: str) -> set[str]:
    """The names of the parts of one type in a recipe."""
    table = recipe(recipe_name).as_table()
    key = {"search": "searches", "stop": "stops"}.get(part_type, part_type)
    value = table.get(key) or []
    return {each["name"] for each in (value if isinstance(value, list | tuple) else [value])}


def _settings_lines(part: Any) -> list[str]:
    settings = settings_of(part)
    if not settings:
        return ["No settings.", ""]
    flags = {flag.setting.name: flag.name for flag in flags_of([part.part_type]) if flag.part == part.name}
    rows = ["| setting | default | meaning | flag |", "|---|---|---|---|"]
    for each in settings:
        limits = each.option.limits()
        accepted = f"{type_text(each.type)}{f', must {limits}' if limits else ''}"
        flag = f"`{flags[each.name]}`" if each.name in flags else ""
        rows.append(f"| `{each.name}` | `{each.default!r}` | {_cell(each.option.text)} ({_cell(accepted)}) | {flag} |")
    return [*rows, ""]


def _recipes_page() -> str:
    lines = ["# Recipes", "", "The files of all recipes of the library.", ""]
    for name in recipe_names():
        text = importlib.resources.files("hornbeam.recipes").joinpath(f"{name}.toml").read_text("utf-8")
        lines += [f"## {name} {{ #{name} }}", "", "```toml", text.rstrip(), "```", ""]
    return "\n".join(lines)


def _commands_page() -> str:
    lines = [
        "# Commands",
        "",
        "`hornbeam COMMAND ...`. Every setting of every part is also a flag, listed on the page of its part type.",
        "",
    ]
    for command in command_names():
        lines += _command_lines(command)
    return "\n".join(lines)


def _command_lines(command: str) -> list[str]:
    parser = command_parser(command)
    lines = [f"## hornbeam {command} {{ #{command} }}", "", _prose(parser.description or ""), ""]
    lines += ["```text", parser.usage or "", *(parser.epilog or "").splitlines(), "```", ""]
    rows = ["| argument | meaning |", "|---|---|"]
    part_types = []
    for group in parser._action_groups:
        part_type = (group.title or "").partition(" ")[0]
        if part_type in SUMMARIES:
            part_types.append(part_type)
        actions = [] if part_type in SUMMARIES else group._group_actions
        rows += [_flag_row(each) for each in actions if each.dest != "help"]
    lines += [*rows, ""]
    if part_types:
        lines += [
            "Flags of parts: " + ", ".join(f"[{each}](parts/{page_of(each)[16:]})" for each in part_types) + ".",
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
    """The text escaped for a cell of a table."""
    for sign in "|*[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ").replace("<", "&lt;")


def _prose(text: str) -> str:
    """A docstring as a paragraph, or as preformatted text if it has indented lines."""
    return f"```text\n{text}\n```" if "\n    " in text or "\n  " in text else text
