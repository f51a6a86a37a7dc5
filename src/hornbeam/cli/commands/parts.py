"""List the parts that methods are made of, or explain one: its words, settings, limits, defaults and flags."""

from __future__ import annotations

import argparse
from typing import Any

from hornbeam.cli.command import Usage
from hornbeam.cli.output import Output
from hornbeam.errors import did_you_mean, short_repr

WORDS = "list the parts of methods, or explain one"
DOING = "explain the part"
EXAMPLE = "hornbeam parts cost_complexity"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam parts`."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a part (gini, depth, ...) or a sort (criterion, stop, ...)"
    )


def run(args: argparse.Namespace, out: Output) -> int:
    """Explain parts."""
    from hornbeam.cli.part_flags import registries

    known = registries()
    if args.name is None or args.name in known:
        chosen = known if args.name is None else {args.name: known[args.name]}
        lines = [line for sort, shelf in chosen.items() for line in _shelf(sort, shelf)]
        lines.append("`hornbeam parts NAME` explains one of them.")
        value = {sort: {part.name: part.text() for part in shelf} for sort, shelf in chosen.items()}
        out.result("\n".join(lines), {"parts": value})
        return 0
    found = [part for shelf in known.values() for part in shelf if part.name == args.name]
    if not found:
        names = [*known, *(part.name for shelf in known.values() for part in shelf)]
        raise Usage(
            f"There is no part called {short_repr(args.name)}.", hint=did_you_mean(args.name, names), got=args.name
        )
    out.result("\n\n".join(map(_explained, found)), {"parts": [_values(part) for part in found]})
    return 0


def _shelf(sort: str, shelf: Any) -> list[str]:
    from hornbeam.cli.part_flags import WORDS as SORTS

    width = max(len(part.name) for part in shelf)
    return [f"{sort}: {SORTS[sort]}", *(f"  {part.name:<{width}}  {part.text()}" for part in shelf), ""]


def _explained(part: Any) -> str:
    import inspect

    from hornbeam.cli.part_flags import flags_of, help_of

    module = inspect.getmodule(part)
    background = inspect.cleandoc((module.__doc__ if module else "") or "")
    lines = [f"{part.name} ({part.part_type}): {part.text()}", "", background, ""]
    flags = [flag for flag in flags_of([part.part_type]) if flag.part == part.name]
    lines.append("settings:" if flags else f"It has no settings. Choose it with --{part.part_type} {part.name}.")
    for flag in flags:
        lines.append(f"  {flag.path}  ({flag.name})")
        choices = flag.setting.option.choices
        if choices:
            lines.append(f"      one of {', '.join(map(str, choices))}")
        lines.append(f"      {help_of(flag.setting).replace('%%', '%')}")
    return "\n".join(lines)


def _values(part: Any) -> dict[str, Any]:
    from hornbeam.options import settings_of, type_text

    return {
        "name": part.name,
        "sort": part.part_type,
        "words": part.text(),
        "settings": [
            {
                "name": each.name,
                "type": type_text(each.type),
                "default": each.default,
                "words": each.option.text,
                "limits": each.option.limits(),
                "choices": list(each.option.choices) if each.option.choices else None,
            }
            for each in settings_of(part)
        ],
    }
