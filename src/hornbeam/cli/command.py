"""Parsers of the commands, and usage errors that name the closest flag.

Each command has a small parser of its own. Every command accepts the flags of `add_common`. Abbreviated flags are
rejected, so that a script keeps its meaning when a flag is added. The flags of parts are added to a parser when they
are needed: those that occur in the arguments, or all of them for help and for the closest flag. This module imports
nothing but argparse.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NoReturn, Protocol

from hornbeam.cli import commands
from hornbeam.cli.guesses import COMMANDS, FLAGS, closest
from hornbeam.cli.help import HelpAll, HelpFormatter, short_help
from hornbeam.errors import HornbeamError, available, short_repr

_DESCRIPTION = "Decision trees: read data, grow, prune, evaluate, explain, draw and save."
_EPILOG = "`hornbeam help COMMAND` describes a command. A first example: hornbeam demo"


class Usage(HornbeamError):  # noqa: N818 - read as a noun: wrong usage
    """The arguments of the command are wrong."""


class LaterFlags(Protocol):
    """Flags that a parser can accept, added when they are needed."""

    def add_named(self, names: Sequence[str]) -> None:
        """Add the flags among these names."""

    def add_all(self) -> None:
        """Add the remaining flags, with their help."""


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises `Usage` and adds the flags of parts when they are needed."""

    later: LaterFlags | None = None
    rare: tuple[str, ...] = ()  # flags of the command that only --help-all lists

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the flags of parts that occur in the arguments, then parse."""
        if self.later is not None:
            names = [word.partition("=")[0] for word in args or () if word.startswith("--")]
            self.later.add_named([name for name in names if name not in self._option_string_actions])
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raise the error that argparse would print, with the closest flag."""
        raise usage_error(message, self)

    def format_help(self) -> str:
        """The help with the common flags."""
        return short_help(self)

    def format_full_help(self) -> str:
        """The help with all flags."""
        self._add_all()
        return super().format_help()

    def flags(self) -> list[str]:
        """Every long flag of the command."""
        self._add_all()
        return [flag for action in self._actions for flag in action.option_strings if flag.startswith("--")]

    def find(self, name: str) -> argparse.Action | None:
        """The argument of a name: a flag, or the name of a positional argument as the help shows it."""
        self._add_all()
        return next((each for each in self._actions if name in each.option_strings or name == each.metavar), None)

    def _add_all(self) -> None:
        if self.later is not None:
            self.later.add_all()


class TopParser(Parser):
    """The parser for a call without a command; the commands are imported only for its help."""

    def format_help(self) -> str:
        """The help with the list of commands."""
        width = max(map(len, command_names()))
        lines = [f"  {name:<{width}}  {command_module(name).SUMMARY}" for name in command_names()]
        self.epilog = "commands:\n" + "\n".join(lines) + f"\n\n{_EPILOG}"
        return self.format_full_help()


def usage_error(message: str, parser: Parser) -> Usage:
    """The message of argparse as an error of this package."""
    see = f"See {parser.prog} --help."
    unknown = re.match(r"unrecognized arguments: (.*)", message, re.DOTALL)
    if unknown is None:
        return Usage(_sentence(message), hint=see)
    word = unknown[1].split()[0] if unknown[1].split() else unknown[1]
    if not word.startswith("-"):
        return Usage(f"Unexpected argument {short_repr(word)}.", hint=see, got=word)
    flag = word.partition("=")[0]
    close = closest(flag, parser.flags(), FLAGS)
    hint = f"Did you mean {' or '.join(close)}? {see}" if close else see
    return Usage(f"Unknown option {short_repr(flag)}.", hint=hint, option=flag)


def _sentence(message: str) -> str:
    text = message[:1].upper() + message[1:]
    text = re.sub(r"^The following arguments are required: ", "Missing argument: ", text)
    return text if text.endswith((".", "?")) else text + "."


def command_names() -> list[str]:
    """The names of all commands, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module of a command."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def check_command(name: str) -> str:
    """The name of a command; an error with the closest names if there is none."""
    names = command_names()
    if name in names:
        return name
    close = closest(name, names, COMMANDS)
    hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else available(names, len(names))
    raise Usage(f"Unknown command {short_repr(name)}.", hint=hint, got=name)


def top_parser() -> Parser:
    """The parser for a call without a command: help and version."""
    from hornbeam import __version__

    parser = TopParser(
        prog="hornbeam",
        usage="hornbeam COMMAND [FILE ...] [options]",
        description=_DESCRIPTION,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"hornbeam {__version__}")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    return parser


def command_parser(name: str) -> Parser:
    """The parser of one command."""
    module = command_module(name)
    example = getattr(module, "EXAMPLE", "")
    parser = Parser(
        prog=f"hornbeam {name}",
        description=(module.__doc__ or module.SUMMARY).strip(),
        epilog=f"example:\n  {example}" if example else None,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.rare = getattr(module, "RARE", ())
    module.add_flags(parser)
    add_common(parser)
    files = [action for action in parser._actions if not action.option_strings]
    forms = {"?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
    names = [forms.get(str(each.nargs), "{0}").format(each.metavar) for each in files]
    parser.usage = " ".join([parser.prog, *names, "[options]"])
    return parser


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every command accepts."""
    group = parser.add_argument_group("all commands")
    group.add_argument("--json", action="store_true", help="print the result or the error as JSON")
    group.add_argument("-q", "--quiet", action="store_true", help="print no notes and no progress")
    group.add_argument(
        "-v", "--verbose", action="store_true", help="print more notes: run times and details of the file"
    )
    group.add_argument("--debug", action="store_true", help="print the traceback of an error")
    group.add_argument("--help-all", action=HelpAll, help="print the help with all options")


def add_work(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """Add the flags of commands that compute."""
    group = parser.add_argument_group("computation")
    if seed:
        group.add_argument(
            "--seed", type=int, metavar="N", help="seed of the random numbers (default: the recipe's seed)"
        )
    group.add_argument("--threads", type=int, metavar="N", help="number of threads; the result does not depend on it")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the model of a command about one tree."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree, or a saved forest with --tree-index (.tree)")
    parser.add_argument("--tree-index", type=int, metavar="N", help="index of a tree in a saved forest, from 0")


def add_output(parser: argparse.ArgumentParser, text: str) -> None:
    """Add the flags of commands that write a file."""
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="FILE", help=text)
    group.add_argument("--force", action="store_true", help="replace FILE if it exists")


def pairs(given: list[str] | None, flag: str) -> Iterator[tuple[str, str]]:
    """NAME=VALUE arguments, split at the last '=' (names may contain one, values do not)."""
    for each in given or ():
        name, sign, value = each.rpartition("=")
        if not sign or not name:
            raise Usage(f"{flag} must be NAME=VALUE, got {short_repr(each)}.", option=flag, got=each)
        yield name, value
