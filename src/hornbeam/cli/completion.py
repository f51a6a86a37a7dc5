"""Completion scripts for shells, made from the parsers of the commands.

Every word is completed from one table: command -> its flags, and for each flag the values it accepts: fixed words,
files, or any text. A script is static; after an update of hornbeam it is made again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from hornbeam.cli.command import command_module, command_names, command_parser
from hornbeam.cli.part_flags import GROWING

FILES = None  # in place of a list of words
_FILE_METAVARS = ("FILE", "DATA", "MODEL")


@dataclass(frozen=True)
class FlagWords:
    """A flag with its spellings, its help, and the words it accepts; `words` is None for files."""

    names: tuple[str, ...]
    text: str
    takes_value: bool
    words: tuple[str, ...] | None = ()


@dataclass(frozen=True)
class CommandWords:
    """A command with its flags and the words of its arguments; `words` is None for files."""

    name: str
    summary: str
    flags: tuple[FlagWords, ...]
    words: tuple[str, ...] | None


def script(shell: str) -> str:
    """The completion script of bash, zsh or fish."""
    return _SCRIPTS[shell](list(_commands()))


def _commands() -> Iterator[CommandWords]:
    for name in command_names():
        parser = command_parser(name)
        parser.flags()  # adds the flags of parts
        actions = [each for each in parser._actions if each.option_strings and each.help != argparse.SUPPRESS]
        flags = tuple(_flag_words(action) for action in actions)
        yield CommandWords(name, command_module(name).SUMMARY, flags, _argument_words(name))


def _flag_words(action: argparse.Action) -> FlagWords:
    text = (action.help or "").replace("%%", "%").partition(" (")[0]
    return FlagWords(tuple(action.option_strings), text, action.nargs != 0, _value_words(action))


def _value_words(action: argparse.Action) -> tuple[str, ...] | None:
    """The words that a flag accepts; None if it accepts files."""
    metavar = str(action.metavar or "")
    if action.choices:
        return tuple(map(str, action.choices))
    if metavar.startswith("{"):
        return tuple(metavar.strip("{}").split(","))
    part_type = action.dest.removeprefix("part.").removeprefix("without_")
    if part_type in GROWING:
        from hornbeam.cli.part_flags import registries

        return tuple(registries()[part_type].names())
    if "--recipe" in action.option_strings:
        return _recipes()
    return FILES if metavar in _FILE_METAVARS else ()


def _argument_words(command: str) -> tuple[str, ...] | None:
    """The words of the arguments of a command; None if they are files."""
    if command == "recipes":
        return _recipes()
    if command == "parts":
        from hornbeam.cli.part_flags import registries

        known = registries()
        return (*known, *sorted({part.name for registry in known.values() for part in registry}))
    return {"help": tuple(command_names()), "completion": SHELLS, "demo": ()}.get(command, FILES)


def _recipes() -> tuple[str, ...]:
    from hornbeam.recipes.recipe import recipe_names

    return tuple(recipe_names())


def _bash(commands: list[CommandWords]) -> str:
    lines = [
        "# hornbeam completion for bash; to load it: source <(hornbeam completion bash)",
        "_hornbeam() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words="" files=""',
        "    COMPREPLY=()",
        "    if [[ $COMP_CWORD -eq 1 ]]; then",
        f'        COMPREPLY=($(compgen -W "{" ".join(each.name for each in commands)} --help --version" -- "$cur"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]}" in',
    ]
    for command in commands:
        lines += [f"    {command.name})", '        case "$prev" in']
        for flag in command.flags:
            if flag.takes_value:
                lines.append(f"        {'|'.join(flag.names)}) {_bash_words(flag.words)} ;;")
        flags = " ".join(name for flag in command.flags for name in flag.names)
        lines += [
            "        *)",
            f'            if [[ $cur == -* ]]; then words="{flags}"; else {_bash_words(command.words)}; fi ;;',
            "        esac ;;",
        ]
    return "\n".join(
        [
            *lines,
            "    esac",
            "    if [[ -n $files ]]; then",
            '        mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null',
            "    fi",
            '    if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi',
            "}",
            "complete -F _hornbeam hornbeam",
        ]
    )


def _bash_words(words: tuple[str, ...] | None) -> str:
    return "files=1" if words is FILES else f'words="{" ".join(words)}"' if words else ":"


def _zsh(commands: list[CommandWords]) -> str:
    lines = [
        "#compdef hornbeam",
        "# hornbeam completion for zsh; to load it: source <(hornbeam completion zsh)",
        "_hornbeam() {",
        "    local -a commands",
        "    commands=(",
        *(f"        {_quoted(f'{each.name}:{each.summary}')}" for each in commands),
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        '    local command="${words[2]}"',
        "    shift words; (( CURRENT-- ))",
        '    case "$command" in',
    ]
    for command in commands:
        lines += [f"    {command.name})", "        _arguments \\"]
        for flag in command.flags:
            value = f": :{_zsh_words(flag.words)}" if flag.takes_value else ""
            text = "".join(f"\\{sign}" if sign in "[]:\\" else sign for sign in flag.text)
            lines += [f"            {_quoted(f'*{name}[{text}]{value}')} \\" for name in flag.names]
        lines += [f"            {_quoted(f'*: :{_zsh_words(command.words)}')} ;;"]
    return "\n".join(
        [
            *lines,
            "    esac",
            "}",
            'if [[ "$funcstack[1]" == _hornbeam ]]; then _hornbeam "$@"; else compdef _hornbeam hornbeam; fi',
        ]
    )


def _zsh_words(words: tuple[str, ...] | None) -> str:
    return "_files" if words is FILES else f"({' '.join(words)})" if words else " "


def _fish(commands: list[CommandWords]) -> str:
    lines = [
        "# hornbeam completion for fish; to load it: hornbeam completion fish | source",
        "complete -c hornbeam -f",
    ]
    for command in commands:
        summary = _quoted(command.summary)
        lines.append(f"complete -c hornbeam -n __fish_use_subcommand -a {command.name} -d {summary}")
    for command in commands:
        here = f"complete -c hornbeam -n '__fish_seen_subcommand_from {command.name}'"
        lines.append(f"{here} {_fish_words(command.words)}".rstrip())
        for flag in command.flags:
            names = " ".join(f"-l {each[2:]}" if each.startswith("--") else f"-s {each[1:]}" for each in flag.names)
            value = f" -r {_fish_words(flag.words)}".rstrip() if flag.takes_value else ""
            lines.append(f"{here} {names}{value} -d {_quoted(flag.text)}")
    return "\n".join(lines)


def _fish_words(words: tuple[str, ...] | None) -> str:
    return "-F" if words is FILES else f"-f -a {_quoted(' '.join(words))}" if words else ""


def _quoted(text: str) -> str:
    """Text in single quotes for zsh and fish, which both end a quote at '."""
    return "'" + text.replace("'", "'\\''") + "'"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
SHELLS = tuple(_SCRIPTS)
