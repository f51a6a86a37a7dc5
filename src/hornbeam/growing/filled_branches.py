"""The branch that an imputed value takes at each node, for all nodes at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbeam.tree.nodes import STAY, Nodes
from hornbeam.tree.questions import Encoding, QuestionTable


def imputed_branches(
    nodes: Nodes, questions: QuestionTable, fill_values: npt.NDArray[np.float64]
) -> npt.NDArray[np.int32]:
    """The branch of missing values at every node; the core's majority branch where the imputed value has no branch."""
    inner = np.flatnonzero(nodes.first_child >= 0)
    rows = nodes.question[inner]
    value = fill_values[questions.column[rows]]
    branch = np.full(len(inner), -1, dtype=np.int64)
    is_cut = questions.encoding[rows] == Encoding.CUTS
    cuts = questions.reals[questions.reals_start[rows[is_cut]]]
    branch[is_cut] = np.where(np.isnan(value[is_cut]), -1, value[is_cut] > cuts)
    for place in np.flatnonzero(is_cut & (np.diff(questions.reals_start)[rows] > 1)).tolist():
        if branch[place] >= 0:
            branch[place] = int((value[place] > questions.reals_of(int(rows[place]))).sum())
    is_map = (questions.encoding[rows] == Encoding.MAP) & (value >= 0)
    branch[is_map] = questions.whole[questions.whole_start[rows[is_map]] + value[is_map].astype(np.int64)]
    branch = np.where(branch < 0, nodes.missing_branch[inner], branch)
    out = np.full(len(nodes), STAY, dtype=np.int32)
    out[inner] = branch
    return out
