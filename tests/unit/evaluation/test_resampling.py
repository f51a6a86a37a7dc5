"""Folds, cross-validation, nesting, the .632+ bootstrap and comparisons."""

import dataclasses
import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from hornbeam.errors import HornbeamWarning, InputError, OptionError
from hornbeam.evaluation import (
    bootstrap_632_plus,
    bootstrap_splits,
    compare_auc,
    compare_cross_validated,
    compare_folds,
    compare_predictions,
    cross_validate_with,
    evaluate,
    expanding_splits,
    grouped_folds,
    nested,
    random_folds,
    repeat_splits,
    splits_of_folds,
    stratified_folds,
)
from hornbeam.evaluation.resample import combined_632_plus
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table


@dataclasses.dataclass(frozen=True, eq=False)
class Pair:
    """The least that resampling needs of a table."""

    x: np.ndarray
    y: np.ndarray

    def __len__(self):
        return len(self.y)

    def take(self, rows):
        return Pair(self.x[rows], self.y[rows])


def made(n=120, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 3))
    return Pair(x, (x[:, 0] + 0.5 * random.normal(size=n) > 0).astype(int))


def tree(depth):
    return lambda table: DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table.x, table.y)


def probabilities(model, table):
    return model.predict_proba(table.x)


def score(table, given):
    found = evaluate(table.y, given, (0, 1), positive=1)
    return {name: found[name] for name in ("accuracy", "auc", "brier")}


