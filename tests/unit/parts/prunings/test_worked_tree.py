"""Every method gives the numbers of the worked tree (examples.json E4.4, E6.1 to E6.8)."""

import math

import numpy as np
import pytest
from tests.examples import EXAMPLES
from tests.unit.parts.prunings.pruning_trees import worked

from hornbeam.parts.prunings import PruningData
from hornbeam.parts.prunings.base import cheapest_pruning
from hornbeam.parts.prunings.cost_complexity import CostComplexity, losses_of_sequence, sequence
from hornbeam.parts.prunings.critical_value import CriticalValue
from hornbeam.parts.prunings.description_length import DescriptionLength
from hornbeam.parts.prunings.error_based import ErrorBased
from hornbeam.parts.prunings.machinery.added_errors import added_errors, deviate
from hornbeam.parts.prunings.manual import Manual
from hornbeam.parts.prunings.minimum_error import MinimumError
from hornbeam.parts.prunings.pessimistic import Pessimistic, standard_error
from hornbeam.parts.prunings.reduced_error import ReducedError


def expected(example):
    return EXAMPLES[example]["expected"]


@pytest.mark.parametrize("order", ["bottom_up", "most_improving_first"])
def test_reduced_error_leaves_what_e61_gives(order):
    made, held_out = worked()
    table = made.table(held_out)
    edits = ReducedError(order=order).edits(made.tree, PruningData(pruning_set=table))
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.1")["leaves"])
    assert edits.verdicts[made.number[3]].startswith("cut: 8 errors as a leaf, 10 as a subtree")


def test_reduced_error_gives_every_comparison_of_e61():
    made, held_out = worked()
    edits = ReducedError().edits(made.tree, PruningData(pruning_set=made.table(held_out)))
    for line in expected("E6.1")["bottom_up"]:
        word = "cut" if line["prune"] else "kept"
        want = f"{word}: {line['leaf_errors']} errors as a leaf, {line['subtree_errors']} as a subtree"
        assert edits.verdicts[made.number[line["node"]]] == want


def test_pessimistic_leaves_what_e62_gives_and_looks_at_nothing_below_a_cut():
    made, _ = worked()
    edits = Pessimistic().edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.2")["leaves"])
    assert edits.verdicts[made.number[5]] == f"gone: inside node {made.number[2]}, which was cut"
    for line in expected("E6.2")["log"]:
        weight = made.tree.nodes.weight[made.number[line["node"]]]
        assert standard_error(line["e_tree"], weight) == pytest.approx(line["se"], abs=1e-9)


def test_pessimistic_without_the_standard_error_compares_corrected_errors_alone():
    made, _ = worked()
    edits = Pessimistic(standard_error=False).edits(made.tree, PruningData())
    verdicts = {node: edits.verdicts[made.number[node]] for node in (1, 2, 3, 7)}
    # The corrected errors of E6.2: at node 2 10.5 as a leaf and 10.5 as a subtree.
    assert {node: text.split(":")[0] for node, text in verdicts.items()} == {1: "kept", 2: "cut", 3: "kept", 7: "cut"}
    assert verdicts[2] == "cut: 10.5 corrected errors as a leaf, 10.5 as a subtree"


@pytest.mark.parametrize("m", ["0", "2", "10", "100"])
def test_minimum_error_gives_e63(m):
    made, _ = worked()
    part = MinimumError(m=float(m))
    static, _, outcome = part._expected(made.tree, part.m)
    for line in expected("E6.3")[m]["log"]:
        node = made.number[line["node"]]
        assert static[node] == pytest.approx(line["static"], abs=1e-9)
        assert outcome.as_subtree[node] / made.tree.nodes.weight[node] == pytest.approx(line["dynamic"], abs=1e-9)
        assert outcome.cut[node] == line["prune"]
    edits = part.edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.3")[m]["leaves"])


@pytest.mark.parametrize("engine", ["core", "python"])
def test_the_weakest_link_sequence_is_that_of_e64(engine):
    made, held_out = worked()
    line = sequence(made.tree, "error", engine=engine)
    steps = expected("E6.4")["sequence"][1:]
    np.testing.assert_allclose(line.alphas, [step["alpha"] for step in steps], atol=1e-9)
    np.testing.assert_allclose(line.risks, [step["R"] for step in steps], atol=1e-9)
    assert line.leaves.tolist() == [len(step["leaves"]) for step in steps]
    middles = [float(each) for each in expected("E6.4")["cv_alphas"][1:]]
    np.testing.assert_allclose(line.middles, middles, atol=1e-9)
    for step in steps:
        edits = CostComplexity(alpha=step["alpha"]).edits(made.tree, PruningData())
        assert sorted(made.leaves_after(edits)) == sorted(step["leaves"])
    losses = losses_of_sequence(made.tree, line, PruningData(pruning_set=made.table(held_out)))
    assert losses.total.tolist() == expected("E6.4")["pruning_set_errors"][1:]


