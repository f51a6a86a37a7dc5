"""Writes files atomically: a crash leaves the old file or the new one, never a partial file.

The data go to a temporary file in the same folder, which is flushed to disk, gets the mode of the old file and is
renamed over it; then the folder is flushed. A symbolic link stays and its target is replaced. A killed process leaves
its temporary file behind, named `.NAME.PID.RANDOM.tmp` (a digest if the name is long); the next save of that name
removes those whose process has ended.

Only regular files are replaced. A FIFO, a terminal and other character devices are written to; everything else is
rejected.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from typing import BinaryIO

from hornbeam.errors import HornbeamError, OutputError, short_repr

# Longer names are replaced by a digest: names may have 255 bytes, and the temporary name adds up to 26.
_MAX_NAME = 200
# Signal 0 tests whether a process exists; on Windows the number means Ctrl-C, so no process is tested there.
_CAN_TEST_PROCESSES = os.name == "posix"
# Files behind these paths, regular ones too, belong to the process that opened them.
_OPENED = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")


def write_whole(path: str | os.PathLike[str], data: bytes, error: type[HornbeamError] = OutputError) -> None:
    """`write_atomically`, with failures of the system as a hornbeam error; the old file is unchanged."""
    with system_failures_as(path, error):
        write_atomically(os.fspath(path), data)


@contextlib.contextmanager
def system_failures_as(path: str | os.PathLike[str], error: type[HornbeamError]) -> Iterator[None]:
    """Raise failures of the system while a file is written as a hornbeam error."""
    try:
        yield
    except (OSError, ValueError) as failure:
        if isinstance(failure, (BrokenPipeError, HornbeamError)):
            raise
        reason = getattr(failure, "strerror", None) or failure
        raise error(
            f"Cannot write {short_repr(os.fspath(path), 1000)}: {reason}.",
            hint="The previous content is unchanged.",
            path=os.fspath(path),
        ) from failure


def write_atomically(path: str, data: bytes) -> None:
    """Replace the contents of a file in one step; on any error the old file stays and no temporary file remains."""
    with open_atomically(path) as file:
        file.write(data)


@contextlib.contextmanager
def open_atomically(path: str) -> Iterator[BinaryIO]:
    """A file to write to, which replaces the old one when the block ends.

    On any error, also on Ctrl-C, the old file stays and no temporary file remains. A stream is written to directly.
    """
    if is_stream(path):
        with open(os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0)), "wb") as stream:
            yield stream
        return
    target = os.path.realpath(path)
    _reject_special(target)
    folder, name = os.path.split(target)
    prefix = _prefix(name)
    _remove_stale(folder, prefix)
    temporary = os.path.join(folder, f"{prefix}{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(handle, "wb") as file:
            with contextlib.suppress(FileNotFoundError):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def is_stream(path: str) -> bool:
    """Whether a path is written to directly: a FIFO, a character device, or a file that is already open."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or _OPENED.fullmatch(os.path.abspath(path)) is not None


def _reject_special(target: str) -> None:
    """Raise if the path is neither a regular file nor a stream: folders, block devices, sockets."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(target).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "It is not a regular file", target)


def _prefix(name: str) -> str:
    raw = os.fsencode(name)
    return f".{name}." if len(raw) <= _MAX_NAME else f".{hashlib.sha256(raw).hexdigest()[:32]}."


def _sync_folder(folder: str) -> None:
    """Make the rename durable, if the system can flush a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove_stale(folder: str, prefix: str) -> None:
    """Remove temporary files of earlier saves whose process has ended."""
    stale = re.compile(rf"{re.escape(prefix)}(\d+)\.[0-9a-f]{{8}}\.tmp")
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            found = stale.fullmatch(entry)
            if found and not _is_alive(int(found[1])):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, entry))


def _is_alive(process: int) -> bool:
    if not _CAN_TEST_PROCESSES:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
