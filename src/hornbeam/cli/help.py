"""Help of commands: a page of at most forty lines with the common flags, or all flags with --help-all.

The flags that a command declares itself are common; of the groups that several commands share (data, method, parts),
those in `_COMMON`. The flags in `RARE` of a command are not. This module imports nothing but argparse.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hornbeam.cli.command import Parser

# Title of a shared group (without its explanation) -> its flags in the short help.
_COMMON: dict[str, tuple[str, ...]] = {
    "data": ("--target", "--columns", "--drop", "--kind", "--group", "--time"),
    "method": ("--recipe", "--class-weight", "--no-pruning"),
    "criterion": ("--criterion",),
    "search": (),
    "missing": (),
    "stop": ("--max-depth", "--min-leaf", "--max-leaves"),
    "order": (),
    "loss": (),
    "probabilities": (),
    "pruning": ("--pruning",),
    "ensemble": (),
    "computation": ("--seed",),
    "all commands": ("--json", "--quiet"),
}
_MAX_WIDTH, _FLAG_WIDTH = 110, 30


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help with the value of a flag printed once: `-o, --output FILE`."""

    def __init__(self, prog: str) -> None:
        import shutil

        columns = min(shutil.get_terminal_size((100, 24)).columns, _MAX_WIDTH)
        super().__init__(prog, max_help_position=_FLAG_WIDTH, width=columns - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class HelpAll(argparse.Action):
    """Prints the help with all flags and ends the command."""

    def __init__(self, option_strings: list[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **settings)

    def __call__(self, parser: Any, *rest: Any) -> None:
        """Print the help."""
        parser._print_message(parser.format_full_help(), sys.stdout)
        parser.exit()


def short_help(parser: Parser) -> str:
    """The help of a command with its common flags, an example, and where the other flags are described."""
    has_parts = parser.later is not None
    if parser.later is not None:
        parser.later.add_named(_COMMON["stop"])
    formatter = HelpFormatter(parser.prog)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    formatter.add_text(_opening(parser.description or ""))
    shown = [
        _shortened(action)
        for group in parser._action_groups
        for action in group._group_actions
        if is_common(action, group.title or "", parser.rare)
    ]
    for title, actions in (
        ("arguments", [action for action in shown if not action.option_strings]),
        ("options", [action for action in shown if action.option_strings]),
    ):
        formatter.start_section(title)
        formatter.add_arguments(actions)
        formatter.end_section()
    formatter.add_text(parser.epilog)
    more = f"`{parser.prog} --help-all` lists all options."
    if has_parts:
        more += (
            "\n`hornbeam recipes` lists the recipes, `hornbeam parts` the parts; `hornbeam parts NAME` describes one."
        )
    formatter.add_text(more)
    return formatter.format_help()


def is_common(action: argparse.Action, group: str, rare: tuple[str, ...] = ()) -> bool:
    """Whether an argument of the group with this title belongs to the short help."""
    flags = set(action.option_strings)
    if action.help == argparse.SUPPRESS or flags & {"--help", *rare}:
        return False
    shared = _COMMON.get(group.partition(" (")[0])
    return not flags or shared is None or bool(flags & set(shared))


def _shortened(action: argparse.Action) -> argparse.Action:
    """The argument with a help without limits, which the error about a wrong value repeats."""
    found = copy.copy(action)
    found.help = re.sub(r" \(must [^()]*\)$|; may be repeated", "", action.help or "")
    return found


def _opening(description: str) -> str:
    """The first paragraph of a description, and the next one if it is a list of calls."""
    paragraphs = description.split("\n\n")
    is_list = len(paragraphs) > 1 and paragraphs[1].startswith((" ", "hornbeam "))
    return "\n\n".join(paragraphs[: 2 if is_list else 1])