def test_the_pruning_set_chooses_the_first_alpha_of_e64():
    made, held_out = worked()
    data = PruningData(pruning_set=made.table(held_out))
    edits = CostComplexity(rule="minimum").edits(made.tree, data)
    assert sorted(made.leaves_after(edits)) == [4, 6, 7, 8, 9]
    # 19, 22, 20 and 24 errors of 60: the tree of two leaves is within one standard error (3.6) of the least
    smaller = CostComplexity(rule="one_se").edits(made.tree, data)
    assert sorted(made.leaves_after(smaller)) == [2, 3]


def test_error_based_without_raising_gives_e65():
    made, _ = worked()
    part = ErrorBased(raising=False)
    nodes = made.tree.nodes
    leaf = np.array([part.estimate(n, e) for n, e in zip(nodes.weight, made.tree.errors())])
    outcome = cheapest_pruning(nodes, leaf, slack=0.1)
    for line in expected("E6.5")["log"]:
        node = made.number[line["node"]]
        assert leaf[node] == pytest.approx(line["leaf"], abs=1e-9)
        assert outcome.as_subtree[node] == pytest.approx(line["tree"], abs=1e-9)
        assert outcome.cut[node] == line["prune"]
    edits = part.edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.5")["leaves"])
    assert edits.metadata["estimate"] == pytest.approx(expected("E6.5")["predicted_errors"], abs=1e-9)


def test_description_length_gives_the_bits_of_e67():
    made, _ = worked()
    part = DescriptionLength(code="quinlan_rivest", bits_per_test=5.0)
    leaf, test = part.costs(made.tree, PruningData())
    outcome = cheapest_pruning(made.tree.nodes, leaf, test)
    for line in expected("E6.7")["mdl"]["log"]:
        node = made.number[line["node"]]
        assert leaf[node] == pytest.approx(line["leaf"], abs=1e-9)
        assert outcome.as_subtree[node] == pytest.approx(line["tree"], abs=1e-9)
    edits = part.edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.7")["mdl"]["leaves"])
    assert edits.metadata["bits"] == pytest.approx(expected("E6.7")["mdl"]["bits"], abs=1e-9)


@pytest.mark.parametrize("alpha", ["0.5", "2.0", "6.0"])
def test_the_notes_alpha_criterion_gives_e67(alpha):
    made, _ = worked()
    edits = DescriptionLength(code="notes", alpha=float(alpha)).edits(made.tree, PruningData())
    want = expected("E6.7")["alpha_criterion"][alpha]
    assert sorted(made.leaves_after(edits)) == sorted(want["leaves"])
    assert edits.metadata["cost"] == pytest.approx(want["cost"], abs=1e-9)


@pytest.mark.parametrize("critical", ["0.05", "0.1", "0.25"])
def test_critical_values_leave_what_e68_gives(critical):
    gain = {int(k): v for k, v in expected("E6.8")["split_value"].items()}
    made, _ = worked(gain=gain)
    edits = CriticalValue(threshold=float(critical)).edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == sorted(expected("E6.8")["leaves_at_threshold"][critical])


def test_significance_is_one_less_the_p_value_of_scipys_test():
    from scipy.stats import chi2_contingency

    made, _ = worked()
    values = CriticalValue(value="significance").values(made.tree)
    table = made.tree.nodes.stats[[made.number[2], made.number[3]]]
    assert values[0] == pytest.approx(1 - chi2_contingency(table, correction=False).pvalue, abs=1e-12)
    assert values[made.number[4]] == 0


@pytest.mark.parametrize("bounds", ["c45", "j48", "clopper_pearson"])
def test_added_errors_are_those_of_e44(bounds):
    for pair, want in expected("E4.4")[bounds].items():
        rows, errors = map(float, pair.split(","))
        if pair == "3.38462,0.384615" and bounds == "c45":
            rows, errors = 44 / 13, 5 / 13  # C4.5's own numbers, of which the file prints six digits
        got = added_errors(rows, errors, 0.25, "exact" if bounds == "clopper_pearson" else bounds)
        assert got == pytest.approx(want, abs=1e-9)


def test_c45_joins_its_table_of_deviates_by_straight_lines():
    assert deviate(0.25, "c45") ** 2 == pytest.approx(expected("E4.4")["coeff"], abs=1e-12)
    assert deviate(1.0, "c45") == 0.0
    assert deviate(0.25, "j48") == pytest.approx(0.6744897501960817, abs=1e-12)


def test_no_rows_add_no_errors():
    assert added_errors(0.0, 0.0, 0.25) == 0.0
    assert not math.isnan(added_errors(1e-9, 0.0, 0.25))


def test_nodes_chosen_by_hand_are_cut_and_no_others():
    made, _ = worked()
    edits = Manual(nodes=(made.number[5], made.number[2], made.number[4])).edits(made.tree, PruningData())
    assert sorted(made.leaves_after(edits)) == [2, 6, 10, 11]
    assert edits.verdicts[made.number[3]] == "kept: not chosen"
