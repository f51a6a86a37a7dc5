"""`prune` applies the edits, stores the metadata, counts weights and costs, and names what it lacks."""

import dataclasses
import time

import numpy as np
import pytest
from tests.unit.parts.prunings.pruning_trees import Made, random_made, worked

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.parts.prunings import Folds, PruningData, prunings
from hornbeam.parts.prunings.cost_complexity import CostComplexity, sequence
from hornbeam.parts.prunings.critical_value import CriticalValue
from hornbeam.parts.prunings.error_based import ErrorBased
from hornbeam.parts.prunings.machinery.complexity_table import complexity_table
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.minimum_error import MinimumError
from hornbeam.parts.prunings.reduced_error import ReducedError
from hornbeam.table.column import ColumnSpec, Kind, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree.nodes import STAY, Nodes, Tree
from hornbeam.tree.questions import Threshold
from hornbeam.tree.questions.table import QuestionWriter


def test_prune_takes_a_name_and_keeps_what_was_done():
    made, _ = worked()
    pruned = prune(made.tree, "pessimistic")
    (entry,) = pruned.metadata["prunings"]
    assert entry["pruning"] == {"name": "pessimistic"}
    assert entry["leaves"] == [6, 3]
    assert entry["nodes"] == [11, 5]
    assert entry["cut"] == [node for node in range(5) if pruned.reason(node) == "pruned"]
    assert len(entry["cut"]) == 2
    assert entry["verdicts"]["1"].startswith("cut: 10.5 corrected errors as a leaf, 10.5 + ")
    assert pruned.reason(1) == "pruned"
    assert len(made.tree) == 11
    again = prune(pruned, {"name": "manual", "nodes": [0]})
    assert [each["pruning"]["name"] for each in again.metadata["prunings"]] == ["pessimistic", "manual"]
    assert len(again) == 1
    assert again.reason(0) == "by hand"


def test_a_leaf_takes_the_class_that_the_m_estimate_favours():
    # both rows of leaf 4 are 'no', but 96 of all 104 rows are 'yes': with m = 100 the leaf predicts 'yes'
    made = Made({0: [1, 2], 1: [3, 4]}, {3: [1, 1], 4: [0, 2], 2: [95, 5]})
    assert made.tree.nodes.answer[made.number[4]] == 1.0
    pruned = prune(made.tree, MinimumError(m=100.0))
    assert pruned.n_leaves == 3
    assert pruned.nodes.answer.tolist()[3:] == [0.0, 0.0]


def test_weights_count_as_repeated_rows():
    for seed in range(30):
        made, held_out = random_made(seed, classes=3)
        single = {name: [min(n, 1) for n in counts] for name, counts in held_out.items()}
        table = made.table(single)
        weights = [n for counts in held_out.values() for n in counts if n]
        weighted = dataclasses.replace(table, weights=np.array(weights, dtype=float))
        a = ReducedError().edits(made.tree, PruningData(pruning_set=weighted))
        b = ReducedError().edits(made.tree, PruningData(pruning_set=made.table(held_out)))
        assert a.collapse == b.collapse
        assert a.verdicts == b.verdicts


def test_costs_change_what_reduced_error_and_cost_complexity_keep():
    made = Made({0: [1, 2]}, {1: [9, 1], 2: [6, 4]})
    # both leaves predict 'yes': no split helps unless missing a 'no' is expensive and leaf 2 predicts 'no'
    answers = made.tree.nodes.answer.copy()
    answers[made.number[2]] = 1.0
    tree = dataclasses.replace(made.tree, nodes=made.tree.nodes.in_full().replace(answer=answers))
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    table = made.table({1: [9, 1], 2: [6, 4]})
    assert ReducedError().edits(tree, PruningData(pruning_set=table)).collapse == (0,)
    assert ReducedError().edits(tree, PruningData(pruning_set=table, costs=costs)).collapse == ()
    line = sequence(tree, costs=costs)
    assert line.measure == "cost"
    # root 25 as a leaf, 5 + 6 as a subtree: 14 of 20 rows is the price of the second leaf
    assert line.alphas.tolist() == pytest.approx([0.0, 14 / 20])


def test_rows_with_levels_in_another_order_and_columns_in_another_place_are_matched():
    made, held_out = worked()
    table = made.table(held_out)
    levels = tuple(reversed(table.columns[0].levels))
    codes = len(levels) - 1 - table.columns[0].values
    shuffled = dataclasses.replace(table.columns[0], values=codes, levels=levels)
    other = Table((numeric("extra", np.zeros(len(table))), shuffled), table.target)
    a = ReducedError().edits(made.tree, PruningData(pruning_set=other))
    assert a.verdicts == ReducedError().edits(made.tree, PruningData(pruning_set=table)).verdicts


