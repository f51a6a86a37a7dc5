"""Our figures against those of scikit-learn on random rows with weights and ties."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from hornbeam.evaluation import calibration, evaluate, roc
from hornbeam.evaluation.confusion import averages, binary_rates, confusion, kappa, mcc
from hornbeam.evaluation.numbers import number_errors, pinball
from hornbeam.evaluation.recalibration import isotonic

SEEDS = range(5)


def rows(seed, n=300, n_classes=2):
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_classes, n)
    probabilities = random.dirichlet(np.ones(n_classes), n)
    # A few decimals make ties.
    probabilities[:, 0] = np.round(probabilities[:, 0], 2)
    probabilities[:, 1:] *= ((1 - probabilities[:, :1]) / probabilities[:, 1:].sum(axis=1, keepdims=True)).clip(0)
    return truth, probabilities, random.uniform(0.1, 3, n)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_two_classes(seed, is_weighted):
    truth, probabilities, weights = rows(seed)
    w = weights if is_weighted else None
    p = probabilities[:, 1]
    answers = (p >= 0.4).astype(int)
    assert roc.auc(truth, p, w).value == pytest.approx(metrics.roc_auc_score(truth, p, sample_weight=w), abs=1e-12)
    area = metrics.average_precision_score(truth, p, sample_weight=w)
    assert roc.average_precision(truth, p, w).value == pytest.approx(area, abs=1e-12)
    rates = binary_rates(confusion(truth, answers, (0, 1), w), 1)
    for name, function in (
        ("sensitivity", metrics.recall_score),
        ("ppv", metrics.precision_score),
        ("f1", metrics.f1_score),
        ("accuracy", metrics.accuracy_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
        ("mcc", metrics.matthews_corrcoef),
        ("kappa", metrics.cohen_kappa_score),
    ):
        assert rates[name].value == pytest.approx(function(truth, answers, sample_weight=w), abs=1e-12), name
    plus, minus = metrics.class_likelihood_ratios(truth, answers, sample_weight=w)
    assert (rates["lr_plus"].value, rates["lr_minus"].value) == pytest.approx((plus, minus), abs=1e-12)
    assert calibration.brier(truth, p, w).value == pytest.approx(metrics.brier_score_loss(truth, p, sample_weight=w))
    assert calibration.log_loss(truth, probabilities, w).value == pytest.approx(
        metrics.log_loss(truth, np.clip(probabilities, 1e-15, 1), sample_weight=w), rel=1e-9
    )
    fpr, tpr, thresholds = metrics.roc_curve(truth, p, sample_weight=w, drop_intermediate=False)
    curve = roc.roc_curve(truth, p, w)
    assert curve.false_positive_rates == pytest.approx(fpr, abs=1e-12)
    assert curve.true_positive_rates == pytest.approx(tpr, abs=1e-12)
    assert curve.thresholds.tolist() == thresholds.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_more_classes(seed):
    truth, probabilities, weights = rows(seed, n_classes=4)
    found = evaluate(truth, probabilities, (0, 1, 2, 3), weights=weights)
    answers = probabilities.argmax(axis=1)
    table = confusion(truth, answers, (0, 1, 2, 3), weights)
    assert table.weights == pytest.approx(metrics.confusion_matrix(truth, answers, sample_weight=weights))
    assert found["mcc"].value == pytest.approx(metrics.matthews_corrcoef(truth, answers, sample_weight=weights))
    assert found["kappa"].value == pytest.approx(metrics.cohen_kappa_score(truth, answers, sample_weight=weights))
    for how in ("macro", "weighted"):
        for name, function in (
            ("sensitivity", metrics.recall_score),
            ("ppv", metrics.precision_score),
            ("f1", metrics.f1_score),
        ):
            wanted = function(truth, answers, average=how, sample_weight=weights)
            assert averages(table, how)[name].value == pytest.approx(wanted, abs=1e-12)
            assert found[f"{name}_{how}"].value == pytest.approx(wanted, abs=1e-12)
        area = metrics.roc_auc_score(truth, probabilities, multi_class="ovr", average=how, sample_weight=weights)
        assert found[f"auc_{how}"].value == pytest.approx(area, abs=1e-12)
    pairs = metrics.roc_auc_score(truth, probabilities, multi_class="ovo")
    assert roc.hand_till_auc(truth, probabilities).value == pytest.approx(pairs, abs=1e-12)
    whole = confusion(truth, answers, (0, 1, 2, 3))
    assert kappa(whole).value == pytest.approx(metrics.cohen_kappa_score(truth, answers), abs=1e-12)
    assert mcc(whole).value == pytest.approx(metrics.matthews_corrcoef(truth, answers), abs=1e-12)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_numbers(is_weighted):
    random = np.random.default_rng(3)
    truth, answers = random.gamma(2, 2, 200), random.gamma(2, 2, 200)
    w = random.integers(1, 5, 200).astype(float) if is_weighted else None
    found = number_errors(truth, answers, w)
    for name, function in (
        ("mse", metrics.mean_squared_error),
        ("rmse", metrics.root_mean_squared_error),
        ("mae", metrics.mean_absolute_error),
        ("r2", metrics.r2_score),
        ("poisson_deviance", metrics.mean_poisson_deviance),
    ):
        assert found[name].value == pytest.approx(function(truth, answers, sample_weight=w), rel=1e-12), name
    repeats = np.ones(200, int) if w is None else w.astype(int)
    median = metrics.median_absolute_error(np.repeat(truth, repeats), np.repeat(answers, repeats))
    assert found["median_absolute_error"].value == pytest.approx(median, rel=1e-12)
    loss = metrics.mean_pinball_loss(truth, answers, alpha=0.8, sample_weight=w)
    assert pinball(truth, answers, 0.8, w).value == pytest.approx(loss, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_isotonic_map(seed):
    truth, probabilities, weights = rows(seed)
    # Rounded: scikit-learn joins shares that differ in the last bit, we join equal ones only.
    p, new = probabilities[:, 1].round(2), np.linspace(0, 1, 57)
    peer = IsotonicRegression(out_of_bounds="clip").fit(p, truth, sample_weight=weights)
    assert isotonic(truth, p, weights).apply(new) == pytest.approx(peer.predict(new), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_line_equals_an_unpenalised_logistic_regression(seed):
    truth, probabilities, weights = rows(seed)
    p = np.clip(probabilities[:, 1], 0.01, 0.99)
    found = calibration.calibration_line(truth, p, weights)
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    peer.fit(np.log(p / (1 - p))[:, None], truth, sample_weight=weights)
    assert found["calibration_slope"].value == pytest.approx(peer.coef_[0, 0], abs=1e-5)
    assert found["calibration_intercept"].value == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_reliability_curve_equals_scikit_learns():
    from sklearn.calibration import calibration_curve

    random = np.random.default_rng(8)
    p = random.random(500)
    truth = random.random(500) < p
    positive, mean = calibration_curve(truth, p, n_bins=10)
    curve = calibration.reliability_curve(truth, p, 10)
    assert [each.positive for each in curve] == pytest.approx(positive)
    assert [each.mean_probability for each in curve] == pytest.approx(mean)
