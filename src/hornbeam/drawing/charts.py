"""Which small charts stand in a node?

share bar        the classes of a node, side by side
histogram        the column asked about, by class, the cut marked
level bars       the same for levels, grouped by branch
level means      mean and spread of the target at each level, grouped by branch (numbers)
cloud            target against the column asked about, the mean of each side drawn (numbers)
spread           where the node's target values lie on the scale of all (numbers)
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
_MOST_POINTS = 90
_SMALL = 9.0


@dataclasses.dataclass(frozen=True)
class ChartArea:
    """The box a chart may fill."""

    x: float
    y: float
    width: float
    height: float


def class_bar(stats: Floats, room: ChartArea, theme: Theme) -> Markup:
    """A bar divided among the classes."""
    total = float(stats.sum())
    ground = rect(room.x, room.y, room.width, room.height, fill=theme.edge, fill_opacity=0.4, rx=1.5)
    if not total > 0:
        return ground
    ends = np.concatenate([[0.0], np.cumsum(stats / total)]) * room.width
    parts = [
        rect(room.x + ends[k], room.y, ends[k + 1] - ends[k], room.height, fill=class_color(k, theme))
        for k in np.flatnonzero(stats > 0).tolist()
    ]
    return join(parts)


def histogram(values: Floats, codes: Floats, cuts: Sequence[float], room: ChartArea, theme: Theme) -> Markup:
    """Counts of a numeric column by class, stacked, with the cuts marked; the bottom line tells range and cut."""
    known = np.isfinite(values) & (codes >= 0)
    values, codes = values[known], codes[known].astype(np.int64)
    if not len(values):
        return _nothing(room, theme)
    low, high = _range(values, cuts)
    bins = np.clip(((values - low) / (high - low) * _BINS).astype(np.int64), 0, _BINS - 1)
    n_classes = int(codes.max()) + 1
    counts = np.bincount(codes * _BINS + bins, minlength=n_classes * _BINS).reshape(n_classes, _BINS)
    inside = _above_ticks(room)
    parts = _stacks(counts, np.arange(_BINS) * inside.width / _BINS, inside.width / _BINS - 0.8, inside, theme)
    return join([*parts, *_cut_marks(cuts, low, high, inside, room, theme)])


def level_bars(
    codes: npt.NDArray[np.int32],
    classes: Floats,
    branch_of: npt.NDArray[np.int32],
    levels: Sequence[object],
    room: ChartArea,
    theme: Theme,
) -> Markup:
    """Counts of each level by class, the levels of one branch together, a gap between branches."""
    known = (codes >= 0) & (classes >= 0)
    codes, target = codes[known], classes[known].astype(np.int64)
    places = _Levels.of(codes, branch_of, room.width)
    if not places.order:
        return _nothing(room, theme)
    n_classes = int(target.max()) + 1
    counts = np.stack([np.bincount(target[codes == c], minlength=n_classes) for c in places.order], axis=1)
    inside = _above_ticks(room)
    parts = _stacks(counts, places.starts + places.step * 0.08, places.step * 0.84, inside, theme)
    return join([*parts, *places.marks(levels, room, theme)])


def level_means(
    codes: npt.NDArray[np.int32],
    target: Floats,
    branch_of: npt.NDArray[np.int32],
    levels: Sequence[object],
    scale: tuple[float, float],
    room: ChartArea,
    theme: Theme,
) -> Markup:
    """Mean and deviation of a numeric target at each level, the mean of each branch drawn through its levels."""
    known = (codes >= 0) & np.isfinite(target)
    codes, target = codes[known], target[known]
    places = _Levels.of(codes, branch_of, room.width)
    if not places.order:
        return _nothing(room, theme)
    inside = _above_ticks(room)
    up = _scaled(*scale, inside.y + inside.height, -inside.height)
    parts = []
    for code, start in zip(places.order, places.starts.tolist(), strict=True):
        here = target[codes == code]
        mean, deviation = float(here.mean()), float(here.std())
        x, low, high = (
            room.x + start + places.step / 2,
            max(mean - deviation, scale[0]),
            min(mean + deviation, scale[1]),
        )
        wide = min(6.0, places.step * 0.6)
        parts.append(line(x, up(low), x, up(high), stroke=theme.number, stroke_width=wide, stroke_opacity=0.45))
        parts.append(tag("circle", cx=x, cy=up(mean), r=min(2.2, places.step * 0.4), fill=theme.number))
    for branch in sorted({int(branch_of[code]) for code in places.order}):
        starts = [
            at for code, at in zip(places.order, places.starts.tolist(), strict=True) if branch_of[code] == branch
        ]
        mean = up(float(target[branch_of[codes] == branch].mean()))
        ends = room.x + starts[0], room.x + starts[-1] + places.step
        parts.append(line(ends[0], mean, ends[1], mean, stroke=theme.words, stroke_width=1.4))
    return join([*parts, *places.marks(levels, room, theme)])


@dataclasses.dataclass(frozen=True, eq=False)
class _Levels:
    """Where the levels that have rows stand: those of one branch together, a gap between branches."""

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

    def marks(self, levels: Sequence[object], room: ChartArea, theme: Theme) -> list[Markup]:
        """The names of the levels where there is room, the floor, and a line between branches."""
        step, base = self.step, room.y + room.height
        parts = [_floor(_above_ticks(room), theme)]
        if step > 15:
            parts += [
                label(room.x + at + step / 2, base - 2, truncate(str(levels[c]), step, _SMALL), **_tick(theme))
                for c, at in zip(self.order, self.starts.tolist(), strict=True)
            ]
        lines = [line(room.x + at, room.y, room.x + at, base - 15, **_mark(theme)) for at in self.edges]
        return [*parts, *lines]


def _above_ticks(room: ChartArea) -> ChartArea:
    return ChartArea(room.x, room.y + 3, room.width, room.height - 19)


def scatter(
    values: Floats, target: Floats, cuts: Sequence[float], scale: tuple[float, float], room: ChartArea, theme: Theme
) -> Markup:
    """Target against a numeric column, the cuts marked and the mean of each part drawn."""
    known = np.isfinite(values) & np.isfinite(target)
    values, target = values[known], target[known]
    if not len(values):
        return _nothing(room, theme)
    low, high = _range(values, cuts)
    inside = _above_ticks(room)
    across, up = _scaled(low, high, inside.x, inside.width), _scaled(*scale, inside.y + inside.height, -inside.height)
    few = np.unique(np.linspace(0, len(values) - 1, min(len(values), _MOST_POINTS)).astype(np.int64))
    dots = [
        tag("circle", cx=across(values[i]), cy=up(target[i]), r=1.4, fill=theme.number, fill_opacity=0.55) for i in few
    ]
    edges = [low, *cuts, high]
    sides = np.searchsorted(np.asarray(cuts), values, side="left")
    means = [
        line(across(a), up(mean), across(b), up(mean), stroke=theme.words, stroke_width=1.4)
        for side, (a, b) in enumerate(itertools.pairwise(edges))
        if (sides == side).any()
        for mean in [float(target[sides == side].mean())]
    ]
    return join([*dots, *means, *_cut_marks(cuts, low, high, inside, room, theme)])


def distribution(
    target: Floats | None, mean: float, deviation: float, scale: tuple[float, float], room: ChartArea, theme: Theme
) -> Markup:
    """Where target values lie on the scale of all: a histogram when rows are at hand, else mean and deviation."""
    across = _scaled(*scale, room.x, room.width)
    floor = room.y + room.height
    parts = [_floor(room, theme)]
    known = target[np.isfinite(target)] if target is not None else np.zeros(0)
    if len(known):
        counts, edges = np.histogram(np.clip(known, *scale), bins=24, range=scale)
        tall = room.height / max(int(counts.max()), 1)
        parts += [
            rect(across(at), floor - n * tall, room.width / 24 - 0.5, n * tall, fill=theme.number, fill_opacity=0.75)
            for n, at in zip(counts.tolist(), edges)
            if n
        ]
    elif deviation > 0:
        low, high = max(mean - deviation, scale[0]), min(mean + deviation, scale[1])
        middle = room.y + room.height * 0.55
        parts.append(
            line(across(low), middle, across(high), middle, stroke=theme.number, stroke_width=4, stroke_opacity=0.6)
        )
    at = across(mean)
    return join([*parts, line(at, room.y, at, floor, stroke=theme.mark, stroke_width=1.4)])


def _stacks(
    counts: npt.NDArray[np.int64], starts: npt.NDArray[np.float64], wide: float, room: ChartArea, theme: Theme
) -> list[Markup]:
    """Stacked columns, one a place, the classes from the bottom up."""
    tall = room.height / max(int(counts.sum(axis=0).max()), 1)
    parts = []
    for place, start in enumerate(starts.tolist()):
        floor = room.y + room.height
        for k in np.flatnonzero(counts[:, place]).tolist():
            height = float(counts[k, place]) * tall
            floor -= height
            parts.append(rect(room.x + start, floor, max(wide, 0.6), height, fill=class_color(k, theme)))
    return parts


def _cut_marks(
    cuts: Sequence[float], low: float, high: float, inside: ChartArea, room: ChartArea, theme: Theme
) -> list[Markup]:
    """The cuts as lines with a wedge, their values and the ends of the range below."""
    across = _scaled(low, high, inside.x, inside.width)
    base = room.y + room.height - 2
    parts = [_floor(inside, theme)]
    taken: list[tuple[float, float]] = []
    for at in cuts[:6]:
        x, floor = across(at), inside.y + inside.height
        wedge = f"M{x:.2f} {floor:.2f}l-3.5 5h7z"
        parts += [
            line(x, room.y, x, floor, **_mark(theme)),
            tag("path", d=wedge, fill=theme.mark),
        ]
        words = short_number(at)
        half = width_of(words, _SMALL) / 2
        middle = min(max(x, room.x + half), room.x + room.width - half)
        if all(middle + half < a or middle - half > b for a, b in taken):
            parts.append(label(middle, base + 1.5, words, **{**_tick(theme), "fill": theme.mark}))
            taken.append((middle - half - 4, middle + half + 4))
    for at, anchor in ((low, "start"), (high, "end")):
        words = short_number(at, 3)
        wide = width_of(words, _SMALL)
        left = room.x if anchor == "start" else room.x + room.width - wide
        if all(left + wide < a or left > b for a, b in taken):
            parts.append(label(left, base + 1.5, words, **{**_tick(theme), "text_anchor": "start"}))
    return parts


def _range(values: Floats, cuts: Sequence[float]) -> tuple[float, float]:
    low, high = float(min(values.min(), *cuts)), float(max(values.max(), *cuts))
    if not high - low < np.inf:  # the ends are so far apart that their distance overflows
        low, high = low / 4, high / 4
    return (low, high) if high > low else (low - 0.5, high + 0.5)


class _scaled:  # noqa: N801 - used as a function
    """A scale: numbers to places."""

    def __init__(self, low: float, high: float, start: float, size: float) -> None:
        self.low, self.start, self.rate = low, start, size / ((high - low) or 1.0)

    def __call__(self, at: float) -> float:
        return float(self.start + (at - self.low) * self.rate)


def _floor(room: ChartArea, theme: Theme) -> Markup:
    at = room.y + room.height
    return line(room.x, at, room.x + room.width, at, stroke=theme.edge, stroke_width=1)


def _nothing(room: ChartArea, theme: Theme) -> Markup:
    at = room.x + room.width / 2
    return label(at, room.y + room.height / 2, "no rows here", **_tick(theme))


def _mark(theme: Theme) -> dict[str, object]:
    return {"stroke": theme.mark, "stroke_width": 1.3, "stroke_dasharray": "3 2"}


def _tick(theme: Theme) -> dict[str, object]:
    return {"font_size": _SMALL, "fill": theme.quiet, "text_anchor": "middle"}
