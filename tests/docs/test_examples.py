"""Runs the Python examples of README and docs, block by block, and every script of examples/."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.site.embedded import embedded
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CHECKED = Sybil(parsers=[PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS), SkipParser()])


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_python_of_a_page_gives_the_output_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in CHECKED.parse(page).examples():
        example.evaluate()


def test_pages_have_examples():
    assert sum(1 for page in PAGES for _ in CHECKED.parse(page).examples()) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_target_of_every_link_exists(page):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    inside = [target for target in targets if "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_shown_on_a_page_is_the_file(page):
    for path, text in embedded(page).items():
        assert (ROOT / path).read_text("utf-8") == text


def test_every_guarantee_of_the_readme_has_its_test_and_every_such_test_is_named():
    tests = (ROOT / "tests" / "guarantees" / "test_guarantees.py").read_text("utf-8")
    named = re.findall(r"^\| .* \| `(test_\w+)` \|$", (ROOT / "README.md").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(named) == sorted(re.findall(r"^def (test_\w+)", tests, flags=re.MULTILINE))


def test_the_readme_has_at_most_150_lines():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_the_front_page_of_the_site_has_the_opening_and_the_example_of_the_readme():
    readme, index = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/index.md"))
    example = re.compile(r"^```python\n.*?^```$", flags=re.MULTILINE | re.DOTALL)
    assert index.split("\n\n")[:2] == readme.split("\n\n")[:2]
    assert example.findall(index)[0] == example.findall(readme)[0]


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs_and_prints_something(script, tmp_path):
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    found = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip()
