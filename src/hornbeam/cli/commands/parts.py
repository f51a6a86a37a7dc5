"""List the parts of methods, or describe one: its settings, limits, defaults and flags."""

from __future__ import annotations

import argparse
from typing import Any

from hornbeam.cli.command import Usage
from hornbeam.cli.output import Output
from hornbeam.errors import did_you_mean, short_repr

SUMMARY = "list the parts of methods, or describe one"
DOING = "describe the part"
EXAMPLE = "hornbeam parts cost_complexity"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam parts`."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="name of a part (gini, max_depth, ...) or a part type (criterion, stop, ...)",
    )


def run(args: argparse.Namespace, out: Output) -> int:
    """Describe parts."""
    from hornbeam.cli.part_flags import registries

    known = registries()
    if args.name is None or args.name in known:
        chosen = known if args.name is None else {args.name: known[args.name]}
        lines = [line for part_type, registry in chosen.items() for line in _list_parts(part_type, registry)]
        lines.append("`hornbeam parts NAME` describes one of them.")
        value = {part_type: {part.name: part.text() for part in registry} for part_type, registry in chosen.items()}
        out.result("\n".join(lines), {"parts": value})
        return 0
    found = [part for registry in known.values() for part in registry if part.name == args.name]
    if not found:
        names = [*known, *(part.name for registry in known.values() for part in registry)]
        raise Usage(f"Unknown part {short_repr(args.name)}.", hint=did_you_mean(args.name, names), got=args.name)
    out.result("\n\n".join(map(_description, found)), {"parts": [_values(part) for part in found]})
    return 0


def _list_parts(part_type: str, registry: Any) -> list[str]:
    from hornbeam.cli.part_flags import SUMMARIES

    width = max(len(part.name) for part in registry)
    return [
        f"{part_type}: {SUMMARIES[part_type]}",
        *(f"  {part.name:<{width}}  {part.text()}" for part in registry),
        "",
    ]


def _description(part: Any) -> str:
    import inspect

    from hornbeam.cli.part_flags import flags_of_part
    from hornbeam.cli.setting_text import help_of

    module = inspect.getmodule(part)
    background = inspect.cleandoc((module.__doc__ if module else "") or "")
    lines = [f"{part.name} ({part.part_type}): {part.text()}", "", background, ""]
    flags = flags_of_part(part.name, [part.part_type])
    lines.append("settings:" if flags else f"It has no settings. Use it with --{part.part_type} {part.name}.")
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
        "type": part.part_type,
        "description": part.text(),
        "settings": [
            {
                "name": each.name,
                "type": type_text(each.type),
                "default": each.default,
                "description": each.option.text,
                "limits": each.option.limits(),
                "choices": list(each.option.choices) if each.option.choices else None,
            }
            for each in settings_of(part)
        ],
    }
