"""Bad and odd inputs, parts A3 and A4, through the estimators. One line an item; the id is the item's number."""

import copy
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from hornbeam import errors
from hornbeam.errors import HornbeamWarning, InputError, OptionError
from hornbeam.estimators.trees import TreeClassifier, TreeRegressor
from hornbeam.tree.file.files import to_bytes

X, Y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("item", "settings", "message"),
    [
        ("105", {"class_weight": {7: 1.0}}, "class_weight contains 7, which is no"),
        ("105", {"priors": {0: 0.5, 1: 0.5}}, "has none for '2'"),
        ("105", {"priors": {0: 0.5, 1: 0.25, 9: 0.25}}, "priors contains 9"),
        ("106", {"costs": [[0, 1], [1, 0]]}, r"costs must be 3 x 3.*got shape \(2, 2\)"),
        ("106", {"costs": {0: {1: -1}}}, r"costs\['0'\]\['1'\] must be a number of 0 or more, got -1"),
        ("106", {"costs": {0: {0: 1}}}, "of a correct prediction must be 0"),
        ("106", {"costs": {0: {1: float("nan")}}}, "got nan"),
        ("108", {"max_depth": "5"}, r"max_depth .* must be an integer, got '5'"),
        ("108", {"max_depth": True}, "max_depth .* got True"),
        ("108", {"min_samples_leaf": "2"}, "min_samples_leaf "),
        ("109", {"max_depth": -1}, "max_depth .* got -1"),
        ("109", {"max_depth": 2**31}, "max_depth "),
        ("109", {"max_depth": 2.5}, "max_depth "),
        ("109", {"max_depth": float("nan")}, "max_depth "),
        ("110", {"min_samples_leaf": 0}, "min_samples_leaf must be an integer of at least 1"),
        ("110", {"min_samples_split": 1}, "min_samples_split must be an integer of at least 2"),
        ("110", {"min_samples_split": 1.5}, "min_samples_split must be .* fraction"),
        ("110", {"min_weight_fraction_leaf": 0.7}, "between 0 and 0.5, got 0.7"),
        ("113", {"max_features": 0}, "max_features must be .* got 0"),
        ("113", {"max_features": "squrt"}, "max_features must be"),
        ("114", {"ccp_alpha": -1.0}, "ccp_alpha .* got -1.0"),
        ("114", {"ccp_alpha": float("nan")}, "ccp_alpha .* got nan"),
        ("108", {"criterion": "giny"}, "Unknown criterion 'giny'. Did you mean 'gini'"),
        ("108", {"criterion": "squared_error"}, "'squared_error' requires a numeric target"),
        ("108", {"recipe": "carrt"}, "Unknown recipe 'carrt'. Did you mean 'cart'"),
        ("108", {"splitter": "worst"}, "splitter must be best or random"),
        ("108", {"splitter": "random", "searches": "sorted_cuts"}, "cannot be combined"),
        ("108", {"prune": "pessimistic", "ccp_alpha": 0.1}, "cannot be combined"),
        ("130", {"random_state": -1}, "between 0 and 2"),
        ("130", {"random_state": 2**64}, "between 0 and 2"),
        ("130", {"random_state": "1"}, "seed must be"),
        ("131", {"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
        ("131", {"n_jobs": "2"}, "n_jobs must be"),
    ],
)
def test_105_to_131_wrong_settings_are_reported_when_fitting(item, settings, message):
    with pytest.raises(OptionError, match=message):
        TreeClassifier(**settings).fit(X, Y)


def test_096_a_target_is_needed():
    with pytest.raises(InputError, match="requires y to be passed"):
        TreeClassifier().fit(X, None)


def test_100_a_continuous_target_is_no_class():
    with pytest.raises(InputError, match="looks continuous, 10 distinct of 150"):
        TreeClassifier().fit(X, np.linspace(0, 1.8, 10).repeat(15))


@pytest.mark.parametrize(
    "labels", [["p", "q", "r"], [5, 9, 12], [-3, -1, 4], [False, True, True], [2.0, 4.0, 6.0]], ids=str
)
def test_101_classes_are_as_given(labels):
    y = np.array(labels)[Y]
    tree = TreeClassifier().fit(X, y)
    assert tree.classes_.tolist() == sorted(set(labels))
    np.testing.assert_array_equal(tree.predict(X), y)


def test_102_classes_of_two_types_are_refused():
    with pytest.raises(InputError, match="mixes"):
        TreeClassifier().fit(X[:2], np.array([1, "a"], dtype=object))


def test_103_a_column_of_targets_works_with_a_warning():
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector"):
        tree = TreeClassifier().fit(X, Y[:, None])
    np.testing.assert_array_equal(tree.predict(X), TreeClassifier().fit(X, Y).predict(X))


def test_104_one_class_is_a_single_leaf():
    tree = TreeClassifier().fit(X, ["only"] * 150)
    assert tree.predict_proba(X[:3]).tolist() == [[1.0]] * 3


def test_110_more_rows_requested_than_there_are_is_a_single_leaf():
    assert TreeClassifier(min_samples_leaf=1000).fit(X, Y).get_n_leaves() == 1


@pytest.mark.parametrize("seed", [None, 0, 2**64 - 1, np.int32(3)])
def test_130_the_same_seed_gives_the_same_bytes(seed):
    trees = [TreeClassifier(max_features=2, random_state=seed).fit(X, Y).tree_ for _ in range(2)]
    assert to_bytes(trees[0]) == to_bytes(trees[1])


def test_130_generators_are_seeds_too():
    a, b = (TreeClassifier(max_features=1, random_state=np.random.default_rng(4)).fit(X, Y) for _ in range(2))
    assert to_bytes(a.tree_) == to_bytes(b.tree_)
    TreeClassifier(max_features=1, random_state=np.random.RandomState(4)).fit(X, Y)


def test_133_the_second_fit_is_all_that_counts():
    tree = TreeClassifier().fit(FRAME, Y)
    again = tree.fit(X[:, :2], np.array(["n", "y"])[(Y > 0).astype(int)])
    assert again is tree
    assert tree.n_features_in_ == 2
    assert tree.classes_.tolist() == ["n", "y"]
    assert not hasattr(tree, "feature_names_in_")


@pytest.mark.parametrize("wrong", [{"y": Y[:5]}, {"X": np.zeros((0, 4))}, {"sample_weight": -np.ones(150)}])
def test_134_a_fit_that_fails_leaves_what_was_learned(wrong):
    tree = TreeClassifier().fit(FRAME, Y)
    before = dict(vars(tree))
    with pytest.raises(InputError):
        tree.fit(**{"X": X, "y": Y, **wrong})
    assert vars(tree) == before
    np.testing.assert_array_equal(tree.predict(FRAME), Y)
    fresh = TreeClassifier()
    with pytest.raises(InputError):
        fresh.fit(**{"X": X, "y": Y, **wrong})
    assert vars(fresh) == vars(TreeClassifier())


def test_135_copies_of_a_fitted_tree_work():
    tree = TreeClassifier(max_depth=3).fit(X, Y)
    other = copy.deepcopy(tree)
    np.testing.assert_array_equal(other.predict(X), tree.predict(X))
    tree.set_params(max_depth=1)
    assert tree.get_depth() == 3  # a parameter counts from the next fit on
    assert tree.fit(X, Y).get_depth() == 1
    assert other.get_depth() == 3


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "apply", "decision_path"])
def test_141_nothing_is_reported_before_fitting(ask):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(TreeClassifier(), ask)(X)
    with pytest.raises(errors.NotFittedError):
        getattr(TreeClassifier(), ask)(X)
    with pytest.raises(NotFittedError):
        TreeRegressor().get_depth()


