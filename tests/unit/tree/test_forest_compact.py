"""A forest's file keeps little and gives back all; a changed file with a correct hash is refused in words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.strategies import trees

import hornbeam as hb
from hornbeam.errors import HornbeamError, ModelFileError
from hornbeam.tree.file import container, files
from hornbeam.tree.file.forest_compact import narrow

IRIS = hb.datasets.load("iris")


def repacked(data, change):
    """The file with changed arrays and a correct hash."""
    arrays, words, _ = container.read_container(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(arrays)
    return container.write_container(arrays, words)


def same_arrays(one, other):
    for name, array in one.nodes.arrays().items():
        if not name.startswith("competitor_"):
            np.testing.assert_array_equal(getattr(other.nodes, name), array, err_msg=name)
            assert getattr(other.nodes, name).dtype == array.dtype
    for name, array in one.questions.arrays().items():
        np.testing.assert_array_equal(getattr(other.questions, name), array, err_msg=name)


@settings(max_examples=60, deadline=None)
@given(trees(), st.integers(1, 3))
def test_any_tree_comes_back_from_a_forest_as_it_was(tree, copies):
    again = files.from_bytes(files.to_bytes(hb.tree.combine_trees([tree] * copies)))
    for member in again:
        same_arrays(tree, member)
    assert files.to_bytes(again) == files.to_bytes(hb.tree.combine_trees([tree] * copies))


@pytest.mark.parametrize("grown", ["forest", "boosted", "numbers", "surrogates", "shared out"])
def test_grown_forests_come_back_as_they_were(grown):
    numbers = hb.read({"a": np.arange(90.0), "b": np.arange(90) % 7, "y": np.sin(np.arange(90.0))}, target="y")
    forest = {
        "forest": lambda: hb.forest(IRIS, n_trees=4),
        "boosted": lambda: hb.boost(IRIS, n_rounds=3),
        "numbers": lambda: hb.forest(numbers, n_trees=4),
        "surrogates": lambda: hb.bag(IRIS, "cart", n_trees=2),
        "shared out": lambda: hb.bag(hb.datasets.load("play_tennis"), "c45", n_trees=3),
    }[grown]()
    again = files.from_bytes(files.to_bytes(forest))
    for one, other in zip(forest, again, strict=True):
        same_arrays(one, other)


def test_a_file_of_boosted_trees_is_smaller_than_the_text_of_light_gbm():
    # LightGBM 4.7 writes 92 to 112 bytes per leaf for trees of 31 leaves (python -m benchmarks.model_files).
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 8))
    table = hb.read({**{f"x{i}": X[:, i] for i in range(8)}, "y": X[:, 0] * X[:, 1] > 0}, target="y")
    boosted, forest = hb.boost(table, n_rounds=40), hb.forest(table, n_trees=10)
    for model, least in ((boosted, 80), (forest, 70)):
        assert len(files.to_bytes(model)) < least * sum(tree.n_leaves for tree in model)


@given(
    hnp.arrays(np.float64, st.integers(0, 6), elements=st.floats() | st.sampled_from([0.0, -0.0, 1.0, 255.0, 2.0**40]))
)
def test_a_narrow_type_holds_the_same_numbers(array):
    kept = narrow(array)
    assert kept.itemsize <= array.itemsize
    np.testing.assert_array_equal(kept.astype(np.float64), array)
    np.testing.assert_array_equal(np.signbit(kept.astype(np.float64)), np.signbit(array))


def enlarged(arrays):
    arrays["forest.lengths"] = arrays["forest.lengths"].astype(np.int64)
    arrays["forest.lengths"][0, 0] = 2**32


def many(arrays):
    arrays["forest.lengths"] = np.zeros((1 << 16, 5), dtype=np.int8)


def unknown_weight(arrays):
    arrays["forest.weights"][0] = np.nan


def unknown_output(arrays):
    arrays["forest.output"][0] = 9


def first_child(value):
    def change(arrays):
        arrays["nodes.first_child"] = arrays["nodes.first_child"].astype(np.int32)
        arrays["nodes.first_child"][0] = value

    return change


def fractions(arrays):
    arrays["nodes.first_child"] = arrays["nodes.first_child"].astype(np.float32)


def cut(name):
    return lambda arrays: arrays.update({name: arrays[name][:-2]})


def without(name):
    return lambda arrays: arrays.pop(name)


@pytest.mark.parametrize(
    "change",
    [
        enlarged,
        many,
        unknown_weight,
        unknown_output,
        first_child(0),
        first_child(2**30),
        first_child(-1),
        fractions,
        *map(cut, ("nodes.rows", "nodes.stats", "nodes.gain", "nodes.reason", "nodes.depth", "questions.reals")),
        *map(without, ("nodes.stats", "nodes.depth", "questions.column", "forest.base", "nodes.reason")),
    ],
)
def test_229_230_lengths_weights_and_children_that_cannot_be_are_refused(change):
    for model in (hb.boost(IRIS, n_rounds=2), hb.forest(IRIS, n_trees=2)):
        with pytest.raises(ModelFileError):
            files.from_bytes(repacked(files.to_bytes(model), change))


def test_210_a_right_hash_over_random_changes_is_never_a_crash():
    rng = np.random.default_rng(3)
    base = np.frombuffer(files.to_bytes(hb.forest(IRIS, n_trees=2))[:-32], dtype=np.uint8)
    for _ in range(300):
        body = base.copy()
        places = rng.integers(24, len(body), rng.integers(1, 4))
        body[places] = rng.integers(0, 256, len(places))
        try:
            found = files.from_bytes(container.hashlib.sha256(body.tobytes()).digest().join([body.tobytes(), b""]))
            # A column may have another name now: that is refused in words too.
            predicted = hb.predict(found, IRIS)
        except HornbeamError:
            continue
        assert len(predicted) == len(IRIS)
