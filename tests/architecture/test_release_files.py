"""The version is written once; files that repeat it agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import hornbeam

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_comes_from_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/hornbeam/__init__.py"


def test_the_citation_names_the_version():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.+)$", text, flags=re.MULTILINE)[1] == hornbeam.__version__
