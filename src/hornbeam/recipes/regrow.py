"""`regrow`: a tree with one of its subtrees grown again, by another recipe or on other rows.

tree = hb.regrow(tree, 5, table)                    by the tree's own recipe
tree = hb.regrow(tree, 5, table, "plain")           by another recipe
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from hornbeam.errors import InputError
from hornbeam.growing import in_core, in_python
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.node_sample import NodeRows, node_sample, rows_at
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.options import thread_count
from hornbeam.parts.stops import Stop
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_decrease import MinDecrease
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.recipes.stored import stored_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table, only_table
from hornbeam.tree.edit import checked_node
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.subtree_edit import replace_subtree


def regrow(
    tree: Tree,
    node: int,
    table: Table,
    recipe: str | Path | Method | None = None,
    *,
    seed: int | None = None,
    threads: int | None = None,
) -> Tree:
    """The tree with the subtree of one node grown again from the rows of a table that reach the node.

    `recipe` is a name, a file, a `Recipe` or a `Method`; None is the tree's own. Its pruning is not applied. The rows
    count as at the node of a tree: priors, weights and imputed values come from all rows of the table, and the depth
    is counted from the root of the tree. Limits on leaves and nodes are those of the new subtree. With a table made by
    `prepare`, no column is sorted again. Nodes are renumbered.
    """
    tree, node = only_tree(tree, "Regrowing"), checked_node(tree, node)
    table = model_table(tree.schema, only_table(table, "Regrowing"), needs_target=True)
    found = stored_recipe(tree, pruning=None) if recipe is None else as_recipe(recipe)
    chosen = found.require_single_tree().for_table(table)
    used_seed = chosen.seed if seed is None else as_seed(seed)
    if chosen.missing.name != tree.recipe["missing"]["name"]:
        raise InputError(
            f"The subtree must handle missing values as the tree does ({tree.recipe['missing']['name']}), but the "
            f"recipe uses {chosen.missing.name}.",
            hint="Pass a recipe with the missing-value strategy of the tree.",
        )
    start = prepare(table, chosen, seed=used_seed)
    inside = _limited(start, rows_at(tree, node, start.table), int(tree.nodes.depth[node]))
    grown = (
        in_python.grow_prepared(inside)
        if without_kernel(inside)
        else in_core.grow(inside, threads=thread_count(threads))
    )
    return replace_subtree(tree, node, dataclasses.replace(grown, schema=tree.schema))


def _limited(start: PreparedData, rows: NodeRows, depth: int) -> PreparedData:
    """The data of a node, with the stops that depend on the position of the node in its tree."""
    inside = node_sample(start, rows)
    fraction = inside.sample.mass / start.sample.mass
    stops = tuple(_at_node(stop, depth, fraction) for stop in start.method.stops)
    return dataclasses.replace(inside, method=dataclasses.replace(start.method, stops=stops))


def _at_node(stop: Stop, depth: int, fraction: float) -> Stop:
    if isinstance(stop, MaxDepth):
        return dataclasses.replace(stop, depth=max(stop.depth - depth, 0))
    if isinstance(stop, MinDecrease):
        return dataclasses.replace(stop, decrease=stop.decrease / fraction)
    return stop
