"""A criterion of your own: a function on the statistics of all candidates of a column at once.

The score of a split here is how far apart its two branches are in their share of the second class.
"""

import numpy as np

import hornbeam as hb
from hornbeam.parts.criteria.custom import Custom


def apart(parent, branches):
    """Statistics are class weights: parent (S,), branches (candidates, 2, S)."""
    weight = branches.sum(axis=-1)
    share = np.divide(branches[..., 1], weight, out=np.zeros_like(weight), where=weight > 0)
    return np.abs(share[:, 0] - share[:, 1]) * np.sqrt(weight.prod(axis=-1)) / weight.sum(axis=-1)


recipe = hb.recipe("plain").with_changes(criterion=Custom(function=apart), stops=[{"name": "max_depth", "depth": 3}])
print(hb.grow(hb.datasets.load("breast_cancer"), recipe))
