"""Bin files: the codes, the target and the weights of one piece of a table, contiguous per column, memory-mapped.

    codes of column 0 | codes of column 1 | ... | target | weights       each padded to a multiple of 8 bytes

A file is written under another name and renamed when it is complete, so a file with its final name is complete.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OutputError, short_repr
from hornbeam.scale.binned import BinnedPiece, Floats, MemoryPiece
from hornbeam.scale.code_values import Coder
from hornbeam.scale.first_pass import Cells, Roles, read_cells
from hornbeam.scale.plan import TablePlan
from hornbeam.scale.sources import SourcePiece
from hornbeam.scale.summaries import numbers_of


@dataclasses.dataclass(frozen=True)
class Layout:
    """The arrays of a bin file: their types and their offsets."""

    dtypes: tuple[str, ...]
    offsets: tuple[int, ...]
    size: int
    n_columns: int

    @classmethod
    def of(cls, plan: TablePlan, n_rows: int) -> Layout:
        """The layout of a piece with `n_rows` rows."""
        dtypes = [np.dtype(column.binned.dtype).str for column in plan.columns]
        dtypes.append("<u2" if plan.target.spec.has_levels else "<f8")
        if plan.has_weights:
            dtypes.append("<f8")
        offsets, end = [], 0
        for dtype in dtypes:
            offsets.append(end)
            end += -(-n_rows * np.dtype(dtype).itemsize // 8) * 8
        return cls(tuple(dtypes), tuple(offsets), end, len(plan.columns))


@dataclasses.dataclass(frozen=True)
class BinFile:
    """The binned rows of one piece, in a file; its arrays are memory maps."""

    path: str
    n_rows: int
    first_row: int
    layout: Layout

    def _array(self, index: int) -> npt.NDArray[Any]:
        layout = self.layout
        dtype, offset = np.dtype(layout.dtypes[index]), layout.offsets[index]
        return np.memmap(self.path, dtype=dtype, mode="r", offset=offset, shape=(self.n_rows,))

    def codes(self, column: int) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The bins of a column."""
        return self._array(column)

    @property
    def target(self) -> npt.NDArray[Any]:
        """The classes as codes, or the numbers."""
        return self._array(self.layout.n_columns)

    @property
    def weights(self) -> Floats | None:
        """The weights; None if every weight is 1."""
        has_weights = len(self.layout.dtypes) > self.layout.n_columns + 1
        return self._array(self.layout.n_columns + 1) if has_weights else None


def opened(piece: BinnedPiece) -> BinnedPiece:
    """A piece whose arrays are views of one memory map; a piece in memory is returned."""
    if not isinstance(piece, BinFile):
        return piece
    layout = piece.layout
    whole = np.memmap(piece.path, dtype=np.uint8, mode="r")
    arrays = [
        whole[offset : offset + piece.n_rows * np.dtype(dtype).itemsize].view(dtype)
        for dtype, offset in zip(layout.dtypes, layout.offsets, strict=True)
    ]
    codes, rest = arrays[: layout.n_columns], arrays[layout.n_columns :]
    return MemoryPiece(piece.n_rows, piece.first_row, tuple(codes), rest[0], rest[1] if len(rest) > 1 else None)


def write_bin_file(
    piece: SourcePiece, roles: Roles, plan: TablePlan, path: Path, n_rows: int, batch_rows: int
) -> Layout:
    """Code the rows of a piece that are not held out; `n_rows` is their number, from the first pass."""
    layout = Layout.of(plan, n_rows)
    partial = path.with_name(f"{path.name}.partial")
    coders = [Coder(column, column.binned.dtype) for column in plan.columns]
    target = Coder(plan.target, "<u2") if plan.target.spec.has_levels else None
    done = 0
    try:
        with open(partial, "wb", buffering=0) as file:
            file.truncate(layout.size)
            for cells in read_cells(piece, roles, batch_rows):
                arrays = _coded(cells, roles, plan, coders, target)
                for dtype, offset, array in zip(layout.dtypes, layout.offsets, arrays, strict=True):
                    file.seek(offset + done * np.dtype(dtype).itemsize)
                    _write(file.fileno(), np.ascontiguousarray(array, dtype=dtype))
                done += len(arrays[0])
        os.replace(partial, path)
    except OSError as error:
        folder = short_repr(str(path.parent), 200)
        raise OutputError(
            f"Cannot write the bins of {piece.label} to {folder}: {error.strerror or error}.",
            hint="Free some disk space, or pass another folder as work=.",
            path=str(path),
        ) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    assert done == n_rows, "the first pass counted other rows"
    return layout


def _write(handle: int, array: npt.NDArray[Any]) -> None:
    left = array.view(np.uint8).data
    while left:
        left = left[os.write(handle, left) :]


def _coded(
    cells: Cells, roles: Roles, plan: TablePlan, coders: list[Coder], target: Coder | None
) -> list[npt.NDArray[Any]]:
    """The codes of every column, the target and the weights of the rows that are not held out."""
    kept = cells.grown
    found: list[npt.NDArray[Any]] = [coder.code(cells.raw[coder.plan.spec.name])[kept] for coder in coders]
    raw = cells.raw[roles.target]
    found.append((numbers_of(raw) if target is None else target.code(raw))[kept])
    if cells.weights is not None:
        found.append(cells.weights[kept])
    return found
