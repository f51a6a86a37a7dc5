"""One rule per leaf: the conditions on its path, those on one column merged.

    size > 2, colour = red, size <= 5   ->   2 < size <= 5 and colour = red

Every row satisfies exactly one of the rules, including missing values and unseen levels, and that rule predicts what
the tree predicts; with two exceptions: a fractional row (C4.5) satisfies the rule of the node where it is divided, and
a level that the tree rejects satisfies no rule.

`simplify=False` keeps one condition per node. There is no recursion: the conditions of a node follow from its parent's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from hornbeam.errors import MemoryLimitError
from hornbeam.rules.conditions import Condition, merge_conditions
from hornbeam.rules.routing import branch_conditions
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.tree.nodes import STAY, Tree
from hornbeam.tree.one_tree import only_tree

Found = dict[Hashable, Condition]

_MAX_CONDITIONS = 200_000_000


def extract_rules(tree: Any, *, simplify: bool = True) -> RuleSet:
    """One rule per leaf of a tree or its estimator, then one per node where rows may end because of a missing value."""
    tree = only_tree(tree, "extract_rules")
    ends = _bounded(_simplified(tree) if simplify else _unsimplified(tree))
    at_leaves = [_rule(tree, node, conditions) for node, conditions in ends if tree.nodes.first_child[node] < 0]
    between = [_rule(tree, node, conditions) for node, conditions in ends if tree.nodes.first_child[node] >= 0]
    totals = tuple(map(float, tree.nodes.stats[0]))
    return RuleSet(tree.schema, (*at_leaves, *between), None, totals, int(tree.nodes.rows[0]))


def _bounded(found: Iterator[tuple[int, tuple[Condition, ...]]]) -> list[tuple[int, tuple[Condition, ...]]]:
    """All of them, or an error if there are too many conditions: in a deep tree with questions about several columns
    a leaf has as many conditions as its path is long.
    """
    ends, total = [], 0
    for node, conditions in found:
        ends.append((node, conditions))
        total += len(conditions)
        if total > _MAX_CONDITIONS:
            raise MemoryLimitError(
                f"The rules of this tree have more than {_MAX_CONDITIONS:,} conditions.", hint="Prune the tree first."
            )
    return ends


def _rule(tree: Tree, node: int, conditions: tuple[Condition, ...]) -> Rule:
    nodes = tree.nodes
    stats = tuple(map(float, nodes.stats[node]))
    stays = bool(nodes.first_child[node] >= 0)
    return Rule(tree.schema, conditions, float(nodes.answer[node]), stats, int(nodes.rows[node]), node, stays=stays)


def _simplified(tree: Tree) -> Iterator[tuple[int, tuple[Condition, ...]]]:
    """Every node where rows may end, with its conditions; nodes that no row can reach are excluded."""
    waiting: dict[int, Found] = {0: {}}
    for node in range(len(tree)):
        found = waiting.pop(node, None)
        if found is None:
            continue
        if tree.nodes.first_child[node] < 0:
            yield node, _not_always(found)
            continue
        for branch, child in enumerate(tree.nodes.children(node)):
            below = merge_conditions(found, branch_conditions(tree, node, branch))
            if below is not None:
                waiting[child] = below
        here = merge_conditions(found, branch_conditions(tree, node, STAY))
        if here is not None:
            yield node, _not_always(here)


def _not_always(found: Found) -> tuple[Condition, ...]:
    return tuple(condition for condition in found.values() if not condition.is_always)


def _unsimplified(tree: Tree) -> Iterator[tuple[int, tuple[Condition, ...]]]:
    waiting: dict[int, tuple[Condition, ...]] = {0: ()}
    for node in range(len(tree)):
        above = waiting.pop(node)
        if tree.nodes.first_child[node] < 0:
            yield node, above
            continue
        for branch, child in enumerate(tree.nodes.children(node)):
            waiting[child] = (*above, *branch_conditions(tree, node, branch))
        here = branch_conditions(tree, node, STAY)
        if not any(condition.is_never for condition in here):
            yield node, (*above, *here)
