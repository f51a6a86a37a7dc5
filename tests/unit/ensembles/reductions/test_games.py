"""DDAG, ADAG and max-wins: worked example E9.2 (tests/data/examples.json), games, ties, byes, probabilities."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from tests.examples import EXAMPLES

from hornbeam.ensembles.reductions.coupling import couple_probabilities
from hornbeam.ensembles.reductions.games import adag, ddag, knock_out_probabilities, max_wins
from hornbeam.ensembles.reductions.matching import _greedy, least_error_order


def nearer(targets):
    """Of two classes the one nearer to the target of the row wins."""

    def ask(first, second, rows):
        assert first < second
        return np.abs(first - targets[rows]) - np.abs(second - targets[rows])

    return ask


def test_games_are_those_of_example_9_2():
    example = EXAMPLES["E9.2"]
    given_, expected = example["input"], example["expected"]
    ask = nearer(np.array([given_["target"]]))
    knock_out = adag(1, given_["order"], ask)
    assert [left[0].tolist() for left in knock_out.rounds] == expected["adag"]["rounds"]
    assert (knock_out.codes[0], knock_out.evaluations[0]) == (2, expected["adag"]["evaluations"])
    listed = ddag(1, given_["order"], ask)
    assert (listed.codes[0], listed.evaluations[0]) == (expected["ddag"]["winner"], expected["ddag"]["evaluations"])
    assert max_wins(1, given_["K"], ask).evaluations[0] == expected["pairwise_classifiers"]


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 8, 11])
def test_games_are_counted_and_where_one_class_beats_all_it_always_wins(n_classes):
    targets = np.random.default_rng(2).uniform(0, n_classes - 1, 50)
    nearest = np.array([min(range(n_classes), key=lambda k, t=t: abs(k - t)) for t in targets])
    order = np.random.default_rng(n_classes).permutation(n_classes).tolist()
    errors = np.random.default_rng(4).uniform(size=(n_classes, n_classes))
    reordered = adag(50, order, nearer(targets), lambda left: least_error_order(left, errors + errors.T))
    in_order = adag(50, order, nearer(targets))
    assert len(in_order.rounds) == len(reordered.rounds) == math.ceil(math.log2(n_classes))
    for result in (ddag(50, order, nearer(targets)), in_order, reordered):
        assert (result.evaluations == n_classes - 1).all()
        np.testing.assert_array_equal(result.codes, nearest)
    everyone = max_wins(50, n_classes, nearer(targets))
    assert (everyone.evaluations == n_classes * (n_classes - 1) // 2).all()
    np.testing.assert_array_equal(everyone.codes, nearest)


def test_a_pair_is_evaluated_only_for_the_rows_that_play_it():
    targets = np.array([0.0, 3.0])
    evaluated = []

    def ask(first, second, rows):
        evaluated.append((first, second, rows.tolist()))
        return nearer(targets)(first, second, rows)

    ddag(2, [0, 1, 2, 3], ask)
    assert evaluated == [(0, 3, [0, 1]), (0, 2, [0]), (1, 3, [1]), (0, 1, [0]), (2, 3, [1])]


def test_a_tie_goes_to_the_lower_class_in_any_order():
    def level(first, second, rows):
        return np.zeros(len(rows))

    assert ddag(1, [2, 0, 1], level).codes[0] == adag(1, [2, 0, 1], level).codes[0] == 0
    assert max_wins(1, 3, level).codes[0] == 0


def test_equal_wins_are_decided_by_the_sum_of_margins():
    # A ring: 1 beats 0 by 1, 2 beats 1 by 3, 0 beats 2 by 2. Sums: 0 has -1 + 2, 1 has 1 - 3, 2 has 3 - 2; 0 and 2 tie.
    margins = {(0, 1): 1.0, (1, 2): 3.0, (0, 2): -2.0}
    assert max_wins(1, 3, lambda a, b, rows: np.full(len(rows), margins[a, b])).codes[0] == 0
    margins[1, 2] = 3.5
    assert max_wins(1, 3, lambda a, b, rows: np.full(len(rows), margins[a, b])).codes[0] == 2


def test_adag_probabilities_are_products_along_the_games():
    of_second = {(0, 1): 0.3, (2, 3): 0.6, (0, 3): 0.2}  # the games played: 0 beats 1, 3 beats 2, 0 beats 3
    found = knock_out_probabilities(1, [0, 1, 2, 3], lambda a, b, rows: np.full(len(rows), of_second[a, b] - 0.5))
    assert found[0] == pytest.approx([0.8 * 0.7, 0.8 * 0.3, 0.2 * 0.4, 0.2 * 0.6])


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 7), st.integers(0, 10**6), st.booleans())
def test_adag_probabilities_sum_to_one_and_follow_the_games_of_the_winner(n_classes, seed, reorders):
    draw = np.random.default_rng(seed)
    probabilities = draw.integers(0, 5, size=(6, n_classes, n_classes)) / 4
    order = draw.permutation(n_classes).tolist()
    errors = draw.integers(0, 4, size=(n_classes, n_classes)).astype(float)
    pairing = (lambda left: least_error_order(left, errors + errors.T)) if reorders else None

    def ask(first, second, rows):
        return probabilities[rows, first, second] - 0.5

    found = knock_out_probabilities(6, order, ask, pairing)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    winner = adag(6, order, ask, pairing).codes
    n_rounds = math.ceil(math.log2(n_classes))
    assert (found[np.arange(6), winner] >= 0.5**n_rounds - 1e-12).all()


def all_pairings(classes):
    """All pairings; with an odd number one class is left over."""
    if len(classes) < 2:
        return [[]]
    first, *others = classes
    found = [[(first, other), *more] for other in others for more in all_pairings([c for c in others if c != other])]
    return found + ([more for more in all_pairings(others)] if len(classes) % 2 else [])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.integers(0, 10**6))
def test_a_round_has_the_first_pairing_of_minimal_error(n_classes, seed):
    errors = np.random.default_rng(seed).integers(0, 6, size=(n_classes, n_classes)) / 8
    errors = errors + errors.T
    order = least_error_order(tuple(range(n_classes)), errors)
    games = list(itertools.batched(order, 2)) if hasattr(itertools, "batched") else list(zip(order[::2], order[1::2]))
    games = [tuple(game) for game in games if len(game) == 2]
    sums = {tuple(sorted(ways)): sum(errors[pair] for pair in ways) for ways in all_pairings(range(n_classes))}
    assert sorted(order) == list(range(n_classes))
    assert sums[tuple(games)] == pytest.approx(min(sums.values()))
    if n_classes % 2 == 0:
        assert tuple(games) == min(ways for ways, total in sums.items() if total == min(sums.values()))


def test_above_sixteen_classes_the_smallest_error_is_paired_first():
    errors = np.full((17, 17), 0.5)
    errors[3, 16] = errors[16, 3] = 0.1
    errors[3, 5] = errors[5, 3] = 0.2
    order = least_error_order(tuple(range(17)), errors)
    pairs = list(zip(order[::2], order[1::2]))
    assert (3, 16) in pairs
    assert order[-1] == 15  # the rest is paired in order, 15 is left over
    assert sorted(_greedy(tuple(range(17)), errors))[:3] == [(0, 1), (2, 4), (3, 16)]


def test_coupling_recovers_the_probabilities_of_consistent_pairs():
    probabilities = np.array([[0.5, 0.3, 0.15, 0.05], [0.25, 0.25, 0.25, 0.25]])
    pairs = probabilities[:, :, None] / (probabilities[:, :, None] + probabilities[:, None, :])
    weights = np.random.default_rng(0).integers(1, 30, size=(4, 4)).astype(float)
    np.testing.assert_allclose(couple_probabilities(pairs, weights + weights.T), probabilities, atol=1e-9)


def test_coupled_probabilities_minimize_the_weighted_divergence():
    # Hastie and Tibshirani (1998), eq. (5): sum over pairs of n_ij times the binomial divergence of r_ij from mu_ij.
    probabilities = np.array([[0.5, 0.9, 0.4], [0.1, 0.5, 0.7], [0.6, 0.3, 0.5]])
    weights = np.array([[0.0, 10.0, 30.0], [10.0, 0.0, 20.0], [30.0, 20.0, 0.0]])

    def divergence(logs):
        p = np.exp(logs)
        expected = p[:, None] / (p[:, None] + p[None, :])
        return -(weights * probabilities * np.log(expected)).sum()

    best = np.exp(minimize(divergence, np.zeros(3), tol=1e-12).x)
    np.testing.assert_allclose(couple_probabilities(probabilities[None], weights)[0], best / best.sum(), atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 10, 60])
def test_a_class_that_beats_every_other_with_certainty_has_probability_one(n_classes):
    # Each pair leaves 1e-7 for the loser, so n - 1 losers leave less than n * 1e-7 together.
    coupled = couple_probabilities(np.triu(np.ones((1, n_classes, n_classes)), 1), np.ones((n_classes, n_classes)))[0]
    assert coupled[0] == pytest.approx(1.0, abs=n_classes * 1e-7)
    assert (np.diff(coupled) <= 0).all()


def test_the_probabilities_of_a_row_do_not_depend_on_other_rows():
    draw = np.random.default_rng(5)
    low = np.tril(draw.choice([0.0, 0.2, 0.5, 1.0], size=(20, 5, 5)), -1)
    pairs = low + np.triu(1 - np.swapaxes(low, 1, 2), 1)
    together = couple_probabilities(pairs, np.ones((5, 5)))
    alone = np.concatenate([couple_probabilities(pairs[[row]], np.ones((5, 5))) for row in range(20)])
    np.testing.assert_array_equal(together, alone)
