"""The glossary has each term once, and the classes that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import hornbeam
from hornbeam import ensembles, evaluation, explanation, rules, table
from hornbeam.tree import questions

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ") and line[2:6] != "term"]


def test_a_term_is_listed_once():
    terms = [row[0] for row in ROWS]
    assert len(terms) > 50
    assert sorted(terms) == sorted(set(terms))


def test_every_term_has_a_meaning_and_the_names_of_other_tools():
    assert [row for row in ROWS if len(row) != 3 or not all(row)] == []


def test_the_classes_of_the_glossary_exist():
    named = {name for row in ROWS for name in re.findall(r"`([A-Z]\w+)`", row[1])}
    modules = (hornbeam, ensembles, evaluation, explanation, questions, rules, table)
    public = {name for module in modules for name in module.__all__}
    assert "Tree" in named or "Forest" in named
    assert named - public == set()
