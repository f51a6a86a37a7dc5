"""The question whether a value is missing competes, but only where it separates rows."""

import numpy as np
import pytest

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.questions import IsMissing

SEARCHES = ("sorted_cuts", "best_subset", "is_missing")


def silent(kind):
    """A table whose target is whether the column is missing; its values carry no information."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 60)
    values = rng.integers(0, 3, 60)
    if kind == "number":
        column = numeric("x", np.where(y == 1, np.nan, values))
    else:
        column = nominal("x", np.where(y == 1, -1, values), tuple("abc"))
    return Table((column,), nominal("y", y, ("no", "yes")))


@pytest.mark.parametrize("kind", ["number", "levels"])
@pytest.mark.parametrize("engine", ["core", "python"])
def test_missing_values_that_determine_the_target_are_used(kind, engine):
    tree = grow(silent(kind), Method(searches=SEARCHES), engine=engine)
    assert isinstance(tree.question(0), IsMissing)
    assert tree.branch_text(0, 0) == "x is missing"
    assert tree.errors()[tree.nodes.is_leaf].sum() == 0
    assert grow(silent(kind), Method()).n_leaves == 1


def test_a_cut_as_good_comes_first():
    x = np.array([1.0, 1, 2, 2, 3, 3])
    both = Table(
        (numeric("x", x), numeric("z", [5.0, 5, np.nan, np.nan, np.nan, np.nan])),
        nominal("y", (x > 1).astype(int), ("no", "yes")),
    )
    assert grow(both, Method(searches=SEARCHES)).question(0).columns == (0,)


def test_a_price_on_the_question_lets_others_win():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 100)
    x = np.where(rng.random(100) < 0.8, y, 1 - y).astype(float)
    z = np.where(rng.random(100) < 0.85, np.where(y == 1, np.nan, 0.0), 0.0)
    table = Table((numeric("x", x), numeric("z", z)), nominal("y", y, ("no", "yes")))
    method = Method(searches=SEARCHES)
    assert grow(table, method).question(0).kind == "is_missing"
    assert grow(table, method.with_changes(split_penalty={"is_missing": 2.0})).question(0).kind == "threshold"
