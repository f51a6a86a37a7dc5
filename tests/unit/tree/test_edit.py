"""Edits give new sound trees: fewer nodes, same statistics, canonical numbers, no question that no node uses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import trees, trees_with_rows
from tests.unit.tree.example_trees import chain, golf_rows, golf_tree, mixed_tree

from hornbeam.errors import InputError
from hornbeam.tree import edit, walk
from hornbeam.tree.file.validate import validate_tree
from hornbeam.tree.name_codes import REASONS
from hornbeam.tree.questions import Subset, Threshold


def shape(tree):
    """A tree as nested words, from its questions and statistics: numbering left out."""
    text = [""] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        below = "".join(text[child] for child in tree.nodes.children(node))
        question = tree.question(node).text(tree.schema) if tree.nodes.first_child[node] >= 0 else "leaf"
        text[node] = f"({question} {tree.nodes.stats[node].tolist()} {below})"
    return text[0]


def is_canonical(tree):
    """Whether children are numbered when their parent is expanded, in preorder."""
    expected, waiting = 1, [0]
    while waiting:
        children = tree.nodes.children(waiting.pop())
        if len(children):
            if children.start != expected:
                return False
            expected += len(children)
            waiting += reversed(children)
    return expected == len(tree)


def test_collapsing_a_node_makes_it_a_leaf_with_its_own_statistics():
    tree = edit.collapse(golf_tree(), [1])
    assert len(tree) == 6
    assert tree.reason(1) == "pruned"
    assert tree.nodes.stats[1].tolist() == [2, 3]
    assert tree.prediction_text(1) == "Don't Play"
    assert len(tree.questions) == 2
    assert [str(q.kind) for q in (tree.questions[0], tree.questions[1])] == ["multiway", "multiway"]


def test_collapsing_nothing_or_a_leaf_gives_the_tree_itself():
    tree = golf_tree()
    assert edit.collapse(tree, []) is tree
    assert edit.collapse(tree, [2, 4]) is tree


def test_collapsing_the_root_leaves_one_leaf_and_no_question():
    tree = edit.collapse(mixed_tree(), [0, 5, 3], reason="collapsed")
    assert len(tree) == 1
    assert len(tree.questions) == 0
    assert tree.questions.names == ()
    assert tree.reason(0) == "collapsed"
    assert len(tree.nodes.surrogate_question) == 0


def test_a_graft_puts_a_subtree_in_its_ancestors_place():
    tree = edit.graft(golf_tree(), 0, 1)
    assert str(tree).splitlines()[1:] == [
        "├─ humidity <= 75: Play        (2 / 0)   Play 100%",
        "└─ humidity > 75: Don't Play   (3 / 0)   Don't Play 100%",
    ]
    leaf = edit.graft(golf_tree(), 3, 6)
    assert leaf.nodes.first_child.tolist() == [1, 4, -1, -1, -1, -1]
    assert leaf.nodes.stats[3].tolist() == [0, 2]


def test_a_replaced_question_is_used_and_the_old_one_is_gone():
    tree = edit.replace_question(golf_tree(), 1, Threshold(1, 60.0))
    assert tree.question(1) == Threshold(1, 60.0)
    assert len(tree.questions) == 3
    assert np.isnan(tree.nodes.gain[1])
    assert walk.leaves(tree, golf_rows([0], [80.0])).tolist() == [5]  # temperature is 70
    assert golf_tree().question(1) == Threshold(2, 75.0)


def test_replacing_a_question_drops_the_surrogates_of_that_node_alone():
    tree = edit.replace_question(mixed_tree(), 0, Subset(3, (0,), (1,), 4))
    assert len(tree.nodes.surrogate_question) == 0
    assert tree.questions.names == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: edit.collapse(t, [99]), "nodes 0 to 7; got 99"),
        (lambda t: edit.collapse(t, [-1]), "got -1"),
        (lambda t: edit.collapse(t, [1], reason=""), "printable text"),
        (lambda t: edit.graft(t, 1, 3), "Node 3 is not a descendant of node 1"),
        (lambda t: edit.graft(t, 1, 1), "is not a descendant"),
        (lambda t: edit.replace_question(t, 2, Threshold(1, 0.0)), "is a leaf"),
        (lambda t: edit.replace_question(t, 0, Threshold(1, 0.0)), "has 3 branches; the question has 2"),
    ],
)
def test_an_impossible_edit_gives_the_reason(change, words):
    with pytest.raises(InputError, match=words):
        change(golf_tree())


@given(trees(), st.data())
def test_collapsed_trees_are_sound_canonical_and_nest_in_the_whole(tree, data):
    nodes = data.draw(st.lists(st.integers(0, len(tree) - 1), max_size=3))
    reason = data.draw(st.sampled_from(REASONS[1:]))
    small = validate_tree(edit.collapse(tree, nodes, reason))
    assert is_canonical(small)
    assert len(small) <= len(tree)
    assert edit.collapse(small, [], reason) is small
    assert small.nodes.stats[0].tolist() == tree.nodes.stats[0].tolist()
    # one after the other, from the bottom up, gives the same as all at once
    step = tree
    for node in sorted(set(nodes), reverse=True):
        step = edit.collapse(step, [node], reason)
    assert shape(step) == shape(small)


@given(trees(), st.data())
def test_grafted_trees_are_sound_canonical_and_hold_the_subtree(tree, data):
    inner = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    if not inner:
        return
    node = data.draw(st.sampled_from(inner))
    child = data.draw(st.sampled_from(edit.subtree_nodes(tree, node)[1:]))
    new = validate_tree(edit.graft(tree, node, child))
    assert is_canonical(new)
    lost = set(edit.subtree_nodes(tree, node)) - set(edit.subtree_nodes(tree, child))
    assert len(new) == len(tree) - len(lost)


@given(trees_with_rows(unseen=("as_missing", "majority", "stay")), st.data())
def test_rows_end_in_the_collapsed_node_or_where_they_ended_before(case, data):
    tree, columns = case
    node = data.draw(st.integers(0, len(tree) - 1))
    small = edit.collapse(tree, [node])
    before, after = walk.leaves(tree, columns), walk.leaves(small, columns)
    inside = np.isin(before, edit.subtree_nodes(tree, node))
    for old, new, is_inside in zip(before.tolist(), after.tolist(), inside.tolist(), strict=True):
        expected = tree.nodes.stats[node] if is_inside else tree.nodes.stats[old]
        assert small.nodes.stats[new].tolist() == expected.tolist()


def test_a_chain_of_100_000_is_collapsed_and_grafted_without_recursion():
    tree = chain(100_000)
    assert len(edit.collapse(tree, [100_000])) == 100_001
    assert len(edit.graft(tree, 0, 100_000)) == 100_001
