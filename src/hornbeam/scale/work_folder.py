"""The folder of the files that a growth writes: bins, spooled columns, and the record of what is complete.

Without a name it is a temporary folder that is removed at the end, also after an error or Ctrl-C. A named folder is
kept, and a later growth from the same files with the same settings uses what is complete there (`checkpoint.py`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbeam.errors import OptionError, OutputError, Set, short_repr
from hornbeam.scale.checkpoint import Checkpoint
from hornbeam.table.memory import format_bytes

_RECORD = "hornbeam.json"
_SPARE = 64 << 20


class WorkFolder:
    """A folder and the record of what is complete; `keeps_record` if a later growth may read it."""

    def __init__(self, path: Path, keeps_record: bool, checkpoint: Checkpoint) -> None:
        self.path = path
        self.keeps_record = keeps_record
        self.checkpoint = checkpoint

    def record(self, key: str) -> dict[str, Any]:
        """What is recorded under this key; empty if the folder was used for other files or settings."""
        return self.checkpoint.first_pass(key)

    def save_record(self, key: str, values: dict[str, Any]) -> None:
        """Record values under a key; the record of another key is replaced."""
        self.checkpoint.save_first_pass(key, values)

    def require_space(self, n_bytes: int, what: str) -> None:
        """Raise an error unless the disk has the bytes free."""
        free = shutil.disk_usage(self.path).free
        if n_bytes + _SPARE > free:
            raise OutputError(
                f"{what} requires {format_bytes(n_bytes)} of disk in {short_repr(str(self.path), 200)}, which has "
                f"{format_bytes(free)} free.",
                hint="Free some space, or pass a folder on another disk as work=.",
                needed=n_bytes,
                free=free,
            )

    def clear(self) -> None:
        """Remove the files of an earlier growth."""
        for path in [*self.path.glob("*.bins"), *self.path.glob("*.partial")]:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
        self.checkpoint.clear()


@contextlib.contextmanager
def work_folder(
    given: str | os.PathLike[str] | None = None, resume: str | os.PathLike[str] | None = None
) -> Iterator[WorkFolder]:
    """The named folder, which is kept, or a temporary one; `resume` is a checkpoint that is not in the folder."""
    if given is not None and resume is not None:
        raise OptionError(
            "resume cannot be combined with work=, whose folder has a checkpoint of its own.",
            fix=(Set("resume", None), Set("work", None)),
            option="resume",
        )
    if given is not None:
        path = Path(given)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"Cannot create the folder {short_repr(str(path), 200)}: {error.strerror}.") from None
        others = [each.name for each in path.iterdir() if not _is_own(each)]
        if others and not (path / _RECORD).exists():
            raise OutputError(
                f"The folder {short_repr(str(path), 200)} contains other files, such as {short_repr(others[0])}.",
                hint="Pass an empty folder as work=, or a name that does not exist yet.",
                path=str(path),
            )
        yield WorkFolder(path, True, _checkpoint(path, resume))
        return
    folder = tempfile.mkdtemp(prefix="hornbeam-bins-")
    try:
        yield WorkFolder(Path(folder), resume is not None, _checkpoint(Path(folder), resume))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _checkpoint(folder: Path, resume: str | os.PathLike[str] | None) -> Checkpoint:
    return Checkpoint(folder / _RECORD if resume is None else resume, is_named=resume is not None)


def _is_own(path: Path) -> bool:
    return path.name == _RECORD or path.suffix in (".bins", ".partial", ".parquet")
