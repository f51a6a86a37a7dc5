"""How does a table become a forest?  Many trees, each on rows drawn for it, asked together.

    forest       rows drawn with replacement, at every node some columns drawn: floor(sqrt d) for classes, d / 3 for
                 numbers
    extra trees  all rows, at every node some columns drawn, one random cut of each
    bagging      rows drawn, all columns

The members' class shares (or numbers) are averaged, or their labels vote; the two may differ (definition 10.1, E10.2).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.ensembles.honest import Honesty, honest_trees
from hornbeam.ensembles.members import Progress, grow_trees
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError, short_repr
from hornbeam.growing.column_sampling import MaxFeatures
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.options import is_integer
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest


def default_max_features(n_columns: int, is_class: bool) -> MaxFeatures:
    """How many columns a forest draws at a node where nothing else is said."""
    return "sqrt" if is_class else max(1, n_columns // 3)


def grow_forest(
    table: Table,
    method: Method,
    *,
    trees: int = 100,
    draw: RowSampling | None = None,
    combine: str = "mean",
    honest: Honesty | None = None,
    rebalance: bool = False,
    seed: int = 0,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    after: Forest | None = None,
) -> Forest:
    """A forest by a method; `after` is a forest of the same rows, method and seed that it goes on from.

    `rebalance` gives the classes of every tree's own rows equal weight.
    """
    if not is_integer(trees) or trees < 1:
        raise OptionError(
            f"trees must be a whole number of 1 or more; got {short_repr(trees)}.", option="trees", got=trees
        )
    rows = RowSampling() if draw is None else draw
    start = prepare(table, method, seed=seed)
    first = 0 if after is None else len(after)
    if after is not None:
        _check_goes_on(after, start, rows, trees)
    settings: dict[str, Any] = {"first": first, "threads": threads, "progress": progress}
    if trees == first:
        grown = []
    elif honest is not None:
        grown = honest_trees(start, rows, honest, trees - first, **settings)
    else:
        grown = grow_trees(start, rows, trees - first, engine=engine, rebalance=rebalance, **settings)
    members = (*(after.trees if after is not None else ()), *grown)
    return Forest(
        schema=start.table.schema,
        trees=members,
        combine=combine,
        recipe=start.method.as_table(),
        metadata=forest_metadata(start, rows, honest),
    )


def forest_metadata(start: PreparedData, draw: RowSampling, honest: Honesty | None = None) -> dict[str, Any]:
    """What a forest keeps of its training: enough to draw its rows again."""
    sample = start.sample
    metadata: dict[str, Any] = {
        "rows": sample.n_rows,
        "weight": float(sample.weights.sum()),
        "seed": sample.seed,
        "draw": draw.settings(),
        "notes": list(start.table.notes),
    }
    return metadata if honest is None else {**metadata, "honest": honest.settings()}


def _check_goes_on(after: Forest, start: PreparedData, draw: RowSampling, trees: int) -> None:
    """Raise unless trees can be added to a forest."""
    if trees < len(after):
        raise OptionError(
            f"The forest has {len(after)} trees already; {trees} were asked for.",
            hint="Request more trees, or grow a new forest.",
            option="trees",
            got=trees,
        )
    same = after.metadata.get("rows") == start.sample.n_rows and after.metadata.get("seed") == start.sample.seed
    if not same or after.metadata.get("draw") != draw.settings() or after.schema != start.table.schema:
        raise OptionError("The forest to go on from was grown on other rows, columns, draws or another seed.")


def with_column_sampling(method: Method, table: Table, max_features: MaxFeatures) -> Method:
    """The method with as many columns drawn at a node as was asked for, or as is usual."""
    if max_features is None and method.max_features is not None:
        return method
    is_class = table.schema.is_class
    wanted = default_max_features(len(table.columns), is_class) if max_features is None else max_features
    return dataclasses.replace(method, max_features=wanted)
