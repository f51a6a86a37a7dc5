"""What boosting keeps of a piece between rounds: scores, gradients, and the rows in the order of the nodes of a tree.

A state only saves time: without it the scores are computed again from the trees so far. Its arrays are in memory, or in
a file next to the bins that is removed from the folder at once where the system permits that.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import mmap
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam import _native
from hornbeam.errors import OutputError, short_repr
from hornbeam.scale.bin_files import BinFile, opened
from hornbeam.scale.binned import BinnedPiece
from hornbeam.table.memory import format_bytes

# A tree on codes: arrays by name.
CodedTree = Mapping[str, Any]
_PAIR, _SCORE, _ROW = 16, 8, 4


def state_bytes(n_rows: int, outputs: int) -> int:
    """The size of the states of some rows."""
    return n_rows * (_PAIR + _ROW + _SCORE * (outputs + (2 if outputs > 1 else 0)))


@dataclasses.dataclass(frozen=True, eq=False)
class Growth:
    """What is the same in all requests of one growth: settings of the core, scores before the first tree, place."""

    name: str
    settings: Mapping[str, Any]
    base: tuple[float, ...]
    in_files: bool

    @property
    def outputs(self) -> int:
        """The number of scores per row."""
        return len(self.base)


class BoostState:
    """The state of one piece: after `n_trees` complete trees, within the tree number `tree`."""

    def __init__(self, piece: BinnedPiece, growth: Growth) -> None:
        self.outputs = growth.outputs
        self.n_trees, self._tree, self._round = 0, -1, -1
        self._group: tuple[int, ...] | None = None
        self._file = _StateFile(piece.path) if growth.in_files and isinstance(piece, BinFile) else None
        given = opened(piece)
        self._core: Any = _native.BoostedPiece(
            dict(growth.settings),
            {
                "n_rows": piece.n_rows,
                "first_row": piece.first_row,
                "codes": [np.ascontiguousarray(given.codes(c)) for c in range(len(growth.settings["n_codes"]))],
                "target": np.ascontiguousarray(given.target),
                "weights": None if given.weights is None else np.ascontiguousarray(given.weights),
                **self._arrays(piece.n_rows),
            },
        )
        self._core.set_scores(list(growth.base))

    def _arrays(self, n: int) -> dict[str, npt.NDArray[Any]]:
        sizes: dict[str, tuple[Any, int]] = {
            "pairs": (np.int64, 2 * n),
            "scores": (np.float64, self.outputs * n),
            "softmax": (np.float64, 2 * n if self.outputs > 1 else 0),
            "rows": (np.uint32, n),
        }
        if self._file is None or not n:
            return {name: np.zeros(size, dtype=dtype) for name, (dtype, size) in sizes.items()}
        whole = self._file.mapped(sum(np.dtype(dtype).itemsize * size for dtype, size in sizes.values()))
        found, offset = {}, 0
        for name, (dtype, size) in sizes.items():
            found[name] = np.frombuffer(whole, dtype=dtype, count=size, offset=offset)
            offset += found[name].nbytes
        return found

    def advance(self, model: Sequence[CodedTree]) -> None:
        """Add the trees that are not in the scores yet."""
        for number in range(self.n_trees, len(model)):
            k = number % self.outputs
            if k == 0 and number // self.outputs == len(model) // self.outputs:
                self._start_round(number // self.outputs)
            self._core.apply(model[number], k, self._tree == number)
            self._tree = -1
            self.n_trees = number + 1

    def start_tree(self, number: int, units: tuple[float, float, int], group: tuple[int, ...] | None = None) -> Any:
        """The core, with the gradients of a tree in these units; `group` marks classes of a tree for all of them."""
        if self._tree != number or self._group != group:
            self._start_round(number // self.outputs)
            if group is None:
                self._core.start_tree(units, number % self.outputs, number // self.outputs)
            else:
                self._core.start_joint(units, list(group), number // self.outputs)
            self._tree, self._group = number, group
        return self._core

    @property
    def core(self) -> Any:
        """The rows as the core has them."""
        return self._core

    def _start_round(self, number: int) -> None:
        if self._round != number:
            self._core.start_round()
            self._round = number


class _StateFile:
    """A file of a state next to the bins."""

    def __init__(self, bins: str) -> None:
        self.path = f"{bins}.{os.getpid()}.{threading.get_ident()}.state.partial"

    def mapped(self, size: int) -> mmap.mmap:
        """A map of the file, whose space on the disk is reserved."""
        try:
            with open(self.path, "w+b") as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, size)
                else:  # no cover: other systems write the pages
                    file.truncate(size)
                found = mmap.mmap(file.fileno(), size)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise OutputError(
                f"The scores of boosting require {format_bytes(size)} of disk in "
                f"{short_repr(os.path.dirname(self.path), 200)}, which has less free.",
                hint="Free some space, or pass a folder on another disk as work=.",
                path=self.path,
            ) from None
        finally:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
        return found


class StateStore:
    """The states of pieces in this process, by growth and piece; a state in use is not in the store."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, int, int], BoostState] = {}
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def state(self, piece: BinnedPiece, growth: Growth, model: Sequence[CodedTree]) -> Any:
        """The state of a piece after the trees of a model."""
        name = (growth.name, piece.first_row, piece.n_rows)
        with self._lock:
            found = self._states.pop(name, None)
        if found is None or found.n_trees > len(model):
            found = BoostState(piece, growth)
        found.advance(model)
        yield found
        with self._lock:
            self._states[name] = found

    def drop(self, growth: str | None = None) -> None:
        """Drop the states of a growth, or all."""
        with self._lock:
            self._states = {at: each for at, each in self._states.items() if growth is not None and at[0] != growth}
