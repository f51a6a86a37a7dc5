"""A fixed set of the fuzzer's cases; `make fuzz N=50000 SEED=7` checks any number of others."""

import warnings

import numpy as np
import pytest
from tests.fuzz.checks import check
from tests.fuzz.ensembles import check_boosting, check_forest
from tests.fuzz.run import PER_CHILD, Runner

from hornbeam.errors import HornbeamWarning

BLOCKS = 15


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_core_and_the_reference_grower_agree(block):
    runner = Runner(block * PER_CHILD, PER_CHILD)
    runner.run(jobs=1)
    assert [f"seed {fault.seed}: {fault.kind}: {fault.message}" for fault in runner.faults] == []
    assert sum(runner.outcomes.values()) == PER_CHILD
    assert runner.outcomes["compared"] > PER_CHILD // 2


@pytest.mark.parametrize("seed", [31415009147, 31415010309])
def test_a_rest_of_no_weight_is_no_negative_weight(seed):
    """Priors that are no binary fractions: the rest of a class that one side has completely was -1e-15."""
    assert check(seed) in {"compared", "reference only"}


def test_planes_for_large_counts_are_equal():
    """Poisson with counts near 10^9: the weights of a logistic fit differed from the ninth digit on."""
    assert check(20261118047102) == "compared"


def test_cuts_and_levels_score_one_partition_alike_by_quantiles():
    """Cuts used targets in integer units, levels the targets themselves: a light node took the later of two columns."""
    assert check(20261121002888) == "compared"


def test_planes_of_columns_that_nearly_depend_on_each_other_are_equal():
    """A solution of `lda_plane` had ten exact digits, so two orders of sums gave two directions."""
    assert check(20261119001021441) == "compared"


def test_a_class_that_left_a_side_has_no_rest_of_its_weight():
    """OC1 by Hellinger: rows that entered a side and left it again left 1e-17, whose root broke a tie."""
    assert check(20261119777025363) == "compared"


@pytest.mark.parametrize("checked", [check_forest, check_boosting])
def test_ensembles_are_compared_and_not_refused(checked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HornbeamWarning)
        outcomes = [checked(np.random.default_rng(seed)).split()[-1] for seed in range(8)]
    assert outcomes.count("compared") > 4
