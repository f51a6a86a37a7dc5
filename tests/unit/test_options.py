"""Settings of parts: conversion, limits and error messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from hornbeam.errors import OptionError
from hornbeam.options import Option, Part, option, thread_count


@dataclass(frozen=True)
class Example(Part):
    """A part with one setting per type."""

    part_type: ClassVar[str] = "example"
    count: int = option(1, "number of rows", at_least=0, at_most=1_000_000)
    fraction: float = option(0.5, "fraction of the rows", above=0, below=1)
    method: str = option("fast", "algorithm", choices=("fast", "exact"))
    weights: tuple[float, ...] | None = option(None, "weight per class")
    is_scaled: bool = option(False, "whether columns are scaled")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"count": -1}, r"Example.count \(number of rows\) must be between 0 and 1000000, got -1\."),
        ({"count": "3"}, r"Example.count \(number of rows\) must be an integer, got '3' \(str\)\."),
        ({"count": True}, r"must be an integer, got True \(bool\)\."),
        ({"fraction": 1}, r"must be above 0 and below 1, got 1\."),
        ({"fraction": float("nan")}, r"must be above 0 and below 1, got nan\."),
        ({"method": "slow"}, r"must be one of fast, exact, got 'slow'\."),
        ({"weights": 1.0}, r"must be a list or None, got 1.0 \(float\)\."),
        ({"is_scaled": 1}, r"must be true or false, got 1 \(int\)\."),
    ],
)
def test_a_wrong_value_is_an_error_that_states_what_is_accepted(settings, message):
    with pytest.raises(OptionError, match=message):
        Example(**settings)


def test_numpy_values_become_python_values():
    part = Example(count=np.int64(3), fraction=np.float32(0.25), weights=np.array([1, 2]), is_scaled=np.bool_(True))
    assert part.settings() == {
        "count": 3,
        "fraction": 0.25,
        "method": "fast",
        "weights": (1.0, 2.0),
        "is_scaled": True,
    }
    assert type(part.count) is int


def test_replace_names_an_unknown_setting():
    assert Example().replace(count=2) == Example(count=2)
    with pytest.raises(OptionError, match=r"Unknown setting 'cuont' of Example. Did you mean 'count'"):
        Example().replace(cuont=2)


def test_limits_are_written_without_exponents():
    assert Option("", at_least=0, at_most=1e6).limits() == "be between 0 and 1000000"
    assert Option("", at_least=0.05).limits() == "be at least 0.05"
    assert Option("").limits() == ""


def test_none_means_all_threads():
    assert (thread_count(None), thread_count(0), thread_count(3)) == (0, 0, 3)
    for wrong in (-1, 1.5, "2", True):
        with pytest.raises(OptionError, match="threads must be an integer of at least 0 or None"):
            thread_count(wrong)
