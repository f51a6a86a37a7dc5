"""How are the words of a command understood?  One small parser a verb, and errors that name the nearest flag.

Every verb takes the flags of `add_common`. Abbreviated flags are refused: a script should not change its meaning when
a flag is added. Nothing here imports more than argparse.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn

from hornbeam.cli import commands
from hornbeam.errors import HornbeamError, nearest, short_repr

_HEAD = "Every kind of decision tree: read, grow, prune, judge, look, ship."
_TAIL = "`hornbeam VERB --help` explains a verb. The first thing to try: hornbeam demo"


class Usage(HornbeamError):  # noqa: N818 - read as a noun: wrong usage
    """The words of the command make no sense."""


class Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: raised, with a hint."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print, in our words and with the nearest flag."""
        raise usage_error(message, self)

    def flags(self) -> list[str]:
        """Every long flag of the verb."""
        return [flag for action in self._actions for flag in action.option_strings if flag.startswith("--")]


class TopParser(Parser):
    """The parser for a command without a verb; the verbs are looked into only when its help is asked for."""

    def format_help(self) -> str:
        """The help with the list of verbs."""
        width = max(map(len, command_names()))
        lines = [f"  {name:<{width}}  {command_module(name).WORDS}" for name in command_names()]
        self.epilog = "verbs:\n" + "\n".join(lines) + f"\n\n{_TAIL}"
        return super().format_help()


def usage_error(message: str, parser: Parser) -> Usage:
    """Argparse's message as an error of ours."""
    see = f"See {parser.prog} --help."
    unknown = re.match(r"unrecognized arguments: (.*)", message, re.DOTALL)
    if unknown is None:
        return Usage(_sentence(message), hint=see)
    word = unknown[1].split()[0] if unknown[1].split() else unknown[1]
    if not word.startswith("-"):
        return Usage(f"There is an argument too many: {short_repr(word)}.", hint=see, got=word)
    flag = word.partition("=")[0]
    close = nearest(flag, parser.flags())
    hint = f"Did you mean {' or '.join(close)}? {see}" if close else see
    return Usage(f"{parser.prog} has no option {short_repr(flag)}.", hint=hint, option=flag)


def _sentence(message: str) -> str:
    text = message[:1].upper() + message[1:]
    text = re.sub(r"^The following arguments are required: ", "Missing: ", text)
    return text if text.endswith((".", "?")) else text + "."


def command_names() -> list[str]:
    """The names of all verbs, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def command_module(name: str) -> ModuleType:
    """The module of a verb."""
    return importlib.import_module(f"{commands.__name__}.{name}")


def top_parser() -> Parser:
    """The parser for a command without a verb: help and version."""
    from hornbeam import __version__

    parser = TopParser(
        prog="hornbeam",
        usage="hornbeam VERB [FILE ...] [options]",
        description=_HEAD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"hornbeam {__version__}")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    return parser


def parser_of(verb: str, module: Any) -> Parser:
    """The parser of one verb."""
    example = getattr(module, "EXAMPLE", "")
    parser = Parser(
        prog=f"hornbeam {verb}",
        description=(module.__doc__ or module.WORDS).strip(),
        epilog=f"example:\n  {example}" if example else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_flags(parser)
    add_common(parser)
    files = [action for action in parser._actions if not action.option_strings]
    names = [f"[{each.metavar}]" if each.nargs == "?" else str(each.metavar) for each in files]
    more = [f"[{each.metavar} ...]" for each in files if each.nargs == "+"]
    parser.usage = " ".join([parser.prog, *names, *more, "[options]"])
    return parser


def add_common(parser: argparse.ArgumentParser) -> None:
    """The flags that every verb takes."""
    group = parser.add_argument_group("everywhere")
    group.add_argument("--json", action="store_true", help="the result, or the error, as JSON")
    group.add_argument("-q", "--quiet", action="store_true", help="no notes and no progress")
    group.add_argument("-v", "--verbose", action="store_true", help="more notes: times, what was found in the file")
    group.add_argument("--debug", action="store_true", help="show where in the code an error arose")


def add_work(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """The flags of verbs that compute."""
    group = parser.add_argument_group("work")
    if seed:
        group.add_argument(
            "--seed", type=int, metavar="N", help="the start of every random draw (default: the recipe's)"
        )
    group.add_argument("--threads", type=int, metavar="N", help="how many threads; the answer does not depend on it")


def add_model(parser: argparse.ArgumentParser) -> None:
    """The model that a verb about one tree looks at."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree, or a forest with --member (.tree)")
    parser.add_argument("--member", type=int, metavar="N", help="the tree of a saved forest, from 0")


def add_output(parser: argparse.ArgumentParser, words: str) -> None:
    """The flags of verbs that write a file."""
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="FILE", help=words)
    group.add_argument("--force", action="store_true", help="replace FILE when it exists")


def pairs(given: list[str] | None, flag: str) -> Iterator[tuple[str, str]]:
    """NAME=VALUE arguments, split at the last '=' (names may hold one, values do not)."""
    for each in given or ():
        name, sign, value = each.rpartition("=")
        if not sign or not name:
            raise Usage(f"{flag} takes NAME=VALUE; got {short_repr(each)}.", option=flag, got=each)
        yield name, value