def test_stratified_folds_spread_every_class_evenly():
    y = np.array([0] * 31 + [1] * 14)
    folds = stratified_folds(y, 5, 7)
    for k in (0, 1):
        counts = np.bincount(folds[y == k], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.ptp(np.bincount(folds)) <= 1
    assert stratified_folds(y, 5, 7).tolist() == folds.tolist()
    assert stratified_folds(y, 5, 8).tolist() != folds.tolist()


def test_labels_and_codes_give_the_same_folds():
    y = np.array([0, 1, 1, 0, 1, 0, 1, 0])
    assert stratified_folds(y, 2, 3).tolist() == stratified_folds(np.array(["a", "b"])[y], 2, 3).tolist()


def test_random_folds_are_even_and_cover_all_rows():
    assert sorted(np.bincount(random_folds(11, 3, 1)).tolist()) == [3, 4, 4]


def test_grouped_folds_put_large_groups_into_small_folds():
    # Largest first: a (4) to fold 0, b (3) to fold 1, c (3) to fold 1 (3 < 4), d (2) to fold 0 (4 < 6).
    groups = list("aaaabbbcccdd")
    found = grouped_folds(groups, 2)
    assert {g: {found[i] for i in range(12) if groups[i] == g} for g in "abcd"} == {
        "a": {0},
        "b": {1},
        "c": {1},
        "d": {0},
    }


def test_repeats_differ_and_each_covers_all_rows():
    y = np.array([0, 1] * 10)
    splits = repeat_splits(lambda repeat: stratified_folds(y, 4, 5, repeat), 3)
    assert len(splits) == 12
    assert np.bincount(np.concatenate([split.test for split in splits])).tolist() == [3] * 20
    assert splits[0].test.tolist() != splits[4].test.tolist()


def test_expanding_splits_never_look_ahead():
    times = np.array([5, 1, 3, 2, 4, 0, 7, 6])
    for split in expanding_splits(3, times=times):
        assert times[split.train].max() < times[split.test].min()
    blocks = expanding_splits(3, n_rows=8)
    assert [(len(each.train), each.test.tolist()) for each in blocks] == [(2, [2, 3]), (4, [4, 5]), (6, [6, 7])]
    assert [len(each.train) for each in expanding_splits(3, n_rows=8, gap=1)] == [1, 3, 5]


def test_rows_of_one_time_stay_on_one_side():
    times = np.array([0, 1, 1, 1, 1, 2, 3, 3])
    for split in expanding_splits(3, times=times):
        assert set(times[split.train]).isdisjoint(times[split.test])
    with pytest.raises(InputError, match="too few distinct times"):
        expanding_splits(2, times=[1, 1, 1, 1])
    days = np.array(["2024-01-03", "2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    assert expanding_splits(2, times=days)[0].train.tolist() == [1]


def test_the_test_rows_of_a_bootstrap_are_those_not_sampled():
    for split in bootstrap_splits(50, 3, 1):
        assert len(split.train) == 50
        assert set(split.train).isdisjoint(split.test)
        assert set(split.train) | set(split.test) == set(range(50))


@pytest.mark.parametrize("folds", [0, 1, 13, 2.5, "3", True])
def test_the_number_of_folds_is_checked(folds):
    # Battery item A117
    with pytest.raises(OptionError, match="n_folds must be an integer between 2 and 12"):
        random_folds(12, folds)


def test_classes_rarer_than_folds_are_named():
    with pytest.warns(HornbeamWarning, match=r"'rare' \(2\)"):
        stratified_folds(["common"] * 9 + ["rare"] * 2, 5)


@pytest.mark.parametrize("classes", [[0, 1, -1], [0.0, math.nan, 1.0], ["a", None, "b"]])
def test_missing_classes_are_rejected(classes):
    with pytest.raises(InputError, match="missing at row"):
        stratified_folds(np.array(classes, dtype=object if None in classes else None), 2)


def test_every_row_is_evaluated_by_a_model_that_has_not_seen_it():
    table = Pair(np.arange(20.0)[:, None], np.arange(20) % 2)

    def predict(seen, rows):
        assert not set(seen) & set(rows.x[:, 0])
        return np.full(len(rows), len(seen))

    found = cross_validate_with(
        table,
        lambda part: part.x[:, 0].tolist(),
        splits_of_folds(random_folds(20, 4, 2)),
        predict,
        lambda rows, given: {"trained": float(np.mean(given))},
    )
    assert found["trained"].values == (15.0, 15.0, 15.0, 15.0)
    assert sorted(np.concatenate(found.rows).tolist()) == list(range(20))


def test_pooled_and_per_fold_values():
    table = made()
    splits = splits_of_folds(stratified_folds(table.y, 5, 1))
    found = cross_validate_with(table, tree(3), splits, probabilities, score)
    accuracy = found["accuracy"]
    values = np.array(accuracy.values)
    assert accuracy.mean.value == pytest.approx(values.mean())
    assert accuracy.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(5))
    # Folds of 24 rows each: the pooled share is the mean of the folds.
    assert accuracy.pooled.value == pytest.approx(values.mean())
    assert accuracy.pooled.low < accuracy.pooled.value < accuracy.pooled.high
    assert found["auc"].pooled.value is None
    assert "are not on one scale" in found["auc"].pooled.reason
    assert "accuracy" in str(found)
    assert found.sizes == ((96, 24),) * 5


def test_a_table_can_be_resampled():
    y = nominal("y", [0, 1] * 10, ("no", "yes"))
    table = Table((numeric("x", np.arange(20.0)),), y)
    found = cross_validate_with(
        table,
        lambda part: float(part["x"].values.mean()),
        splits_of_folds(stratified_folds(y.values, 4, 1)),
        lambda mean, part: (part["x"].values > mean).astype(int),
        lambda part, given: evaluate(part.target.values, given, y.levels, positive="yes").metrics,
    )
    assert found["accuracy"].pooled.count[1] == 20
    assert len(found["lr_plus"].values) == 4


def test_folds_of_one_class_are_excluded_from_the_mean_of_areas():
    table = Pair(np.zeros((6, 1)), np.array([0, 0, 0, 1, 0, 1]))
    with pytest.warns(HornbeamWarning, match="AUC"):
        found = cross_validate_with(table, tree(1), splits_of_folds([0, 0, 0, 1, 1, 1]), shares2, score)
    assert found["auc"].values == (None, 0.5)
    assert found["auc"].mean.value == 0.5
    assert "1 of 2 folds" in found["auc"].mean.reason


def shares2(model, table):
    return np.full((len(table), 2), 0.5)


def test_errors_inside_a_fold_name_the_fold():
    def broken(table):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no") as caught:
        cross_validate_with(made(), broken, splits_of_folds(random_folds(120, 3)), probabilities, score)
    assert "fold 0 (80 training and 40 test rows)" in caught.value.__notes__[0]


def test_invalid_splits_and_predictions_are_rejected():
    table = made(10)
    with pytest.raises(OptionError, match="must not be empty"):
        cross_validate_with(table, tree(1), [], probabilities, score)
    overlap = dataclasses.replace(splits_of_folds([0, 1] * 5)[0], train=np.arange(10))
    with pytest.raises(InputError, match="test rows that are training rows too"):
        cross_validate_with(table, tree(1), [overlap], probabilities, score)
    with pytest.raises(InputError, match="between 0 and 9"):
        cross_validate_with(table, tree(1), splits_of_folds([0, 1] * 6), probabilities, score)
    with pytest.raises(InputError, match="returned 1 predictions for the 5 rows of fold 0"):
        cross_validate_with(table, tree(1), splits_of_folds([0, 1] * 5), lambda m, t: np.zeros(1), score)


def test_a_nested_choice_uses_training_rows_only():
    table = made(150)
    seen = []

    def inner(teaching):
        seen.append(len(teaching))
        return splits_of_folds(stratified_folds(teaching.y, 3, 0))

    outer = splits_of_folds(stratified_folds(table.y, 3, 0))
    found = nested(table, {"stump": tree(1), "deep": tree(None)}, outer, inner, probabilities, score, metric="accuracy")
    assert seen == [100, 100, 100]
    assert set(found.chosen) == {"stump"}
    worst = nested(
        table,
        {"stump": tree(1), "deep": tree(None)},
        outer,
        inner,
        probabilities,
        score,
        metric="accuracy",
        maximize=False,
    )
    assert set(worst.chosen) == {"deep"}
    with pytest.raises(OptionError, match="metric must be one of accuracy, auc, brier"):
        nested(table, {"stump": tree(1)}, outer, inner, probabilities, score, metric="speed")


def test_632_plus_by_hand():
    # Efron and Tibshirani 1997: no overfitting gives .632; total overfitting gives the left-out error.
    assert combined_632_plus(0.1, 0.1, 0.5).error == pytest.approx(0.1)
    memorised = combined_632_plus(0.0, 0.5, 0.5)
    assert (memorised.overfitting, memorised.weight, memorised.error) == pytest.approx((1.0, 1.0, 0.5))
    half = combined_632_plus(0.1, 0.3, 0.5)
    plus = 0.368 * 0.1 + 0.632 * 0.3 + 0.2 * 0.368 * 0.632 * 0.5 / (1 - 0.368 * 0.5)
    assert half.error == pytest.approx(plus)
    assert combined_632_plus(0.1, 0.9, 0.5).error == pytest.approx(0.5)


def test_632_plus_of_a_memoriser_on_noise_is_near_one_half():
    random = np.random.default_rng(0)
    table = Pair(random.normal(size=(80, 2)), np.arange(80) % 2)
    found = bootstrap_632_plus(
        table, table.y, tree(None), bootstrap_splits(80, 20, 1), lambda m, t: m.predict(t.x), is_class=True
    )
    assert found.training == 0
    assert found.no_information == pytest.approx(0.5)
    assert found.error == pytest.approx(0.5, abs=0.1)


def test_632_plus_of_numbers_uses_all_pairs_for_chance():
    table = Pair(np.arange(6.0)[:, None], np.array([1.0, 2, 4, 8, 16, 32]))
    found = bootstrap_632_plus(
        table,
        table.y,
        lambda t: t.y.mean(),
        bootstrap_splits(6, 30, 1),
        lambda m, t: np.full(len(t), m),
        is_class=False,
    )
    pairs = np.mean((table.y[:, None] - np.full(6, table.y.mean())[None, :]) ** 2)
    assert found.no_information == pytest.approx(pairs)


def test_predictions_are_compared_by_mcnemar():
    truth = np.array([1] * 10)
    one, two = np.array([1] * 9 + [0]), np.array([1] * 5 + [0] * 4 + [1])
    found = compare_predictions(truth, one, two)
    assert (found.first, found.second, found.difference) == pytest.approx((0.9, 0.6, 0.3))
    assert found.p == pytest.approx(2 * 6 / 32)
    assert "accuracy: 0.900 against 0.600, +0.300" in str(found)
    assert found.as_dict()["p"] == pytest.approx(0.375)
    same = compare_predictions(truth, one, one)
    assert same.p == 1
    assert same.reason
    assert compare_predictions([], [], []).reason == "there are no rows"


def test_scores_are_compared_by_delong():
    found = compare_auc([0, 0, 0, 1, 0, 1, 0, 1, 1, 1], range(10), [3, 1, 5, 6, 2, 5, 7, 4, 9, 8])
    assert 0 < found.p < 1
    assert found.low < found.difference < found.high
    assert "no comparison" in str(compare_auc([1, 1], [1, 2], [2, 1]))


def test_folds_are_compared_with_the_correction():
    # d = .02 .04 .00 .03 .01: mean .02, s² = .00025; variance (1/5 + 1/4) s²; t with 4 degrees
    one, two = [0.92, 0.94, 0.90, 0.93, 0.91], [0.9] * 5
    found = compare_folds(one, two, n_train=80, n_test=20)
    assert found.statistic == pytest.approx(0.02 / math.sqrt(0.45 * 0.00025))
    # R: 2 * pt(-1.885618, 4)
    assert found.p == pytest.approx(0.1324, abs=1e-4)
    assert found.low < 0 < found.high
    assert compare_folds([0.5, 0.6], [0.4, 0.5], 10, 5).p is None
    assert compare_folds([0.5], [0.4], 10, 5).p is None
    assert compare_folds([], [], 10, 5).difference is None
    with pytest.raises(InputError, match="training rows and test rows"):
        compare_folds([0.5, 0.6], [0.4, 0.4], 0, 5)


def test_models_are_compared_on_the_same_folds_only():
    table = made()
    splits = splits_of_folds(stratified_folds(table.y, 5, 1))
    one = cross_validate_with(table, tree(1), splits, probabilities, score)
    two = cross_validate_with(table, tree(None), splits, probabilities, score)
    found = compare_cross_validated(one, two, "brier")
    assert found.difference == pytest.approx(one["brier"].mean.value - two["brier"].mean.value)
    assert found.metric == "brier"
    other = cross_validate_with(table, tree(1), splits_of_folds(stratified_folds(table.y, 5, 2)), probabilities, score)
    with pytest.raises(InputError, match="not evaluated on the same folds"):
        compare_cross_validated(one, other, "brier")
