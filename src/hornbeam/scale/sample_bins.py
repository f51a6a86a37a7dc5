"""The bins of a column from its sampled values: of about equal weight, by the rule of `binned_cuts`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import Floats, bin_means


def sample_bins(values: Floats, weights: Floats, bins: int) -> tuple[Floats, Floats, Floats]:
    """The smallest and the largest value of every bin and the mean of its values, from known values in order.

    The sums of the weights must be exact (`exact_weights`).
    """
    starts = _starts(values, weights, bins)
    ends = np.append(starts, len(values))[1:]
    bin_of = np.repeat(np.arange(len(starts)), ends - starts)
    return values[starts], values[ends - 1], bin_means(bin_of, values, weights, len(starts))


def _starts(values: Floats, weights: Floats, bins: int) -> npt.NDArray[np.intp]:
    """The places at which bins begin: equal values are in one bin."""
    is_new = values[1:] != values[:-1]
    if np.count_nonzero(is_new) < bins:
        starts = np.append(0, np.flatnonzero(is_new) + 1)
    else:
        # A value begins a bin if the rows below it are the first to reach the next fraction of the weight.
        reached = np.cumsum(weights)
        reached -= weights
        reached *= bins
        reached /= weights.sum()
        places = np.searchsorted(reached, np.arange(1, bins))
        starts = np.append(0, np.unique(np.searchsorted(values, values[places - 1], side="right")))
    return starts[starts < len(values)]
