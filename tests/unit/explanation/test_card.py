"""Model cards: what they contain, in three formats; texts of the data cannot become markup."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

import hornbeam as hb
from hornbeam.errors import InputError, OutputError


@pytest.fixture(scope="module")
def table():
    return hb.datasets.load("penguins")


@pytest.fixture(scope="module")
def tree(table):
    return hb.grow(table, "cart")


def test_a_card_has_model_columns_scores_diagnostics_recipe_and_digest(tree, table, tmp_path):
    card = hb.card(tree, table, title="Penguins", purpose="For teaching.")
    text = str(card)
    assert text.startswith("# Penguins\n\nFor teaching.\n")
    for part in (
        "a tree of 4 leaves, depth 2",
        "| accuracy | 96.5% | 94.0% to 98.0% |",
        "near ties:",
        "min_leaf (rows = 7)",
    ):
        assert part in text
    hb.save(tree, tmp_path / "penguins.tree")
    digest = hashlib.sha256((tmp_path / "penguins.tree").read_bytes()).hexdigest()
    assert f"sha256:{digest}" in text


def test_the_suffix_selects_the_format(tree, table, tmp_path):
    card = hb.card(tree, table)
    for name in ("card.md", "card.html", "card.json"):
        card.save(tmp_path / name)
    assert (tmp_path / "card.md").read_text("utf-8") == card.markdown()
    assert (tmp_path / "card.html").read_text("utf-8").startswith("<!doctype html>")
    values = json.loads((tmp_path / "card.json").read_text("utf-8"))
    assert values["scores"]["metrics"]["accuracy"]["value"] == pytest.approx(332 / 344)
    assert values["columns"][0]["name"] == tree.schema.names[0]
    with pytest.raises(OutputError, match=r"saved as .md, .html, .json"):
        card.save(tmp_path / "card.pdf")


def test_without_rows_there_are_no_scores(tree):
    card = hb.card(tree)
    assert card.scores is None
    assert card.as_dict()["scores"] is None
    assert "no rows were given" in str(card)


def test_forests_boosted_and_converted_models_have_cards(table):
    assert "3 trees" in str(hb.card(hb.forest(table, n_trees=3)))
    rows = np.random.default_rng(0).normal(size=(60, 2))
    model = hb.convert(GradientBoostingClassifier(n_estimators=2).fit(rows, rows[:, 0] > 0))
    card = hb.card(model, {"x0": rows[:, 0], "x1": rows[:, 1], "y": rows[:, 0] > 0})
    assert "converted from: scikit-learn GradientBoostingClassifier" in str(card)
    json.dumps(card.as_dict(), allow_nan=False)


def test_names_and_levels_stay_text():
    name = "<script>alert(1)</script> | **b**\n# h"
    table = hb.read({name: [1.0, 2.0, 3.0, 4.0], "y": ["<i>", "<i>", "b|", "b|"]}, target="y")
    card = hb.card(hb.grow(table, "plain"), title="<b>")
    assert "<script>" not in card.html()
    assert "<b>" not in card.html()
    lines = [line for line in str(card).splitlines() if "script" in line and line.startswith("|")]
    assert [line.count(" | ") for line in lines] == [3]


def test_the_rows_need_the_target(tree, table):
    with pytest.raises(InputError, match="must include the model's target"):
        hb.card(tree, table.without_target())