def folds_for(made, counts, n_folds=3):
    """Folds whose trees keep the shape and take new counts, as a grower would that always finds the same questions."""
    table = made.table(counts)

    def grow(rest):
        at_leaves = {
            name: np.bincount(rest.target.values[rest.columns[0].values == code], minlength=2)
            for name, code in made.code.items()
        }
        return Made(made.children, at_leaves).tree

    return Folds(table, np.arange(len(table)) % n_folds, grow)


def test_m_and_critical_value_and_alpha_can_be_chosen_by_cross_validation():
    made, _ = worked(gain={1: 0.26, 2: 0.11, 3: 0.28, 5: 0.15, 7: 0.17})
    counts = {name: made.tree.nodes.stats[made.number[name]].astype(int) for name in made.code}
    folds = folds_for(made, counts)
    data = PruningData(folds=folds)
    for part in (MinimumError(m=None), CostComplexity(rule="minimum"), CostComplexity(rule="one_se")):
        first, second = prune(made.tree, part, data), prune(made.tree, part, data)
        assert first.metadata["prunings"] == second.metadata["prunings"]
        assert 1 <= first.n_leaves <= 6
    least = prune(made.tree, CostComplexity(rule="minimum"), data)
    smaller = prune(made.tree, CostComplexity(rule="one_se"), data)
    assert smaller.n_leaves <= least.n_leaves
    table = complexity_table(made.tree, folds)
    assert "<- 1-SE" in table.text()
    assert table.n_splits[table.chosen("one_se")] <= table.n_splits[table.chosen("minimum")]
    assert table.alpha(0) == pytest.approx(0.2)
    by_row = prune(made.tree, CostComplexity(alpha=table.alpha(table.chosen("minimum"))))
    assert by_row.n_leaves - 1 == table.n_splits[table.chosen("minimum")]


def test_the_critical_value_chosen_on_a_pruning_set_has_the_least_errors_of_all():
    made, held_out = worked(gain={1: 0.26, 2: 0.11, 3: 0.28, 5: 0.15, 7: 0.17})
    data = PruningData(pruning_set=made.table(held_out))
    chosen = CriticalValue().edits(made.tree, data)
    wrong = {1: 24, 2: 12, 3: 8, 4: 4, 5: 8, 6: 5, 7: 5, 8: 2, 9: 3, 10: 4, 11: 1}  # E6.1's pruning set, by hand
    errors = {}
    for value in (0.0, 0.16, 0.2, 0.27, 1.0):
        leaves = made.leaves_after(CriticalValue(threshold=value).edits(made.tree, PruningData()))
        errors[value] = sum(wrong[leaf] for leaf in leaves)
    got = sum(wrong[leaf] for leaf in made.leaves_after(chosen))
    assert got == min(errors.values())


def test_what_is_missing_is_named():
    made, held_out = worked()
    with pytest.raises(InputError, match="'reduced_error' requires a pruning set"):
        prune(made.tree, "reduced_error")
    with pytest.raises(InputError, match="'error_based' requires the training rows"):
        prune(made.tree, "error_based")
    with pytest.raises(InputError, match="requires held-out rows"):
        prune(made.tree, CostComplexity(rule="one_se"))
    with pytest.raises(OptionError, match=r"Unknown pruning 'reduced_eror'.*Did you mean 'reduced_error'"):
        prune(made.tree, "reduced_eror")
    with pytest.raises(OptionError, match="node ids between 0 and 10, got 11"):
        prune(made.tree, {"name": "manual", "nodes": [11]})
    with pytest.raises(InputError, match="have no target"):
        prune(made.tree, "reduced_error", PruningData(pruning_set=made.table(held_out).without_target()))
    with pytest.raises(OptionError, match=r"costs must be 2 x 2, one row per true class"):
        prune(made.tree, "cost_complexity", PruningData(costs=np.zeros((3, 3))))


@pytest.mark.parametrize("name", ["pessimistic", "minimum_error", "error_based"])
def test_methods_that_count_wrong_classes_refuse_trees_of_numbers(name):
    made, _ = random_made(1, numbers=True)
    with pytest.raises(OptionError, match="this tree predicts numbers"):
        prune(made.tree, name)


