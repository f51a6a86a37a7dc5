"""The bins of a column from its sampled values: of about equal weight, by the rule of `binned_cuts`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import Floats, bin_means


def sample_bins(values: Floats, weights: Floats | None, bins: int) -> tuple[Floats, Floats, Floats]:
    """The smallest and the largest value of every bin and the mean of its values, from known values in order.

    The sums of the weights must be exact (`exact_weights`); None if every weight is 1.
    """
    starts = _starts(values, weights, bins)
    ends = np.append(starts, len(values))[1:]
    sizes = ends - starts
    bin_of = np.repeat(np.arange(len(starts)), sizes)
    if weights is not None:
        return values[starts], values[ends - 1], bin_means(bin_of, values, weights, len(starts))
    shares = values / np.repeat(sizes.astype(np.float64), sizes)
    return values[starts], values[ends - 1], np.bincount(bin_of, shares, minlength=len(starts)).astype(np.float64)


def _starts(values: Floats, weights: Floats | None, bins: int) -> npt.NDArray[np.intp]:
    """The places at which bins begin: equal values are in one bin."""
    is_new = values[1:] != values[:-1]
    if np.count_nonzero(is_new) < bins:
        starts = np.append(0, np.flatnonzero(is_new) + 1)
    else:
        # A value begins a bin if the rows below it are the first to reach the next fraction of the weight.
        places = _reaching(len(values), weights, np.arange(1, bins), bins)
        starts = np.append(0, np.unique(np.searchsorted(values, values[places - 1], side="right")))
    return starts[starts < len(values)]


def _reaching(n_rows: int, weights: Floats | None, parts: npt.NDArray[np.intp], bins: int) -> npt.NDArray[np.intp]:
    """The first row below which the weight reaches n of `bins` equal parts, for every n of `parts`."""
    if weights is None:
        return np.asarray(-(-parts * n_rows // bins))
    reached = np.cumsum(weights)
    reached -= weights
    reached *= bins
    reached /= weights.sum()
    return np.searchsorted(reached, parts)
