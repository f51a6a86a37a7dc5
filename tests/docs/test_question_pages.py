"""Does every kind of question have a page, and the page a picture of the border that it draws?"""

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
def test_a_search_has_a_page_that_names_it_and_shows_a_picture(name):
    text = (PAGES / PAGE_OF[name]).read_text(encoding="utf-8")
    assert f"`{name}`" in text or f'"{name}"' in text
    pictures = re.findall(r"!\[.*?\]\((\S+?)\)", text)
    assert pictures
    assert all((PAGES / picture).is_file() for picture in pictures)
