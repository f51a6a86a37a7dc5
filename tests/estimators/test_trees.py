"""TreeClassifier and TreeRegressor: data frames, scikit-learn's tools, parameters, pruning, pickling."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
from hornbeam.parts.prunings.cost_complexity import CostComplexity
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.tree.file.files import to_bytes
from hornbeam.tree.nodes import Tree

X, Y = load_iris(return_X_y=True)


def patients(n=120, seed=5):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(60, 9, n).round(1)),
            "stage": pd.Categorical(rng.choice(["T1", "T2", "T3"], n), ["T3", "T2", "T1"]),
            "ward": rng.choice(["north", "south", None], n),
            "smokes": rng.random(n) < 0.4,
        }
    )
    sick = (frame["stage"] == "T3") | ((frame["age"] > 64) & frame["smokes"])
    return frame, np.where(sick, "sick", "well")


@pytest.mark.parametrize("made", [lambda f: f, pl.from_pandas], ids=["pandas", "polars"])
def test_a_frame_with_text_categories_and_missing_values_needs_no_encoding(made):
    frame, y = patients()
    tree = TreeClassifier(min_samples_leaf=3).fit(made(frame), y)
    assert tree.score(made(frame), y) > 0.95
    assert tree.feature_names_in_.tolist() == list(frame.columns)
    assert tree.classes_.tolist() == ["sick", "well"]
    same = tree.predict(frame[["smokes", "ward", "stage", "age"]].assign(stage=frame["stage"].astype(str)))
    np.testing.assert_array_equal(same, tree.predict(made(frame)))


def test_the_fitted_tree_is_a_hornbeam_tree():
    tree = TreeClassifier(max_depth=2).fit(X, Y).tree_
    assert isinstance(tree, Tree)
    assert "petal" not in str(tree)
    assert "x2 <= 2.45" in str(tree) or "x3 <= 0.8" in str(tree)
    np.testing.assert_array_equal(
        hb.predict(tree, hb.table.table_from_arrays(X)).codes, TreeClassifier(max_depth=2).fit(X, Y).predict(X)
    )


def test_a_multiway_tree_has_no_left_and_right():
    frame, y = patients()
    tree = TreeClassifier(searches=["sorted_cuts", "multiway"]).fit(frame[["stage"]], y).tree_
    assert tree.n_leaves == 3
    with pytest.raises(hb.errors.InputError, match="Node 0 has 3 branches"):
        _ = tree.children_left
    assert tree.threshold[0] != tree.threshold[0]  # a question about categories has no threshold


def test_text_classes_are_sorted_as_text():
    y = np.array(["9", "10", "2"])[Y]
    tree = TreeClassifier().fit(X, y)
    assert tree.classes_.tolist() == ["10", "2", "9"] == np.unique(y).tolist()
    assert tree.score(X, y) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64, np.float32, bool, object, "U3"])
def test_predictions_have_the_type_of_the_classes(dtype):
    y = (Y > 0).astype(dtype)
    tree = TreeClassifier().fit(X, y)
    np.testing.assert_array_equal(tree.predict(X), y)
    if dtype not in (object, "U3"):
        assert tree.predict(X).dtype == tree.classes_.dtype == dtype


def test_pipelines_and_cross_validation():
    both = make_pipeline(StandardScaler(), TreeClassifier(max_depth=3))
    assert cross_val_score(both, X, Y, cv=5).mean() > 0.9
    assert cross_val_predict(TreeClassifier(max_depth=2), X, Y, method="predict_proba").shape == (150, 3)
    frame, y = patients()
    assert cross_val_score(TreeClassifier("cart"), frame, y, cv=3).mean() > 0.7


def test_grid_search_sets_settings_of_parts():
    grid = {"prune__alpha": [0.0, 0.4], "max_depth": [1, None]}
    search = GridSearchCV(TreeClassifier(prune="cost_complexity"), grid, cv=3).fit(X, Y)
    assert search.best_params_ == {"max_depth": None, "prune__alpha": 0.0}
    assert search.best_estimator_.prune == CostComplexity(alpha=0.0)


def test_inner_settings_are_read_and_set_by_their_path():
    tree = TreeClassifier(prune=CostComplexity(alpha=0.1), recipe=hb.recipe("cart"))
    assert tree.get_params()["prune__alpha"] == 0.1
    assert tree.get_params()["recipe__collapse"] is False
    assert "prune__alpha" not in tree.get_params(deep=False)
    before = tree.prune
    assert tree.set_params(prune__alpha=0.2, recipe__stops=[MaxDepth(depth=1)]).prune == before.replace(alpha=0.2)
    assert before.alpha == 0.1
    assert tree.fit(X, Y).get_depth() == 1
    with pytest.raises(OptionError, match=r"Unknown setting 'alhpa'.*Did you mean 'alpha'"):
        tree.set_params(prune__alhpa=1)
    with pytest.raises(ValueError, match="Invalid parameter 'max_dept' for estimator TreeClassifier"):
        tree.set_params(max_dept=1)
    with pytest.raises(OptionError, match="missing is None, which has no settings"):
        tree.set_params(missing__route="stay")


def test_a_clone_has_the_parameters_and_is_not_fitted():
    tree = TreeClassifier(prune=CostComplexity(alpha=0.1), class_weight={0: 2.0}).fit(X, Y)
    again = clone(tree)
    assert again.get_params() == tree.get_params()
    assert not hasattr(again, "tree_")


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_pickling_keeps_every_byte(kind):
    tree = kind(max_depth=3).fit(X, Y)
    back = pickle.loads(pickle.dumps(tree))
    assert to_bytes(back.tree_) == to_bytes(tree.tree_)
    np.testing.assert_array_equal(back.predict(X), tree.predict(X))
    np.testing.assert_array_equal(back.tree_.children_left, tree.tree_.children_left)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1, 10_000])
def test_the_number_of_threads_changes_no_byte(n_jobs):
    rng = np.random.default_rng(0)
    rows, y = rng.random((3000, 4)), rng.integers(0, 3, 3000)
    ours = TreeClassifier(n_jobs=n_jobs).fit(rows, y)
    assert to_bytes(ours.tree_) == to_bytes(TreeClassifier().fit(rows, y).tree_)


def test_parameters_that_are_none_follow_the_recipe():
    assert TreeClassifier("cart").fit(X, Y).tree_.recipe["name"] == "cart"
    unpruned = hb.recipe("cart").with_changes(pruning=None)
    small = TreeClassifier(unpruned).fit(X, Y)
    assert small.tree_.n_node_samples.min() >= 7  # cart's least leaf
    large = TreeClassifier(unpruned, min_samples_leaf=1, min_samples_split=2).fit(X, Y)
    assert large.get_n_leaves() > small.get_n_leaves()
    tree = TreeClassifier(hb.recipe("plain").with_changes(criterion="entropy")).fit(X, Y)
    np.testing.assert_allclose(tree.tree_.impurity[0], np.log2(3))


def test_a_recipe_file_is_read_again_at_every_fit(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(hb.recipe("plain").with_changes(stops=[MaxDepth(depth=1)]).to_toml())
    tree = TreeClassifier(str(path))
    assert tree.fit(X, Y).get_depth() == 1
    path.write_text(hb.recipe("plain").with_changes(stops=[MaxDepth(depth=2)]).to_toml())
    assert tree.fit(X, Y).get_depth() == 2


@pytest.mark.parametrize(
    "prune", ["cost_complexity", "pessimistic", "minimum_error", "reduced_error", "error_based", "description_length"]
)
def test_every_pruning_works_from_the_training_rows_alone(prune):
    rng = np.random.default_rng(1)
    rows = rng.random((300, 4))
    y = np.where(rng.random(300) < 0.2, 1, 0) ^ (rows[:, 0] > 0.5)
    full, cut = TreeClassifier().fit(rows, y), TreeClassifier(prune=prune).fit(rows, y)
    assert 1 <= cut.get_n_leaves() <= full.get_n_leaves()
    assert cut.tree_.metadata["prunings"][0]["pruning"]["name"] == prune
    assert to_bytes(cut.tree_) == to_bytes(TreeClassifier(prune=prune).fit(rows, y).tree_)


def test_alpha_is_found_by_cross_validation():
    rng = np.random.default_rng(2)
    rows = rng.random((300, 4))
    y = np.where(rng.random(300) < 0.1, 1, 0) ^ (rows[:, 0] > 0.5)
    tree = TreeClassifier(prune=CostComplexity(rule="one_se")).fit(rows, y)
    assert tree.get_n_leaves() == 2  # the noise is not worth a leaf
    numbers = TreeRegressor(prune=CostComplexity(rule="one_se")).fit(rows, y + rng.normal(0, 0.1, 300))
    assert 2 <= numbers.get_n_leaves() < 20


def test_costs_and_priors_change_the_predictions():
    y = (Y > 1).astype(int)
    plain = TreeClassifier(max_depth=1).fit(X[:, :1], y)
    costly = TreeClassifier(max_depth=1, costs={1: {0: 20}}).fit(X[:, :1], y)
    matrix = TreeClassifier(max_depth=1, costs=[[0, 1], [20, 0]]).fit(X[:, :1], y)
    assert (costly.predict(X[:, :1]) == 1).sum() > (plain.predict(X[:, :1]) == 1).sum()
    np.testing.assert_array_equal(costly.predict(X[:, :1]), matrix.predict(X[:, :1]))
    equal = TreeClassifier(max_depth=0, priors="equal").fit(X, y)
    np.testing.assert_allclose(equal.predict_proba(X[:1]), [[0.5, 0.5]])
    given = TreeClassifier(max_depth=0, priors={0: 0.25, 1: 0.75}).fit(X, y.astype(float))
    np.testing.assert_allclose(given.predict_proba(X[:1]), [[0.25, 0.75]])


def test_the_seed_determines_random_cuts():
    rows, y = load_diabetes(return_X_y=True)
    trees = [TreeRegressor(splitter="random", max_depth=2, random_state=seed).fit(rows, y) for seed in (1, 1, 2)]
    same, other = (np.array_equal(trees[0].tree_.threshold, each.tree_.threshold) for each in trees[1:])
    assert same
    assert not other


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, 4), (3, 3), (9, 4), (0.5, 2), (0.0001, 1), ("sqrt", 2), ("log2", 2), (np.int64(2), 2)],
)
def test_max_features_counts_columns_as_scikit_learn_does(given, expected):
    assert TreeClassifier(max_features=given).fit(X, Y).max_features_ == expected


def test_a_tree_without_splits_has_all_methods():
    tree = TreeClassifier().fit(X, np.ones(150, dtype=int))
    assert tree.predict_proba(X).shape == (150, 1)
    assert tree.predict_log_proba(X).tolist() == [[0.0]] * 150
    assert (tree.get_depth(), tree.get_n_leaves()) == (0, 1)
    assert tree.feature_importances_.tolist() == [0.0] * 4
    assert tree.apply(X).tolist() == [0] * 150
    assert tree.decision_path(X).toarray().tolist() == [[1]] * 150
    path = tree.cost_complexity_pruning_path(X, np.ones(150))
    assert (path.ccp_alphas.tolist(), path.impurities.tolist()) == ([0.0], [0.0])


def test_decision_paths_run_from_the_root_to_the_leaf():
    tree = TreeRegressor(max_depth=4).fit(X, X[:, 0] + Y)
    path = tree.decision_path(X).toarray().astype(bool)
    ends = tree.apply(X)
    for row in range(0, 150, 10):
        passed = np.flatnonzero(path[row])
        assert passed[0] == 0
        assert passed[-1] == ends[row]
        assert tree.tree_.nodes.parent[passed[1:]].tolist() == passed[:-1].tolist()


def test_tags_and_a_short_repr():
    tags = TreeClassifier().__sklearn_tags__().input_tags
    assert (tags.allow_nan, tags.categorical, tags.string, tags.sparse) == (True,) * 4
    assert repr(TreeClassifier(max_depth=3)) == "TreeClassifier(max_depth=3)"


def test_fitting_gives_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (TreeClassifier().fit(pd.DataFrame(X), Y).predict(X) == Y).all()
        assert (TreeClassifier().fit(X, Y).predict(pd.DataFrame(X)) == Y).all()


@pytest.mark.parametrize("made", [TreeClassifier, hb.ForestClassifier, hb.ExtraTreesClassifier])
def test_unseen_is_the_policy_for_levels_not_seen_in_training(made):
    frame, y = patients()
    strange = frame.assign(stage="T4")
    settings = {"random_state": 0} if made is TreeClassifier else {"random_state": 0, "n_estimators": 3}
    refusing = made(unseen="error", **settings).fit(frame, y)
    with pytest.raises(hb.errors.InputError, match="has a level that is not in the training data"):
        refusing.predict(strange)
    assert len(made(unseen="majority", **settings).fit(frame, y).predict(strange)) == len(frame)
    with pytest.raises(OptionError, match="as_missing, majority, stay, error"):
        made(unseen="pray", **settings).fit(frame, y)


def test_unseen_is_none_by_default_and_follows_the_recipe():
    frame, y = patients()
    careful = hb.recipe("cart").with_changes(unseen="stay")
    assert TreeClassifier(careful).fit(frame, y).tree_.unseen == "stay"
    assert TreeClassifier(careful, unseen="majority").fit(frame, y).tree_.unseen == "majority"
    assert TreeRegressor(unseen="stay").fit(frame, np.arange(len(y))).tree_.unseen == "stay"
