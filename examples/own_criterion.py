"""A user-defined criterion: a function of the statistics of all candidates of a column at once.

The score of a split is the difference between the fractions of the second class in its two branches.
"""

import numpy as np

import hornbeam as hb
from hornbeam.parts.criteria.custom import Custom


def difference(parent, branches):
    """Statistics are class weights: parent (S,), branches (candidates, 2, S)."""
    weight = branches.sum(axis=-1)
    fraction = np.divide(branches[..., 1], weight, out=np.zeros_like(weight), where=weight > 0)
    return np.abs(fraction[:, 0] - fraction[:, 1]) * np.sqrt(weight.prod(axis=-1)) / weight.sum(axis=-1)


recipe = hb.recipe("plain").with_changes(
    criterion=Custom(function=difference), stops=[{"name": "max_depth", "depth": 3}]
)
print(hb.grow(hb.datasets.load("breast_cancer"), recipe))
