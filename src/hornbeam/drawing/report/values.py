"""The values of a tree in the page, in the structure that web/src/report/values.ts declares.

A tree that is too large for the file is included down to the depth that fits; deeper nodes are counted on the nodes
above them. Competitors are included for the nodes with the most rows, up to a limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.colors import THEMES, class_color, mix_colors
from hornbeam.drawing.question_labels import question_labels
from hornbeam.drawing.report.text import finite_number, printable_text, short_number
from hornbeam.drawing.rows import target_values
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.parts.prunings.base import sums_below
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.edit import collapse
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import hidden_counts
from hornbeam.tree.nodes import Tree
from hornbeam.tree.probabilities.frequencies import Frequencies
from hornbeam.tree.questions import Multiway, Subset, Threshold
from hornbeam.tree.text import nodes_below

Numbers = npt.NDArray[Any]

_MAX_NUMBERS = 780_000
_MAX_COMPETITORS = 10_000


def fit_to_page(tree: Tree) -> tuple[Tree, dict[int, int]]:
    """The tree, or its upper part if it does not fit; and the number of omitted nodes below each node."""
    n_questions = int((~tree.nodes.is_leaf).sum()) + len(tree.nodes.surrogate_question)
    per_class = 1 if has_frequencies(tree) else 2
    per_node = 9 + per_class * tree.nodes.stats.shape[1] + 9 * n_questions / len(tree)
    allowed = max(int(_MAX_NUMBERS / per_node), 1)
    if len(tree) <= allowed:
        return tree, {}
    per_level = np.cumsum(np.bincount(tree.nodes.depth))
    deepest = int(np.searchsorted(per_level, allowed, side="right")) - 1
    ends = np.flatnonzero((tree.nodes.depth == max(deepest, 0)) & ~tree.nodes.is_leaf)
    below = nodes_below(tree)
    upper = collapse(tree, ends.tolist(), reason="collapsed")
    cut = np.flatnonzero((upper.nodes.depth == max(deepest, 0)) & upper.nodes.is_leaf)
    # Both lists are one level from left to right: the new leaves are those that were inner nodes.
    was_leaf = tree.nodes.is_leaf[tree.nodes.depth == max(deepest, 0)]
    return upper, {int(node): int(below[end]) for node, end in zip(cut[~was_leaf].tolist(), ends.tolist(), strict=True)}


def node_values(
    tree: Tree, hidden: dict[int, int], losses: dict[str, Numbers] | None, collapse_at: Numbers, min_count: int
) -> dict[str, Any]:
    """The nodes as columns of numbers; `collapse_at` is the alpha at which pruning collapses each of them."""
    nodes = tree.nodes
    with_surrogates = np.flatnonzero(np.diff(nodes.surrogate_start)).tolist()
    return {
        "first": nodes.first_child.tolist(),
        "count": nodes.n_branches.tolist(),
        "question": nodes.question.tolist(),
        "missing_branch": nodes.missing_branch.tolist(),
        "rows": nodes.rows.tolist(),
        "stats": [[finite_number(value) for value in row] for row in nodes.stats.tolist()],
        "probabilities": None if has_frequencies(tree) else _rounded(walk.node_values(tree)),
        "prediction": [int(a) if tree.is_class else short_number(a) for a in nodes.answer.tolist()],
        "impurity": [short_number(value, 4) or 0 for value in nodes.impurity.tolist()],
        "gain": [short_number(value, 4) or 0 for value in nodes.gain.tolist()],
        "reason": nodes.reason.tolist(),
        "hidden": {str(node): count for node, count in hidden.items()},
        "surrogates": {str(node): _surrogates(tree, node) for node in with_surrogates},
        "competitors": {str(node): _competitors(tree, node) for node in _with_competitors(tree)},
        "collapse": [short_number(value, 9) for value in collapse_at.tolist()],
        "test": None if losses is None else _test_values(losses, tree.is_class, min_count),
    }


def has_frequencies(tree: Tree) -> bool:
    """Whether the probabilities of a node are the fractions of its class weights, which the page has anyway."""
    return not tree.is_class or isinstance(tree.probabilities, Frequencies)


def _rounded(probabilities: Numbers) -> list[list[Any]]:
    return [[short_number(value) for value in row] for row in probabilities.tolist()]


def _surrogates(tree: Tree, node: int) -> list[list[Any]]:
    """A node's surrogates as question, flipped, agreement."""
    nodes = tree.nodes
    rows = range(int(nodes.surrogate_start[node]), int(nodes.surrogate_start[node + 1]))
    return [
        [
            int(nodes.surrogate_question[row]),
            int(nodes.surrogate_flipped[row]),
            short_number(nodes.surrogate_agree[row], 4),
        ]
        for row in rows
    ]


def _with_competitors(tree: Tree) -> list[int]:
    """The nodes whose competitors are included: those with the most rows, up to the limit."""
    counts = np.diff(tree.nodes.competitor_start)
    order = np.argsort(-tree.nodes.rows, kind="stable")
    order = order[counts[order] > 0]
    kept = order[np.cumsum(counts[order]) <= _MAX_COMPETITORS]
    return sorted(int(node) for node in kept)


