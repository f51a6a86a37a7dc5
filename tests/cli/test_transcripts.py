"""Whole sessions: each command after a `$` prints exactly the lines below it, including notes and errors."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hornbeam.cli.command import command_names

FOLDER = Path(__file__).parent / "transcripts"
PROMPT = "$ hornbeam "
SHORT = ("parts", "recipes", "completion bash")  # lists that grow with every part: only their first lines are compared


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a transcript, each with its output."""
    found = [each.partition("\n") for each in text.split(f"\n{PROMPT}")]
    return [(command.removeprefix(PROMPT), output.rstrip("\n")) for command, _, output in found]


def replayed(run, text: str) -> str:
    """The transcript of the same commands run now."""
    out = []
    for command, before in sessions(text):
        ran = run(*shlex.split(command))
        output = f"{ran.err}{ran.out}{f'[exit {ran.code}]' if ran.code else ''}".rstrip("\n")
        if command in SHORT:
            output = "\n".join(output.splitlines()[: before.count("\n") + 1])
        out.append(f"{PROMPT}{command}\n{output}\n")
    return "\n".join(out)


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.txt")))
def test_a_session_prints_what_is_recorded(run, name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert replayed(run, text) == text


def test_every_command_is_in_a_session():
    written = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    # `ask` reads its values from the standard input: test_ask.py. The demo prints an absolute path: test_commands.py.
    # `estimate` prints the memory of the machine: test_files_larger_than_memory.py.
    missing = [name for name in command_names() if f"{PROMPT}{name}" not in written]
    assert missing == ["ask", "demo", "estimate"]
