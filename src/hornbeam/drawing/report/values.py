"""What is the page told about a tree?  Plain values, short, in the shape that web/src/facts.ts declares.

A tree too large for the file is shown down to the depth that fits; what lies below is counted on the nodes where it was
cut. Competitors are told of the nodes with the most rows, while there is room.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.colors import THEMES, class_color
from hornbeam.drawing.question_labels import question_labels
from hornbeam.drawing.report.text import finite_number, printable_text, short_number
from hornbeam.drawing.rows import target_values
from hornbeam.explanation.impurity import impurity_gains
from hornbeam.parts.prunings.base import sums_below
from hornbeam.parts.prunings.cost_complexity import sequence
from hornbeam.table.column import Kind
from hornbeam.table.describe import describe
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.edit import collapse
from hornbeam.tree.nodes import Tree
from hornbeam.tree.questions import Threshold
from hornbeam.tree.text import nodes_below

Numbers = npt.NDArray[Any]

_MOST_LEVELS = 500
_MOST_NUMBERS = 780_000
_MOST_COMPETITORS = 10_000

_ALPHA_WORDS = {
    "error": "Cost-complexity pruning: alpha is the price of a leaf in shares of wrong training weight.",
    "squares": "Cost-complexity pruning: alpha is the price of a leaf in mean squared error on the training rows.",
}


def fit_to_page(tree: Tree) -> tuple[Tree, dict[int, int]]:
    """The tree, or its upper part when the whole would not fit; and how many nodes were cut below which node."""
    asked = int((~tree.nodes.is_leaf).sum()) + len(tree.nodes.surrogate_question)
    per_node = 9 + tree.nodes.stats.shape[1] + 9 * asked / len(tree)
    allowed = max(int(_MOST_NUMBERS / per_node), 1)
    if len(tree) <= allowed:
        return tree, {}
    per_level = np.cumsum(np.bincount(tree.nodes.depth))
    deepest = int(np.searchsorted(per_level, allowed, side="right")) - 1
    ends = np.flatnonzero((tree.nodes.depth == max(deepest, 0)) & ~tree.nodes.is_leaf)
    below = nodes_below(tree)
    upper = collapse(tree, ends.tolist(), reason="collapsed")
    cut = np.flatnonzero((upper.nodes.depth == max(deepest, 0)) & upper.nodes.is_leaf)
    # Both lists run through one level from left to right: the leaves that are new are those that were inner nodes.
    was_leaf = tree.nodes.is_leaf[tree.nodes.depth == max(deepest, 0)]
    return upper, {int(node): int(below[end]) for node, end in zip(cut[~was_leaf].tolist(), ends.tolist(), strict=True)}


def node_values(tree: Tree, hidden: dict[int, int], test: Table | None) -> dict[str, Any]:
    """Every node as columns of numbers."""
    nodes = tree.nodes
    line = sequence(tree)
    with_surrogates = np.flatnonzero(np.diff(nodes.surrogate_start)).tolist()
    return {
        "first": nodes.first_child.tolist(),
        "count": nodes.n_branches.tolist(),
        "question": nodes.question.tolist(),
        "missing": nodes.missing_branch.tolist(),
        "rows": nodes.rows.tolist(),
        "stats": [[finite_number(value) for value in row] for row in nodes.stats.tolist()],
        "answer": [int(a) if tree.is_class else short_number(a) for a in nodes.answer.tolist()],
        "impurity": [short_number(value, 4) or 0 for value in nodes.impurity.tolist()],
        "gain": [short_number(value, 4) or 0 for value in nodes.gain.tolist()],
        "reason": nodes.reason.tolist(),
        "hidden": {str(node): count for node, count in hidden.items()},
        "surrogates": {str(node): _surrogates(tree, node) for node in with_surrogates},
        "competitors": {str(node): _competitors(tree, node) for node in _with_competitors(tree)},
        "collapse": [short_number(value, 9) for value in line.collapse.tolist()],
        "test": None if test is None else test_values(tree, test),
    }


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
    """The nodes whose competitors are told: those with the most rows first, while there is room."""
    counts = np.diff(tree.nodes.competitor_start)
    order = np.argsort(-tree.nodes.rows, kind="stable")
    order = order[counts[order] > 0]
    kept = order[np.cumsum(counts[order]) <= _MOST_COMPETITORS]
    return sorted(int(node) for node in kept)


def _competitors(tree: Tree, node: int) -> list[list[Any]]:
    """The questions that came next at a node, as question, gain."""
    nodes = tree.nodes
    rows = range(int(nodes.competitor_start[node]), int(nodes.competitor_start[node + 1]))
    return [[int(nodes.competitor_question[row]), short_number(nodes.competitor_gain[row], 4)] for row in rows]


def alpha_values(tree: Tree) -> dict[str, Any]:
    """The weakest-link sequence, from the whole tree to the root."""
    line = sequence(tree)
    alphas = [short_number(value, 9) for value in line.alphas.tolist()]
    words = _ALPHA_WORDS.get(line.measure, "Cost-complexity pruning: alpha is the price of a leaf.")
    if not alphas or alphas[0] != 0:
        alphas = [0.0, *alphas]
    return {"alphas": alphas, "leaves": line.leaves.tolist(), "risks": [], "words": words}


def test_values(tree: Tree, test: Table) -> dict[str, Any] | None:
    """What each node would do to fresh rows as a leaf, and what rows lost that ended at an inner node."""
    target = target_values(test)
    if target is None or not len(test):
        return None
    weights = test.row_weights
    known = np.isfinite(target)
    ends = walk.leaves(tree, test.columns)
    values = walk.values_at(tree, test.columns, ends)
    final = values.argmax(axis=1) != target if tree.is_class else (target - values[:, 0]) ** 2
    ended = np.bincount(ends[known], (final * weights)[known], len(tree))
    passed, loss = _passing(tree, ends[known], target[known], weights[known])
    figures = {"rows": passed, "loss": loss, "ended": ended}
    return {name: [finite_number(value) for value in array.tolist()] for name, array in figures.items()}


def _passing(tree: Tree, ends: Numbers, target: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """The weight that passes each node and what it would lose there, from sums that each node adds to its parent."""
    size, answer = len(tree), tree.nodes.answer
    if tree.is_class:
        n = len(tree.schema.classes)
        # Classes that the tree does not have come last: no answer of its is right for them.
        codes = np.where(target < 0, n, target).astype(np.int64)
        at_end = np.bincount(ends * (n + 1) + codes, weights, size * (n + 1)).reshape(size, n + 1)
        below = sums_below(tree.nodes, at_end)
        passed = below.sum(axis=1)
        return passed, passed - below[np.arange(size), answer.astype(np.int64)]
    # Distances are taken from the mean, so that sums of large numbers do not swallow them.
    middle = float(np.average(target, weights=weights)) if weights.sum() > 0 else 0.0
    away = target - middle
    moments = np.stack([np.bincount(ends, weights * away**power, size) for power in range(3)], axis=1)
    weight, first, second = sums_below(tree.nodes, moments).T
    said = answer - middle
    return weight, np.maximum(second - 2 * said * first + said * said * weight, 0.0)


def question_values(tree: Tree) -> list[list[Any] | None]:
    """Every question as encoding, column, first, missing, whole, reals, title, answers; None where nothing asks it.

    So the page can answer it as the tree does. A title of None is the column's name; the answers of plain thresholds
    are left for the page to make.
    """
    table = tree.questions
    out: list[list[Any] | None] = []
    untold = _untold_questions(tree)
    asking = np.flatnonzero(~tree.nodes.is_leaf).tolist()
    most = {int(tree.nodes.question[node]): int(tree.nodes.n_branches[node]) for node in asking}
    for row in range(len(table)):
        if row in untold:
            out.append(None)
            continue
        question = table[row]
        words = question_labels(question, tree.schema, n_branches=most.get(row, 0))
        has_own_branch = len(words.answers) > question.n_branches
        is_plain = (
            not has_own_branch
            and isinstance(question, Threshold)
            and not tree.schema.columns[question.column].has_levels
        )
        scalars = (table.encoding, table.column, table.first, table.missing_answer)
        out.append(
            [
                *(int(array[row]) for array in scalars),
                table.whole_of(row).tolist(),
                [float(value) for value in table.reals_of(row)],
                None if words.is_short else printable_text(words.title),
                [] if is_plain else [printable_text(answer) for answer in words.answers],
            ]
        )
    return out


def _untold_questions(tree: Tree) -> set[int]:
    """Questions that only competitors ask which are not told."""
    told_ones = [row for node in _with_competitors(tree) for row, _ in _competitors(tree, node)]
    return set(tree.nodes.competitor_question.tolist()).difference(told_ones)


def column_values(tree: Tree, table: Table | None) -> list[dict[str, Any]]:
    """The tree's columns: what a reader may set, and where to start from."""
    used = tree.used_columns()
    columns = table.columns if table is not None else None
    out = []
    for place, spec in enumerate(tree.schema.columns):
        low = high = typical = None
        if columns is not None:
            known = columns[place].values[~columns[place].is_missing]
            if spec.kind is Kind.NUMERIC:
                known = known[np.isfinite(known)]
                if len(known):
                    low, high, typical = (short_number(float(f(known))) for f in (np.min, np.max, np.median))
            elif len(known):
                typical = int(np.bincount(np.maximum(known, 0)).argmax())
        out.append(
            {
                "name": printable_text(spec.name),
                "kind": str(spec.kind),
                "levels": [printable_text(level) for level in spec.levels[:_MOST_LEVELS]],
                "low": low,
                "high": high,
                "typical": typical,
                "is_used": place in used,
            }
        )
    return _with_ranges(tree, out) if columns is None else out


