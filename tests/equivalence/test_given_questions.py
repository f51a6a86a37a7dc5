"""The core grows the tree of the reference grower with questions of the user, and about missing values; so it does with
searches of levels."""

import numpy as np
import pytest
from tests.equivalence.random_methods import assert_same, drawn_for_the_core, random_method, random_table

from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.column import Kind, nominal, numeric
from hornbeam.table.table import Table


def random_questions(rng, table):
    """A few questions about the columns of a random table."""
    questions = []
    for place in range(int(rng.integers(1, 6))):
        column = table.columns[int(rng.integers(0, len(table.columns)))]
        if rng.random() < 0.2:
            test = {"is_missing": True}
        elif column.kind is Kind.NUMERIC:
            low = float(rng.integers(0, 6))
            test = ({"above": low}, {"at_most": low}, {"between": [low, low + 2.0]})[int(rng.integers(0, 3))]
        else:
            test = {"in": [str(level) for level in column.levels if rng.random() < 0.5] or ["a"]}
        questions.append({"name": f"q{place}", "column": column.name, **test})
    if rng.random() < 0.4 and len(questions) > 1:
        questions.append({"any": [dict(questions[0]), {**questions[1], "not": True}]})
    return {"name": "custom_questions", "questions": questions}


def with_questions(rng):
    """A table and a method with given questions, questions about missing values, or both."""
    is_number = bool(rng.random() < 0.3)
    n_classes = int(rng.integers(2, 5))
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    searches = (*method.searches, "is_missing") if rng.random() < 0.5 else method.searches
    searches = (*searches, random_questions(rng, table)) if rng.random() < 0.7 else searches
    if rng.random() < 0.3:
        searches = (random_questions(rng, table),)
    return table, method.with_changes(searches=searches)


@pytest.mark.parametrize("seed", range(60))
def test_given_questions_grow_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    table, method = drawn_for_the_core(lambda: with_questions(rng))
    assert_same(table, method)
    for changes in ({"column_costs": {table.names[0]: 2.0}}, {"split_penalty": {"threshold": 0.3, "named": 0.1}}):
        # The core keeps an expensive column's score as it was compared, so questions are held equal here, not scores.
        core, plain = (grow(table, method.with_changes(**changes), engine=engine) for engine in ("core", "python"))
        np.testing.assert_array_equal(core.nodes.parent, plain.nodes.parent)
        for node in np.flatnonzero(core.nodes.question >= 0).tolist():
            assert core.question(node) == plain.question(node)


@pytest.mark.parametrize("seed", range(60))
def test_searches_of_levels_grow_the_same_tree(seed):
    rng = np.random.default_rng(1000 + seed)
    n_classes = int(rng.integers(2, 5))
    search = (
        {"name": "superclasses", "method": str(rng.choice(("twoing", "criterion")))},
        {"name": "random_subsets", "n_sets": int(rng.integers(1, 30))},
        {"name": "many_levels", "many": 2, "min_level_weight": 4.0, "penalize_sets": bool(rng.random() < 0.5)},
    )[seed % 3]
    is_number = search["name"] != "superclasses" and bool(rng.random() < 0.3)
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    method = method.with_changes(searches=(method.searches[0], search))
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method, seed=seed, tree=3)
    learned = method.with_changes(missing="learned")
    if not without_kernel(prepare(table, learned)):
        assert_same(table, learned, seed=seed, tree=3)


@pytest.mark.parametrize("is_number", [False, True])
def test_hundreds_of_levels_are_pooled_and_shrunken_alike(is_number):
    rng = np.random.default_rng(8)
    codes, weights = rng.integers(0, 300, 1500), rng.integers(1, 4, 1500) / 2
    high = rng.normal(size=(300, 4))
    y = (
        numeric("y", np.round(high[codes, 0] * 2))
        if is_number
        else nominal("y", high[codes].argmax(axis=1), tuple("ABCD"))
    )
    table = Table((nominal("v", codes, tuple(f"v{i:03}" for i in range(300))),), y, weights)
    for search in ("many_levels", "random_subsets"):
        assert_same(table, Method(searches=(search,)).with_changes(stops=[{"name": "max_depth", "depth": 5}]), seed=2)


