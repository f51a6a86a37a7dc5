"""The criteria obey the laws of impurities: B01 to B12 of the battery of laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.parts.criteria import NodeImpurity, criteria
from hornbeam.parts.criteria.cart_measure import CartMeasure
from hornbeam.parts.criteria.entropy import Entropy
from hornbeam.parts.criteria.gain_ratio import GainRatio, split_information
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.criteria.misclassification import Misclassification
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.criteria.two_class_variance import TwoClassVariance
from hornbeam.parts.criteria.twoing import Twoing

IMPURITIES = [Gini(), Entropy(), Misclassification()]
named = pytest.mark.parametrize("criterion", IMPURITIES, ids=lambda c: c.name)
quick = settings(max_examples=50, deadline=None)
counts = st.integers(2, 5).flatmap(lambda k: st.lists(st.integers(0, 50), min_size=k, max_size=k)).filter(any)
tables = (
    st.tuples(st.integers(2, 4), st.integers(2, 4))
    .flatmap(
        lambda s: st.lists(st.lists(st.integers(0, 30), min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0])
    )
    .filter(lambda t: all(map(any, t)))
)


@named
@quick
@given(counts)
def test_impurity_is_never_negative_and_0_only_when_pure(criterion, table):
    stats = np.array(table, dtype=float)
    value = float(criterion.impurity(stats))
    assert value >= 0
    assert (value == 0) == (np.count_nonzero(stats) == 1)


@pytest.mark.parametrize(
    ("criterion", "top"),
    [(Gini(), lambda k: 1 - 1 / k), (Entropy(), np.log2), (Misclassification(), lambda k: 1 - 1 / k)],
)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_even_node_is_the_most_impure(criterion, top, k):
    assert float(criterion.impurity(np.full(k, 5.0))) == pytest.approx(top(k), abs=1e-12)
    assert float(criterion.impurity(np.arange(1.0, k + 1))) < top(k)


@named
@quick
@given(counts, st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(criterion, table, random):
    shuffled = list(table)
    random.shuffle(shuffled)
    both = criterion.impurity(np.array([table, shuffled], dtype=float))
    assert both[0] == pytest.approx(both[1], abs=1e-12)


@quick
@given(tables)
def test_no_split_raises_an_impurity(table):
    branches = np.array(table, dtype=float)
    for kind in criteria:
        if issubclass(kind, NodeImpurity) and kind.supports == ("class",) and kind.only_classes is None:
            assert float(kind().gain(branches.sum(axis=0), branches[None])[0]) >= -1e-12, kind.name


@quick
@given(tables)
def test_the_gain_of_entropy_is_the_mutual_information_of_the_table(table):
    joint = np.array(table, dtype=float) / np.sum(table)
    alone = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    information = float(np.sum(joint[joint > 0] * np.log2(joint[joint > 0] / alone[joint > 0])))
    branches = np.array(table, dtype=float)
    assert float(Entropy().score(branches.sum(axis=0), branches[None])[0]) == pytest.approx(information, abs=1e-10)


@quick
@given(tables.filter(lambda t: len(t) == 2))
def test_the_notes_cart_measure_is_in_0_to_1_and_does_not_care_which_side_is_which(table):
    branches = np.array(table, dtype=float)
    parent = branches.sum(axis=0)
    forth, back = CartMeasure().score(parent, np.stack([branches, branches[::-1]]))
    assert 0 <= forth <= 1 + 1e-12
    assert forth == pytest.approx(back, abs=1e-12)
    f, p = branches.sum(axis=1) / branches.sum(), branches / branches.sum(axis=1, keepdims=True)
    assert forth == pytest.approx(2 * f[0] * f[1] * np.abs(p[0] - p[1]).sum(), abs=1e-12)


@quick
@given(tables)
def test_the_gain_ratio_is_gain_over_split_information(table):
    branches = np.array(table, dtype=float)
    parent = branches.sum(axis=0)
    ratio = float(GainRatio().score(parent, branches[None])[0])
    bits = float(split_information(branches))
    assert ratio >= -1e-12
    assert ratio * bits == pytest.approx(float(Entropy().score(parent, branches[None])[0]), abs=1e-12)


def test_a_gain_ratio_without_split_information_is_refused():
    branches = np.array([[[5.0, 3.0], [0.0, 0.0]]])
    assert GainRatio().score(np.array([5.0, 3.0]), branches)[0] == -np.inf


@quick
@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(lambda c: c[0] + c[1] > 0 and c[2] + c[3] > 0))
def test_two_class_variance_is_half_of_gini_and_twoing_half_of_its_gain(cells):
    branches = np.array(cells, dtype=float).reshape(2, 2)
    parent = branches.sum(axis=0)
    gini = float(Gini().score(parent, branches[None])[0])
    assert 2 * float(TwoClassVariance().impurity(parent)) == pytest.approx(float(Gini().impurity(parent)), abs=1e-12)
    assert 2 * float(Twoing().score(parent, branches[None])[0]) == pytest.approx(gini, abs=1e-12)


@quick
@given(st.lists(st.floats(-100, 100), min_size=4, max_size=20), st.integers(1, 3))
def test_the_gain_of_squared_error_is_the_fall_of_the_variance(numbers, cut):
    y = np.array(numbers) - np.mean(numbers)
    parts = [y[:cut], y[cut:]]
    stats = np.array([[len(p), p.sum(), (p * p).sum()] for p in parts])
    gain = float(SquaredError().score(stats.sum(axis=0), stats[None])[0])
    fall = y.var() - sum(len(p) * p.var() for p in parts) / len(y)
    assert gain == pytest.approx(fall, abs=1e-8)


@pytest.mark.parametrize("kind", [kind for kind in criteria if kind.supports == ("class",)], ids=lambda kind: kind.name)
def test_unknown_rows_lower_every_score(kind):
    branches = np.array([[[8.0, 2.0], [1.0, 9.0]]])
    full = kind().score(np.array([9.0, 11.0]), branches)
    holed = kind().score(np.array([9.0, 11.0]), branches, unknown=5.0)
    assert holed[0] < full[0]
