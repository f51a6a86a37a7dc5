"""Error-based pruning turns the recorded unpruned trees of J48 and C4.5 release 8 into their pruned trees.

The unpruned tree is taken as the program printed it, so that only the pruning is compared; `test_pruned_trees.py`
compares growing and pruning together.
"""

import pytest
from tests.peers import shared
from tests.unit.parts.prunings.peer_trees import attributes, attributes_of, from_c45, from_j48, outline, outline_of_j48

from hornbeam.parts.prunings import PruningData
from hornbeam.parts.prunings.error_based import ErrorBased
from hornbeam.parts.prunings.machinery.prune import prune

COPIED = ["iris_r", "wdbc", "contact_lenses", "penguins", "attrition"]
MADE = ["made_mixed", "made_classes", "made_levels", "made_many_levels", "made_rare", "made_grid", "made_few"]
MADE += ["made_missing", "made_missing_levels", "made_missing_numeric"]
MORE = shared.outside("labor", "stagec", "birthwt")
CONFIDENCE = {"default": 0.25, "gain": 0.25, "m1": 0.25, "m5c10": 0.1, "c1": 0.01}


@pytest.mark.parametrize(("config", "raising"), [("j48_noraise", False), ("j48_default", True)])
@pytest.mark.parametrize("name", COPIED + MADE + MORE)
def test_j48s_pruned_tree_comes_out_of_its_unpruned_one(name, config, raising):
    answers, table = shared.answers("weka", name), shared.table(name, ordered=False)
    tree = from_j48(answers["j48_unpruned"]["tree"], table, table.target.levels)
    pruned = prune(tree, ErrorBased(raising=raising, bounds="j48"), PruningData(training=table))
    assert outline(pruned) == outline_of_j48(answers[config]["tree"])


@pytest.mark.parametrize("config", CONFIDENCE)
@pytest.mark.parametrize("name", COPIED + MORE)
def test_c45s_pruned_tree_and_estimate_come_out_of_its_unpruned_one(name, config):
    answer, table = shared.answers("c45", name)[config], shared.table(name, ordered=False)
    tree = from_c45(answer["unpruned"], table, table.target.levels)
    pruned = prune(tree, ErrorBased(confidence=CONFIDENCE[config]), PruningData(training=table))
    theirs = answer["unpruned"] if answer["pruned"] == "same as unpruned" else answer["pruned"]
    assert attributes_of(pruned) == attributes(theirs, table)
    estimate = 100 * pruned.metadata["prunings"][0]["estimate"] / len(table)
    assert estimate == pytest.approx(answer["evaluation"]["training"]["estimate_percent"], abs=0.051)
