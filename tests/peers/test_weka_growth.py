"""The recipes id3 and c45 grow the unpruned trees of Weka's Id3 and J48.

Both trees are walked together; the class counts, the question and its score must agree at every pair of nodes. Where
the questions differ their scores must tie (Weka takes scores closer than 1e-6 as equal, definition 0.3 is 1e-10), and
the walk ends there.

What Weka does otherwise:
    Id3 stops when no column gains; ID3 by its definition continues (4.1), so below Weka's leaf we ask for gain 0 alone.
    Id3 gives a branch without rows no class; ours has that of the node above (4.1).
    J48 uses no question of ratio 0; release 8 does of a nominal column (4.2.4): `allow_zero_gain` is taken away here.
    J48 "-J" sets no penalty for cuts: `Unpriced` below is C4.5's criterion without it.
J48's tree without collapse is 3.9's `-U -O`; the older `-U` collapses in a pass of its own (4.5).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from tests.peers import shared

from hornbeam.growing.grow import grow
from hornbeam.parts.criteria.c45 import C45
from hornbeam.recipes import recipe

COPIED = ["iris_r", "wdbc", "xor4", "checkerboard4", "contact_lenses"]
NOMINAL = ["contact_lenses", "xor4", "made_levels"]
NOMINAL += shared.outside("weather_nominal", "tic_tac_toe", "car", "nursery", "dna")
MADE = ["made_few", "made_mixed", "made_classes", "made_numeric", "made_levels", "made_many_levels", "made_rare"]
MADE += ["made_grid", "attrition"]
SMALL = shared.outside(
    "weather_nominal", "weather_numeric", "zoo", "kyphosis", "birthwt", "glass", "ionosphere", "iris"
)
MORE = shared.outside("sonar", "pima", "vehicle", "vowel", "credit_g", "car", "tic_tac_toe", "wine", "segment")


@dataclass(frozen=True)
class Unpriced(C45):
    """C4.5's choice without the price of cuts."""

    name: ClassVar[str] = "unpriced"

    def penalty(self, n_cuts, weight):
        return 0.0


def j48(cut="data", **more):
    cuts = {"name": "sorted_cuts", "cut": cut, "min_size": "c45"}
    return recipe("c45").with_changes(
        searches=[cuts, {"name": "multiway", "every": "declared"}], collapse=False, **more
    )


def together(tree, data, theirs, scores, check):
    """Walk both trees; how many nodes were the same, how many ties."""
    names = data.names
    found = {"same": 0, "ties": 0}
    pairs = [(0, theirs)]
    while pairs:
        a, b = pairs.pop()
        check(tree, a, b)
        if b["leaf"] or tree.nodes.is_leaf[a]:
            found["same"] += 1
            continue
        question = tree.question(a)
        tau = getattr(question, "cut", None)
        same = names[question.columns[0]] == b["attribute"]
        if same and b["numeric"]:
            same = tau == pytest.approx(b["split_point"], rel=1e-12)
        if "gainRatio" in b:
            assert scores[a] == pytest.approx(b["gainRatio"], abs=1e-9 if same else 1e-6), b["attribute"]
        found["same" if same else "ties"] += 1
        if same:
            pairs += zip(tree.nodes.children(a), (branch["node"] for branch in b["branches"]), strict=True)
    return found


def check_id3(tree, a, b):
    if not b["leaf"]:
        assert not tree.nodes.is_leaf[a], tree.reason(a)
    elif b["class"] is None:
        assert tree.nodes.rows[a] == 0
    else:
        assert tree.prediction_text(a) == b["class"]
        # Below a leaf of Weka's every question gains nothing.
        assert tree.nodes.is_leaf[a] or tree.nodes.gain[a] == pytest.approx(0, abs=1e-9)


def check_j48(tree, a, b):
    assert tree.nodes.stats[a].tolist() == pytest.approx(b["counts"])
    assert bool(tree.nodes.is_leaf[a]) == b["leaf"], tree.reason(a) or tree.question(a)


def compared(name, config, method, engine, check=check_j48):
    answer = shared.answers("weka", name)[config]
    data = shared.table(name, ordered=False)
    tree = grow(data, method, engine=engine)
    return tree, together(tree, data, answer["tree"], tree.nodes.score, check)


# The plain grower takes too long on the large sets.
@pytest.mark.parametrize(
    ("name", "engine"),
    [*((name, "core") for name in NOMINAL), *((name, "python") for name in NOMINAL if name not in ("nursery", "dna"))],
)
def test_id3_grows_wekas_tree(name, engine):
    _, found = compared(name, "id3", recipe("id3"), engine, check_id3)
    assert found["ties"] == 0


def test_id3_solves_the_xor_that_weka_leaves_as_a_leaf():
    assert shared.answers("weka", "xor4")["id3"]["tree"]["leaf"]
    tree = grow(shared.table("xor4"), recipe("id3"), engine="core")
    assert (len(tree), tree.errors()[tree.nodes.is_leaf].sum()) == (7, 0)


@pytest.mark.parametrize("name", COPIED + MADE + SMALL + MORE)
def test_c45_without_collapse_grows_j48s_tree(name):
    tree, found = compared(name, "j48_39_unpruned_nocollapse", j48(), "core")
    assert found == {"same": len(tree), "ties": 0}


@pytest.mark.parametrize("name", COPIED + MADE[:-1] + SMALL)
def test_c45_without_the_price_of_cuts_grows_j48s_tree(name):
    method = j48("midpoint", criterion=Unpriced())
    tree, found = compared(name, "j48_39_unpruned_nomdl_midpoint", method, "python")
    assert found == {"same": len(tree), "ties": 0}


@pytest.mark.parametrize("name", ["iris_r", "contact_lenses"])
def test_both_engines_grow_j48s_tree(name):
    tree, found = compared(name, "j48_39_unpruned_nocollapse", j48(), "python")
    assert found == {"same": len(tree), "ties": 0}
    assert np.array_equal(tree.nodes.stats, grow(shared.table(name), j48(), engine="core").nodes.stats)