def test_142_no_rows_give_empty_answers_of_the_right_shape():
    tree = TreeClassifier().fit(X, np.array(["a", "b", "c"])[Y])
    none = np.empty((0, 4))
    assert (tree.predict(none).shape, tree.predict(none).dtype.kind) == ((0,), "U")
    assert tree.predict_proba(none).shape == (0, 3)
    assert tree.apply(none).shape == (0,)
    assert tree.decision_path(none).shape == (0, tree.tree_.node_count)
    assert TreeRegressor().fit(X, Y).predict(none).dtype == np.float64


def test_143_to_149_columns_at_predict_time():
    tree = TreeClassifier().fit(FRAME, Y)
    with pytest.raises(InputError, match="missing from the new rows: 'd'"):
        tree.predict(FRAME[["a", "b", "c"]])
    with pytest.raises(InputError, match="X has 6 features, but TreeClassifier is expecting 4 features"):
        tree.predict(np.zeros((2, 6)))
    with pytest.warns(HornbeamWarning, match="ignored: 'e'"):
        tree.predict(FRAME.assign(e=1))
    np.testing.assert_array_equal(tree.predict(FRAME[["d", "a", "c", "b"]]), Y)
    with pytest.raises(InputError, match=r"'d'.*Columns that the model does not have: 'dd'"):
        tree.predict(FRAME.rename(columns={"d": "dd"}))
    with pytest.warns(HornbeamWarning, match="by position"):
        np.testing.assert_array_equal(tree.predict(X), Y)
    array = TreeClassifier().fit(X, Y)
    np.testing.assert_array_equal(array.predict(FRAME.set_axis(["x0", "x1", "x2", "x3"], axis=1)), Y)
    with pytest.raises(InputError, match="missing from the new rows"):
        array.predict(FRAME)


