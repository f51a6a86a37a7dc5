"""Nested dichotomies: worked example E9.1 (tests/data/examples.json), given and chosen structures, counts."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from tests.examples import EXAMPLES
from tests.unit.ensembles.reductions.problems import blobs, problem_of

from hornbeam.ensembles.reductions.dichotomy import build_dichotomy, dichotomy_from_pairs
from hornbeam.ensembles.reductions.joining import joined_groups
from hornbeam.ensembles.reductions.nested import fit_dichotomy
from hornbeam.ensembles.reductions.purity import purity_scores
from hornbeam.ensembles.reductions.structure import dichotomy_by_folds, dichotomy_by_purity, groupings
from hornbeam.errors import OptionError


def test_purity_chooses_the_dichotomy_of_example_9_1():
    example = EXAMPLES["E9.1"]
    problem = problem_of(np.array(example["input"]["points"]), example["input"]["labels"])
    tree = dichotomy_by_purity(problem, [0, 1, 2, 3])
    expected = example["expected"]
    assert [list(tree.nodes[place].classes) for place in (1, 2)] == [
        expected["tree"]["left"],
        expected["tree"]["right"],
    ]
    assert tree.nodes[0].score == pytest.approx(expected["tree"]["score"], abs=1e-9)
    for place, sub in zip((1, 2), expected["tree"]["sub"], strict=True):
        node = tree.nodes[place]
        assert list(tree.nodes[node.first].classes) == sub["left"]
        assert list(tree.nodes[node.second].classes) == sub["right"]
        assert node.score == pytest.approx(sub["score"], abs=1e-9)
    assert tree.n_classifiers == expected["classifiers"]
    assert tree.longest_path == expected["max_evaluations"]


def test_folds_choose_the_grouping_that_the_base_classifier_separates_best():
    # A narrow class inside a wide one: no single cut separates 0 from 1, but naive Bayes does, by their variance.
    X, y = blobs([(0.0,), (0.0,), (50.0,)], n_rows=40, seed=1)
    X[y == 1] *= 40
    problem = problem_of(X, y, GaussianNB())
    folds = np.arange(len(y)) % 4
    tree = dichotomy_by_folds(problem, "abc", folds)
    assert tree.pairs == (("a", "b"), "c")
    assert tree.scored_by == "accuracy"
    assert tree.nodes[0].score == 1.0
    assert 0.85 < tree.nodes[1].score < 1.0


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8])
def test_all_groupings_occur_once_the_balanced_ones_first(n_classes):
    found = groupings(range(n_classes))
    assert len({frozenset(map(frozenset, each)) for each in found}) == len(found) == 2 ** (n_classes - 1) - 1
    uneven = [abs(len(first) - len(second)) for first, second in found]
    assert uneven == sorted(uneven)
    assert all(first[0] == 0 for first, _ in found)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7, 16, 26])
def test_a_dichotomy_of_k_classes_has_k_minus_1_classifiers(n_classes):
    halves = build_dichotomy(range(n_classes), lambda c: (c[: len(c) // 2], c[len(c) // 2 :], None), "")
    chain = build_dichotomy(range(n_classes), lambda c: (c[:1], c[1:], None), "")
    assert halves.n_classifiers == chain.n_classifiers == n_classes - 1
    assert halves.longest_path == math.ceil(math.log2(n_classes))
    assert chain.longest_path == n_classes - 1


def test_a_very_long_chain_of_pairs_is_read_and_written():
    n_classes = 1500
    pairs = 0
    for label in range(1, n_classes):
        pairs = (label, pairs)
    tree = dichotomy_from_pairs(pairs, list(range(n_classes)))
    assert tree.longest_path == n_classes - 1
    written = tree.pairs
    for label in range(n_classes - 1, 0, -1):
        assert written[0] == label
        written = written[1]
    assert str(tree).count("=") == n_classes


def test_given_pairs_are_those_of_the_tree_and_classes_are_found_by_text():
    tree = dichotomy_from_pairs((["b", "d"], ("1", "a")), ["a", "b", 1, "d"])
    assert tree.pairs == (("b", "d"), (1, "a"))
    assert str(tree).splitlines()[:3] == ["b, d | a, 1", "  b | d", "    = b"]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (("a", "b"), "missing classes: c"),
        (("a", "b", "c"), "2 members, got 3"),
        (("a", ("b", ("c", "a"))), "more than the 3 classes"),
        (("a", ("b", "b")), "class 'b' occurs twice"),
        (("a", ("b", "x")), "'x', which is not a class"),
        (("a", ()), "2 members, got 0"),
    ],
)
def test_pairs_that_are_not_a_dichotomy_of_the_classes_are_rejected(pairs, message):
    with pytest.raises(OptionError, match=message):
        dichotomy_from_pairs(pairs, ["a", "b", "c"])


def test_a_list_that_contains_itself_is_rejected():
    endless = ["a"]
    endless.append(endless)
    with pytest.raises(OptionError, match="more than the 3 classes"):
        dichotomy_from_pairs(endless, ["a", "b", "c"])


def plain_purity(columns, y, weights, second):
    """The score by its formula: every subset of levels of a nominal column, every cut of numbers, one at a time."""

    def bits(chosen):
        probabilities = [weights[chosen & (is_second == side)].sum() for side in (True, False)]
        return -sum(s / sum(probabilities) * math.log2(s / sum(probabilities)) for s in probabilities if s > 0)

    is_second = np.isin(y, second)
    best = 0.0
    for values, is_nominal in columns:
        known = np.array([value is not None and value == value for value in values])
        levels = sorted({values[row] for row in np.flatnonzero(known)})
        if is_nominal:
            sides = [set(side) for n in range(1, len(levels)) for side in itertools.combinations(levels, n)]
        else:
            sides = [set(levels[:n]) for n in range(1, len(levels))]
        for side in sides:
            left = known & np.array([value in side for value in values])
            right = known & ~left
            inside = weights[left].sum() * bits(left) + weights[right].sum() * bits(right)
            best = max(best, (weights[known].sum() * bits(known) - inside) / weights.sum())
    return best / bits(np.ones(len(y), bool))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_score_of_a_grouping_is_that_of_its_formula(seed):
    draw = np.random.default_rng(seed)
    n_rows = 14
    y = np.concatenate([[0, 1, 2, 3], draw.integers(0, 4, n_rows - 4)])
    numbers = draw.integers(0, 5, n_rows).astype(float)
    numbers[draw.integers(0, n_rows)] = np.nan
    letters = draw.choice(["p", "q", "r", "s"], n_rows).astype(object)
    letters[draw.integers(0, n_rows)] = None
    weights = draw.integers(1, 4, n_rows).astype(float)
    problem = problem_of({"number": numbers, "word": letters}, y, weights=weights)
    seconds = [second for _, second in groupings(range(4))]
    found = purity_scores(problem, range(4), seconds)
    columns = [(list(numbers), False), (list(letters), True)]
    assert found == pytest.approx([plain_purity(columns, y, weights, second) for second in seconds], abs=1e-9)


def test_many_classes_are_joined_by_the_distance_of_their_means():
    # Twelve classes in two clusters along the first column; the noise of the second dominates Euclidean distances.
    X, y = blobs([(heap * 30.0 + step, 0.0) for heap in (0, 1) for step in range(6)])
    X[:, 1] *= 10_000
    problem = problem_of(X, y)
    assert joined_groups(problem, range(12)) == (tuple(range(6)), tuple(range(6, 12)))
    tree = dichotomy_by_purity(problem, range(12))
    assert tree.nodes[1].classes == tuple(range(6))
    assert tree.n_classifiers == 11


def test_probabilities_are_products_along_the_path_and_evaluations_are_counted():
    X, y = blobs([(0.0,), (2.0,), (4.0,), (6.0,)], n_rows=20, spread=0.8)
    model = fit_dichotomy(problem_of(X, y, GaussianNB()), dichotomy_from_pairs((0, (1, (2, 3))), range(4)))
    p = [member.model.predict_proba(X)[:, 1] for member in model.members if member is not None]
    expected = np.column_stack([1 - p[0], p[0] * (1 - p[1]), p[0] * p[1] * (1 - p[2]), p[0] * p[1] * p[2]])
    np.testing.assert_allclose(model.probabilities(X, len(X)), expected)
    result = model.classify(X, len(X))
    np.testing.assert_array_equal(result.evaluations, np.minimum(result.codes + 1, 3))
    # A classifier is trained on the rows of its own classes only.
    assert [int(member.model.class_count_.sum()) for member in model.members if member is not None] == [80, 60, 40]
