"""The tasks of boosting from pieces: each is a pure function of a piece, the trees so far and a request."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.scale.binned import BinnedPiece
from hornbeam.scale.boost_states import CodedTree, Growth, StateStore

Whole = npt.NDArray[np.int64]
_MOMENTS = 5  # numbers per node (native/pieces/boosted_piece.hpp)
_LIMB_BITS, _LAST_PLACE = 32, 1074  # of exact sums (native/core/limb_sum.hpp)


@dataclasses.dataclass(frozen=True, eq=False)
class CellsTask:
    """The sums per code of some nodes of a tree that grows; of the root also its whole sums."""

    growth: Growth
    number: int
    units: tuple[float, float, int]
    tree: CodedTree
    nodes: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    n_cells: int
    is_root: bool
    group: tuple[int, ...] | None = None

    def __call__(self, piece: BinnedPiece, model: Sequence[CodedTree], states: StateStore) -> list[Whole]:
        """The sums of one piece: whole, and per code."""
        root, cells = np.zeros(2, dtype=np.int64), np.zeros(self.n_cells * len(self.nodes), dtype=np.int64)
        with states.state(piece, self.growth, model) as state:
            core = state.start_tree(self.number, self.units, self.group)
            if self.is_root:
                core.add_root(root)
            core.add_cells(self.tree, self.nodes, self.columns, cells)
        return [root, cells]


@dataclasses.dataclass(frozen=True, eq=False)
class MomentsTask:
    """The moments of the leaves of a tree for the F test of its splits."""

    growth: Growth
    number: int
    units: tuple[float, float, int]
    tree: CodedTree
    nodes: npt.NDArray[np.int32]
    group: tuple[int, ...] | None = None

    def __call__(self, piece: BinnedPiece, model: Sequence[CodedTree], states: StateStore) -> list[Whole]:
        """The moments of one piece."""
        moments = np.zeros(_MOMENTS * len(self.nodes), dtype=np.int64)
        with states.state(piece, self.growth, model) as state:
            core = state.start_tree(self.number, self.units, self.group)
            core.add_moments(self.tree, self.nodes, moments)
        return [moments]


@dataclasses.dataclass(frozen=True, eq=False)
class LeavesTask:
    """The sums of the leaves of a tree for all classes, for each class."""

    growth: Growth
    number: int
    units: tuple[float, float, int]
    tree: CodedTree
    nodes: npt.NDArray[np.int32]
    group: tuple[int, ...]
    class_units: tuple[float, float, int]

    def __call__(self, piece: BinnedPiece, model: Sequence[CodedTree], states: StateStore) -> list[Whole]:
        """The sums of one piece, by class."""
        found = [np.zeros(2 * len(self.nodes), dtype=np.int64) for _ in self.group]
        with states.state(piece, self.growth, model) as state:
            core = state.start_tree(self.number, self.units, self.group)
            for output, sums in enumerate(found):
                core.refill(self.class_units, output)
                core.add_sums(self.tree, self.nodes, sums)
        return found


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFacts:
    """Facts of the scores of rows: the largest derivatives, and sums of losses and weights."""

    largest: tuple[float, float]
    training: Whole
    training_weight: float
    held_out: Whole
    held_out_weight: float

    @staticmethod
    def merged(facts: Iterable[ScoreFacts]) -> ScoreFacts:
        """The facts of several pieces."""
        each = list(facts)
        return ScoreFacts(
            (max(one.largest[0] for one in each), max(one.largest[1] for one in each)),
            np.sum([one.training for one in each], axis=0),
            sum(one.training_weight for one in each),
            np.sum([one.held_out for one in each], axis=0),
            sum(one.held_out_weight for one in each),
        )

    @property
    def training_loss(self) -> float:
        """The mean loss of the training rows."""
        return _exact(self.training) / self.training_weight

    @property
    def held_out_loss(self) -> float:
        """The mean loss of the held-out rows."""
        return _exact(self.held_out) / self.held_out_weight


def _exact(cells: Whole) -> float:
    """An exact sum, rounded once; the last two numbers count values that are not finite."""
    if cells[-1]:
        return float("nan")
    if cells[-2]:
        return float("inf")
    total = sum(int(limb) << (_LIMB_BITS * place) for place, limb in enumerate(cells[:-2].tolist()))
    return float(total / (1 << _LAST_PLACE))


@dataclasses.dataclass(frozen=True, eq=False)
class ScoresTask:
    """The facts of the scores after the trees so far."""

    growth: Growth
    has_losses: bool

    def __call__(self, piece: BinnedPiece, model: Sequence[CodedTree], states: StateStore) -> ScoreFacts:
        """The facts of one piece."""
        nothing = np.zeros(0, dtype=np.int64)
        with states.state(piece, self.growth, model) as state:
            largest = state.core.largest(0)
            return ScoreFacts(largest, *(state.core.losses() if self.has_losses else (nothing, 0.0, nothing, 0.0)))
