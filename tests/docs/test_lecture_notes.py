"""Every row of the pages about the lecture notes names a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "lecture-notes").glob("note-*.md"))
LAST_CELL = re.compile(r"\| `(tests/[\w/]+\.py)::(test_\w+)` \|$")


def rows(page: Path) -> list[str]:
    """The rows of the tables of a page, without the header rows."""
    lines = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    return [line for line in lines if not line.startswith(("|---", "| Item "))]


def test_there_is_a_page_per_note():
    assert [page.name for page in PAGES] == [f"note-{number}.md" for number in range(1, 6)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_row_names_the_test_that_checks_it(page):
    found = rows(page)
    assert found
    for row in found:
        named = LAST_CELL.search(row)
        assert named, row
        tests = (ROOT / named[1]).read_text("utf-8")
        assert re.search(rf"^def {named[2]}\(", tests, flags=re.MULTILINE), row
