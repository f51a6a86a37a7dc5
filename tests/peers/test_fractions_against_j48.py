"""The c45 recipe divides rows with missing values as J48 and C4.5 release 8 do, node by node.

J48 is C4.5 in double precision: its unpruned, uncollapsed trees are ours on every set but two (below). Release 8 keeps
weights in float32 and, having sent part of a row down a branch, divides the weight by the same factor again: a row of
weight 1 comes back as 0.9999999. Where a side weighs exactly the least that is used, or two ratios are equal, that
decides: a cut of 2 rows on a side is lost (labor: wage <= 2.1 with 2.0 on its right; pima: one cut the fewer to pay
for), a later column wins a tie of ratio 1 (soybean, mushroom), a higher cut of the same gain is taken (colic). So
release 8's trees are compared where no such node is met; on labor, soybean and colic J48's tree is ours.

In J48 weights within 1e-6 of each other are equal; credit_a and pima_missing meet that and are excluded.
"""

import numpy as np
import pytest
from tests.peers import shared
from tests.peers.test_c45_nodes import in_single_precision
from tests.peers.test_weka_growth import compared, j48

from hornbeam.growing.grow import grow
from hornbeam.recipes import recipe

MADE = ["made_missing", "made_missing_levels", "made_missing_numeric"]
J48 = ["penguins", *MADE, *shared.outside("vote", "stagec", "labor", "hepatitis", "breast_cancer", "heart_c", "colic")]
J48 += shared.outside("titanic_survival", "soybean")
RELEASE_8 = ["penguins", *shared.outside("vote", "stagec", "hepatitis", "breast_cancer", "credit_a", "heart_c")]
RELEASE_8 += shared.outside("titanic_survival")


@pytest.mark.parametrize("name", J48)
def test_the_tree_is_j48s_in_every_fraction(name):
    tree, found = compared(name, "j48_39_unpruned_nocollapse", j48(), "auto")
    assert found == {"same": len(tree), "ties": 0}
    assert (tree.nodes.weight % 1 > 1e-9).any()


def children_of(tree, a, node):
    """Our child against each of release 8's, by the branch's question."""
    question = tree.question(a)
    levels = tree.schema.columns[question.columns[0]].levels
    for branch in node["branches"]:
        if branch["op"] == "<=":
            assert question.cut == pytest.approx(float(branch["value"]), rel=1e-5)
        at = (
            ("<=", ">").index(branch["op"])
            if branch["op"] != "="
            else question.branch_of[levels.index(branch["value"])]
        )
        yield int(tree.nodes.first_child[a]) + at, branch["node"]


@pytest.mark.parametrize("name", RELEASE_8)
def test_the_tree_is_release_8s_to_the_digit_it_prints(name):
    data = in_single_precision(shared.table(name, ordered=False))
    tree = grow(data, recipe("c45"))
    pairs, seen = [(0, shared.answers("c45", name)["default"]["unpruned"])], 0
    while pairs:
        a, b = pairs.pop()
        seen += 1
        assert bool(tree.nodes.is_leaf[a]) == b["leaf"], tree.reason(a) or tree.question(a)
        if b["leaf"]:
            # Weights and errors are printed with one decimal.
            assert (tree.nodes.weight[a], tree.errors()[a]) == pytest.approx((b["n"], b["e"]), abs=0.0501)
        else:
            assert data.names[tree.question(a).columns[0]] == b["attribute"]
            pairs += children_of(tree, a, b)
    assert seen == len(tree)


@pytest.mark.parametrize("name", ["penguins", *MADE, *shared.outside("vote", "hepatitis", "soybean")])
def test_rows_with_missing_values_get_j48s_class_shares(name):
    answer = shared.answers("weka", name)["j48_39_unpruned_nocollapse"]
    data = shared.table(name, ordered=False)
    tree = grow(data, j48())
    from hornbeam.tree.prediction import predict

    ours = predict(tree, data)
    if answer.get("distributions"):
        theirs = np.array(answer["distributions"])
        np.testing.assert_allclose(ours.probabilities[: len(theirs)], theirs, atol=1e-6)
    agree = np.mean(ours.codes[: len(answer["predictions"])] == np.array(answer["predictions"]))
    assert agree > 0.99
