"""HTML views in notebooks of trees, tables, scores, rules and estimators: text from data is always escaped."""

from __future__ import annotations

import html.parser

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)> & "quoted" \u202e'


class Seen(html.parser.HTMLParser):
    """The tags and attributes of a piece of HTML, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.values = set(), set(), "", {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values |= dict(attrs)

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def views():
    """One of everything, with a hostile name in every place where a name can stand."""
    rng = np.random.default_rng(0)
    size = rng.normal(size=60)
    colour = rng.integers(0, 2, 60)
    table = Table(
        (numeric(HOSTILE, size), nominal(f"colour {HOSTILE}", colour, (HOSTILE, "green"))),
        nominal(f"target {HOSTILE}", ((size > 0) & (colour == 0)).astype(int), ("no", HOSTILE)),
        source=HOSTILE,
    )
    tree = hb.grow(table, "plain")
    prediction = hb.predict(tree, table)
    scores = hb.evaluate(
        [table.target.levels[code] for code in table.target.values], prediction.probabilities, prediction.classes
    )
    return {
        "table": table,
        "description": hb.describe(table),
        "tree": tree,
        "rules": hb.extract_rules(tree),
        "learned rules": hb.rules.c45rules(tree, table),
        "scores": scores,
        "report": hb.report(tree, table),
        "forest": hb.forest(table, n_trees=3),
    }


NAMES = ["table", "description", "tree", "rules", "learned rules", "scores", "report", "forest"]
HARMLESS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "pre"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_from_data_becomes_a_tag(views, name):
    seen = Seen(views[name]._repr_html_())
    if name in ("report", "tree"):  # a frame that can reach nothing of the notebook
        assert seen.tags == {"iframe"}
        assert "sandbox" in seen.attributes
    else:
        assert seen.tags <= HARMLESS
        assert not {each for each in seen.attributes if each.startswith("on") or each in ("src", "href")}


@pytest.mark.parametrize("name", ["table", "rules", "forest"])
def test_hostile_names_are_shown_as_text(views, name):
    text = Seen(views[name]._repr_html_()).text
    assert '<script>alert("x")</script>' in text
    assert "\u202e" not in text  # what turns the direction of text is spelt out


def test_a_tree_is_a_picture_in_a_frame_without_scripts(views):
    frame = Seen(views["tree"]._repr_html_())
    assert frame.values["sandbox"] == ""  # nothing is allowed, scripts least of all
    inside = Seen(frame.values["srcdoc"])
    assert "svg" in inside.tags
    assert not {"script", "img", "iframe", "a", "object"} & inside.tags
    assert not {each for each in inside.attributes if each.startswith("on") or each in ("src", "href")}
    assert "<script>" in inside.text
    assert "\u202e" not in frame.values["srcdoc"]


def test_a_tree_shows_itself_as_text_where_drawing_is_not_possible(views, monkeypatch):
    monkeypatch.setattr("hornbeam.tree.views._registered", [])
    text = Seen(views["tree"]._repr_html_()).text
    assert '<script>alert("x")</script>' in text
    assert "\u202e" not in text  # what turns the direction of text is spelt out


def test_a_large_tree_is_folded(monkeypatch):
    x = np.arange(2000.0)
    table = Table((numeric("x", x),), nominal("y", np.arange(2000) % 2, ("a", "b")))
    tree = hb.grow(table, "plain")
    assert "nodes" in tree._repr_html_()
    assert len(tree._repr_html_()) < 400_000
    monkeypatch.setattr("hornbeam.tree.views._registered", [])
    text = tree._repr_html_()
    assert text.count("\n") < 200
    assert "nodes below" in text


def test_a_wide_table_is_cut():
    table = Table(tuple(numeric(f"x{place}", [1.0, 2.0]) for place in range(150)))
    text = table._repr_html_()
    assert "and 50 more columns" in text
    assert text.count("<tr>") == 101


@pytest.mark.parametrize("estimator", [hb.TreeClassifier, hb.TreeRegressor, hb.estimators.RuleClassifier])
def test_estimators_show_themselves(estimator):
    text = estimator()._repr_html_()
    assert estimator.__name__ in text


FITTED = {
    "tree": (hb.TreeClassifier(max_depth=2), "iframe"),
    "numbers": (hb.TreeRegressor(max_depth=2), "iframe"),
    "rules": (hb.estimators.RuleClassifier(), "<caption>RuleSet"),
    "forest": (hb.ForestClassifier(n_estimators=3), "<caption>Forest"),
    "boosted": (hb.BoostedRegressor(max_iter=3), "<caption>Forest"),
    "classes": (hb.estimators.NestedDichotomyClassifier(), "iframe"),
}


@pytest.mark.parametrize("name", FITTED)
def test_a_fitted_estimator_shows_what_it_learned_next_to_the_box(name):
    estimator, mark = FITTED[name]
    x = np.arange(60.0).reshape(-1, 1)
    assert mark not in estimator._repr_html_()
    text = estimator.fit(x, np.arange(60) // 20)._repr_html_()
    assert type(estimator).__name__ in text
    assert mark in text
    assert mark in estimator._repr_mimebundle_()["text/html"]
    if mark == "iframe":
        frame = Seen(text)
        assert frame.values["sandbox"] == ""
        assert "svg" in Seen(frame.values["srcdoc"]).tags


def test_where_scikit_learn_shows_text_there_is_no_html():
    import sklearn

    with sklearn.config_context(display="text"):
        tree = hb.TreeClassifier().fit([[0.0], [1.0]], [0, 1])
        assert list(tree._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(tree, "_repr_html_")
