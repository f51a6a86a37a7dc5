"""Runs a command in this process, in a new folder with a small data file."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
from typing import Any

import pytest

from hornbeam.cli.main import main

# Twelve invented rows: colour decides, except that small red ones are 'no'.
FRUIT = """id,colour,size,grade,ripe
a1,red,1,low,no
a2,red,2,low,no
a3,red,7,high,yes
a4,red,8,mid,yes
a5,red,9,high,yes
a6,red,6,mid,yes
a7,green,5,low,no
a8,green,6,mid,no
a9,green,7,high,no
b1,green,8,low,no
b2,green,9,mid,no
b3,green,?,high,no
"""


@dataclasses.dataclass(frozen=True)
class Ran:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=_reject)

    @property
    def error(self) -> Any:
        return json.loads(self.err, parse_constant=_reject)["error"]


def _reject(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a new folder that contains fruit.csv, as on a terminal of 100 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "fruit.csv").write_text(FRUIT, encoding="utf-8")

    def go(*arguments: str, stdin: str | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        code = main([str(each) for each in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return go


@pytest.fixture
def model(run):
    """A saved tree of the fruit."""
    ran = run(
        "grow",
        "fruit.csv",
        "--target",
        "ripe",
        "--drop",
        "id",
        "--probabilities",
        "frequencies",
        "-o",
        "fruit.tree",
        "-q",
    )
    assert ran.code == 0, ran.err
    return "fruit.tree"
