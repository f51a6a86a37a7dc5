"""The data of a tree on gradients: encoded columns, sums of gradients, splits and nodes."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosting.gradients import Whole
from hornbeam.seeds import ROOT
from hornbeam.table.column import Kind

CUT, LEVELS, IS_MISSING = "cut", "levels", "is_missing"


@dataclasses.dataclass(frozen=True, eq=False)
class EncodedColumn:
    """A column as codes: bins of numbers, or levels; a missing value is `n_bins`. `cuts[c]` is the end of bin c."""

    kind: Kind
    codes: Whole
    n_bins: int
    cuts: npt.NDArray[np.float64]


@dataclasses.dataclass
class Sums:
    """Sums of gradient and hessian (with the number of rows in its low bits), in units."""

    g: int = 0
    hc: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.g + other.g, self.hc + other.hc)

    def __sub__(self, other: Sums) -> Sums:
        return Sums(self.g - other.g, self.hc - other.hc)


@dataclasses.dataclass
class GradientSplit:
    """A split: its column, the branch of each code, the branch of missing values, and the sums of branch 0."""

    kind: str
    column: int
    score: float
    left: Sums
    missing_left: bool
    length: int = 0
    order: list[int] = dataclasses.field(default_factory=list)
    branch_of: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Node:
    """A node of the tree."""

    rows: Whole
    sums: Sums
    parent: int = -1
    depth: int = 0
    id: int = ROOT
    bound: tuple[float, float] = (-math.inf, math.inf)
    groups: tuple[int, ...] = ()
    value: float = 0.0
    may_split: bool = False
    is_searched: bool = False
    is_weak: bool = False
    split: GradientSplit | None = None
    gain: float = 0.0
    first_child: int = -1
