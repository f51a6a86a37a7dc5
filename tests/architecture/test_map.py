"""ARCHITECTURE.md names exactly the folders and top files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.architecture.repository import ROOT, tracked

pytestmark = pytest.mark.skipif(not tracked(), reason="the map is compared with the folders of a git checkout")
TOP = ("src/hornbeam", "native", "tests")


def folders_of(top: str) -> set[str]:
    """The folders directly below a folder that contain files, and the folders of the part types."""
    found = set()
    for path in tracked():
        if not path.is_relative_to(top):
            continue
        inside = path.relative_to(top).parts[:-1]
        if inside:
            found.add(f"{top}/{inside[0]}/")
        if top == "src/hornbeam" and inside[:1] == ("parts",) and len(inside) > 1:
            found.add(f"{top}/parts/{inside[1]}/")
    return found


def named(text: str) -> set[str]:
    """Every path in the first cell of a table row of the map; each occurs once."""
    rows = re.findall(r"^\| `([^`]+)` \|", text, flags=re.MULTILINE)
    assert len(rows) == len(set(rows)), "the map names a folder twice"
    return set(rows)


@pytest.mark.parametrize("top", TOP)
def test_the_map_names_exactly_the_folders_that_exist(top):
    rows = {
        row
        for row in named((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
        if row.startswith(f"{top}/") and row != f"{top}/"
    }
    assert {row for row in rows if row.endswith("/")} == folders_of(top)


def test_the_map_names_every_file_at_the_top_of_the_package():
    rows = named((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    files = {str(path) for path in tracked() if path.parent == Path("src/hornbeam") and path.suffix == ".py"}
    assert {row for row in rows if row.startswith("src/hornbeam/") and row.endswith(".py")} == files


def test_the_map_names_every_folder_at_the_top_of_the_repository():
    rows = named((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    folders = {f"{path.parts[0]}/" for path in tracked() if len(path.parts) > 1}
    assert {row for row in rows if row.count("/") == 1} == folders


def test_the_files_named_in_the_row_of_a_folder_exist():
    lines = re.findall(
        r"^\| `([\w/.]+/)` \| (.*) \|$", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), flags=re.MULTILINE
    )
    named = [Path(folder, name) for folder, text in lines for name in re.findall(r"`([\w/]+\.\w+|\w+/)`", text)]
    assert named
    assert [str(path) for path in named if not (ROOT / path).exists() and not (ROOT / path.name).exists()] == []
