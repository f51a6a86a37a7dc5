"""scikit-learn's own tools: pipelines, searches, meta-estimators, inspection, metadata routing, joblib back ends."""

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
)
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from tests.clients.data import CANCER, DIABETES, IRIS, client, mixed_frame

import hornbeam as hb

CLASSIFIERS = [hb.TreeClassifier(max_depth=3), hb.ForestClassifier(5), hb.BoostedClassifier(max_iter=5)]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
@client("scikit-learn", "`Pipeline`, `ColumnTransformer`, `set_output`")
def test_pipelines_take_frames_with_text_and_set_output_keeps_names(model):
    frame, truth = mixed_frame()
    numbers = ["age", "dose"]
    encoder = ColumnTransformer(
        [("scaled", StandardScaler(), numbers), ("levels", OneHotEncoder(sparse_output=False), ["ward"])],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(encoder, sklearn.base.clone(model)).fit(frame, truth)
    assert pipeline[-1].feature_names_in_.tolist()[:2] == numbers
    assert sklearn.base.clone(model).fit(frame, truth).score(frame, truth) > 0.8


@client("scikit-learn", "`GridSearchCV`, `RandomizedSearchCV`")
def test_searches_set_settings_of_parts():
    grid = {"prune__alpha": [0.0, 0.02], "criterion": ["gini", "entropy"]}
    found = GridSearchCV(hb.TreeClassifier(prune="cost_complexity"), grid, cv=3, n_jobs=2).fit(*IRIS)
    assert found.best_score_ > 0.9
    space = {"max_depth": [1, 2, 3]}
    assert RandomizedSearchCV(hb.TreeClassifier(), space, n_iter=2, cv=3, random_state=0).fit(*IRIS).best_score_ > 0.6


@client("scikit-learn", "`HalvingGridSearchCV`")
def test_successive_halving():
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    search = HalvingGridSearchCV(
        hb.ForestClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3, resource="n_estimators"
    )
    search.set_params(max_resources=9, random_state=0)
    assert search.fit(*IRIS).best_score_ > 0.8


@pytest.mark.parametrize(
    "make",
    [
        lambda: StackingClassifier([("a", hb.TreeClassifier()), ("b", hb.ForestClassifier(3))], LogisticRegression()),
        lambda: VotingClassifier([("a", hb.TreeClassifier()), ("b", LogisticRegression(max_iter=500))], voting="soft"),
        lambda: CalibratedClassifierCV(hb.ForestClassifier(5), cv=3),
        lambda: BaggingClassifier(hb.TreeClassifier(), n_estimators=3),
        lambda: AdaBoostClassifier(hb.TreeClassifier(max_depth=1), n_estimators=3),
        lambda: OneVsRestClassifier(hb.TreeClassifier()),
        lambda: SelectFromModel(hb.ForestClassifier(5)),
        lambda: RFE(hb.TreeClassifier(), n_features_to_select=2),
    ],
)
@client(
    "scikit-learn", "stacking, voting, calibration, bagging, AdaBoost, one against the rest, `SelectFromModel`, `RFE`"
)
def test_meta_estimators_fit(make):
    assert make().fit(*IRIS) is not None


@client("scikit-learn", "`TunedThresholdClassifierCV`, `FixedThresholdClassifier`")
def test_thresholds_are_tuned():
    tuned = TunedThresholdClassifierCV(hb.TreeClassifier(max_depth=3), scoring="f1", cv=3).fit(*CANCER)
    assert 0 <= tuned.best_threshold_ <= 1
    assert FixedThresholdClassifier(hb.TreeClassifier(max_depth=3), threshold=0.2).fit(*CANCER).score(*CANCER) > 0.8


@client("scikit-learn", "`MultiOutputClassifier`, `StackingRegressor`")
def test_several_targets_by_one_model_each():
    rows, truth = IRIS
    both = np.column_stack([truth, truth == 1])
    assert MultiOutputClassifier(hb.TreeClassifier(max_depth=2)).fit(rows, both).predict(rows).shape == (150, 2)
    assert StackingRegressor([("a", hb.TreeRegressor(max_depth=3))]).fit(*DIABETES).score(*DIABETES) > 0.3


@client("scikit-learn", "`permutation_importance`, `partial_dependence`")
def test_inspection():
    model = hb.BoostedClassifier(max_iter=5).fit(*CANCER)
    assert permutation_importance(model, *CANCER, n_repeats=2, random_state=0).importances_mean.shape == (30,)
    assert partial_dependence(model, CANCER[0], [0])["average"].shape[0] == 1


@client("scikit-learn", "metadata routing")
def test_metadata_routing_passes_weights():
    with sklearn.config_context(enable_metadata_routing=True):
        model = hb.TreeClassifier(max_depth=2).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        result = cross_validate(make_pipeline(scaler, model), *IRIS, params={"sample_weight": np.ones(150)}, cv=3)
    assert result["test_score"].mean() > 0.8


@pytest.mark.parametrize("backend", ["loky", "threading"])
@client("joblib", "back ends loky and threading")
def test_joblib_back_ends(backend):
    with joblib.parallel_backend(backend, n_jobs=2):
        assert cross_validate(hb.ForestClassifier(5), *IRIS, cv=3)["test_score"].mean() > 0.8
