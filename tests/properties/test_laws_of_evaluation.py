"""Laws that hold for any rows: symmetry, invariance, weights as repeats, limits."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.evaluation import evaluate, intervals, roc, splits_of_folds, stratified_folds
from hornbeam.evaluation.confusion import binary_rates, confusion
from hornbeam.evaluation.recalibration import pool_adjacent_violators

pytestmark = pytest.mark.filterwarnings("ignore::hornbeam.errors.HornbeamWarning")
quick = settings(max_examples=60, deadline=None)


@st.composite
def scored(draw):
    """Truth with both classes, scores with many ties, whole weights."""
    n = draw(st.integers(4, 30))
    truth = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda each: len(set(each)) == 2))
    scores = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    return np.array(truth), np.array(scores, dtype=float), np.array(weights)


@quick
@given(scored())
def test_area_of_the_other_class_by_negated_scores_is_the_same(rows):
    truth, scores, _ = rows
    one, other = roc.auc(truth, scores), roc.auc(~truth, -scores)
    assert one.value == pytest.approx(other.value, abs=1e-14)
    assert roc.auc(truth, -scores).value == pytest.approx(1 - one.value, abs=1e-14)
    if one.variance is not None:
        assert one.variance == pytest.approx(other.variance, abs=1e-14)


@quick
@given(scored())
def test_area_is_the_trapezoids_under_the_curve_and_knows_ranks_only(rows):
    truth, scores, _ = rows
    curve = roc.roc_curve(truth, scores)
    x, y = curve.false_positive_rates, curve.true_positive_rates
    area = float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))
    assert roc.auc(truth, scores).value == pytest.approx(area, abs=1e-12)
    assert roc.auc(truth, np.exp(scores)) == roc.auc(truth, scores)
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()


@quick
@given(scored())
def test_whole_weights_are_repeated_rows(rows):
    truth, scores, weights = rows
    many = np.repeat(np.arange(len(truth)), weights)
    answers = scores > 0
    if len(set(truth[many])) == 2:
        weighted, plain = roc.auc(truth, scores, weights), roc.auc(truth[many], scores[many])
        assert weighted.value == pytest.approx(plain.value, abs=1e-12)
        precision = roc.average_precision(truth, scores, weights).value
        assert precision == pytest.approx(roc.average_precision(truth[many], scores[many]).value, abs=1e-12)
    labels = (False, True)
    one = binary_rates(confusion(truth, answers, labels, weights), True)
    two = binary_rates(confusion(truth[many], answers[many], labels), True)
    for name in one:
        assert (one[name].value is None) == (two[name].value is None), name
        assert float(one[name]) == pytest.approx(float(two[name]), abs=1e-12, nan_ok=True), name


@quick
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
def test_intervals_hold_their_share_and_stay_inside(counts, confidence):
    k, n = counts
    for low, high in (intervals.wilson(k / n, n, confidence), intervals.clopper_pearson(k, n, confidence)):
        assert 0 <= low <= k / n <= high <= 1
    mirrored = intervals.wilson((n - k) / n, n, confidence)
    low, high = intervals.wilson(k / n, n, confidence)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


@quick
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_a_chance_and_symmetric(b, c):
    assert 0 < intervals.mcnemar(b, c) <= 1
    assert intervals.mcnemar(b, c) == intervals.mcnemar(c, b)


@quick
@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.integers(2, 6), st.integers(0, 2**64 - 1))
def test_stratified_folds_are_a_partition_and_even(classes, n_folds, seed):
    n_folds = min(n_folds, len(classes))
    folds = stratified_folds(np.array(classes), n_folds, seed)
    assert np.ptp(np.bincount(folds, minlength=n_folds)) <= 1
    for k in set(classes):
        assert np.ptp(np.bincount(folds[np.array(classes) == k], minlength=n_folds)) <= 1
    splits = splits_of_folds(folds)
    assert sorted(np.concatenate([split.test for split in splits]).tolist()) == list(range(len(classes)))
    assert all(len(split.train) + len(split.test) == len(classes) for split in splits)


@quick
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 5)), min_size=1, max_size=40))
def test_pooled_steps_rise_and_keep_the_mean(pairs):
    values, weights = np.array(pairs).T
    found = pool_adjacent_violators(values, weights)
    assert (np.diff(found) >= -1e-12).all()
    assert np.average(found, weights=weights) == pytest.approx(np.average(values, weights=weights), abs=1e-9)


@quick
@given(st.integers(2, 5), st.integers(1, 25), st.integers(0, 2**32 - 1), st.booleans())
def test_any_evaluation_is_valid_json_with_a_reason_for_every_gap(n_classes, n, seed, has_positive):
    random = np.random.default_rng(seed)
    classes = tuple("abcde"[:n_classes])
    probabilities = random.dirichlet(np.full(n_classes, 0.3), n)
    weights = random.integers(0, 3, n) + (np.arange(n) == 0)
    found = evaluate(
        random.integers(0, n_classes, n),
        probabilities,
        classes,
        positive="b" if has_positive else None,
        weights=weights,
    )
    kept = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    for name, measure in kept["metrics"].items():
        assert measure["value"] is not None or measure.get("reason"), name
        if measure["low"] is not None:
            assert measure["low"] - 1e-9 <= measure["value"] <= measure["high"] + 1e-9, name
    assert str(found)
    assert found._repr_html_()
