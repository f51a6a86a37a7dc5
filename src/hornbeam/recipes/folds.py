"""`folds_for`: the cross-validation folds of a table."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING

from hornbeam.errors import HornbeamWarning
from hornbeam.table.table import Table

if TYPE_CHECKING:
    from hornbeam.evaluation.folds import Rows


def folds_for(table: Table, n_folds: int, seed: int = 0, *, repeat: int = 0, warn: bool = True) -> Rows:
    """The fold of each row: stratified by class, or random for a numeric target.

    `repeat` numbers the repetitions of a cross-validation. `warn=False` is for callers whose user did not request a
    cross-validation: no warning if a class has fewer rows than there are folds.
    """
    from hornbeam.evaluation.folds import (  # here: a tree without folds needs no evaluation
        random_folds,
        stratified_folds,
    )

    if table.target is None or not table.schema.is_class:
        return random_folds(len(table), n_folds, seed, repeat)
    with contextlib.ExitStack() as stack:
        if not warn:
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore", HornbeamWarning)
        return stratified_folds(table.target.values, n_folds, seed, repeat)
