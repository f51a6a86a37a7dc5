"""Runs the console transcripts of the guides and compares their output; every flag on a page exists."""

from __future__ import annotations

import csv
import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import hornbeam as hb
from hornbeam.cli.command import command_names, command_parser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
BENCHMARK_FLAGS = {"--ydf", "--treeple", "--only", "--forest", "--trees"}
GLOBAL_FLAGS = {"--help", "--version"}
BLOCK = re.compile(r"^```console\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def transcript(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with the output that the page shows."""
    text = "".join(BLOCK.findall(page.read_text("utf-8")))
    found = [each.partition("\n") for each in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    return [(command, output.strip()) for command, _, output in found]


def write(path: Path, table: hb.Table, rows: range, target: str | None) -> None:
    """Write rows of a table as CSV, with the target under this name or without it."""
    columns = {column.name: column for column in table.columns} | ({target: table.target} if target else {})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            values = [(each, "" if each.is_missing[row] else each.values[row]) for each in columns.values()]
            writer.writerow([each.levels[value] if each.levels and value != "" else value for each, value in values])


@pytest.mark.parametrize("page", [page for page in PAGES if transcript(page)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_print_the_output_shown(page, tmp_path):
    penguins, iris = hb.datasets.load("penguins"), hb.datasets.load("iris")
    write(tmp_path / "penguins.csv", penguins, range(len(penguins)), "species")
    write(tmp_path / "new.csv", penguins, range(1), None)
    write(tmp_path / "rows.csv", iris, range(len(iris)), None)
    write(tmp_path / "labeled.csv", iris, range(len(iris)), "outcome")
    for command, shown in transcript(page):
        program, *arguments = shlex.split(command)
        assert program == "hornbeam"
        done = subprocess.run(
            [sys.executable, "-m", "hornbeam", *arguments],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "160"},
            capture_output=True,
            encoding="utf-8",
        )
        output = done.stdout + done.stderr  # a page shows messages after the result
        assert (done.returncode == 0) != shown.startswith("error:"), output
        if shown:
            got = "\n".join(line.rstrip() for line in output.strip().splitlines())
            assert doctest.OutputChecker().check_output(shown + "\n", got + "\n", doctest.ELLIPSIS), (
                f"{command}\n{output}"
            )


def test_there_are_transcripts():
    assert sum(len(transcript(page)) for page in PAGES) > 5


def flags(command: str) -> set[str]:
    """The flags of one command, those of its parts included."""
    parser = command_parser(command)
    return {"-h", *parser.flags(), *(flag for action in parser._actions for flag in action.option_strings)}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_flag_that_a_page_names_exists(page):
    known = {command: flags(command) for command in command_names()}
    text = page.read_text("utf-8")
    named = re.findall(r"(?:^ {4}|^\$ |^|`)hornbeam (\w+)(.*?)(?:`|$)", text, flags=re.MULTILINE)
    unknown = {
        f"hornbeam {command}: {flag}"
        for command, rest in named
        for flag in re.findall(r"(?<![\w-])--?[a-z][\w-]*", re.sub(r"'[^']*'", "", rest))
        if command in known and flag not in known[command]
    }
    alone = {flag for flag in re.findall(r"`(--[a-z][\w-]*)[^`]*`", text) if flag not in BENCHMARK_FLAGS}
    assert unknown | (alone - set().union(*known.values(), GLOBAL_FLAGS)) == set()
