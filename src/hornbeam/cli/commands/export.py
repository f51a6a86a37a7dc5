"""Write a saved model in another format: SQL, C, Java, JavaScript, Python, DOT, Mermaid, Markdown, JSON and others.

The suffix of -o FILE selects the format, or --as FORMAT does; -o - prints the result. What the format cannot express is
an error, and no file is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Parser, Usage, add_output
from hornbeam.cli.output import Output, check_free, write
from hornbeam.cli.setting_text import help_of, metavar_of, value_of

if TYPE_CHECKING:
    from hornbeam.options import Setting

SUMMARY = "write a saved model in another format"
DOING = "export the model"
EXAMPLE = "hornbeam export patients.tree -o patients.sql --table patients"


class FormatFlags:
    """The settings of the formats as flags, added when they are needed; one flag for settings of the same name."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.group = parser.add_argument_group("settings of formats")
        self.is_complete = False

    def add_named(self, names: Sequence[str]) -> None:
        """Add all flags if one of these names is not known yet."""
        if names:
            self.add_all()

    def add_all(self) -> None:
        """Add the flags of all formats."""
        if self.is_complete:
            return
        self.is_complete = True
        for name, (setting, formats) in _settings().items():
            text = f"{help_of(setting)} [{', '.join(formats)}]"
            flag = f"--{name.replace('_', '-')}"
            self.group.add_argument(flag, dest=f"setting.{name}", metavar=metavar_of(setting), help=text)


def _settings() -> dict[str, tuple[Setting, list[str]]]:
    """Every setting by name: its first declaration, and the names of the formats that have it."""
    from hornbeam.exporting import formats
    from hornbeam.options import settings_of

    found: dict[str, tuple[Setting, list[str]]] = {}
    for part in formats:
        for setting in settings_of(part):
            found.setdefault(setting.name, (setting, []))[1].append(part.name)
    return found


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam export`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree), or rules (.rules)")
    parser.add_argument("--as", dest="format_name", metavar="FORMAT", help="format (default: by the suffix of FILE)")
    add_output(parser, "file to write; - prints the result")
    assert isinstance(parser, Parser)
    parser.later = FormatFlags(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Export a model."""
    if not args.output:
        raise Usage("No output file is given.", hint="Pass for example -o model.sql.", option="--output")
    is_printed = args.output == "-"
    if not is_printed:
        check_free(args.output, force=args.force, inputs=[args.model])
    from hornbeam.exporting import export
    from hornbeam.exporting.export import chosen_format
    from hornbeam.model_files import load

    chosen = chosen_format(None if is_printed else args.output, args.format_name, {})
    chosen = chosen.replace(**_given(args, type(chosen)))
    contents = chosen.to_bytes(export(load(args.model), format=chosen))
    if is_printed:
        sys.stdout.buffer.write(contents)
        return 0
    write(args.output, contents)
    values = {"format": chosen.name, "exported": args.output, "bytes": len(contents)}
    out.saved(args.output, f"wrote {args.output}: {chosen.name}, {len(contents)} bytes", values)
    return 0


def _given(args: argparse.Namespace, part: Any) -> dict[str, Any]:
    """The settings that were given as flags; those that the format lacks are an error."""
    from hornbeam.options import settings_of

    types = {setting.name: setting.type for setting in settings_of(part)}
    given = {
        key.removeprefix("setting."): value
        for key, value in vars(args).items()
        if key.startswith("setting.") and value is not None
    }
    for name in given:
        if name not in types:
            flag = f"--{name.replace('_', '-')}"
            raise Usage(f"The format {part.name} has no setting {flag}.", hint=f"Omit {flag}.", option=flag)
    return {name: value_of(types[name], text) for name, text in given.items()}
