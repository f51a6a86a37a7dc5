"""Decision regions: the predictions of a tree over two of its columns.

    the plane is divided at the cuts of the tree's questions, so that the borders are exact; if a question uses both
    columns (hyperplanes, spheres), a grid of 240 by 240 is used

Other columns are constant: at their median or most frequent level, or at the value in `at`. The rows are drawn on top,
at most 600 of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.axes import Axes, finish_plot, legend, pad_range
from hornbeam.drawing.colors import Theme, class_color, leaf_color, number_color, theme_named
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.rows import target_values
from hornbeam.drawing.svg import Markup, join, rect
from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.explanation.impurity import impurity_gains
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table
from hornbeam.tree import walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import Intervals, Threshold

Floats = npt.NDArray[np.float64]

_GRID = 240
_MAX_EDGES = 400
_MAX_POINTS = 600


@dataclasses.dataclass(frozen=True, eq=False)
class Regions:
    """Cells between edges across and up, with prediction and certainty (0 to 1) of each [up, across]."""

    columns: tuple[int, int]
    across: Floats
    up: Floats
    predictions: Floats
    certainty: Floats


def regions(
    tree: Any,
    table: Any,
    x: str | None = None,
    y: str | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    theme: str = "light",
    title: str | None = None,
) -> Picture:
    """Decision regions over two numeric columns (by default the two of largest gain)."""
    tree = only_tree(tree, "A plot of decision regions")
    table = model_table(tree.schema, table)
    found = regions_of(tree, table, x, y, at=at)
    look = theme_named(theme)
    axes = Axes((found.across[0], found.across[-1]), (found.up[0], found.up[-1]), 420.0, 360.0, look, top=56.0)
    names = [tree.schema.columns[c].name for c in found.columns]
    target = tree.schema.target.name if tree.schema.target else "?"
    entries = []
    if tree.is_class:
        entries = [(class_color(k, look), str(name)) for k, name in enumerate(tree.schema.classes[:8])]
    return finish_plot(
        axes,
        title if title is not None else f"{target} by {names[0]} and {names[1]}",
        legend(axes, entries, 44.0),
        _cells(found, axes, tree.is_class, look),
        axes.frame(names[0], names[1]),
        _points(tree, table, found, axes, look),
    )


def plot_regions(
    ax: Any,
    tree: Any,
    table: Any,
    x: str | None = None,
    y: str | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    theme: str = "light",
) -> Any:
    """Decision regions on Matplotlib axes, with the rows on top."""
    tree = only_tree(tree, "A plot of decision regions")
    table = model_table(tree.schema, table)
    found = regions_of(tree, table, x, y, at=at)
    look = theme_named(theme)
    colors = _colors(found, tree.is_class, look)
    pixels = np.array([[[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in row] for row in colors])
    ax.pcolormesh(found.across, found.up, pixels, shading="flat", rasterized=True)
    values, target = _sampled(tree, table, found)
    if target is not None and tree.is_class:
        dots = [class_color(int(k), look) if k >= 0 else look.quiet for k in target]
        ax.scatter(values[0], values[1], c=dots, s=12, edgecolors=look.ground, linewidths=0.5)
    elif target is not None:
        ax.scatter(values[0], values[1], c=target, s=12, edgecolors=look.ground, linewidths=0.5)
    ax.set(xlabel=tree.schema.columns[found.columns[0]].name, ylabel=tree.schema.columns[found.columns[1]].name)
    return ax


def regions_of(
    tree: Any, table: Any, x: str | None = None, y: str | None = None, *, at: Mapping[str, Any] | None = None
) -> Regions:
    """The predictions over two columns as arrays."""
    tree = only_tree(tree, "A plot of decision regions")
    pair = _pair(tree, x, y)
    columns = model_table(tree.schema, table).columns
    edges = [_edges(tree, columns[c], c, pair) for c in pair]
    middles = [(line[:-1] + line[1:]) / 2 for line in edges]
    grid_x, grid_y = (each.ravel() for each in np.meshgrid(*middles))
    held = [_held(column, len(grid_x), (at or {}).get(column.name)) for column in columns]
    for position, points in zip(pair, (grid_x, grid_y), strict=True):
        held[position] = dataclasses.replace(held[position], values=points)
    values = walk.values(tree, held)
    shape = len(middles[1]), len(middles[0])
    if not tree.is_class:
        numbers = values[:, 0].reshape(shape)
        spread = float(np.ptp(numbers)) or 1.0
        return Regions(pair, edges[0], edges[1], numbers, (numbers - numbers.min()) / spread)
    n_classes = max(values.shape[1], 2)
    certainty = (values.max(axis=1) - 1 / n_classes) / (1 - 1 / n_classes)
    return Regions(
        pair, edges[0], edges[1], values.argmax(axis=1).astype(np.float64).reshape(shape), certainty.reshape(shape)
    )


def _pair(tree: Tree, x: str | None, y: str | None) -> tuple[int, int]:
    gains = impurity_gains(tree)
    numeric = [c for c, spec in enumerate(tree.schema.columns) if spec.kind is Kind.NUMERIC]
    given = [None if name is None else tree.schema.position(name) for name in (x, y)]
    for index in given:
        if index is not None and index not in numeric:
            raise InputError(
                f"Regions require numeric columns; {short_repr(tree.schema.columns[index].name)} is not numeric."
            )
    rest = sorted((c for c in numeric if c not in given), key=lambda c: -gains[c])
    chosen = [index if index is not None else (rest.pop(0) if rest else -1) for index in given]
    if -1 in chosen or chosen[0] == chosen[1]:
        raise InputError(
            "Regions require two different numeric columns.",
            fix=(Set("x"), Set("y", purpose="to choose other columns")),
        )
    return chosen[0], chosen[1]


def _edges(tree: Tree, column: Column, index: int, pair: tuple[int, int]) -> Floats:
    known = column.values[np.isfinite(column.values)]
    low, high = pad_range(known.tolist())
    cuts: set[float] = set()
    for row in range(len(tree.questions)):
        question = tree.questions.unnamed(row)
        if isinstance(question, (Threshold, Intervals)):
            if question.column == index:
                cuts.update((question.cut,) if isinstance(question, Threshold) else question.cuts)
        elif set(question.columns) & set(pair):
            return np.linspace(low, high, _GRID + 1)
    inside = sorted(cut for cut in cuts if low < cut < high)
    if len(inside) > _MAX_EDGES:
        return np.linspace(low, high, _GRID + 1)
    return np.array([low, *inside, high])


def _held(column: Column, n: int, value: Any) -> Column:
    """A constant column."""
    if column.kind is Kind.NUMERIC:
        if value is not None and not isinstance(value, (int, float)):
            raise OptionError(
                f"Column {short_repr(column.name)} must be held at a number, got {short_repr(value)}.", option="at"
            )
        known = column.values[np.isfinite(column.values)]
        number = float(value) if value is not None else float(np.median(known)) if len(known) else np.nan
        return dataclasses.replace(column, values=np.full(n, number))
    if value is not None and value not in column.levels:
        raise OptionError(f"Column {short_repr(column.name)} has no level {short_repr(value)}.", option="at")
    known_codes = column.values[column.values >= 0]
    often = int(np.bincount(known_codes).argmax()) if len(known_codes) else -1
    code = column.levels.index(value) if value is not None else often
    return dataclasses.replace(column, values=np.full(n, code, dtype=np.int32))


def _colors(found: Regions, is_class: bool, look: Theme) -> list[list[str]]:
    if not is_class:
        return [[number_color(float(s), look) for s in row] for row in found.certainty]
    return [
        [leaf_color(int(k), float(s), look) for k, s in zip(predictions, certainty, strict=True)]
        for predictions, certainty in zip(found.predictions, found.certainty, strict=True)
    ]


def _cells(found: Regions, axes: Axes, is_class: bool, look: Theme) -> Markup:
    """One rectangle per run of equal cells, slightly too wide, so that no background shows between them."""
    parts = []
    for row, line in enumerate(_colors(found, is_class, look)):
        top, floor = axes.y(float(found.up[row + 1])), axes.y(float(found.up[row]))
        start = 0
        for index in range(1, len(line) + 1):
            if index == len(line) or line[index] != line[start]:
                left, right = axes.x(float(found.across[start])), axes.x(float(found.across[index]))
                parts.append(rect(left, top, right - left + 0.3, floor - top + 0.3, fill=line[start]))
                start = index
    return join(parts)


def _sampled(tree: Tree, table: Table, found: Regions) -> tuple[list[Floats], Floats | None]:
    if len(table) > _MAX_POINTS:
        table = table.take(np.linspace(0, len(table) - 1, _MAX_POINTS).astype(np.int64))
    return [table.columns[c].values for c in found.columns], target_values(table)


def _points(tree: Tree, table: Table, found: Regions, axes: Axes, look: Theme) -> Markup:
    values, target = _sampled(tree, table, found)
    parts = []
    for row, (x, y) in enumerate(zip(*values, strict=True)):
        if not (np.isfinite(x) and np.isfinite(y)):
            continue
        color = look.quiet
        if target is not None and tree.is_class and target[row] >= 0:
            color = class_color(int(target[row]), look)
        parts.append(axes.dot(float(x), float(y), 2.8, fill=color, stroke=look.ground, stroke_width=0.7))
    return join(parts)
