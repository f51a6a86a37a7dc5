"""The trees of an XGBoost model, and the levels of its categorical columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.importing.machinery.binary_tests import binary_tests
from hornbeam.importing.machinery.fields import Fields
from hornbeam.importing.machinery.level_sets import MAX_ENTRIES, LevelSet, levels_with_rest
from hornbeam.importing.machinery.rounding import cuts_below_rounded_values
from hornbeam.importing.machinery.source_tree import SourceTree

_MAX_NODES = 1 << 26
_MAX_CATEGORY = 1 << 24
_MAX_LEVELS = 1 << 22  # of all columns whose levels are numbers up to the largest: one large number makes many levels


@dataclasses.dataclass(frozen=True, eq=False)
class XGBoostTree:
    """The arrays of one tree; `right_sets` has the category numbers that go right, per node."""

    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    column: npt.NDArray[np.int64]
    condition: npt.NDArray[np.float64]
    default_left: npt.NDArray[np.bool_]
    cover: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    right_sets: dict[int, frozenset[int]]

    def source_tree(self, levels: ColumnLevels) -> SourceTree:
        """The tree for `tree_of`; a set holds the levels that go left.

        Where the model stores the levels of a column, XGBoost rejects unseen ones; they are then treated as missing.
        """
        missing = np.where(self.default_left, 0, 1)
        leaf = self.left < 0
        cuts = np.where(leaf, 0.0, cuts_below_rounded_values(np.where(leaf, 0.0, self.condition)))
        tests = binary_tests(self.left, self.right, self.column, cuts, missing)
        sets = {
            node: LevelSet(
                int(self.column[node]),
                frozenset(range(len(levels.of[int(self.column[node])]))) - right,
                unseen=int(missing[node]) if int(self.column[node]) in levels.stored else 0,
            )
            for node, right in self.right_sets.items()
        }
        return SourceTree(
            value=np.where(leaf, self.condition, np.nan),
            weight=self.cover,
            gain=np.where(leaf, 0.0, np.maximum(self.gain, 0.0)),
            sets=sets,
            **tests,
        )


def read_tree(fields: Fields, n_columns: int) -> XGBoostTree:
    """One tree; an error with the place if an array has the wrong length or refers to nothing."""
    parameters = fields.within("tree_param")
    n = parameters.integer("num_nodes", 1, _MAX_NODES)
    if "size_leaf_vector" in parameters.value:
        parameters.integer("size_leaf_vector", 0, 1)
    left, right = fields.integers("left_children", n), fields.integers("right_children", n)
    column = fields.integers("split_indices", n)
    inner = left >= 0
    if ((right >= 0) != inner).any():
        fields.fail("right_children", "a node needs two children or none")
    if (column[inner] < 0).any() or (column[inner] >= n_columns).any():
        fields.fail("split_indices", f"a column must be below {n_columns}")
    condition = fields.floats("split_conditions", n).astype(np.float32).astype(np.float64)
    if not np.isfinite(condition[~inner]).all():
        fields.fail("split_conditions", "the number of a leaf must be finite")
    kinds = fields.integers("split_type", n) if "split_type" in fields.value else np.zeros(n, dtype=np.int64)
    return XGBoostTree(
        left,
        right,
        column,
        condition,
        np.asarray(fields.integers("default_left", n) != 0),
        np.maximum(_statistics(fields, "sum_hessian", n), 0.0),
        _statistics(fields, "loss_changes", n),
        _right_sets(fields, np.flatnonzero((kinds == 1) & inner)),
    )


def _statistics(fields: Fields, key: str, n: int) -> npt.NDArray[np.float64]:
    """An array of statistics; 0 where it is missing or not finite."""
    if key not in fields.value:
        return np.zeros(n)
    return np.nan_to_num(fields.floats(key, n, nan=True), nan=0.0, posinf=0.0, neginf=0.0)


def _right_sets(fields: Fields, nodes: npt.NDArray[np.int64]) -> dict[int, frozenset[int]]:
    if not len(nodes):
        return {}
    owners = fields.integers("categories_nodes")
    starts = fields.integers("categories_segments", len(owners))
    sizes = fields.integers("categories_sizes", len(owners))
    categories = fields.integers("categories")
    if sorted(owners.tolist()) != nodes.tolist():
        fields.fail("categories_nodes", "every node with a set is needed once")
    if (starts < 0).any() or (sizes < 0).any() or (starts + sizes > len(categories)).any():
        fields.fail("categories_segments", f"ranges of {len(categories)} categories are needed")
    if len(categories) and not (categories.min() >= 0 and categories.max() < _MAX_CATEGORY):
        fields.fail("categories", f"numbers from 0 to {_MAX_CATEGORY - 1} are needed")
    if sizes.sum() > MAX_ENTRIES:
        fields.fail("categories_sizes", f"at most {MAX_ENTRIES} entries are supported")
    rows = zip(owners.tolist(), starts.tolist(), sizes.tolist(), strict=True)
    return {node: frozenset(categories[start : start + size].tolist()) for node, start, size in rows}


@dataclasses.dataclass(frozen=True)
class ColumnLevels:
    """The levels of categorical columns, and the columns whose levels the model stores."""

    of: dict[int, tuple[Any, ...]]
    stored: frozenset[int]


def column_levels(model: Fields, trees: Sequence[XGBoostTree], n_columns: int) -> ColumnLevels:
    """The levels of categorical columns: those that the model stores, else the category numbers up to the largest."""
    used: dict[int, list[frozenset[int]]] = {}
    for tree in trees:
        for node, right in tree.right_sets.items():
            used.setdefault(int(tree.column[node]), []).append(right)
    levels: dict[int, list[Any]] = _stored_levels(model, n_columns)
    stored = frozenset(levels)
    total = 0
    for column, sets in used.items():
        if column not in levels:
            count = max((max(each, default=-1) for each in sets), default=-1) + 1
            total += count
            if total > _MAX_LEVELS:
                model.fail("trees", f"the sets have category numbers up to {count - 1}; too many levels")
            levels[column] = list(range(count))
    for index, tree in enumerate(trees):
        for node in np.flatnonzero(tree.left >= 0).tolist():
            if int(tree.column[node]) in levels and node not in tree.right_sets:
                model.fail(f"trees[{index}]", f"node {node} has a cut in the categorical column {tree.column[node]}")
    complete = {
        column: levels_with_rest(found, used.get(column, []), f"{model.place}, column {column}")
        for column, found in levels.items()
    }
    return ColumnLevels(complete, stored)


def _stored_levels(model: Fields, n_columns: int) -> dict[int, list[Any]]:
    """The levels that XGBoost 3.1 and later store: texts as bytes with offsets, or numbers."""
    if "cats" not in model.value:
        return {}
    stored = model.within("cats").items("enc")
    found: dict[int, list[Any]] = {}
    for column, each in enumerate(stored[:n_columns]):
        fields = Fields(each, f"{model.place}.cats.enc[{column}]")
        if "offsets" in fields.value:
            offsets = fields.integers("offsets")
            data = fields.integers("values")
            if (np.diff(offsets) < 0).any() or (len(offsets) and not 0 <= offsets[0] <= offsets[-1] <= len(data)):
                fields.fail("offsets", "ascending numbers are needed")
            raw = (data & 255).astype(np.uint8).tobytes()
            bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
            try:
                names: list[Any] = [raw[start:stop].decode("utf-8") for start, stop in bounds]
            except UnicodeDecodeError:
                fields.fail("values", "the levels are not UTF-8 text")
        else:
            values = fields.floats("values").tolist()
            names = [int(value) if value.is_integer() else value for value in values]
        if names:
            found[column] = names
    return found
