"""`candidates`: the best question about every column, at a node of a tree or for any rows, without growing a tree.

print(hb.candidates(table, "cart"))                 all rows
print(hb.candidates(table, "cart", rows=rows))      some rows, as if the table had only these
print(hb.candidates(table, tree, node=5))           the rows that reach node 5, by the tree's own recipe
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hornbeam.errors import OptionError, Set
from hornbeam.growing.candidates import Candidates, candidates_of, search_method
from hornbeam.growing.method import Method
from hornbeam.growing.node_sample import node_sample, rows_at
from hornbeam.growing.sample import prepare
from hornbeam.options import thread_count
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.recipes.stored import stored_recipe
from hornbeam.seeds import as_seed
from hornbeam.table.chosen_rows import chosen_rows
from hornbeam.table.table import Table, only_table
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree


def candidates(
    table: Table,
    recipe: str | Path | Method | Tree = "default",
    *,
    node: int | None = None,
    rows: Any = None,
    weights: Any = None,
    seed: int | None = None,
    threads: int | None = None,
) -> Candidates:
    """The best question about every column, the best first, with its gain, its score and its branches.

    `recipe` is a name, a file, a `Recipe` or a `Method`; a tree is searched by its own recipe. With a tree, `node` is a
    node: the rows are those of the table that reach it, counted as growth counts them there. `rows` are rows by index
    or mask, and `weights` replace the weights of the table; both are those of `grow`. Of the stops, only the minimum
    size of a branch applies, and all columns are searched. Searches that draw random numbers draw those of the root;
    `binned_cuts` makes the bins of these rows. With a table made by `prepare`, no column is sorted again.
    """
    table = only_table(table, "A list of candidates")
    is_tree = isinstance(recipe, Tree)
    if node is not None and (not is_tree or rows is not None or weights is not None):
        what = "rows and weights" if is_tree else "a recipe"
        raise OptionError(
            f"node cannot be combined with {what}.",
            fix=Set("node", None),
            hint="Pass the tree in place of the recipe." if not is_tree else "",
            option="node",
        )
    if isinstance(recipe, Tree):
        tree = only_tree(recipe, "A list of candidates")
        table = model_table(tree.schema, table, needs_target=True)
        chosen = stored_recipe(tree, pruning=None)
    else:
        chosen = as_recipe(recipe)
    chosen = chosen.tree_recipe.for_table(table)
    table = chosen_rows(table, rows, weights)
    used_seed = chosen.seed if seed is None else as_seed(seed)
    start = prepare(table, search_method(chosen, len(table.columns)), seed=used_seed)
    if node is not None and isinstance(recipe, Tree):
        start = node_sample(start, rows_at(recipe, node, start.table))
    return candidates_of(start, thread_count(threads))
