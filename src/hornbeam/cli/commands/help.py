"""Print the help of a command, or the list of commands."""

from __future__ import annotations

import argparse

from hornbeam.cli.output import Output

SUMMARY = "print the help of a command"
DOING = "print the help"
EXAMPLE = "hornbeam help grow"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam help`."""
    parser.add_argument("name", nargs="?", metavar="COMMAND", help="name of a command; if omitted, all are listed")
    parser.add_argument("--all", action="store_true", help="print all options of the command, as its --help-all does")


def run(args: argparse.Namespace, out: Output) -> int:
    """Print the help."""
    from hornbeam.cli.command import Usage, check_command, command_names, command_parser, top_parser

    if args.name is None:
        out.result(top_parser().format_help(), {"commands": command_names()})
        return 0
    if args.name not in command_names() and args.name in _part_names():
        raise Usage(f"{args.name} is a part, not a command.", hint=f"Use: hornbeam parts {args.name}.", got=args.name)
    parser = command_parser(check_command(args.name))
    text = parser.format_full_help() if args.all else parser.format_help()
    out.result(text, {"command": args.name, "help": text})
    return 0


def _part_names() -> set[str]:
    from hornbeam.cli.part_flags import registries

    return {name for registry in registries().values() for name in registry.names()}
