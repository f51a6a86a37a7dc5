"""A whole session, word for word: every line after a `$` is what the command prints, notes and errors included."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hornbeam.cli.command import command_names

FOLDER = Path(__file__).parent / "transcripts"
PROMPT = "$ hornbeam "
SHORT = ("parts", "recipes")  # lists that grow with every part: their first lines stand for them


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a transcript, each with what it prints."""
    found = [each.partition("\n") for each in text.split(f"\n{PROMPT}")]
    return [(command.removeprefix(PROMPT), said.rstrip("\n")) for command, _, said in found]


def replayed(run, text: str) -> str:
    """The same commands run again, with what they print now."""
    out = []
    for command, before in sessions(text):
        ran = run(*shlex.split(command))
        said = f"{ran.err}{ran.out}{f'[exit {ran.code}]' if ran.code else ''}".rstrip("\n")
        if command in SHORT:
            said = "\n".join(said.splitlines()[: before.count("\n") + 1])
        out.append(f"{PROMPT}{command}\n{said}\n")
    return "\n".join(out)


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.txt")))
def test_a_session_goes_as_written(run, name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert replayed(run, text) == text


def test_every_verb_is_in_a_session():
    written = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    # The demo says where its file lies, which differs; test_verbs.py looks at it.
    missing = [verb for verb in command_names() if f"{PROMPT}{verb}" not in written]
    assert missing == ["demo"]
