"""The compiled walk equals the plain one: same nodes, same mixtures bit for bit, same refusals."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import trees_with_rows

from hornbeam.errors import InputError
from hornbeam.tree import walk


def both(tree, columns, what):
    found = []
    for engine in ("core", "python"):
        try:
            found.append(what(tree, columns, engine=engine))
        except InputError as error:
            found.append(str(error))
    return found


def same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        assert isinstance(one, str)
        assert one == other
    else:
        np.testing.assert_array_equal(one, other)


@given(trees_with_rows())
def test_the_compiled_walk_ends_where_the_plain_one_does(case):
    same(*both(*case, walk.leaves))


@given(trees_with_rows(missing=("share", "branch")))
def test_the_compiled_mixture_equals_the_plain_one_bit_for_bit(case):
    same(*both(*case, walk.values))


@given(
    trees_with_rows(
        kinds=("threshold", "subset"), surrogates=False, missing=("branch",), unseen=("as_missing", "majority")
    )
)
def test_the_lean_loop_equals_the_plain_walk(case):
    same(*both(*case, walk.leaves))


@given(trees_with_rows(kinds=("threshold", "subset", "multiway")))
def test_both_walks_mark_the_same_rows_as_having_met_an_unseen_level(case):
    same(*both(*case, lambda *a, **k: walk.row_ends(*a, with_unseen=True, **k)[1]))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_rows_on_any_number_of_threads_end_where_the_plain_walk_gives(threads):
    from tests.unit.tree.example_trees import mixed_columns, mixed_tree

    tree, columns = mixed_tree(), mixed_columns(30_000)
    plain = walk.leaves(tree, columns, engine="python")
    np.testing.assert_array_equal(walk.leaves(tree, columns, threads=threads), plain)
    np.testing.assert_array_equal(
        walk.values(tree, columns, threads=threads), walk.values(tree, columns, engine="python")
    )


FORKED = """
import os, sys
import subprocess
import sys

import numpy as np
from hornbeam.tree import walk
from tests.unit.tree.example_trees import mixed_columns, mixed_tree
tree, columns = mixed_tree(), mixed_columns(30_000)
before = walk.leaves(tree, columns, threads=2)
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(walk.leaves(tree, columns, threads=2), before) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_walks_with_threads_of_its_own():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], timeout=60, check=False)
    assert done.returncode == 0
