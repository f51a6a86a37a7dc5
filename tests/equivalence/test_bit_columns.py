"""The core, with questions as bits, grows the tree of the reference grower; so it does with searches of levels."""

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
    """A table and a method with given questions, questions about missing values, or both; not by the c45 criterion."""
    is_number = bool(rng.random() < 0.3)
    n_classes = int(rng.integers(2, 5))
    table = random_table(rng, is_number=is_number, n_classes=n_classes)
    method = random_method(rng, is_number=is_number, n_classes=n_classes)
    searches = (*method.searches, "is_missing") if rng.random() < 0.5 else method.searches
    searches = (*searches, random_questions(rng, table)) if rng.random() < 0.7 else searches
    if rng.random() < 0.3:
        searches = (random_questions(rng, table),)
    method = method.with_changes(searches=searches)
    return with_questions(rng) if method.criterion.name == "c45" else (table, method)


@pytest.mark.parametrize("seed", range(60))
def test_questions_as_bits_grow_the_same_tree(seed):
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


def test_what_bits_cannot_do_is_named():
    rng = np.random.default_rng(0)
    table = random_table(rng, is_number=False, n_classes=2)
    table = Table((*table.columns, nominal("level", rng.integers(0, 3, len(table)), tuple("abc"))), table.target)
    given = {"name": "custom_questions", "questions": [{"column": table.names[0], "is_missing": True}]}
    for changes, words in (
        ({"max_features": 1}, "custom_questions with max_features"),
        ({"competitors": 2}, "custom_questions with competitors"),
        ({"missing": "learned"}, "custom_questions with the missing-value strategy learned"),
        ({"searches": ("sorted_cuts", "random_subsets", given)}, "custom_questions with random_subsets"),
    ):
        method = Method(searches=("sorted_cuts", "best_subset", given)).with_changes(**changes)
        assert words in without_kernel(prepare(table, method))
        grow(table, method)


def test_a_column_used_by_every_level_leaves_its_question_about_missing_values():
    codes, target = np.array([0, 0, 0, 1, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 1, 0, 0, 1])
    table = Table((nominal("c", codes, ("a", "b")),), nominal("y", target, ("A", "B")))
    method = Method(criterion="gini", searches=["multiway", "is_missing"], stops=({"name": "min_split", "rows": 2},))
    trees = [grow(table, method, engine=engine) for engine in ("core", "python")]
    assert len(trees[0]) == 3
    assert trees[0].nodes.reason.tolist() == trees[1].nodes.reason.tolist() == [0, 3, 3]
