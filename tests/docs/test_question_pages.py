"""Every search has a page of the guides with a figure of the border of its questions."""

import re
from pathlib import Path

import pytest

from hornbeam.parts.searches import searches

PAGES = Path(__file__).parents[2] / "docs" / "guides" / "questions"
INDEX = (PAGES / "index.md").read_text(encoding="utf-8")
# The page of every search: the table of the index names searches and a link.
PAGE_OF = {
    name: link
    for line in INDEX.splitlines()
    if (link := next(iter(re.findall(r"\((\S+\.md)\) \|$", line)), None))
    for name in re.findall(r"`(\w+)`", line.split("|")[1])
}


@pytest.mark.parametrize("name", sorted(kind.name for kind in searches))
def test_a_search_has_a_page_that_names_it_and_shows_a_figure(name):
    text = (PAGES / PAGE_OF[name]).read_text(encoding="utf-8")
    assert f"`{name}`" in text or f'"{name}"' in text
    figures = re.findall(r"!\[.*?\]\((\S+?)\)", text)
    assert figures
    assert all((PAGES / figure).is_file() for figure in figures)
