"""The rows of the samples of a forest's trees, computed again from the seed of the forest."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.row_sampling import RowSampling, sample_counts
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest


@dataclasses.dataclass(frozen=True)
class SampledFrom:
    """What samples were drawn from: the rows of X that counted (None: all), classes where these matter, groups."""

    rows: npt.NDArray[np.int64] | None
    codes: npt.NDArray[np.int32] | None
    groups: npt.NDArray[np.int64] | None = None


def sampled_from(forest: Forest, table: Table, sampling: RowSampling) -> SampledFrom:
    """What the samples of a forest of a training table were drawn from."""
    is_counted = table.row_weights > 0
    rows = None if is_counted.all() else np.flatnonzero(is_counted)
    groups = None if table.division is None else table.division.groups
    groups = groups if groups is None or rows is None else groups[rows]
    depends_on_classes = sampling.method in ("classes", "balanced") and forest.is_class
    if not depends_on_classes or table.target is None:
        return SampledFrom(rows, None, groups)
    return SampledFrom(rows, table.target.values if rows is None else table.target.values[rows], groups)


def rows_of_sample(source: SampledFrom, forest: Forest, tree: int) -> npt.NDArray[np.int32]:
    """The rows of X in the sample of one tree, in ascending order."""
    n_rows = forest.metadata["rows"]
    codes = np.zeros(n_rows, dtype=np.int64) if source.codes is None else source.codes
    n_classes = len(forest.schema.classes) if source.codes is not None else 0
    sampling = RowSampling(**forest.metadata["sampling"])
    counts = sample_counts(sampling, codes, n_classes, forest.metadata["seed"], tree, source.groups)
    rows = np.arange(n_rows) if source.rows is None else source.rows
    return np.repeat(rows, counts).astype(np.int32)