def test_150_to_156_values_at_predict_time():
    frame = FRAME.assign(site=np.array(["north", "south", "west"])[Y])
    tree = TreeClassifier(searches=["sorted_cuts", "level_vs_rest"]).fit(frame[["site"]], Y)
    with pytest.raises(InputError, match="'site'"):
        tree.predict(pd.DataFrame({"site": [1.0, 2.0]}))
    with pytest.raises(InputError, match="row 0 contains the text"):
        TreeClassifier().fit(FRAME, Y).predict(FRAME.astype(str))
    assert tree.predict(pd.DataFrame({"site": ["east", None]})).shape == (2,)
    with_missing = X.copy()
    with_missing[0] = np.nan
    assert TreeClassifier().fit(X, Y).predict(with_missing).shape == (150,)


def test_157_infinite_values_are_refused_with_their_place():
    with pytest.raises(InputError, match="must be finite"):
        TreeClassifier().fit(X, Y).predict(np.full((1, 4), np.inf))


def test_158_a_float32_copy_ends_in_the_same_leaves():
    rows = X.astype(np.float32)
    tree = TreeClassifier().fit(rows, Y)
    np.testing.assert_array_equal(tree.apply(rows), tree.apply(rows.astype(np.float64)))


def test_159_a_value_at_the_threshold_goes_left():
    tree = TreeRegressor().fit([[1.0], [2.0]], [0.0, 1.0])
    assert tree.tree_.threshold[0] == 1.5
    assert tree.predict([[1.5], [np.nextafter(1.5, 2)]]).tolist() == [0.0, 1.0]


def test_160_one_row_alone_is_refused_with_the_call_to_use():
    tree = TreeClassifier().fit(X, Y)
    with pytest.raises(InputError, match=r"reshape\(1, -1\)"):
        tree.predict(X[0])


def test_162_and_163_other_threads_see_one_tree_at_a_time():
    tree = TreeClassifier().fit(X, Y)
    two = np.array(["no", "yes"])[(Y > 0).astype(int)]
    answers, wrong = [], []

    def ask():
        for _ in range(30):
            try:
                answers.append(tuple(sorted(set(tree.predict(X).tolist()), key=str)))
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for turn in range(20):
        tree.fit(X, two if turn % 2 else Y)
    for each in threads:
        each.join()
    assert not wrong
    assert set(answers) <= {(0, 1, 2), ("no", "yes")}
