"""Trees in the formats of scikit-learn, compared with scikit-learn's own output, and trees that it cannot draw."""

import io
import shutil
import subprocess

import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, export_graphviz, export_text

import hornbeam as hb

X, Y = load_iris(return_X_y=True)
OURS = hb.TreeClassifier(max_depth=1).fit(X[:, 2:3], Y)
THEIRS = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X[:, 2:3], Y)
PENGUINS = hb.datasets.load("penguins")


@pytest.mark.parametrize(
    "settings", [{}, {"decimals": 4}, {"show_weights": True}, {"spacing": 1, "feature_names": ["length"]}]
)
def test_text_is_scikit_learns(settings):
    assert hb.export_text(OURS, **settings) == export_text(THEIRS, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"filled": True, "rounded": True},
        {"class_names": ["a", "b", "c"], "proportion": True, "impurity": False},
        {"special_characters": True, "rotate": True, "node_ids": True},
        {"max_depth": 0, "filled": True},
    ],
)
def test_graphviz_is_scikit_learns(settings):
    assert hb.export_graphviz(OURS, **settings) == export_graphviz(THEIRS, out_file=None, **settings)


def test_categories_and_many_branches_are_labeled_with_their_outcomes():
    tree = hb.grow(PENGUINS, "c45")
    text = hb.export_text(tree)
    assert "|--- island" in text
    assert "class: Gentoo" in text
    frame = {"color": ["red", "green", "blue"] * 10, "size": list(range(30))}
    model = hb.TreeClassifier(searches=["multiway", "sorted_cuts"]).fit(frame, ["a", "b", "c"] * 10)
    dot = hb.export_graphviz(model)
    assert dot.count("->") == 3
    assert 'headlabel="color = red"' in dot
    out = io.StringIO()
    assert hb.export_graphviz(model, out) is None
    assert out.getvalue() == dot


def test_a_plot_has_a_box_per_node_and_the_outcomes_below_the_root():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    drawn = hb.plot_tree(OURS, feature_names=["length"])
    assert [each.get_text() for each in drawn[:1]] == [
        "length <= 2.45\ngini = 0.667\nsamples = 150\nvalue = [50, 50, 50]"
    ]
    assert len(drawn) == 5
    pyplot.close("all")


def test_trees_that_are_not_fitted_and_wrong_names_are_refused():
    with pytest.raises(NotFittedError):
        hb.export_text(hb.TreeClassifier())
    with pytest.raises(ValueError, match="feature_names"):
        hb.export_text(OURS, feature_names=["a", "b"])
    with pytest.raises(TypeError, match="not an estimator"):
        hb.export_graphviz(OURS.tree_)


@pytest.mark.skipif(None in map(shutil.which, ("dot", "gc")), reason="Graphviz is not installed")
@pytest.mark.parametrize("special", [False, True])
def test_graphviz_reads_hostile_names(special):
    for name in ('a"] ; b -> c', "<b>&lt;&nope;", "\\N \\", "nul\x00 escape\x1b[31m \u202e", "line\nbreak"):
        text = hb.export_graphviz(OURS, feature_names=[name], class_names=[name] * 3, special_characters=special)
        done = subprocess.run(["gc"], input=text.encode(), check=True, capture_output=True)
        assert done.stdout.split()[:2] == [b"3", b"2"]
