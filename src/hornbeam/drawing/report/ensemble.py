"""The report of an ensemble: a surrogate tree that imitates its predictions, and views of the ensemble itself.

surrogate      a small tree grown on the ensemble's predictions, with the fraction of rows on which both agree
dependence     the mean prediction as one of the most important columns changes
contributions  the mean absolute Shapley value of each column
calibration    predicted probabilities against observed fractions
groups         errors by level, or by quarter, of the most important columns
trees          the upper levels of the first trees, as text
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.report.groups import group_errors
from hornbeam.drawing.report.text import printable_text, short_number
from hornbeam.drawing.rows import target_values
from hornbeam.evaluation.calibration import reliability_curve
from hornbeam.explanation.impurity import gain_fractions
from hornbeam.explanation.models import additive_model
from hornbeam.explanation.partial_dependence import partial_dependence
from hornbeam.explanation.shap import shap_values
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.missing.surrogates import Surrogates
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.pure import Pure
from hornbeam.table.column import Column, nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import count_or_less
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import predict
from hornbeam.tree.text import format_tree

Numbers = npt.NDArray[Any]

_DEPTH = 5
_MIN_LEAF = 5
_MAX_ROWS = 20_000
_MAX_EXPLAINED = 200
_MIN_EXPLAINED = 10
_MAX_WORK = 5_000_000_000
_MAX_GRID = 60
_N_DEPENDENCE = 6
_N_GROUPS = 4
_N_TREES = 3


@dataclasses.dataclass(frozen=True, eq=False)
class Imitation:
    """An ensemble, the surrogate tree, and the tables with the ensemble's predictions as target."""

    forest: Forest
    tree: Tree
    training: Table
    test: Table | None

    @property
    def name(self) -> str:
        """The kind of ensemble and its number of trees."""
        kind = "boosted model" if self.forest.combine == "sum" else "forest"
        return f"{kind} of {len(self.forest):,} trees"


