"""What does each leaf say, as a rule?  All answers on the way to it, those about one column drawn together.

    size > 2, colour = red, size <= 5   ->   2 < size <= 5 and colour = red

Every row satisfies exactly one of the rules, missing values and new levels included, and that rule says what the tree
says; with two exceptions that no rule can say: a row shared out over several leaves (C4.5) gets the rule of the node
where that begins, and a level that the tree refuses satisfies none.

`simplify=False` keeps one condition a node. Nothing recurses: the conditions of a node are made from its parent's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from hornbeam.errors import MemoryLimitError
from hornbeam.rules.conditions import Condition, merge_conditions
from hornbeam.rules.routing import branch_conditions
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.tree.nodes import STAY, Tree
from hornbeam.tree.one_tree import only_tree

Found = dict[Hashable, Condition]

_MOST_CONDITIONS = 200_000_000


def extract_rules(tree: Tree, *, simplify: bool = True) -> RuleSet:
    """One rule a leaf, then one for each node where rows may end because an answer is unknown."""
    tree = only_tree(tree, "A rule a leaf")
    ends = _bounded(_simplified(tree) if simplify else _unsimplified(tree))
    at_leaves = [_rule(tree, node, conditions) for node, conditions in ends if tree.nodes.first_child[node] < 0]
    between = [_rule(tree, node, conditions) for node, conditions in ends if tree.nodes.first_child[node] >= 0]
    totals = tuple(map(float, tree.nodes.stats[0]))
    return RuleSet(tree.schema, (*at_leaves, *between), None, totals, int(tree.nodes.rows[0]))


def _bounded(found: Iterator[tuple[int, tuple[Condition, ...]]]) -> list[tuple[int, tuple[Condition, ...]]]:
    """All of them, unless there are too many conditions: in a deep tree that asks about many columns at once, the
    conditions of a leaf are as many as its path is long.
    """
    ends, total = [], 0
    for node, conditions in found:
        ends.append((node, conditions))
        total += len(conditions)
        if total > _MOST_CONDITIONS:
            raise MemoryLimitError(
                f"The rules of this tree have more than {_MOST_CONDITIONS:,} conditions.", hint="Prune the tree first."
            )
    return ends


def _rule(tree: Tree, node: int, conditions: tuple[Condition, ...]) -> Rule:
    nodes = tree.nodes
    stats = tuple(map(float, nodes.stats[node]))
    stays = bool(nodes.first_child[node] >= 0)
    return Rule(tree.schema, conditions, float(nodes.answer[node]), stats, int(nodes.rows[node]), node, stays=stays)


def _simplified(tree: Tree) -> Iterator[tuple[int, tuple[Condition, ...]]]:
    """Every node where rows may end, with its conditions; what no row can satisfy is left out."""
    waiting: dict[int, Found] = {0: {}}
    for node in range(len(tree)):
        found = waiting.pop(node, None)
        if found is None:
            continue
        if tree.nodes.first_child[node] < 0:
            yield node, _left(found)
            continue
        for branch, child in enumerate(tree.nodes.children(node)):
            below = merge_conditions(found, branch_conditions(tree, node, branch))
            if below is not None:
                waiting[child] = below
        here = merge_conditions(found, branch_conditions(tree, node, STAY))
        if here is not None:
            yield node, _left(here)


def _left(found: Found) -> tuple[Condition, ...]:
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
