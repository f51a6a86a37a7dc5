"""The branch that imputed values take at each node, for all nodes at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.parts.missing.impute import branch_of_value
from hornbeam.table.column import Column
from hornbeam.tree.nodes import STAY, Nodes
from hornbeam.tree.questions import Encoding, QuestionTable

Floats = npt.NDArray[np.float64]


def imputed_branches(
    nodes: Nodes, questions: QuestionTable, fill_values: Floats, columns: Sequence[Column]
) -> npt.NDArray[np.int32]:
    """The branch of missing values at every node; the core's majority branch where the imputed value has no branch."""
    inner = np.flatnonzero(nodes.first_child >= 0)
    rows = nodes.question[inner]
    value = fill_values[questions.column[rows]]
    n_reals = np.diff(questions.reals_start)[rows]
    branch = np.full(len(inner), -1, dtype=np.int64)
    is_cut = (questions.encoding[rows] == Encoding.CUTS) & (n_reals == 1)
    cuts = questions.reals[questions.reals_start[rows[is_cut]]]
    branch[is_cut] = np.where(np.isnan(value[is_cut]), -1, value[is_cut] > cuts)
    is_map = questions.encoding[rows] == Encoding.MAP
    has_level = is_map & (value >= 0)
    branch[has_level] = questions.whole[questions.whole_start[rows[has_level]] + value[has_level].astype(np.int64)]
    for place in np.flatnonzero(~(is_cut | is_map)).tolist():
        branch[place] = branch_of_value(questions[int(rows[place])], columns, fill_values.__getitem__)
    branch = np.where(branch < 0, nodes.missing_branch[inner], branch)
    out = np.full(len(nodes), STAY, dtype=np.int32)
    out[inner] = branch
    return out
