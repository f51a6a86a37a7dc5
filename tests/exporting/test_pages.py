"""The pages about exports: their programs are compiled and run, and print what the pages show."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.exporting.databases import postgres
from tests.exporting.runners import needs, run
from tools.export_table import table

PAGES = Path(__file__).parents[2] / "docs" / "guides" / "export"


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    text = (PAGES / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def run_python(page: str) -> None:
    """Run the statements of the Python examples of a page."""
    lines = [line[4:] for block in blocks(page, "python") for line in block.splitlines() if line.startswith(">>> ")]
    exec("\n".join(lines), {})


def test_the_table_of_what_survives_is_that_of_the_formats():
    assert table() in (PAGES / "index.md").read_text("utf-8"), "run `python -m tools.export_table`"


def test_the_page_about_browsers_prints_what_it_shows(tmp_path, monkeypatch):
    node = needs("node")
    monkeypatch.chdir(tmp_path)
    run_python("browser.md")
    (tmp_path / "page.mjs").write_text(blocks("browser.md", "js")[0])
    assert run([node, "page.mjs"], tmp_path) == blocks("browser.md", "text")[0]


def test_the_page_about_java_prints_what_it_shows(tmp_path, monkeypatch):
    compiler, java = needs("javac"), needs("java")
    monkeypatch.chdir(tmp_path)
    run_python("java.md")
    (tmp_path / "Service.java").write_text(blocks("java.md", "java")[0])
    run([compiler, "Service.java", "Penguins.java"], tmp_path)
    assert run([java, "-cp", ".", "Service"], tmp_path) == blocks("java.md", "text")[0]


@pytest.mark.skipif(not os.environ.get("HORNBEAM_TEST_EXPORTS"), reason="`make test-exports` starts PostgreSQL")
def test_the_page_about_postgresql_prints_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_python("postgresql.md")
    create, query = blocks("postgresql.md", "sql")
    with postgres() as base:
        base.execute(create)
        base.execute((tmp_path / "species.sql").read_text("utf-8"))
        found = base.execute(query).fetchall()
    assert "".join("|".join(map(str, row)) + "\n" for row in found) == blocks("postgresql.md", "text")[0]
