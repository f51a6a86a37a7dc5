"""Laws of the layout: nothing overlaps, parents stand above the middle of their children, order is kept."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.drawing.layout import lay_out

GAP = 3.0


@st.composite
def trees(draw):
    """Parent-first trees with nodes of any breadth."""
    n = draw(st.integers(1, 60))
    parent = [-1] + [draw(st.integers(max(0, node - 8), node - 1)) for node in range(1, n)]
    breadth = [draw(st.floats(1, 80)) for _ in range(n)]
    return parent, breadth


def families(parent):
    children = [[] for _ in parent]
    for node, above in enumerate(parent):
        if above >= 0:
            children[above].append(node)
    return children


def levels_of(parent):
    level = []
    for above in parent:
        level.append(0 if above < 0 else level[above] + 1)
    return level


def laid_out(parent, breadth):
    return lay_out(parent, families(parent), breadth, [10.0] * len(parent), gap=GAP, level_gap=5.0)


def in_order(parent):
    """Every level from left to right, as the children of the level above stand."""
    children = families(parent)
    row = [0]
    while row:
        yield row
        row = [child for node in row for child in children[node]]


@given(trees())
def test_no_two_nodes_of_a_level_overlap_and_their_order_is_kept(tree):
    parent, breadth = tree
    found = laid_out(parent, breadth)
    for row in in_order(parent):
        for left, right in itertools.pairwise(row):
            room = found.across[right] - found.across[left]
            assert room >= (breadth[left] + breadth[right]) / 2 + GAP - 1e-6


@given(trees())
def test_a_parent_stands_above_the_middle_of_its_first_and_last_child(tree):
    parent, breadth = tree
    found = laid_out(parent, breadth)
    for node, below in enumerate(families(parent)):
        if below:
            middle = (found.across[below[0]] + found.across[below[-1]]) / 2
            assert found.across[node] == pytest.approx(middle, abs=1e-6)


@given(trees())
def test_everything_is_inside_the_breadth(tree):
    parent, breadth = tree
    found = laid_out(parent, breadth)
    assert min(at - wide / 2 for at, wide in zip(found.across, breadth)) == pytest.approx(0, abs=1e-6)
    assert max(at + wide / 2 for at, wide in zip(found.across, breadth)) == pytest.approx(found.breadth, abs=1e-6)


@given(trees())
def test_a_mirrored_tree_of_two_levels_is_as_broad(tree):
    _, breadth = tree
    parent = [-1] + [0] * (len(breadth) - 1)
    mirrored = [breadth[0], *reversed(breadth[1:])]
    assert laid_out(parent, breadth).breadth == pytest.approx(laid_out(parent, mirrored).breadth, abs=1e-6)


def test_small_subtrees_between_large_ones_are_spread_evenly():
    # root with four children; the first and the last have three wide leaves each, the two between are leaves
    parent = [-1, 0, 0, 0, 0, 1, 1, 1, 4, 4, 4]
    found = laid_out(parent, [10.0] * 5 + [40.0] * 6)
    steps = [b - a for a, b in zip(found.across[1:4], found.across[2:5])]
    assert steps == pytest.approx([steps[0]] * 3)


def test_a_chain_of_a_hundred_thousand_nodes_is_laid_out():
    n = 100_000
    parent = list(range(-1, n - 1))
    found = laid_out(parent, [10.0] * n)
    assert set(found.across) == {5.0}
    assert found.level_start[-1] == pytest.approx(15.0 * (n - 1))


def test_a_comb_of_a_hundred_thousand_nodes_is_laid_out():
    n = 100_001  # every inner node has a leaf and a next inner node: contours of growing length
    parent = [-1] + [above - (above % 2) for above in range(n - 1)]
    found = laid_out(parent, [10.0] * n)
    assert len(found.across) == n


def test_levels_are_as_high_as_their_highest_node():
    found = lay_out([-1, 0, 0, 1], [[1, 2], [3], [], []], [5.0] * 4, [10.0, 30.0, 4.0, 1.0], gap=1.0, level_gap=7.0)
    assert found.level_start == [0.0, 17.0, 54.0]
    assert found.length == 55.0
