"""Callbacks, functions of the user, evaluations without an answer, models without a split and old model files."""

import json
import pathlib
import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, OptionError
from hornbeam.estimators.forests import ForestClassifier
from hornbeam.parts.criteria.custom import Custom
from hornbeam.parts.losses.brier import Brier
from hornbeam.parts.losses.poisson import Poisson
from hornbeam.tree.file.files import from_bytes, to_bytes

MODELS = pathlib.Path(__file__).parents[1] / "data" / "models"
IRIS = hb.datasets.load("iris")


class Broken(Exception):
    """What a callback raises."""


def raises_at(which):
    def progress(done):
        if done >= which:
            raise Broken(done)

    return progress


@pytest.mark.parametrize(
    "many",
    [
        lambda progress: hb.forest(IRIS, n_trees=20, progress=progress, threads=2),
        lambda progress: hb.bag(IRIS, n_trees=20, progress=progress, threads=2),
        lambda progress: hb.boost(IRIS, n_rounds=20, progress=progress, threads=2),
        lambda progress: hb.adaboost(IRIS, n_trees=5, progress=progress),
    ],
    ids=["forest", "bag", "boost", "adaboost"],
)
def test_132_what_a_callback_raises_comes_out_and_the_next_growth_works(many):
    with pytest.raises(Broken):
        many(raises_at(1))
    assert to_bytes(many(None)) == to_bytes(many(lambda done: None))


class Marked(ForestClassifier):
    """An estimator of the user's with an attribute of its own."""


def test_136_an_attribute_of_a_subclass_is_no_part_of_the_model_file(tmp_path):
    model = Marked(n_estimators=2).fit(np.array([[1.0], [2.0]]), ["a", "b"])
    model.note = "mine"
    hb.save(model.forest_, tmp_path / "m.tree")
    again = hb.load(tmp_path / "m.tree")
    assert not hasattr(again, "note")
    assert (
        hb.predict(again, np.array([[1.0], [2.0]])).labels.tolist() == model.predict(np.array([[1.0], [2.0]])).tolist()
    )


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda parent, branches: np.full(len(branches), np.nan), "NaN"),
        (lambda parent, branches: np.zeros(3), "shape"),
        (lambda parent, branches: 1 / 0, "ZeroDivisionError"),
    ],
    ids=["NaN", "shape", "raises"],
)
def test_137_a_criterion_of_the_users_that_fails_is_named_with_the_node(function, words):
    with pytest.raises(OptionError, match=rf"{words}.*at a node of depth 0 with 150 rows") as caught:
        hb.grow(IRIS, hb.Recipe(criterion=Custom(function=function)))
    assert caught.value.details["depth"] == 0


def raising(stats):
    raise Broken


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda stats: np.full(stats.shape[:-1], np.nan), "predicts nan"),
        (lambda stats: np.full(stats.shape[:-1], 7.0), "predicts 7"),
        (lambda stats: np.zeros((5, 5)), "shape"),
        (raising, "Broken"),
    ],
    ids=["NaN", "no class", "shape", "raises"],
)
def test_137_a_loss_that_fails_is_named_with_the_node(monkeypatch, answer, words, engine):
    monkeypatch.setattr(Brier, "answer", lambda self, stats, targets=None: answer(stats))
    with pytest.raises(OptionError, match=rf"loss brier.*{words}"):
        hb.grow(IRIS, hb.Recipe(loss="brier"), engine=engine)


@pytest.mark.parametrize(
    ("answer", "words"),
    [(lambda stats: np.nan, "predicts nan.*6 rows"), (lambda stats: np.zeros(9), "shape"), (raising, "Broken")],
    ids=["NaN", "shape", "raises"],
)
def test_137_a_loss_of_numbers_that_fails_is_named_with_the_node(monkeypatch, answer, words):
    monkeypatch.setattr(Poisson, "answer", lambda self, stats, targets=None: answer(stats))
    table = hb.read({"x": range(6), "y": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}, target="y", kinds={"y": "numeric"})
    with pytest.raises(OptionError, match=rf"loss poisson.*{words}"):
        hb.grow(table, hb.Recipe(loss="poisson"), engine="python")


def test_138_the_area_of_one_class_is_undefined_with_a_warning():
    with pytest.warns(HornbeamWarning, match="such as AUC.*undefined"):
        scores = hb.evaluate(["a", "a"], np.array([[0.9, 0.1], [0.8, 0.2]]), classes=["a", "b"], positive="a")
    assert scores.metrics["auc"].value is None


def test_139_the_sensitivity_without_positives_shows_0_of_0():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HornbeamWarning)
        found = hb.evaluate(["n", "n"], ["n", "n"], positive="p", classes=["n", "p"]).metrics["sensitivity"]
    assert found.value is None
    assert found.count_text == "0/0"


def test_140_constant_scores_have_the_area_of_the_diagonal():
    scores = hb.evaluate(list("abab"), np.full((4, 2), 0.5), positive="b", classes=["a", "b"])
    assert scores.metrics["auc"].value == 0.5


