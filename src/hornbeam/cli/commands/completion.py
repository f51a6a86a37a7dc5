"""Print a script that completes commands, flags and values in a shell.

  source <(hornbeam completion bash)                                    in ~/.bashrc
  source <(hornbeam completion zsh)                                     in ~/.zshrc, after compinit
  hornbeam completion fish > ~/.config/fish/completions/hornbeam.fish   once

The script lists the flags of the installed version, with those of the parts of installed packages.
"""

from __future__ import annotations

import argparse

from hornbeam.cli.output import Output

SUMMARY = "print a completion script for bash, zsh or fish"
DOING = "write the completion script"
EXAMPLE = "hornbeam completion bash > hornbeam.bash"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


def run(args: argparse.Namespace, out: Output) -> int:
    """Print the script."""
    from hornbeam.cli.completion import script

    text = script(args.shell)
    out.result(text, {"shell": args.shell, "script": text})
    return 0
