"""Branches of levels that a question above rules out are removed, and nothing else changes."""

import numpy as np

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings import PruningData
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.impossible import without_impossible
from hornbeam.tree.prediction import predict


def grown():
    """A tree of grouped levels that tests one column twice on a path."""
    rng = np.random.default_rng(5)
    n = 900
    level, x = rng.integers(0, 6, n), rng.normal(size=n)
    # Levels 0 and 1 differ only where x is large, and level 5 never occurs there.
    large = x > 0.3
    score = np.where(level < 3, 0.0, 1.4) + np.where(large & (level == 1), 2.0, 0.0) + 0.4 * rng.normal(size=n)
    y = (score > 0.7).astype(np.int64)
    table = Table((nominal("level", level, tuple("abcdef")), numeric("x", x)), nominal("y", y, ("n", "y")))
    cuts = {"name": "sorted_cuts", "cut": "data", "min_size": "c45"}
    method = Method(criterion="c45", searches=(cuts, "c45_groups"), missing="fractional")
    return table, grow(table, method.with_changes(stops=[{"name": "min_leaf", "weight": 2.0}]))


def possible_levels(tree, node):
    """The levels of column 0 that can reach a node."""
    left = set(range(6))
    while node:
        above = int(tree.nodes.parent[node])
        question = tree.question(above)
        if question.kind == "multiway":
            branch = node - int(tree.nodes.first_child[above])
            left &= {code for code, b in enumerate(question.branch_of) if b == branch}
        node = above
    return left


def test_every_branch_left_can_be_taken_by_some_level():
    _, tree = grown()
    smaller, kept = without_impossible(tree)
    gone = sorted(set(range(len(tree))) - set(kept.tolist()))
    assert gone
    for node in gone:
        assert tree.nodes.rows[node] == 0
        assert not possible_levels(tree, node)
    empty = [node for node in range(len(smaller)) if smaller.nodes.rows[node] == 0]
    assert all(possible_levels(smaller, node) for node in empty)


def test_predictions_files_and_statistics_stay():
    table, tree = grown()
    smaller, kept = without_impossible(tree)
    assert np.array_equal(predict(smaller, table).probabilities, predict(tree, table).probabilities)
    assert np.array_equal(smaller.nodes.stats, tree.nodes.stats[kept])
    assert to_bytes(from_bytes(to_bytes(smaller))) == to_bytes(smaller)
    again, everyone = without_impossible(smaller)
    assert again is smaller
    assert len(everyone) == len(smaller)


def test_error_based_pruning_ends_with_it():
    table, tree = grown()
    pruned = prune(tree, "error_based", PruningData(training=table))
    assert without_impossible(pruned)[0] is pruned
    assert pruned.metadata["prunings"][0]["nodes"] == [len(tree), len(pruned)]
