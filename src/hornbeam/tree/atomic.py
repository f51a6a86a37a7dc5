"""How is a file replaced so that a crash leaves the old one or the new one, never a half?

Write to a temporary file in the same folder, flush to disk, give it the mode of the old file, rename it over the old
one, flush the folder. A symbolic link stays: what it points to is replaced. A process that was killed leaves its
temporary file behind, named `.NAME.PID.RANDOM.tmp`; the next save of that name sweeps those whose process is gone.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets


def write_atomically(path: str, data: bytes) -> None:
    """Replace a file's contents in one step; on any error the old file stays and nothing is left behind."""
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    _sweep(folder, name)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(handle, "wb") as file:
            with contextlib.suppress(FileNotFoundError):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Make the rename itself durable, where the system lets a folder be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(folder: str, name: str) -> None:
    """Remove temporary files of earlier saves whose process is gone."""
    stale = re.compile(rf"\.{re.escape(name)}\.(\d+)\.[0-9a-f]{{8}}\.tmp")
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            found = stale.fullmatch(entry)
            if found and not _is_alive(int(found[1])):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, entry))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
