"""Training data for the tests of reductions, without an estimator."""

import numpy as np

from hornbeam.ensembles.reductions.problem import Problem
from hornbeam.table.read import table_from_arrays


def problem_of(X, y, base=None, **more):
    y = np.asarray(y)
    return Problem(
        base, X, table_from_arrays(X, y, target_kind="nominal"), y.astype(np.int64), int(y.max()) + 1, **more
    )


def blobs(centres, n_rows=8, seed=3, spread=0.2):
    """Rows around each center; the class is the index of the center."""
    draw = np.random.default_rng(seed)
    X = np.concatenate([np.asarray(centre) + spread * draw.normal(size=(n_rows, len(centre))) for centre in centres])
    return X, np.repeat(np.arange(len(centres)), n_rows)
