"""Small trees of the lecture notes, compared with gains that are computed here from the definitions."""

import math

import numpy as np
import pytest

import hornbeam as hb


def entropy(labels):
    """Bits, by the definition."""
    counts = np.unique(labels, return_counts=True)[1]
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in counts)


def gini(labels):
    """One minus the sum of squared probabilities."""
    counts = np.unique(labels, return_counts=True)[1]
    return 1 - sum((n / len(labels)) ** 2 for n in counts)


def drop(impurity, labels, left):
    """The impurity of the node minus that of its two branches, weighted by their rows."""
    share = np.mean(left)
    return impurity(labels) - share * impurity(labels[left]) - (1 - share) * impurity(labels[~left])


def pairs(columns, labels):
    """Every pair of a column and a midpoint, with its gain in bits; columns in order, cuts ascending."""
    found = {}
    for name, values in columns.items():
        distinct = np.unique(values)
        for cut in (distinct[1:] + distinct[:-1]) / 2:
            found[name, float(cut)] = drop(entropy, labels, values <= cut)
    return found


def play_tennis():
    table = hb.datasets.load("play_tennis")
    columns = {c.name: np.array([c.levels[v] for v in c.values]) for c in table.columns}
    return table, columns, np.array([table.target.levels[v] for v in table.target.values])


@pytest.mark.parametrize("engine", ["core", "python"])
def test_the_questions_about_the_fruit_come_in_the_order_of_the_note(engine):
    # Green? No. Red? Yes. Larger than 5 cm? No: a grape.
    questions = [
        {"column": "colour", "in": ["green"]},
        {"column": "colour", "in": ["red"]},
        {"column": "size", "above": 5},
        {"column": "size", "above": 16},
    ]
    method = hb.recipe("plain").with_changes(
        searches=[{"name": "custom_questions", "questions": questions}], column_costs={"size": 100.0}
    )
    tree = hb.grow(hb.datasets.load("fruit"), method, engine=engine)
    new = {"colour": ["red"], "size": [3.0]}
    assert hb.tree.format_path(tree, new, 0) == ["colour in {red, yellow}", "colour = red", "not (size > 5)"]
    assert hb.predict(tree, new).labels.tolist() == ["grape"]


@pytest.mark.parametrize("engine", ["core", "python"])
def test_a_tree_of_binary_questions_classifies_the_days_as_the_wide_tree_does(engine):
    table, _, labels = play_tennis()
    for search in ("multiway", "level_vs_rest", "best_subset"):
        tree = hb.grow(table, hb.recipe("id3").with_changes(searches=search), engine=engine)
        assert hb.predict(tree, table).labels.tolist() == labels.tolist()
        if search != "multiway":
            assert set(tree.nodes.n_branches[~tree.nodes.is_leaf].tolist()) == {2}


def test_the_drop_along_a_column_has_more_than_one_peak():
    # Splits never raise the impurity, but the drop is no convex or concave function of the cut.
    x, labels = np.arange(8), np.array(list("aabbaabb"))
    trace = hb.Trace()
    hb.grow(hb.read({"x": x, "y": labels}, target="y"), "plain", trace=trace)
    found = [float(tried.score) for tried in trace.steps[0].tried]
    assert found == pytest.approx([drop(gini, labels, x <= cut) for cut in np.arange(7) + 0.5], abs=1e-12)
    assert found[1] > found[3] < found[5]


@pytest.mark.parametrize("engine", ["core", "python"])
def test_ten_points_are_split_where_all_pairs_of_column_and_cut_say(engine):
    columns = {"x1": np.array([1, 2, 3, 4, 6, 7, 2, 3, 7, 8]), "x2": np.array([1, 2, 1, 2, 2, 7, 5, 6, 4, 5])}
    labels = np.array(["red"] * 6 + ["blue"] * 4)
    method = hb.recipe("plain").with_changes(criterion="entropy")
    tree = hb.grow(hb.read({**columns, "y": labels}, target="y"), method, engine=engine)
    rows = np.ones(10, dtype=bool)
    for node in (0, 2):
        gains = pairs({name: values[rows] for name, values in columns.items()}, labels[rows])
        name, cut = max(gains, key=gains.get)
        question = tree.question(node)
        assert (tree.schema.names[question.columns[0]], question.cut) == (name, cut)
        assert tree.nodes.gain[node] == pytest.approx(gains[name, cut], abs=1e-12)
        rows = rows & (columns[name] > cut)
    assert len(tree) == 5


@pytest.mark.parametrize("engine", ["core", "python"])
def test_one_hot_columns_give_the_splits_of_one_value(engine):
    table, columns, labels = play_tennis()
    hot = {f"{name}={v}": (values == v) * 1.0 for name, values in columns.items() for v in np.unique(values)}
    gains = {name: drop(entropy, labels, values == 1.0) for name, values in hot.items()}
    best = max(gains, key=gains.get)
    method = hb.recipe("plain").with_changes(criterion="entropy")
    native = hb.grow(table, method.with_changes(searches="level_vs_rest"), engine=engine)
    encoded = hb.grow(
        hb.read({**hot, "y": labels}, target="y"), method.with_changes(searches="sorted_cuts"), engine=engine
    )
    assert native.question(0).text(native.schema, 0).replace(" = ", "=") == best == "Outlook=Overcast"
    assert encoded.schema.names[encoded.question(0).columns[0]] == best
    assert sorted(native.nodes.gain) == pytest.approx(sorted(encoded.nodes.gain), abs=1e-12)
    assert native.nodes.gain[0] == pytest.approx(gains[best], abs=1e-12)


@pytest.mark.parametrize("engine", ["core", "python"])
def test_the_probabilities_of_a_leaf_are_its_counts_over_its_rows(engine):
    table, columns, labels = play_tennis()
    tree = hb.grow(table, hb.recipe("id3").with_changes(stops=[{"name": "max_depth", "depth": 1}]), engine=engine)
    found = hb.predict(tree, table)
    for row, outlook in enumerate(columns["Outlook"]):
        same = labels[columns["Outlook"] == outlook]
        assert found.probabilities[row] == pytest.approx([np.mean(same == "No"), np.mean(same == "Yes")])
