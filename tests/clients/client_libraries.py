"""Other libraries with scikit-learn estimators inside: each is tried as its own documentation shows it."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from tests.clients.data import CANCER, DIABETES, IRIS, client

import hornbeam as hb


@client("optuna", "a study over `max_depth`")
def test_optuna():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial):
        model = hb.TreeClassifier(max_depth=trial.suggest_int("max_depth", 1, 4))
        return cross_val_score(model, *IRIS, cv=3).mean()

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=3)
    assert study.best_value > 0.6


@client("imbalanced-learn", "a pipeline with over-sampling, `BalancedBaggingClassifier`")
def test_imbalanced_learn():
    imblearn = pytest.importorskip("imblearn")
    from imblearn.pipeline import make_pipeline

    assert imblearn is not None
    sampler = imblearn.over_sampling.RandomOverSampler(random_state=0)
    assert make_pipeline(sampler, hb.ForestClassifier(5)).fit(*CANCER).score(*CANCER) > 0.9
    ensemble = imblearn.ensemble.BalancedBaggingClassifier(hb.TreeClassifier(), n_estimators=3, random_state=0)
    assert ensemble.fit(*CANCER).score(*CANCER) > 0.8


@client("fairlearn", "`MetricFrame`, `ThresholdOptimizer`")
def test_fairlearn():
    pytest.importorskip("fairlearn")
    from fairlearn.metrics import MetricFrame
    from fairlearn.postprocessing import ThresholdOptimizer
    from sklearn.metrics import accuracy_score

    rows, truth = CANCER
    group = (rows[:, 0] > np.median(rows[:, 0])).astype(int)
    model = hb.TreeClassifier(max_depth=3).fit(rows, truth)
    frame = MetricFrame(metrics=accuracy_score, y_true=truth, y_pred=model.predict(rows), sensitive_features=group)
    assert frame.by_group.shape == (2,)
    fair = ThresholdOptimizer(estimator=model, prefit=True, predict_method="predict_proba")
    assert fair.fit(rows, truth, sensitive_features=group).predict(rows, sensitive_features=group).shape == truth.shape


@client("mapie", "`SplitConformalRegressor`")
def test_mapie():
    pytest.importorskip("mapie")
    from mapie.regression import SplitConformalRegressor

    rows, truth = DIABETES
    model = SplitConformalRegressor(hb.ForestRegressor(10), confidence_level=0.9, prefit=False)
    model.fit(rows[:200], truth[:200]).conformalize(rows[200:400], truth[200:400])
    points, intervals = model.predict_interval(rows[400:])
    assert (intervals[:, 0, 0] <= points).all()


@client("skops", "`dumps` and `loads`")
def test_skops():
    skops_io = pytest.importorskip("skops.io")
    model = hb.ForestClassifier(3).fit(*IRIS)
    data = skops_io.dumps(model)
    again = skops_io.loads(data, trusted=skops_io.get_untrusted_types(data=data))
    assert np.array_equal(again.predict_proba(IRIS[0]), model.predict_proba(IRIS[0]))


@client("mlflow", "`save_model` and `load_model`: cloudpickle, pickle, skops")
@pytest.mark.filterwarnings("ignore")  # mlflow's own, when it is imported
@pytest.mark.parametrize("kind", ["cloudpickle", "pickle", "skops"])
def test_mlflow(tmp_path, kind):
    pytest.importorskip("mlflow")
    import mlflow.sklearn
    import skops.io

    model = hb.TreeClassifier(max_depth=2).fit(*IRIS)
    trusted = skops.io.get_untrusted_types(data=skops.io.dumps(model)) if kind == "skops" else None
    settings = {"serialization_format": kind, "skops_trusted_types": trusted, "pip_requirements": ["hornbeam"]}
    mlflow.sklearn.save_model(model, str(tmp_path / "model"), **settings)
    again = mlflow.sklearn.load_model(str(tmp_path / "model"))
    assert np.array_equal(again.predict(IRIS[0]), model.predict(IRIS[0]))


@client("shap", "`hb.shap_values(...).to_shap()`, `shap.Explainer` of `predict_proba`")
def test_shap():
    shap = pytest.importorskip("shap")
    model = hb.BoostedClassifier(max_iter=5).fit(*CANCER)
    found = hb.shap_values(model, CANCER[0][:20]).to_shap()
    assert isinstance(found, shap.Explanation)
    explainer = shap.Explainer(model.predict_proba, CANCER[0][:20])
    assert explainer(CANCER[0][:2]).shape == (2, 30, 2)


@client("shap", "`shap.TreeExplainer(hb.estimators.to_sklearn(model))`: the values of `hb.shap_values`")
def test_shap_explains_trees_and_forests_of_scikit_learn():
    shap = pytest.importorskip("shap")
    rows, truth = CANCER[0].astype(np.float32).astype(float), CANCER[1]
    for model in (hb.TreeClassifier(max_depth=4), hb.ForestClassifier(3, max_depth=4, random_state=0)):
        other = shap.TreeExplainer(hb.estimators.to_sklearn(model.fit(rows, truth)))
        found = np.asarray(other.shap_values(rows[:20]))
        np.testing.assert_allclose(found, hb.shap_values(model, rows[:20]).values, atol=1e-6)


@client("dtreeviz", "`dtreeviz.model(hb.estimators.to_sklearn(model), ...)`")
def test_dtreeviz():
    dtreeviz = pytest.importorskip("dtreeviz")
    model = hb.estimators.to_sklearn(hb.TreeClassifier(max_depth=2).fit(*IRIS))
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    shown = dtreeviz.model(model, *IRIS, feature_names=names, target_name="species", class_names=["a", "b", "c"])
    assert "petal" in shown.explain_prediction_path(IRIS[0][80])
    assert len(shown.shadow_tree.leaves) == 3


@client("supertree", "`SuperTree(hb.estimators.to_sklearn(model), ...)`")
def test_supertree(tmp_path):
    supertree = pytest.importorskip("supertree")
    model = hb.estimators.to_sklearn(hb.ForestClassifier(2, max_depth=2, random_state=0).fit(*IRIS))
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    shown = supertree.SuperTree(model, *IRIS, names, ["setosa", "versicolor", "virginica"])
    shown.save_html(str(tmp_path / "tree.html"), which_tree=1)
    assert "petal" in (tmp_path / "tree.html").read_text(encoding="utf-8")


@client("distributed", "cross-validation with joblib's back end `dask`")
def test_dask():
    pytest.importorskip("distributed")
    import joblib
    from dask.distributed import Client

    client = Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)
    with client, joblib.parallel_backend("dask"):
        assert cross_val_score(hb.TreeClassifier(max_depth=2), *IRIS, cv=3).mean() > 0.8
