"""Pieces are added up by the workers that hold them, and shared out by their rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.scale import piece_groups
from hornbeam.scale.node_store import GrowingTree, NodeStore
from hornbeam.scale.piece_groups import Group, by_worker, groups_of, near, shared_out


def test_a_group_per_thread_of_the_pieces_of_a_worker():
    holders = [("a",), ("b",), ("a",), ("b",), ("a",), ("a",)]
    found = groups_of(holders, [10] * 6, {"a": 2, "b": 1})
    assert {(group.worker, len(group.places)) for group in found} == {("a", 2), ("b", 2)}
    assert sorted(place for group in found for place in group.places) == list(range(6))
    assert len(found) == 3


def test_a_piece_without_a_worker_is_a_group_of_its_own():
    found = groups_of([("gone",), (), ("a",), ("a",)], [1, 1, 1, 1], {"a": 1})
    assert Group((0,)) in found
    assert Group((1,)) in found
    assert Group((2, 3), "a") in found


def test_a_piece_that_several_workers_have_goes_to_the_one_with_the_fewest_rows():
    found = groups_of([("a", "b"), ("a",), ("a",)], [5, 5, 5], {"a": 1, "b": 1})
    assert {group.worker: group.places for group in found} == {"a": (1, 2), "b": (0,)}


def test_the_groups_of_a_worker_are_merged_there():
    groups = [Group((0,), "a"), Group((1,)), Group((2,), "b"), Group((3,), "a"), Group((4,))]
    assert by_worker(groups) == [[groups[0], groups[3]], [groups[1]], [groups[2]], [groups[4]]]


def test_many_rows_are_several_groups(monkeypatch):
    monkeypatch.setattr(piece_groups, "_MAX_ROWS", 20)
    assert len(groups_of([("a",)] * 6, [10] * 6, {"a": 1})) == 3


@given(
    st.lists(st.tuples(st.sets(st.sampled_from("abcd")), st.integers(1, 100)), max_size=30),
    st.dictionaries(st.sampled_from("abc"), st.integers(1, 4)),
)
def test_every_piece_is_in_one_group(pieces, threads):
    found = groups_of([sorted(holders) for holders, _ in pieces], [size for _, size in pieces], threads)
    counts = Counter(place for group in found for place in group.places)
    assert counts == Counter(range(len(pieces)))
    assert all(group.worker in pieces[place][0] for group in found if group.worker for place in group.places)


def test_pieces_are_shared_out_by_their_rows():
    found = shared_out([60, 10, 10, 10, 10, 10, 10], {"a": 1, "b": 1})
    rows = Counter()
    for worker, size in zip(found, [60, 10, 10, 10, 10, 10, 10], strict=True):
        rows[worker] += size
    assert rows == {"a": 60, "b": 60}
    assert Counter(shared_out([1] * 9, {"a": 2, "b": 1})) == {"a": 6, "b": 3}
    assert shared_out([1, 1], {}) == ["", ""]
    assert near("") == {}
    assert near("a") == {"workers": ["a"], "allow_other_workers": True}


class Piece:
    n_rows, first_row = 10, 30


def test_nodes_are_kept_for_the_tree_as_it_grows():
    store, tree = NodeStore(), GrowingTree("one", 0, 0)
    with store.nodes(tree, Piece, 1) as nodes:
        nodes[:] = 2
    with store.nodes(tree, Piece, 3) as nodes:
        assert nodes.tolist() == [2] * 10
    with store.nodes(tree, Piece, 1) as nodes:  # an earlier state of the tree
        assert nodes.tolist() == [0] * 10
    with store.nodes(GrowingTree("one", 0, 1), Piece, 3) as nodes:
        assert nodes.tolist() == [0] * 10


def test_a_store_keeps_some_bytes_and_drops_a_growth():
    store = NodeStore(max_bytes=100)
    for number in range(3):
        with store.nodes(GrowingTree("one", number, 0), Piece, 1) as nodes:
            nodes[:] = number + 1
    found = []
    for number in (1, 2, 0):
        with store.nodes(GrowingTree("one", number, 0), Piece, 1) as nodes:
            found.append(int(nodes[0]))
    assert found == [2, 3, 0]
    store.drop("one")
    with store.nodes(GrowingTree("one", 2, 0), Piece, 1) as nodes:
        assert np.array_equal(nodes, np.zeros(10))
