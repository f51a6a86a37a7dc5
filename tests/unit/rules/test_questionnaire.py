"""A tree as a form: every branch, every leaf and every rule for missing values is a line of it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hornbeam as hb


def tree(recipe: str) -> hb.Tree:
    return hb.grow(hb.datasets.load("penguins"), recipe)


@pytest.mark.parametrize("recipe", ["plain", "cart", "c45", "ctree", "id3"])
def test_every_leaf_is_a_result_and_every_line_leads_somewhere(recipe):
    grown = hb.grow(hb.datasets.load("contact_lenses"), recipe)
    form = hb.rules.questionnaire(grown)
    assert len(form.results) == grown.n_leaves
    assert len(form.items) == len(grown) - grown.n_leaves
    known = {str(item.number) for item in form.items} | {f"result {each.number}" for each in form.results}
    destinations = {then for item in form.items for _, then in item.lines if not then.startswith("mean of")}
    assert {then for then in destinations if "no further question" not in then} <= known


def test_surrogates_are_lines_of_the_form():
    first = hb.rules.questionnaire(tree("cart")).items[0]
    assert first.lines[2][0].startswith("not known, but ")
    assert first.lines[-1][0] == "not known either"


def test_a_fractional_tree_mixes_all_branches():
    assert hb.rules.questionnaire(tree("c45")).items[0].lines[-1] == ("not known", "mean of all branches: 62% 2, 38% 6")


def test_lines_for_missing_values_can_be_omitted():
    form = hb.rules.questionnaire(tree("cart"), missing=False)
    assert all("not known" not in condition for item in form.items for condition, _ in item.lines)


def test_a_tree_of_one_leaf_has_no_items():
    table = hb.read({"x": [1.0, 2.0], "y": ["a", "a"]}, "y")
    assert hb.rules.questionnaire(hb.grow(table, "plain")).text().splitlines()[-1] == "1  a  2 rows: a 100%"


def test_numbers_are_printed_for_people():
    x = np.arange(20.0) * 10_000
    grown = hb.grow(hb.read({"x": x, "y": np.where(x < 95_000, 157_500.0, 20_000.0)}, "y"), "plain")
    assert "157,500" in hb.rules.questionnaire(grown).text()


def test_the_page_links_every_item_and_escapes_names():
    table = hb.read({"<b>x": np.arange(8.0), "y": ["a"] * 4 + ["b"] * 4}, "y")
    page = hb.rules.questionnaire(hb.grow(table, "plain"), title="A & B").html()
    assert "<b>x" not in page
    assert "A &amp; B" in page
    anchors = set(re.findall(r'href="#(\w+)"', page))
    assert anchors <= set(re.findall(r'id="(\w+)"', page))


def test_markdown_escapes_names():
    table = hb.read({"a_b*": np.arange(8.0), "y": ["a"] * 4 + ["b"] * 4}, "y")
    assert "a\\_b\\*" in hb.rules.questionnaire(hb.grow(table, "plain")).markdown()