def test_164_a_model_does_not_need_its_file_any_more(tmp_path):
    path = tmp_path / "m.tree"
    hb.save(hb.grow(IRIS, "plain"), path)
    tree = hb.load(path)
    path.write_bytes(b"")
    path.unlink()
    assert (hb.predict(tree, IRIS).codes == IRIS.target.values).all()


def test_165_a_tree_without_a_split_answers_every_question_about_it():
    stump = hb.grow(IRIS, hb.Recipe(stops=({"name": "max_depth", "depth": 0},)))
    assert hb.predict(stump, IRIS).nodes.tolist() == [0] * 150
    assert hb.tree.format_path(stump, IRIS, 0) == []
    assert len(hb.extract_rules(stump).rules) == 1
    assert hb.importance(stump).values.tolist() == [0.0] * 4
    assert len(hb.evaluation.leaf_statistics(stump)) == 1
    assert hb.relabel(stump, IRIS).n_leaves == 1
    assert hb.draw(stump).svg.startswith("<svg")


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.tree")))
def test_238_a_file_of_every_released_format_predicts_the_same_bits(name):
    model = hb.load(MODELS / f"{name}.tree")
    kept = json.loads((MODELS / f"{name}.json").read_text("utf-8"))
    columns = {column: [None if value == "" else value for value in values] for column, values in kept["rows"].items()}
    predicted = hb.predict(model, columns)
    assert [[value.hex() for value in row] for row in predicted.values.tolist()] == kept["values"]
    assert from_bytes(to_bytes(model)) is not None


def test_238_there_is_a_file_of_each_kind_of_model():
    assert {path.stem.partition("-")[0] for path in MODELS.glob("*.tree")} == {
        "boosted",
        "classes",
        "forest",
        "numbers",
    }


@pytest.mark.parametrize("threads", [2, 64])
def test_239_a_fit_on_many_threads_gives_the_bytes_of_a_fit_on_one(threads):
    random = np.random.default_rng(0)
    X = random.normal(size=(5000, 4))
    table = hb.table.table_from_arrays(X, (X[:, 0] + random.normal(size=5000) > 0).astype(int), target_kind="nominal")
    for grown in (hb.grow, lambda table, threads: hb.forest(table, n_trees=3, threads=threads)):
        assert to_bytes(grown(table, threads=threads)) == to_bytes(grown(table, threads=1))


def test_119_a_pruning_set_that_is_the_training_set_is_reported_and_costs_no_training_error():
    whole = hb.grow(IRIS, "plain")
    with pytest.warns(HornbeamWarning, match="rows that the tree was grown from"):
        small = hb.prune(whole, "reduced_error", hb.PruningData(pruning_set=IRIS))
    assert small.errors()[small.nodes.is_leaf].sum() == whole.errors()[whole.nodes.is_leaf].sum()
    assert small.n_leaves <= whole.n_leaves


def test_119_a_regression_tree_pruned_by_its_training_set_is_reported():
    table = hb.read({"x": np.arange(40.0), "y": np.sqrt(np.arange(40.0))}, target="y")
    with pytest.warns(HornbeamWarning, match="rows that the tree was grown from"):
        hb.prune(hb.grow(table, "plain"), "reduced_error", hb.PruningData(pruning_set=table))


def test_119_a_pruning_set_of_other_rows_is_not_reported():
    half = np.arange(len(IRIS)) % 2 == 0
    grown, held_out = IRIS.take(np.flatnonzero(half)), IRIS.take(np.flatnonzero(~half))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hb.prune(hb.grow(grown, "plain"), "reduced_error", hb.PruningData(pruning_set=held_out))


def test_121_a_question_whose_parts_contradict_each_other_is_never_used():
    never = {"all": [{"column": "petal_length", "above": 5}, {"column": "petal_length", "at_most": 2}]}
    tree = hb.grow(IRIS, hb.Recipe(searches=({"name": "custom_questions", "questions": [never]},)))
    assert tree.n_leaves == 1


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize("search", ["perceptron_plane", "logistic_plane", "svm_plane", "lda_plane"])
def test_124_125_planes_of_inseparable_rows_and_of_collinear_columns_are_finite(search, engine):
    random = np.random.default_rng(1)
    a = random.integers(0, 4, 60).astype(float)
    columns = {"a": a, "b": 2 * a + 1, "k": np.full(60, 3.0)}
    table = hb.read({**columns, "y": random.integers(0, 2, 60)}, target="y", kinds={"y": "nominal"})
    tree = hb.grow(
        table, hb.Recipe(searches=(search,), stops=("pure", {"name": "max_depth", "depth": 3})), engine=engine
    )
    assert np.isfinite(tree.questions.reals).all()
    assert hb.predict(tree, table).nodes.max() < len(tree)


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize("search", ["spheres", "ball", "svm_plane", "two_means"])
def test_126_rows_of_one_distinct_point_are_a_leaf(search, engine):
    table = hb.read({"a": [1.0] * 6, "b": [2.0] * 6, "y": list("aabbab")}, target="y")
    assert hb.grow(table, hb.Recipe(searches=(search,)), engine=engine).n_leaves == 1