LISTED = "a list"  # stands for questions about the columns of the table
COMBINATIONS = {
    "a depth": {"searches": ("sorted_cuts", "best_subset", {"name": LISTED, "until_depth": 2})},
    "many columns": {"searches": ("lda_plane", LISTED, "is_missing")},
    "conjunctions": {"searches": ("sorted_cuts", "best_subset", LISTED, "conjunctions", "is_missing")},
    "random cuts": {"searches": ("random_cuts", LISTED, "is_missing")},
    "sampled random cuts": {"searches": ("random_cuts", LISTED, "is_missing"), "max_features": 2},
    "random pairs": {"searches": ({"name": "random_pairs", "pairs": 20}, LISTED, "is_missing")},
    "random subsets": {"searches": ("sorted_cuts", "random_subsets", LISTED, "is_missing")},
    "intervals": {"searches": ("sorted_cuts", "intervals", "multiway", LISTED, "is_missing")},
    "bins": {"searches": ({"name": "binned_cuts", "bins": 3}, "best_subset", LISTED, "is_missing")},
    "the ratio of c45": {"criterion": "c45", "searches": ("sorted_cuts", "multiway", LISTED, "is_missing")},
    "the gain of c45": {"criterion": {"name": "c45", "method": "gain"}, "searches": ("sorted_cuts", "chou", LISTED)},
    "surrogates": {"missing": "surrogates"},
    "learned": {"missing": "learned"},
    "own_branch": {"missing": "own_branch"},
    "fractional": {"missing": "fractional", "searches": ("sorted_cuts", "multiway", "is_missing")},
    "impute": {
        "missing": {"name": "impute", "scope": "node"},
        "searches": ("sorted_cuts", "best_subset", "is_missing"),
    },
    "sampled columns": {"max_features": 2, "competitors": 2},
    "a sample of columns in bins": {
        "searches": ({"name": "binned_cuts", "bins": 2}, LISTED, "is_missing"),
        "max_features": 1,
    },
    "the list alone, sampled": {"searches": (LISTED,), "max_features": 1},
    "whether values are missing, sampled": {"searches": ("is_missing",), "max_features": 1},
    "competitors": {"competitors": 3},
    "equal rows": {"searches": (LISTED, "is_missing"), "stops": ("same_vectors",)},
    "columns of one search": {"searches": ("best_subset", "is_missing"), "stops": ("same_vectors",), "competitors": 2},
    "penalties": {"split_penalty": {"is_missing": 0.2, "named": 0.3, "subset": 0.1}, "column_costs": {"c0": 3.0}},
    "the absolute error": {"criterion": "absolute_error", "searches": ("sorted_cuts", "best_subset", "is_missing")},
}


@pytest.mark.parametrize("changes", COMBINATIONS.values(), ids=COMBINATIONS.keys())
def test_given_questions_are_combined_with_any_other_part(changes):
    is_number = changes.get("criterion") == "absolute_error"
    used = 0
    for seed in range(25):
        rng = np.random.default_rng(2000 + seed)
        table = random_table(rng, is_number=is_number, n_classes=3, missing=0.5)
        listed = random_questions(rng, table)
        searches = [
            listed
            if each == LISTED
            else {**each, **listed}
            if isinstance(each, dict) and each["name"] == LISTED
            else each
            for each in changes.get("searches", ("sorted_cuts", "best_subset", LISTED, "is_missing"))
        ]
        method = Method(criterion="absolute_error" if is_number else "gini").with_changes(
            **{**changes, "searches": searches}
        )
        assert without_kernel(prepare(table, method)) == ""
        assert_same(table, method, seed=seed, tree=1)
        tree = grow(table, method, seed=seed, tree=1)
        used += sum(
            tree.question(node).kind in ("is_missing", "named", "combined")
            for node in np.flatnonzero(tree.nodes.question >= 0).tolist()
        )
    assert used or changes.get("missing") in ("learned", "own_branch")


def test_whether_values_are_missing_is_a_question_about_a_table_without_missing_values():
    table = Table((numeric("x", [1.0, 2.0, 3.0]),), nominal("y", [0, 1, 1], ("A", "B")))
    method = Method(searches=("is_missing",))
    assert without_kernel(prepare(table, method)) == ""
    assert_same(table, method)


def test_a_column_used_by_every_level_leaves_its_question_about_missing_values():
    codes, target = np.array([0, 0, 0, 1, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 1, 0, 0, 1])
    table = Table((nominal("c", codes, ("a", "b")),), nominal("y", target, ("A", "B")))
    method = Method(criterion="gini", searches=["multiway", "is_missing"], stops=({"name": "min_split", "rows": 2},))
    trees = [grow(table, method, engine=engine) for engine in ("core", "python")]
    assert len(trees[0]) == 3
    assert trees[0].nodes.reason.tolist() == trees[1].nodes.reason.tolist() == [0, 3, 3]
