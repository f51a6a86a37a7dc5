"""Cuts for float64 values decide as the source's comparison of float32 values, at every neighbour of the boundary."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.importing.machinery.rounding import cuts_below_rounded_values, cuts_of_rounded_values

SPECIAL = np.float32([0.0, -0.0, 1e-45, -1e-45, 1.0, -1.0, 1.5, 3.4028235e38, -3.4028235e38, 1.1754944e-38, 16777216.0])


def float32_values(seed: int) -> np.ndarray:
    bits = np.random.default_rng(seed).integers(0, 2**32, 5000, dtype=np.uint32).view(np.float32)
    return np.concatenate([bits[np.isfinite(bits)], SPECIAL])


def near(cuts: np.ndarray, source_cuts: np.ndarray) -> np.ndarray:
    exact = source_cuts.astype(np.float64)
    return np.stack([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf), exact, exact * (1 + 1e-7)])


@pytest.mark.parametrize("shift", [0, 1, -1])
def test_at_most_a_float64_cut(shift):
    cuts = float32_values(1).astype(np.float64)
    cuts = np.nextafter(cuts, shift * np.inf) if shift else cuts
    found = cuts_of_rounded_values(cuts)
    for values in near(found, cuts):
        with np.errstate(over="ignore"):
            expected = values.astype(np.float32).astype(np.float64) <= cuts
        assert np.array_equal(values <= found, expected)


def test_below_a_float32_cut():
    cuts = float32_values(2)
    found = cuts_below_rounded_values(cuts)
    for values in near(found, cuts):
        with np.errstate(over="ignore"):
            expected = values.astype(np.float32) < cuts
        assert np.array_equal(values <= found, expected)


def test_infinite_cuts_separate_nothing():
    assert cuts_of_rounded_values(np.array([np.inf]))[0] == np.finfo(np.float64).max
    assert cuts_below_rounded_values(np.float32([-np.inf]))[0] < -3e38
