"""The folder of the files that a growth writes: bins, spooled columns, and the record of what is complete.

Without a name it is a temporary folder that is removed at the end, also after an error or Ctrl-C. A named folder is
kept, and a later growth from the same files with the same settings uses what is complete there.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbeam.errors import OutputError, short_repr
from hornbeam.table.memory import format_bytes

_RECORD = "hornbeam.json"
_SPARE = 64 << 20


class WorkFolder:
    """A folder and the record of what it contains."""

    def __init__(self, path: Path, is_kept: bool) -> None:
        self.path = path
        self.is_kept = is_kept

    def record(self, key: str) -> dict[str, Any]:
        """What is recorded under this key; empty if the folder was used for other files or settings."""
        with contextlib.suppress(OSError, ValueError):
            found = json.loads((self.path / _RECORD).read_text(encoding="utf-8"))
            if isinstance(found, dict) and found.get("key") == key:
                return found
        return {}

    def save_record(self, key: str, values: dict[str, Any]) -> None:
        """Record values under a key; the record of another key is replaced."""
        text = json.dumps({"key": key, **values})
        partial = self.path / f"{_RECORD}.partial"
        try:
            partial.write_text(text, encoding="utf-8")
            os.replace(partial, self.path / _RECORD)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise OutputError(
                f"Cannot write to {short_repr(str(self.path), 200)}: {error.strerror or error}.",
                hint="Free some disk space, or pass another folder as work=.",
                path=str(self.path),
            ) from None

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
        for path in [*self.path.glob("*.bins"), *self.path.glob("*.partial"), self.path / _RECORD]:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


@contextlib.contextmanager
def work_folder(given: str | os.PathLike[str] | None = None) -> Iterator[WorkFolder]:
    """The named folder, which is kept, or a temporary one."""
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
        yield WorkFolder(path, True)
        return
    folder = tempfile.mkdtemp(prefix="hornbeam-bins-")
    try:
        yield WorkFolder(Path(folder), False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_own(path: Path) -> bool:
    return path.name == _RECORD or path.suffix in (".bins", ".partial", ".parquet")