def _competitors(tree: Tree, node: int) -> list[list[Any]]:
    """The competing questions of a node, as question, gain."""
    nodes = tree.nodes
    rows = range(int(nodes.competitor_start[node]), int(nodes.competitor_start[node + 1]))
    return [[int(nodes.competitor_question[row]), short_number(nodes.competitor_gain[row], 4)] for row in rows]


def _test_values(losses: dict[str, Numbers], is_class: bool, min_count: int) -> dict[str, Any]:
    hidden = ("rows", "loss", "ended") if is_class else ("rows",)  # sums of squares are no counts
    shown = {name: hidden_counts(array, min_count) if name in hidden else array for name, array in losses.items()}
    return {name: [finite_number(value) for value in array.tolist()] for name, array in shown.items()}


def losses_on_test_rows(tree: Tree, test: Table | None) -> dict[str, Numbers] | None:
    """The weight and the loss of test rows at each node as a leaf, and the loss of rows that end at an inner node."""
    target = None if test is None else target_values(test)
    if test is None or target is None or not len(test):
        return None
    weights = test.row_weights
    known = np.isfinite(target)
    ends = walk.leaves(tree, test.columns)
    values = walk.values_at(tree, test.columns, ends)
    final = values.argmax(axis=1) != target if tree.is_class else (target - values[:, 0]) ** 2
    ended = np.bincount(ends[known], (final * weights)[known], len(tree))
    passed, loss = _passing(tree, ends[known], target[known], weights[known])
    return {"rows": passed, "loss": loss, "ended": ended}


def _passing(tree: Tree, ends: Numbers, target: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """The weight that passes each node and its loss there, from sums that each node adds to its parent."""
    size, prediction = len(tree), tree.nodes.answer
    if tree.is_class:
        n = len(tree.schema.classes)
        # Classes that the tree does not have are last: every prediction is wrong for them.
        codes = np.where(target < 0, n, target).astype(np.int64)
        at_end = np.bincount(ends * (n + 1) + codes, weights, size * (n + 1)).reshape(size, n + 1)
        below = sums_below(tree.nodes, at_end)
        passed = below.sum(axis=1)
        return passed, passed - below[np.arange(size), prediction.astype(np.int64)]
    # Distances are from the mean, to avoid cancellation in sums of large numbers.
    center = float(np.average(target, weights=weights)) if weights.sum() > 0 else 0.0
    distance = target - center
    moments = np.stack([np.bincount(ends, weights * distance**power, size) for power in range(3)], axis=1)
    weight, first, second = sums_below(tree.nodes, moments).T
    shifted = prediction - center
    return weight, np.maximum(second - 2 * shifted * first + shifted * shifted * weight, 0.0)


def question_values(tree: Tree) -> list[list[Any] | None]:
    """Every question as encoding, column, first, missing, whole, reals, title, outcomes; None where no node uses it.

    The page evaluates it as the tree does. A title of None is the column's name; the page creates the outcomes of
    numeric thresholds and of sets of levels.
    """
    table = tree.questions
    out: list[list[Any] | None] = []
    unused = _unused_questions(tree)
    inner = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    most = {int(tree.nodes.question[node]): int(tree.nodes.n_branches[node]) for node in inner}
    for row in range(len(table)):
        if row in unused:
            out.append(None)
            continue
        question = table[row]
        labels = question_labels(question, tree.schema, n_branches=most.get(row, 0))
        has_own_branch = len(labels.outcomes) > question.n_branches
        has_levels = bool(question.columns) and tree.schema.columns[question.columns[0]].has_levels
        is_from_page = (isinstance(question, Threshold) and not has_own_branch and not has_levels) or (
            isinstance(question, (Subset, Multiway)) and labels.is_short
        )
        scalars = (table.encoding, table.column, table.first, table.missing_answer)
        out.append(
            [
                *(int(array[row]) for array in scalars),
                table.whole_of(row).tolist(),
                [float(value) for value in table.reals_of(row)],
                None if labels.is_short else printable_text(labels.title),
                [] if is_from_page else [printable_text(outcome) for outcome in labels.outcomes],
            ]
        )
    return out


def _unused_questions(tree: Tree) -> set[int]:
    """Questions that are used only by competitors which are not included."""
    included = [row for node in _with_competitors(tree) for row, _ in _competitors(tree, node)]
    return set(tree.nodes.competitor_question.tolist()).difference(included)


def importance_values(tree: Tree | Forest) -> list[list[Any]]:
    """Fractions of the total decrease in impurity, largest first."""
    fractions = gain_fractions(tree)
    order = np.argsort(-fractions, kind="stable")
    return [
        [printable_text(tree.schema.columns[c].name), short_number(fractions[c])]
        for c in order.tolist()
        if fractions[c] > 0
    ]


def color_values(tree: Tree) -> dict[str, list[str]]:
    """One color per class and theme; those of the dark theme are lighter."""
    light = [class_color(k, THEMES["light"]) for k in range(len(tree.schema.classes))]
    return {"light": light, "dark": [mix_colors(color, "#ffffff", 0.28) for color in light]}
