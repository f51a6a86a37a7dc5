"""One case of the fuzzer: grow with the compiled core and with the reference grower, compare, save, load, predict."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
from tests.fuzz.compare import assert_equal_trees, assert_same_bytes, check_file
from tests.fuzz.ensembles import check_boosting, check_forest
from tests.fuzz.methods import random_method
from tests.fuzz.tables import random_table

from hornbeam.errors import HornbeamError, HornbeamWarning
from hornbeam.growing import in_core
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

# How often a method is drawn again until its parts fit each other and the table.
DRAWS = 40
# How often a method that the compiled core cannot grow is passed over.
PASSED_OVER = 0.8
ENSEMBLES = 0.05


@dataclasses.dataclass(frozen=True)
class Case:
    """A table, a method that fits it, and the seed of the growth."""

    table: Table
    method: Method
    seed: int


def random_case(seed: int) -> Case:
    """The case of a seed; where no method that was drawn fits the table, the default method."""
    rng = np.random.default_rng(seed)
    table, kind = random_table(rng)
    for _ in range(DRAWS):
        try:
            method = random_method(rng, table, kind)
            start = prepare(table, method)
        except HornbeamError:
            continue
        if without_kernel(start) and rng.random() < PASSED_OVER:
            continue
        return Case(table, method, int(rng.integers(0, 100)))
    return Case(table, Method(), 0)


def check(seed: int) -> str:
    """The outcome of a case: what was done with it. An AssertionError names a fault."""
    rng = np.random.default_rng((seed, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", HornbeamWarning)  # such as: rows dropped in growth are predicted here
        kind = rng.random()
        if kind < ENSEMBLES / 2:
            return check_forest(rng)
        if kind < ENSEMBLES:
            return check_boosting(rng)
        return _check_tree(random_case(seed))


def _check_tree(case: Case) -> str:
    start = prepare(case.table, case.method, seed=case.seed)
    has_kernel = not without_kernel(start)
    reference = _outcome(case, "python")
    core = _outcome(case, "core" if has_kernel else "auto")
    if isinstance(reference, str) or isinstance(core, str):
        assert reference == core, f"one grower raises an error: reference {reference!r}, core {core!r}"
        return "both raise the same error"
    assert_equal_trees(core, reference, case.table)
    if has_kernel:
        assert_same_bytes([core], [in_core.grow(start, threads=2)])
    check_file(core, case.table)
    return "compared" if has_kernel else "reference only"


def _outcome(case: Case, engine: str) -> Tree | str:
    try:
        return grow(case.table, case.method, engine=engine, seed=case.seed, threads=1)
    except HornbeamError as error:
        return f"{type(error).__name__}: {error.message}"