def test_a_single_leaf_is_left_alone_by_every_method():
    made = Made({}, {"root": [3, 2]})
    table = made.table({"root": [3, 2]})
    for kind in prunings:
        part = kind(threshold=0.0) if kind is CriticalValue else kind()
        assert len(prune(made.tree, part, PruningData(pruning_set=table, training=table))) == 1
    assert sequence(made.tree).alphas.tolist() == [0.0]


def chain(n):
    """A chain of n questions x <= i, each peeling off one row; classes alternate."""
    first = np.full(2 * n + 1, -1)
    parent = np.full(2 * n + 1, -1)
    question = np.full(2 * n + 1, -1)
    stats = np.zeros((2 * n + 1, 2))
    writer = QuestionWriter()
    ends = np.arange(n + 1) % 2
    node = 0
    for i in range(n):
        rest = ends[i:]
        stats[node] = (rest == 0).sum(), (rest == 1).sum()
        first[node], question[node] = 2 * i + 1, writer.add(Threshold(0, float(i)))
        parent[2 * i + 1 : 2 * i + 3] = node
        stats[2 * i + 1, ends[i]] = 1
        node = 2 * i + 2
    stats[node, ends[n]] = 1
    arrays = {
        "parent": parent,
        "first_child": first,
        "n_branches": np.where(first >= 0, 2, 0),
        "question": question,
        "missing_branch": np.full(2 * n + 1, STAY),
        "rows": stats.sum(axis=1),
        "weight": stats.sum(axis=1),
        "stats": stats,
        "answer": np.argmax(stats, axis=1),
        "gain": np.where(first >= 0, 0.5, 0.0),
    }
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    table = Table((numeric("x", np.arange(n + 1.0)),), None)
    return Tree(schema, Nodes(**arrays), writer.finished()), table, ends


def test_a_chain_of_fifty_thousand_questions_breaks_no_method():
    n = 50_000
    tree, _, _ = chain(n)
    for part in (
        "pessimistic",
        "minimum_error",
        CostComplexity(alpha=1.0),
        ErrorBased(raising=False),
        CriticalValue(threshold=1.0),
    ):
        assert prune(tree, part).n_leaves >= 1
    assert prune(tree, CostComplexity(alpha=1.0)).n_leaves == 1


def test_raising_works_down_a_long_chain():
    from hornbeam.table.column import nominal

    tree, table, ends = chain(150)
    table = dataclasses.replace(table, target=nominal("y", ends, ("a", "b")))
    pruned = prune(tree, ErrorBased(), PruningData(training=table))
    assert pruned.n_leaves < 151


def test_the_sequence_of_half_a_million_nodes_takes_linear_time():
    rng = np.random.default_rng(5)
    n = 500_001
    parent = np.full(n, -1)
    first = np.full(n, -1)
    inner = np.arange((n - 1) // 2)
    first[inner] = 2 * inner + 1
    parent[1:] = (np.arange(1, n) - 1) // 2
    stats = np.zeros((n, 2))
    stats[first < 0] = rng.integers(0, 9, ((first < 0).sum(), 2))
    for node in range(n - 1, 0, -1):
        stats[parent[node]] += stats[node]
    arrays = {
        "parent": parent,
        "first_child": first,
        "n_branches": np.where(first >= 0, 2, 0),
        "question": np.where(first >= 0, 0, -1),
        "rows": stats.sum(axis=1),
        "weight": stats.sum(axis=1),
        "stats": stats,
        "answer": np.argmax(stats, axis=1),
    }
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    writer = QuestionWriter()
    writer.add(Threshold(0, 0.0))
    tree = Tree(schema, Nodes(**arrays), writer.finished())
    start = time.perf_counter()
    line = sequence(tree, "error")
    assert line.leaves[-1] == 1
    assert time.perf_counter() - start < 60  # linear: a fraction of a second


def test_a_forest_is_pruned_member_by_member():
    table = hb.datasets.load("iris")
    forest = hb.forest(table, n_trees=5)
    smaller = hb.prune(forest, "pessimistic")
    assert [str(tree) for tree in smaller] == [str(hb.prune(tree, "pessimistic")) for tree in forest]
    assert smaller.n_nodes < forest.n_nodes
    assert smaller.combine == forest.combine
    assert len(hb.predict(smaller, table).labels) == len(table)


def test_the_trees_of_a_boosted_model_are_not_pruned():
    boosted = hb.grow(hb.datasets.load("iris"), hb.recipe("boosting"))
    with pytest.raises(InputError, match="term of a sum"):
        hb.prune(boosted, "pessimistic")
