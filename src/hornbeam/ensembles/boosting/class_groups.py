"""Joint rounds of the loss softmax: the reference implementation of native/boosting/class_groups.cpp.

Joint rounds grow one tree for all classes. The classes are divided at random into two groups of equal size, and
the tree is grown on the logistic loss of the groups:

    P = sum of p_k over the first group      g = P - [the row's class is in it]      h = P (1 - P)

Each leaf then has the value of every class, from the class's own g and h. Definition 10.5.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosting.gradients import Floats
from hornbeam.seeds import Purpose, Stream


def class_group(classes: list[int], n_classes: int, seed: int, number: int) -> npt.NDArray[np.bool_]:
    """Whether each class is in the first group of a round; `classes` are those that have rows."""
    group = np.zeros(n_classes, dtype=np.bool_)
    chosen = Stream.of(seed, Purpose.OTHER, number).choose(len(classes), len(classes) // 2)
    group[[classes[index] for index in chosen]] = True
    return group


def derivatives(scores: Floats, target: Floats, group: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """G and h of each row; scores are (classes, rows)."""
    raised = np.exp(scores - scores.max(axis=0))
    p = np.minimum(raised[group].sum(axis=0) / raised.sum(axis=0), 1.0)
    return p - group[target.astype(np.int64)], p * (1.0 - p)