def _with_ranges(tree: Tree, out: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without a table a column's range is that of the cuts made in it."""
    cuts: dict[int, list[float]] = {}
    for row in range(len(tree.questions)):
        if tree.questions.column[row] >= 0 and len(tree.questions.reals_of(row)):
            cuts.setdefault(int(tree.questions.column[row]), []).extend(tree.questions.reals_of(row).tolist())
    for place, found in cuts.items():
        reach = (max(found) - min(found)) or abs(found[0]) or 1.0
        out[place]["low"], out[place]["high"] = (
            short_number(min(found) - reach / 2),
            short_number(max(found) + reach / 2),
        )
        out[place]["typical"] = short_number(float(np.median(found)))
    return out


def data_values(table: Table) -> dict[str, Any]:
    """The data as `describe` tells them."""
    found = describe(table)
    source = f" from {found.source}" if found.source else ""
    columns = [each for each in found.columns if each.role == "target"]
    columns += [each for each in found.columns if each.role != "target"]
    rows = [[each.name, each.role, each.kind, each.values, str(each.n_missing), each.why] for each in columns[:2000]]
    notes = [f"{each.name}: {note}" for each in columns for note in each.notes]
    return {
        "heading": printable_text(f"{found.n_rows:,} rows, {len(found.columns)} columns{source}"),
        "rows": [[printable_text(cell) for cell in row] for row in rows],
        "notes": [printable_text(note) for note in [*notes, *found.notes]],
    }


def importance_values(tree: Tree) -> list[list[Any]]:
    """Shares of the whole decrease in impurity, the largest first."""
    gains = impurity_gains(tree)
    total = float(gains.sum())
    if not total > 0:
        return []
    order = np.argsort(-gains, kind="stable")
    return [
        [printable_text(tree.schema.columns[c].name), short_number(gains[c] / total)]
        for c in order.tolist()
        if gains[c] > 0
    ]


def color_values(tree: Tree) -> list[str]:
    """One colour a class."""
    return [class_color(k, THEMES["light"]) for k in range(len(tree.schema.classes))]
