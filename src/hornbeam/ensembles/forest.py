"""Grows a forest: several trees, each on its own random sample of the rows, whose predictions are combined.

    forest       rows sampled with replacement; per node a random subset of the columns: floor(sqrt d) for
                 classification, d / 3 for regression
    extra trees  all rows; per node a random subset of the columns and one random cut of each
    bagging      rows sampled, all columns

Class probabilities (or numeric predictions) are averaged, or the predicted classes vote; the two may differ
(definition 10.1, E10.2).
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from hornbeam.ensembles.honest import Honesty, honest_trees
from hornbeam.ensembles.members import check_tree_count, grow_trees
from hornbeam.ensembles.progress import Progress
from hornbeam.ensembles.row_sampling import RowSampling
from hornbeam.errors import OptionError
from hornbeam.growing.column_sampling import MaxFeatures
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest

COMBINE = ("mean", "vote")
M = TypeVar("M", bound=Method)


def default_max_features(n_columns: int, is_class: bool) -> MaxFeatures:
    """The default number of columns that compete at a node of a forest."""
    return "sqrt" if is_class else max(1, n_columns // 3)


def grow_forest(
    table: Table,
    method: Method,
    *,
    n_trees: int = 100,
    sampling: RowSampling | None = None,
    combine: str = "mean",
    honest: Honesty | None = None,
    rebalance: bool = False,
    seed: int = 0,
    threads: int | None = None,
    engine: str = "auto",
    progress: Progress | None = None,
    continue_from: Forest | None = None,
) -> Forest:
    """A forest; `continue_from` is a forest of the same rows, method and seed, to which trees are added.

    `rebalance` gives the classes of each tree's sample equal total weight.
    """
    check_tree_count(n_trees)
    rows = RowSampling() if sampling is None else sampling
    start = prepare(table, method, seed=seed)
    first = 0 if continue_from is None else len(continue_from)
    if continue_from is not None:
        _check_continues(continue_from, start, rows, n_trees)
    settings: dict[str, Any] = {"first": first, "threads": threads, "progress": progress}
    if n_trees == first:
        grown = []
    elif honest is not None:
        grown = honest_trees(start, rows, honest, n_trees - first, **settings)
    else:
        grown = grow_trees(start, rows, n_trees - first, engine=engine, rebalance=rebalance, **settings)
    members = (*(continue_from.trees if continue_from is not None else ()), *grown)
    return Forest(
        schema=start.table.schema,
        trees=members,
        combine=combine,
        recipe=start.method.as_table(),
        metadata=forest_metadata(start, rows, honest),
    )


def forest_metadata(start: PreparedData, sampling: RowSampling, honest: Honesty | None = None) -> dict[str, Any]:
    """The metadata of a forest: enough to reproduce the row samples of its trees."""
    sample = start.sample
    metadata: dict[str, Any] = {
        "rows": sample.n_rows,
        "weight": float(sample.weights.sum()),
        "seed": sample.seed,
        "sampling": sampling.settings(),
        "notes": list(start.table.notes),
    }
    division = start.table.division
    if division is not None and division.groups is not None and sampling.method != "none":
        metadata["sampled_groups"] = division.n_groups
    return metadata if honest is None else {**metadata, "honest": honest.settings()}


def _check_continues(forest: Forest, start: PreparedData, sampling: RowSampling, n_trees: int) -> None:
    """Raise unless trees can be added to a forest."""
    if n_trees < len(forest):
        raise OptionError(
            f"n_trees must be at least the {len(forest)} trees of the forest to continue from, got {n_trees}.",
            hint="Request more trees, or grow a new forest.",
            option="n_trees",
            got=n_trees,
        )
    same = ("rows", "seed", "sampling", "sampled_groups")
    expected = {name: forest_metadata(start, sampling).get(name) for name in same}
    found = {name: forest.metadata.get(name) for name in expected}
    if found != expected or forest.schema != start.table.schema:
        raise OptionError(
            "The forest to continue from was grown on other rows or columns, with other sampling or another seed.",
            option="continue_from",
        )


def with_column_sampling(method: M, table: Table, max_features: MaxFeatures) -> M:
    """The method with the given number of columns that compete at a node, or the default number of a forest."""
    if max_features is None and method.max_features is not None:
        return method
    is_class = table.schema.is_class
    chosen = default_max_features(len(table.columns), is_class) if max_features is None else max_features
    return dataclasses.replace(method, max_features=chosen)
