"""WorkerBins: the bins of a piece in a file on the disk of a worker; what travels to another worker is its bytes.

The result of the task that codes a piece is such an object, and Dask knows how to compute it again from its source, so
a worker that is lost takes nothing with it. The file is removed with the object.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pickle
import shutil
import tempfile
import uuid
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from hornbeam.errors import OutputError, short_repr
from hornbeam.scale.bin_files import BinFile, Layout, write_bin_file
from hornbeam.scale.first_pass import Roles
from hornbeam.scale.plan import TablePlan
from hornbeam.table.memory import format_bytes

_SPARE = 16 << 20
# The bins are on disk: Dask should neither spill them nor take it for free to move them.
_COUNTED = 10
# Growths that have ended in this process: what a task still writes for them is removed at once.
_ended: set[str] = set()


@dataclasses.dataclass(frozen=True, eq=False)
class Coding:
    """How workers code pieces: the same for all pieces of a growth; `key` is that of the growth."""

    roles: Roles
    plan: TablePlan
    batch_rows: int
    key: str


@dataclasses.dataclass(frozen=True)
class Place:
    """The number of binned rows of a piece, and that of its first row in the binned table."""

    n_rows: int
    first_row: int


class WorkerBins(BinFile):
    """A bin file that belongs to this object."""

    def __init__(self, path: str, n_rows: int, first_row: int, layout: Layout, key: str) -> None:
        super().__init__(path, n_rows, first_row, layout)
        object.__setattr__(self, "key", key)
        weakref.finalize(self, _remove, path)

    def __sizeof__(self) -> int:
        return max(self.layout.size // _COUNTED, 1)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """The bytes of the file, without a copy where the protocol of pickle allows it."""
        content: Any = np.memmap(self.path, dtype=np.uint8, mode="r")
        data = pickle.PickleBuffer(content) if protocol >= 5 else content.tobytes()
        return _received, (data, self.n_rows, self.first_row, self.layout, self.__dict__["key"])


def code_piece(piece: Any, coding: Coding, places: tuple[Place, ...], number: int) -> WorkerBins:
    """The bins of a piece, in a new file of this worker."""
    place = places[number]
    layout = Layout.of(coding.plan, place.n_rows)
    path = _new_path(coding.key, layout.size, piece.label)
    try:
        write_bin_file(piece, coding.roles, coding.plan, path, place.n_rows, coding.batch_rows)
    except OutputError as error:
        raise _full(piece.label, path.parent, layout.size, error.message) from None
    _remove_if_ended(coding.key, path)
    return WorkerBins(str(path), place.n_rows, place.first_row, layout, coding.key)


def _received(data: Any, n_rows: int, first_row: int, layout: Layout, key: str) -> WorkerBins:
    """Bins that come from another worker."""
    path = _new_path(key, layout.size, "A piece")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _full("A piece", path.parent, layout.size, str(error.strerror or error)) from None
    _remove_if_ended(key, path)
    return WorkerBins(str(path), n_rows, first_row, layout, key)


def _new_path(key: str, size: int, label: str) -> Path:
    """The path of a new file, on a disk with room for it."""
    folder = Path(worker_folder()) / f"hornbeam-{key}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise _full(label, folder, size, str(error.strerror or error)) from None
    if size + _SPARE > free:
        raise _full(label, folder, size, f"{format_bytes(free)} are free")
    return folder / f"{uuid.uuid4().hex}.bins"


def _full(label: str, folder: Path, size: int, reason: str) -> OutputError:
    return OutputError(
        f"{label}: its bins require {format_bytes(size)} of disk in {short_repr(str(folder), 200)} of a worker: "
        f"{reason.rstrip('.')}.",
        hint="Free some space, or start the workers with a local directory on another disk.",
        needed=size,
        path=str(folder),
    )


def remove_bins(key: str, dask_worker: Any) -> None:
    """Remove what a growth has left on a worker, which Dask passes; tasks that are running leave nothing either."""
    _ended.add(key)
    shutil.rmtree(Path(dask_worker.local_directory) / f"hornbeam-{key}", ignore_errors=True)


def _remove_if_ended(key: str, path: Path) -> None:
    if key in _ended:
        shutil.rmtree(path.parent, ignore_errors=True)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def worker_folder() -> str:
    """The folder of this worker, which Dask removes when the worker ends."""
    try:
        from distributed import get_worker

        return str(get_worker().local_directory)
    except (ImportError, ValueError):  # not in a task: bins that arrive
        return _folder_of_process() or tempfile.gettempdir()


def _folder_of_process() -> str:
    from distributed import Worker

    workers = getattr(Worker, "_instances", ())
    return next((str(worker.local_directory) for worker in workers if worker.status.name == "running"), "")
