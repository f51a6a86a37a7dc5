"""The table of the batteries is complete, and every test that it names exists and is collected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(
    r"^\| ([AB])(\d+) \| (.+) \| (.+) \|$", Path(__file__).with_name("README.md").read_text("utf-8"), re.M
)
NAMED = re.compile(r"`(tests/(?:\w+/)*test_\w+\.py)::(test_\w+)`")


@pytest.mark.parametrize(("battery", "count"), [("A", 248), ("B", 86)])
def test_every_item_has_one_row(battery, count):
    assert [int(number) for letter, number, _, _ in ROWS if letter == battery] == list(range(1, count + 1))


@pytest.mark.parametrize(("letter", "number", "words", "tests"), ROWS, ids=[f"{row[0]}{row[1]}" for row in ROWS])
def test_every_row_names_tests_that_are_collected(letter, number, words, tests):
    named = NAMED.findall(tests)
    assert ", ".join(f"`{path}::{name}`" for path, name in named) == tests
    for path, name in named:
        assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text("utf-8"), re.M), f"{path}::{name}"
        assert not re.search(r"^__test__ = False", (ROOT / path).read_text("utf-8"), re.M)


def test_the_benchmarks_that_rows_name_exist():
    text = Path(__file__).with_name("README.md").read_text("utf-8")
    for name in re.findall(r"`(benchmarks/\w+\.py)`", text):
        assert (ROOT / name).is_file()
