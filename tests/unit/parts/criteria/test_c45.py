"""The average gain of C4.5: which columns count for it."""

import numpy as np
import pytest

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.criteria.c45 import C45
from hornbeam.parts.searches.level_vs_rest import LevelVsRest
from hornbeam.parts.searches.multiway import Multiway
from hornbeam.table.column import nominal
from hornbeam.table.table import Table


def table(n_idle):
    """A column of large gain, one of small gain and larger gain ratio, and columns that gain nothing."""
    y = np.repeat([0, 1], 32)
    strong = np.array([*[0] * 8, *[1] * 8, *[2] * 14, *[3] * 2, *[0] * 2, *[1] * 2, *[2] * 14, *[3] * 14])
    weak = np.array([*[1] * 32, *[0] * 5, *[1] * 27])
    idle = np.tile([0, 1], 32)
    columns = [nominal("strong", strong, tuple("abcd")), nominal("weak", weak, tuple("ab"))]
    columns += [nominal(f"idle{i}", idle, tuple("ab")) for i in range(n_idle)]
    return Table(tuple(columns), nominal("y", y, ("A", "B")))


@pytest.mark.parametrize("engine", ["core", "python"])
@pytest.mark.parametrize("search", [Multiway(), Multiway(allow_zero_gain=True), LevelVsRest(method="ratio")])
def test_nominal_columns_of_gain_0_lower_the_average(engine, search):
    method = Method(criterion=C45(), searches=(search,)).with_changes(stops=[{"name": "max_depth", "depth": 1}])
    few, many = (grow(table(n), method, engine=engine).question(0).columns[0] for n in (0, 6))
    # Without idle columns the small gain is below the average; with them it is above, and the ratio decides.
    assert (few, many) == (0, 1)


@pytest.mark.parametrize("engine", ["core", "python"])
def test_a_nominal_question_of_gain_0_is_used_only_where_it_is_admitted(engine):
    xor = Table(
        (nominal("a", np.tile([0, 0, 1, 1], 4), ("n", "y")), nominal("b", np.tile([0, 1], 8), ("n", "y"))),
        nominal("y", np.tile([0, 1, 1, 0], 4), ("n", "y")),
    )
    refused, admitted = (
        grow(xor, Method(criterion=C45(), searches=(Multiway(allow_zero_gain=zero),)), engine=engine)
        for zero in (False, True)
    )
    assert (refused.n_leaves, admitted.n_leaves) == (1, 4)
