"""Predicates of PMML as regions of one column, and their set operations.

A region of a number is a set of intervals (low, high]; a region of levels a set of codes and whether it holds levels
that are not listed. `missing` is the result for a missing value: true, false, or None for unknown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from hornbeam.tree.questions import Question
from hornbeam.tree.questions.combined import Combined, Literal
from hornbeam.tree.questions.threshold import Threshold

INFINITY = float("inf")
Spans = tuple[tuple[float, float], ...]


@dataclasses.dataclass(frozen=True)
class Region:
    """The values of one column for which a predicate is true."""

    column: int
    spans: Spans = ()
    codes: frozenset[int] = frozenset()
    unlisted: bool = False
    missing: bool | None = None

    def joined(self, other: Region, *, is_and: bool) -> Region:
        """Both, or at least one."""
        spans = _intersection(self.spans, other.spans) if is_and else _union(self.spans + other.spans)
        codes = self.codes & other.codes if is_and else self.codes | other.codes
        unlisted = self.unlisted and other.unlisted if is_and else self.unlisted or other.unlisted
        return Region(self.column, spans, codes, unlisted, _kleene(self.missing, other.missing, is_and=is_and))


def _kleene(one: bool | None, other: bool | None, *, is_and: bool) -> bool | None:
    decisive = not is_and
    if decisive in (one, other):
        return decisive
    return None if None in (one, other) else is_and


def below(value: float) -> float:
    """The float64 before a value."""
    return float(np.nextafter(value, -np.inf))


def complement(spans: Spans) -> Spans:
    """The rest of the line."""
    out, low = [], -INFINITY
    for start, stop in spans:
        if start > low:
            out.append((low, start))
        low = stop
    return (*out, (low, INFINITY)) if low < INFINITY else tuple(out)


def _union(spans: Spans) -> Spans:
    out: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def _intersection(one: Spans, other: Spans) -> Spans:
    return complement(_union(complement(one) + complement(other)))


def runs(regions: Sequence[Region | None]) -> tuple[list[float], list[int]]:
    """The cuts between consecutive intervals, and the first region that holds each; -1 for none. None holds all."""
    ends = {end for region in regions if region is not None for span in region.spans for end in span}
    highs = [*sorted(end for end in ends if abs(end) < INFINITY), INFINITY]
    owners = [_owner(regions, high) for high in highs]
    keep = [index for index in range(len(highs)) if index + 1 == len(highs) or owners[index] != owners[index + 1]]
    return [highs[index] for index in keep[:-1]], [owners[index] for index in keep]


def _owner(regions: Sequence[Region | None], high: float) -> int:
    for index, region in enumerate(regions):
        if region is None or any(low < high <= stop for low, stop in region.spans):
            return index
    return -1


def spans_question(column: int, spans: Spans) -> Question:
    """Branch 0 iff the value is in one of the intervals."""
    parts: list[Question] = []
    for low, high in spans:
        literals = []
        if high < INFINITY:
            literals.append(Literal(Threshold(column, high)))
        if low > -INFINITY:
            literals.append(Literal(Threshold(column, low), negated=True))
        if len(literals) == 1 and not literals[0].negated:
            parts.append(literals[0].question)
        else:
            parts.append(Combined(tuple(literals)))
    return parts[0] if len(parts) == 1 else Combined(tuple(Literal(part) for part in parts), is_any=True)
