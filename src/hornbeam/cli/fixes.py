"""Spells the fixes of an error as flags of the command that failed.

The spelling is derived from the flags that the command accepts: the setting `skip_bad_rows` is `--skip-bad-rows`, the
setting `impute.method` is the flag of that part's setting. `FLAGS` lists the settings whose flags have other names. A
fix without a flag, or whose flag the command does not accept, is not recommended.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from hornbeam.cli.command import Parser, command_names, command_parser
from hornbeam.errors import Set, Spelling

# Setting -> the flags that set it, all of them required; DATA is the argument without a flag.
FLAGS: dict[str, tuple[str, ...]] = {
    "PruningData.folds": ("--folds", "--training"),
    "bad_rows": ("--skip-bad-rows",),
    "export.format": ("--as",),
    "kinds": ("--kind",),
    "member": ("--tree-index",),
    "min_count": ("--hide-below",),
    "groups": ("--group",),
    "na_values": ("--na-value",),
    "searches": ("--search",),
    "table": ("DATA",),
    "trust": ("--trust-recipe",),
}
# Settings of reading training data: a command without their flags recommends them for another command.
OF_ANOTHER_COMMAND = {"kinds": "grow", "keep_ids": "grow"}
NOT_ON_THE_COMMAND_LINE = frozenset(
    {
        "PruningData.bayes_risk",
        "PruningData.costs",
        "bootstrap",
        "classes",
        "combine",
        "early_stopping",
        "engine",
        "infinite",
        "missing_target",
        "n_jobs",
        "node",
        "sampling",
        "scoring",
        "validation_fraction",
        "x",
        "y",
    }
)


def spelling_for(parser: Parser) -> Spelling:
    """How fixes are spelled as flags of a command."""

    def spell(fix: Set) -> tuple[str, str, str] | None:
        command = fix.inside
        if fix.inside == "read" and fix.setting in OF_ANOTHER_COMMAND and _actions(fix, parser) is None:
            command = OF_ANOTHER_COMMAND[fix.setting]
        is_elsewhere = command in command_names() and parser.prog != f"hornbeam {command}"
        actions = _actions(fix, command_parser(command) if is_elsewhere else parser)
        if actions is None:
            return None
        head, value = _flag_and_value(fix, actions[0])
        others = "".join(f" {' '.join(_flag_and_value(Set(fix.setting), each))}" for each in actions[1:])
        return head + (" " if value else ""), value, others + (f" to hornbeam {command}" if is_elsewhere else "")

    return spell


def fix_values(fix: Set, spelling: Spelling) -> dict[str, Any]:
    """A fix for programs: the setting, the value unless the user chooses it, and the flag as it is typed."""
    spelled = spelling(fix)
    value = {} if fix.value is ... else {"value": fix.value}
    return {"set": fix.setting, **value, "flag": None if spelled is None else "".join(spelled)}


def flag_names(fix: Set) -> tuple[str, ...]:
    """The names of the flags that set what a fix names; none where the command line has no such flag."""
    name = f"{fix.inside}.{fix.setting}"
    name = name if fix.inside[:1].isupper() or name in FLAGS else fix.setting
    if name in NOT_ON_THE_COMMAND_LINE:
        return ()
    if name in FLAGS:
        return FLAGS[name]
    part, _, setting = fix.setting.rpartition(".")
    if part:
        from hornbeam.cli.part_flags import flags_of_part

        return tuple(flag.name for flag in flags_of_part(part) if flag.setting.name == setting)
    return (f"--{'no-' if fix.value is False else ''}{setting.replace('_', '-')}",)


def _actions(fix: Set, parser: Parser) -> list[argparse.Action] | None:
    found = [parser.find(name) for name in flag_names(fix)]
    actions = [each for each in found if each is not None]
    return actions if actions and len(actions) == len(found) else None


def _flag_and_value(fix: Set, action: argparse.Action) -> tuple[str, str]:
    flag = action.option_strings[-1] if action.option_strings else str(action.metavar)
    if action.nargs == 0 or not action.option_strings:
        return flag, ""
    if fix.value is ...:
        return flag, str(action.metavar)
    if fix.value is None and "." not in fix.setting:
        return f"no {flag}", ""
    return flag, f" {flag} ".join(shlex.quote(text) for text in _typed(fix.value))


def _typed(value: Any) -> Iterator[str]:
    """The value as it is typed; several texts where the flag is repeated."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield f"{name}={'<'.join(map(str, inner)) if isinstance(inner, (list, tuple)) else inner}"
    elif isinstance(value, (list, tuple)):
        yield from map(str, value)
    elif value is None or isinstance(value, bool):
        yield str(value).lower()
    else:
        yield str(value).replace("\t", "\\t")
