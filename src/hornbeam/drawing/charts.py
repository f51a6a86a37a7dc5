"""Small charts in a node.

class bar        the classes of a node as one bar
histogram        the tested column by class, with the cut marked
level bars       the same for levels, grouped by branch
level means      mean and standard deviation of the target per level, grouped by branch (regression)
scatter          target against the tested column, with the mean of each branch (regression)
distribution     the node's target values on the scale of all (regression)
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.drawing.colors import Theme, class_color
from hornbeam.drawing.svg import Markup, join, label, line, rect, tag
from hornbeam.drawing.text import short_number, truncate, width_of

Floats = npt.NDArray[np.float64]

_BINS = 16
_MAX_POINTS = 90
_SMALL = 9.0


@dataclasses.dataclass(frozen=True)
class ChartArea:
    """The box of a chart."""

    x: float
    y: float
    width: float
    height: float


def class_bar(stats: Floats, area: ChartArea, theme: Theme) -> Markup:
    """A bar divided by class."""
    total = float(stats.sum())
    ground = rect(area.x, area.y, area.width, area.height, fill=theme.edge, fill_opacity=0.4, rx=1.5)
    if not total > 0:
        return ground
    ends = np.concatenate([[0.0], np.cumsum(stats / total)]) * area.width
    parts = [
        rect(area.x + ends[k], area.y, ends[k + 1] - ends[k], area.height, fill=class_color(k, theme))
        for k in np.flatnonzero(stats > 0).tolist()
    ]
    return join(parts)


def histogram(values: Floats, codes: Floats, cuts: Sequence[float], area: ChartArea, theme: Theme) -> Markup:
    """Counts of a numeric column by class, stacked, with the cuts marked; below are range and cut."""
    known = np.isfinite(values) & (codes >= 0)
    values, codes = values[known], codes[known].astype(np.int64)
    if not len(values):
        return _no_rows(area, theme)
    low, high = _range(values, cuts)
    bins = np.clip(((values - low) / (high - low) * _BINS).astype(np.int64), 0, _BINS - 1)
    n_classes = int(codes.max()) + 1
    counts = np.bincount(codes * _BINS + bins, minlength=n_classes * _BINS).reshape(n_classes, _BINS)
    inside = _above_ticks(area)
    parts = _stacks(counts, np.arange(_BINS) * inside.width / _BINS, inside.width / _BINS - 0.8, inside, theme)
    return join([*parts, *_cut_marks(cuts, low, high, inside, area, theme)])


def level_bars(
    codes: npt.NDArray[np.int32],
    classes: Floats,
    branch_of: npt.NDArray[np.int32],
    levels: Sequence[object],
    area: ChartArea,
    theme: Theme,
) -> Markup:
    """Counts of each level by class; levels are grouped by branch with a gap between branches."""
    known = (codes >= 0) & (classes >= 0)
    codes, target = codes[known], classes[known].astype(np.int64)
    bars = _Levels.of(codes, branch_of, area.width)
    if not bars.order:
        return _no_rows(area, theme)
    n_classes = int(target.max()) + 1
    counts = np.stack([np.bincount(target[codes == c], minlength=n_classes) for c in bars.order], axis=1)
    inside = _above_ticks(area)
    parts = _stacks(counts, bars.starts + bars.step * 0.08, bars.step * 0.84, inside, theme)
    return join([*parts, *bars.marks(levels, area, theme)])


def level_means(
    codes: npt.NDArray[np.int32],
    target: Floats,
    branch_of: npt.NDArray[np.int32],
    levels: Sequence[object],
    scale: tuple[float, float],
    area: ChartArea,
    theme: Theme,
) -> Markup:
    """Mean and standard deviation of a numeric target per level, and a line at the mean of each branch."""
    known = (codes >= 0) & np.isfinite(target)
    codes, target = codes[known], target[known]
    bars = _Levels.of(codes, branch_of, area.width)
    if not bars.order:
        return _no_rows(area, theme)
    inside = _above_ticks(area)
    up = _scaled(*scale, inside.y + inside.height, -inside.height)
    parts = []
    for code, start in zip(bars.order, bars.starts.tolist(), strict=True):
        here = target[codes == code]
        mean, deviation = float(here.mean()), float(here.std())
        x, low, high = (
            area.x + start + bars.step / 2,
            max(mean - deviation, scale[0]),
            min(mean + deviation, scale[1]),
        )
        wide = min(6.0, bars.step * 0.6)
        parts.append(line(x, up(low), x, up(high), stroke=theme.number, stroke_width=wide, stroke_opacity=0.45))
        parts.append(tag("circle", cx=x, cy=up(mean), r=min(2.2, bars.step * 0.4), fill=theme.number))
    for branch in sorted({int(branch_of[code]) for code in bars.order}):
        starts = [at for code, at in zip(bars.order, bars.starts.tolist(), strict=True) if branch_of[code] == branch]
        mean = up(float(target[branch_of[codes] == branch].mean()))
        ends = area.x + starts[0], area.x + starts[-1] + bars.step
        parts.append(line(ends[0], mean, ends[1], mean, stroke=theme.text, stroke_width=1.4))
    return join([*parts, *bars.marks(levels, area, theme)])


@dataclasses.dataclass(frozen=True, eq=False)
class _Levels:
    """Positions of the levels that have rows: grouped by branch with a gap between branches."""

    order: list[int]
    starts: Floats
    step: float
    edges: list[float]

    @classmethod
    def of(cls, codes: npt.NDArray[np.int32], branch_of: npt.NDArray[np.int32], width: float) -> _Levels:
        present = set(np.unique(codes).tolist())
        order = [c for c in np.argsort(branch_of, kind="stable").tolist() if branch_of[c] >= 0 and c in present]
        if not order:
            return cls([], np.zeros(0), width, [])
        gaps = np.cumsum([0, *(branch_of[a] != branch_of[b] for a, b in itertools.pairwise(order))])
        step = width / (len(order) + 0.7 * float(gaps[-1]))
        starts = (np.arange(len(order)) + 0.7 * gaps) * step
        edges = [float(at) - 0.35 * step for at, a, b in zip(starts[1:], gaps, gaps[1:]) if a != b]
        return cls(order, starts, step, edges)

    def marks(self, levels: Sequence[object], area: ChartArea, theme: Theme) -> list[Markup]:
        """The names of the levels if they fit, the axis, and a line between branches."""
        step, base = self.step, area.y + area.height
        parts = [_floor(_above_ticks(area), theme)]
        if step > 15:
            parts += [
                label(area.x + at + step / 2, base - 2, truncate(str(levels[c]), step, _SMALL), **_tick(theme))
                for c, at in zip(self.order, self.starts.tolist(), strict=True)
            ]
        lines = [line(area.x + at, area.y, area.x + at, base - 15, **_mark(theme)) for at in self.edges]
        return [*parts, *lines]


def _above_ticks(area: ChartArea) -> ChartArea:
    return ChartArea(area.x, area.y + 3, area.width, area.height - 19)


def scatter(
    values: Floats, target: Floats, cuts: Sequence[float], scale: tuple[float, float], area: ChartArea, theme: Theme
) -> Markup:
    """Target against a numeric column, with the cuts and the mean of each branch."""
    known = np.isfinite(values) & np.isfinite(target)
    values, target = values[known], target[known]
    if not len(values):
        return _no_rows(area, theme)
    low, high = _range(values, cuts)
    inside = _above_ticks(area)
    across, up = _scaled(low, high, inside.x, inside.width), _scaled(*scale, inside.y + inside.height, -inside.height)
    shown = np.unique(np.linspace(0, len(values) - 1, min(len(values), _MAX_POINTS)).astype(np.int64))
    dots = [
        tag("circle", cx=across(values[i]), cy=up(target[i]), r=1.4, fill=theme.number, fill_opacity=0.55)
        for i in shown
    ]
    edges = [low, *cuts, high]
    sides = np.searchsorted(np.asarray(cuts), values, side="left")
    means = [
        line(across(a), up(mean), across(b), up(mean), stroke=theme.text, stroke_width=1.4)
        for side, (a, b) in enumerate(itertools.pairwise(edges))
        if (sides == side).any()
        for mean in [float(target[sides == side].mean())]
    ]
    return join([*dots, *means, *_cut_marks(cuts, low, high, inside, area, theme)])


def distribution(
    target: Floats | None, mean: float, deviation: float, scale: tuple[float, float], area: ChartArea, theme: Theme
) -> Markup:
    """Target values on the scale of all: a histogram of rows if given, else mean and standard deviation."""
    across = _scaled(*scale, area.x, area.width)
    floor = area.y + area.height
    parts = [_floor(area, theme)]
    known = target[np.isfinite(target)] if target is not None else np.zeros(0)
    if len(known):
        counts, edges = np.histogram(np.clip(known, *scale), bins=24, range=scale)
        tall = area.height / max(int(counts.max()), 1)
        parts += [
            rect(across(at), floor - n * tall, area.width / 24 - 0.5, n * tall, fill=theme.number, fill_opacity=0.75)
            for n, at in zip(counts.tolist(), edges)
            if n
        ]
    elif deviation > 0:
        low, high = max(mean - deviation, scale[0]), min(mean + deviation, scale[1])
        middle = area.y + area.height * 0.55
        parts.append(
            line(across(low), middle, across(high), middle, stroke=theme.number, stroke_width=4, stroke_opacity=0.6)
        )
    at = across(mean)
    return join([*parts, line(at, area.y, at, floor, stroke=theme.mark, stroke_width=1.4)])


def _stacks(
    counts: npt.NDArray[np.int64], starts: npt.NDArray[np.float64], wide: float, area: ChartArea, theme: Theme
) -> list[Markup]:
    """Stacked bars, one per position, the classes from the bottom up."""
    tall = area.height / max(int(counts.sum(axis=0).max()), 1)
    parts = []
    for index, start in enumerate(starts.tolist()):
        floor = area.y + area.height
        for k in np.flatnonzero(counts[:, index]).tolist():
            height = float(counts[k, index]) * tall
            floor -= height
            parts.append(rect(area.x + start, floor, max(wide, 0.6), height, fill=class_color(k, theme)))
    return parts


def _cut_marks(
    cuts: Sequence[float], low: float, high: float, inside: ChartArea, area: ChartArea, theme: Theme
) -> list[Markup]:
    """The cuts as lines with a mark, and below their values and the ends of the range."""
    across = _scaled(low, high, inside.x, inside.width)
    base = area.y + area.height - 2
    parts = [_floor(inside, theme)]
    taken: list[tuple[float, float]] = []
    for at in cuts[:6]:
        x, floor = across(at), inside.y + inside.height
        wedge = f"M{x:.2f} {floor:.2f}l-3.5 5h7z"
        parts += [
            line(x, area.y, x, floor, **_mark(theme)),
            tag("path", d=wedge, fill=theme.mark),
        ]
        text = short_number(at)
        half = width_of(text, _SMALL) / 2
        middle = min(max(x, area.x + half), area.x + area.width - half)
        if all(middle + half < a or middle - half > b for a, b in taken):
            parts.append(label(middle, base + 1.5, text, **{**_tick(theme), "fill": theme.mark}))
            taken.append((middle - half - 4, middle + half + 4))
    for at, anchor in ((low, "start"), (high, "end")):
        text = short_number(at, 3)
        wide = width_of(text, _SMALL)
        left = area.x if anchor == "start" else area.x + area.width - wide
        if all(left + wide < a or left > b for a, b in taken):
            parts.append(label(left, base + 1.5, text, **{**_tick(theme), "text_anchor": "start"}))
    return parts


def _range(values: Floats, cuts: Sequence[float]) -> tuple[float, float]:
    low, high = float(min(values.min(), *cuts)), float(max(values.max(), *cuts))
    if not high - low < np.inf:  # the distance of the ends overflows
        low, high = low / 4, high / 4
    return (low, high) if high > low else (low - 0.5, high + 0.5)


class _scaled:  # noqa: N801 - used as a function
    """A scale from values to pixels."""

    def __init__(self, low: float, high: float, start: float, size: float) -> None:
        self.low, self.start, self.rate = low, start, size / ((high - low) or 1.0)

    def __call__(self, at: float) -> float:
        return float(self.start + (at - self.low) * self.rate)


def _floor(area: ChartArea, theme: Theme) -> Markup:
    at = area.y + area.height
    return line(area.x, at, area.x + area.width, at, stroke=theme.edge, stroke_width=1)


def _no_rows(area: ChartArea, theme: Theme) -> Markup:
    at = area.x + area.width / 2
    return label(at, area.y + area.height / 2, "no rows", **_tick(theme))


def _mark(theme: Theme) -> dict[str, object]:
    return {"stroke": theme.mark, "stroke_width": 1.3, "stroke_dasharray": "3 2"}


def _tick(theme: Theme) -> dict[str, object]:
    return {"font_size": _SMALL, "fill": theme.quiet, "text_anchor": "middle"}