def imitate(forest: Forest, training: Table, test: Table | None) -> Imitation:
    """Grow the surrogate tree of an ensemble: depth 5, leaves of at least 5 rows and 0.5% of the rows."""
    imitated = _predicted(forest, _sampled(training, _MAX_ROWS))
    stops = (Pure(), MaxDepth(depth=_DEPTH), MinLeaf(rows=max(_MIN_LEAF, len(imitated) // 200)))
    tree = grow(imitated, Method(stops=stops, missing=Surrogates()))
    return Imitation(forest, tree, _predicted(forest, training), None if test is None else _predicted(forest, test))


def _sampled(table: Table, n: int) -> Table:
    if len(table) <= n:
        return table
    return table.take(np.linspace(0, len(table) - 1, n).astype(np.int64))


def _predicted(forest: Forest, table: Table) -> Table:
    """The table with the ensemble's predictions as target."""
    found = predict(forest, table.columns)
    name = forest.schema.target.name if forest.schema.target else "prediction"
    target: Column
    if forest.is_class:
        target = nominal(name, found.codes, forest.schema.classes)
    else:
        target = numeric(name, found.numbers)
    return dataclasses.replace(table, target=target)


def fidelity(imitation: Imitation, min_count: int = 0) -> str:
    """How well the surrogate tree reproduces the predictions of the ensemble, as a sentence."""
    table = imitation.training if imitation.test is None else imitation.test
    where = f"{count_or_less(len(table), min_count)} {'training' if imitation.test is None else 'test'} rows"
    found, target = predict(imitation.tree, table.columns), target_values(table)
    assert target is not None  # the predictions of the ensemble
    if imitation.forest.is_class:
        agreed = float(np.mean(found.codes == target))
        return f"The tree predicts the class that the {imitation.name} predicts for {100 * agreed:.1f}% of {where}."
    spread = float(np.sum((target - target.mean()) ** 2))
    explained = 1.0 - float(np.sum((target - found.numbers) ** 2)) / spread if spread > 0 else 1.0
    part = f"{100 * explained:.1f}% of the variance of the predictions"
    return f"The tree explains {part} of the {imitation.name} on {where}."


def ensemble_values(
    imitation: Imitation, training: Table, evaluated: Table, positive: Any, min_count: int
) -> dict[str, Any]:
    """The views of the ensemble in the structure that web/src/report/values.ts declares."""
    forest = imitation.forest
    order = np.argsort(-gain_fractions(forest), kind="stable").tolist()
    used = [column for column in order if gain_fractions(forest)[column] > 0]
    output = None if not forest.is_class else str(positive if positive is not None else forest.schema.classes[-1])
    target = target_values(evaluated)
    known = np.zeros(0, dtype=np.int64) if target is None else np.flatnonzero(np.isfinite(target))
    if target is not None and forest.is_class:
        known = known[target[known] >= 0]
    rows = evaluated.take(known)
    return {
        "name": imitation.name,
        "fidelity": fidelity(imitation, min_count),
        "output": printable_text(output if output is not None else "the prediction"),
        "scale": additive_model(forest).scale,
        "dependence": [_dependence(forest, column, training, output) for column in used[:_N_DEPENDENCE]],
        "contributions": _contributions(forest, rows, output),
        "calibration": _calibration(forest, rows, positive, min_count),
        "groups": [group_errors(forest, column, rows, min_count) for column in used[:_N_GROUPS] if len(rows)],
        "trees": [_text(forest, index, min_count) for index in range(min(_N_TREES, len(forest)))],
    }


def _dependence(forest: Forest, column: int, training: Table, output: str | None) -> dict[str, Any]:
    spec = forest.schema.columns[column]
    found = partial_dependence(forest, spec.name, _sampled(training, _MAX_EXPLAINED))
    shown = np.arange(len(found.grid))
    if len(shown) > _MAX_GRID:
        shown = np.unique(np.linspace(0, len(shown) - 1, _MAX_GRID).astype(np.int64))
    values = found.mean[shown, found.output(output)]
    labels = [printable_text(spec.levels[int(code)]) for code in found.grid[shown]] if spec.has_levels else []
    return {
        "column": printable_text(spec.name),
        "labels": labels,
        "grid": [short_number(float(value)) for value in found.grid[shown]],
        "values": [short_number(float(value), 5) for value in values],
    }


def _contributions(forest: Forest, rows: Table, output: str | None) -> list[list[Any]]:
    """Mean absolute Shapley values of evenly spaced rows, largest first; empty if they would take too long."""
    if not len(rows):
        return []
    # The work per row grows with the leaves and the squared depth of the trees.
    work = sum(tree.n_leaves * tree.depth**2 for tree in forest) or 1
    n = min(_MAX_EXPLAINED, _MAX_WORK // work)
    if n < _MIN_EXPLAINED:
        return []
    found = shap_values(forest, _sampled(rows, n))
    name = output if output in found.outputs else None
    return [[printable_text(column), short_number(value, 4)] for column, value in found.strength(name).items()][:20]


def _calibration(forest: Forest, rows: Table, positive: Any, min_count: int) -> list[list[Any]]:
    """Bins as mean probability, observed fraction and its interval; empty for a regression."""
    target = target_values(rows)
    if not forest.is_class or target is None or not len(rows):
        return []
    k = forest.schema.classes.index(positive) if positive is not None else len(forest.schema.classes) - 1
    probability = np.clip(predict(forest, rows.columns).probabilities[:, k], 0.0, 1.0)
    bins = reliability_curve(target == k, probability, weights=rows.weights)
    shown = [each for each in bins if each.weight >= max(min_count, 1)]
    return [
        [short_number(value, 4) for value in (each.mean_probability, each.positive, each.low, each.high)]
        for each in shown
    ]


def _text(forest: Forest, index: int, min_count: int) -> dict[str, str]:
    tree = forest[index]
    text = format_tree(tree, depth=3, width=110, min_count=min_count)
    return {"title": f"Tree {index}: {len(tree):,} nodes, {tree.n_leaves:,} leaves", "code": text}
