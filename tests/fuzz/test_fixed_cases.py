"""A fixed set of the fuzzer's cases; `make fuzz N=50000 SEED=7` checks any number of others."""

import pytest
from tests.fuzz.run import PER_CHILD, Runner

BLOCKS = 15


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_core_and_the_reference_grower_agree(block):
    runner = Runner(block * PER_CHILD, PER_CHILD)
    runner.run(jobs=1)
    assert [f"seed {fault.seed}: {fault.kind}: {fault.message}" for fault in runner.faults] == []
    assert sum(runner.outcomes.values()) == PER_CHILD
    assert runner.outcomes["compared"] > PER_CHILD // 2
