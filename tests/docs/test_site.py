"""Checks the site: navigation, links and images; every part, recipe, command and public name is on a page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.site import build, pages, reference

import hornbeam
from hornbeam.cli.command import command_names
from hornbeam.cli.part_flags import registries
from hornbeam.options import settings_of
from hornbeam.recipes import recipe_names

TEXTS = build.texts()
PARTS = {part_type: tuple(parts) for part_type, parts in registries().items()}  # other tests may add parts later


def test_the_navigation_names_every_page_and_the_target_of_every_link_exists():
    assert pages.faults(TEXTS) == []


def test_faults_of_a_site_are_reported():
    broken = {**TEXTS, "lost.md": "![no image](images/none.png) [a page](nowhere.md) [web](https://example.org)"}
    broken.pop("start.md")
    faults = pages.faults(broken)
    assert "lost.md is not in the navigation of mkdocs.yml." in faults
    assert "mkdocs.yml names start.md, which does not exist." in faults
    assert {"lost.md: images/none.png does not exist.", "lost.md: nowhere.md does not exist."} <= set(faults)


@pytest.mark.parametrize("part_type", sorted(PARTS))
def test_every_part_is_on_the_page_of_its_type_with_all_settings(part_type):
    text = TEXTS[reference.page_of(part_type)]
    sections = dict(re.findall(r"^## (\w+) \{.*?\}$(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    assert sorted(sections) == sorted(part.name for part in PARTS[part_type])
    for part in PARTS[part_type]:
        assert part.text() in sections[part.name]
        assert [each.name for each in settings_of(part)] == re.findall(
            r"^\| `(\w+)` \| ", sections[part.name], flags=re.MULTILINE
        )


def test_every_recipe_and_every_command_has_its_section():
    sections = {page: re.findall(r"\{ #(\w+) \}", TEXTS[page]) for page in TEXTS if page.startswith("reference/")}
    assert sections["reference/recipes.md"] == recipe_names()
    assert sections["reference/commands.md"] == command_names()


def test_every_public_name_is_in_the_reference_once():
    listed = [
        name for text in TEXTS.values() for name in re.findall(r"^::: hornbeam\.(\w+)$", text, flags=re.MULTILINE)
    ]
    assert sorted(listed) == sorted(hornbeam.__all__)


@pytest.mark.parametrize("name", hornbeam.__all__)
def test_every_public_name_is_on_a_written_page(name):
    written = [pages.ROOT / "README.md", *pages.sources().values()]
    assert any(re.search(rf"\bhb\.{name}\b|`{name}\b", page.read_text("utf-8")) for page in written)


def test_a_part_named_in_prose_is_a_link_and_code_blocks_stay_as_they_are():
    page = TEXTS["guides/stopping-and-pruning.md"]
    assert "[`permutation_test`](../reference/parts/stops.md#permutation_test)" in page
    written = (pages.DOCS / "guides/stopping-and-pruning.md").read_text("utf-8")
    blocks = re.compile(r"^```python$.*?^```$", flags=re.MULTILINE | re.DOTALL)
    assert blocks.findall(page) == blocks.findall(written)


def test_the_site_is_built_strictly():
    if not Path(sys.executable).with_name("zensical").exists():
        pytest.skip("zensical is installed by `make docs` alone")
    done = subprocess.run([sys.executable, "-m", "docs.site.build"], cwd=pages.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
