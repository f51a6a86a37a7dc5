"""A forest as a value: its text is the combination of its members, and it keeps in a file."""

import dataclasses

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, ModelFileError
from hornbeam.table.column import numeric
from hornbeam.tree import walk
from hornbeam.tree.file.files import from_bytes, load_tree, to_bytes
from hornbeam.tree.forest import score_schema


def members(n=3):
    table = hb.datasets.load("iris")
    return table, [hb.grow(table.take(np.arange(t, len(table), 2)), "plain") for t in range(n)]


def test_a_mean_is_the_weighted_mean_of_the_members_shares():
    table, trees = members()
    weights = np.array([1.0, 2.0, 5.0])
    predicted = hb.predict(hb.tree.combine_trees(trees, weights=weights), table)
    manual = sum(w * hb.predict(tree, table).probabilities for w, tree in zip(weights, trees, strict=True)) / 8
    np.testing.assert_allclose(predicted.probabilities, manual, rtol=0, atol=1e-15)
    assert (predicted.codes == manual.argmax(axis=1)).all()


def test_votes_count_the_labels_of_the_members():
    table, trees = members()
    predicted = hb.predict(hb.tree.combine_trees(trees, combine="vote"), table)
    votes = np.stack([hb.predict(tree, table).codes for tree in trees])
    manual = np.stack([(votes == k).mean(axis=0) for k in range(3)], axis=1)
    np.testing.assert_allclose(predicted.probabilities, manual, rtol=0, atol=1e-15)


def test_scores_are_summed_by_output_and_become_shares():
    table = hb.datasets.load("iris")
    rows = np.arange(len(table))
    target = numeric(score_schema(table.schema).target.name, np.cos(rows))
    trees = [hb.grow(dataclasses.replace(table, target=target), "regression") for _ in range(3)]
    forest = hb.Forest(
        schema=table.schema,
        trees=tuple(trees),
        weights=np.array([1.0, -1.0, 0.5]),
        combine="sum",
        link="softmax",
        base=np.array([0.1, 0.2, 0.3]),
        output=np.array([0, 1, 2]),
    )
    predicted = hb.predict(forest, table)
    one = hb.predict(trees[0], table).numbers
    scores = np.stack([0.1 + one, 0.2 - one, 0.3 + 0.5 * one], axis=1)
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(predicted.probabilities, probabilities, rtol=1e-12)
    assert to_bytes(from_bytes(to_bytes(forest))) == to_bytes(forest)


@pytest.mark.parametrize("damage", ["weights", "about", "lengths"])
def test_a_damaged_forest_is_refused_in_words(damage):
    _, trees = members()
    data = bytearray(to_bytes(hb.tree.combine_trees(trees)))
    at = {"weights": len(data) // 3, "about": 60, "lengths": len(data) - 40}[damage]
    data[at] ^= 0xFF
    with pytest.raises(ModelFileError):
        from_bytes(bytes(data))


def test_a_forest_keeps_in_a_file(tmp_path):
    table, trees = members()
    forest = hb.tree.combine_trees(trees, weights=np.array([0.5, 1.0, 1.5]), metadata={"oob": 0.25})
    path = tmp_path / "many.tree"
    hb.save(forest, path)
    again = hb.load(path)
    assert isinstance(again, hb.Forest)
    assert again.metadata == {"oob": 0.25}
    assert to_bytes(again) == path.read_bytes()
    np.testing.assert_array_equal(hb.predict(again, table).probabilities, hb.predict(forest, table).probabilities)
    assert str(load_tree(path, member=1)) == str(trees[1])
    with pytest.raises(ModelFileError, match="forest of 3 trees"):
        load_tree(path)


def test_members_that_do_not_fit_are_refused():
    _, trees = members()
    cars = hb.grow(hb.datasets.load("play_tennis"), "plain")
    with pytest.raises(InputError, match="other columns"):
        hb.tree.combine_trees([*trees, cars])
    with pytest.raises(InputError, match="weights"):
        hb.tree.combine_trees(trees, weights=np.ones(2))
    with pytest.raises(InputError, match="at least one"):
        hb.tree.combine_trees([], schema=trees[0].schema)


def test_the_plain_walk_gives_the_same():
    from hornbeam.tree import forest_walk

    table, trees = members()
    forest = hb.tree.combine_trees(trees)
    core = forest_walk.forest_totals(forest, table.columns)
    plain = forest_walk.forest_totals(forest, table.columns, engine="python")
    np.testing.assert_array_equal(core.totals, plain.totals)
    assert not walk.row_ends(trees[0], table.columns)[1].any()
