"""Checks before a large allocation that it fits into memory; the error states the required and the available bytes.

The available memory is the minimum of the free memory of the system, the rest of the process limit (RLIMIT_AS) and the
rest of the limits of its control groups (containers, batch systems; versions 1 and 2).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from hornbeam.errors import MemoryLimitError

_UNCHECKED_BYTES = 16 * 2**20
_UNLIMITED = 2**62
_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def format_bytes(size: float) -> str:
    """A size with its unit, such as 1.5 GB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def available_bytes() -> int:
    """The available memory: the minimum of what system, process limit and control groups leave."""
    return max(0, min(_free_in_system(), _left_of_process(), _left_of_groups()))


def _free_in_system() -> int:
    """The free memory of the system; all its memory where the free part is unknown."""
    free = _field(_PROC / "meminfo", "MemAvailable:")
    if free is not None:
        return free * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return _UNLIMITED


def _left_of_process() -> int:
    """The rest of the limit of the address space."""
    try:
        import resource
    except ImportError:  # no such limits on this system
        return _UNLIMITED
    if not hasattr(resource, "RLIMIT_AS"):
        return _UNLIMITED
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return _UNLIMITED
    used = _field(_PROC / "self" / "status", "VmSize:")
    return limit - (used or 0) * 1024


def _left_of_groups() -> int:
    """The rest of the limits of the process's control groups; memory that caches files counts as free."""
    left = _UNLIMITED
    for folder in _groups():
        for maximum, used, cached in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            limit, taken = _number(folder / maximum), _number(folder / used)
            if limit is not None and limit < _UNLIMITED and taken is not None:
                left = min(left, limit - taken + (_field(folder / "memory.stat", cached) or 0))
    return left


def _groups() -> Iterator[Path]:
    """The folders of the process's groups and their parents; in a container the mount is the group itself."""
    roots = {_GROUPS, _GROUPS / "memory"}
    with contextlib.suppress(OSError, ValueError):
        for line in (_PROC / "self" / "cgroup").read_text(encoding="utf-8").splitlines():
            _, names, path = line.split(":", 2)
            if names and "memory" not in names.split(","):
                continue
            root = _GROUPS / "memory" if names else _GROUPS
            own = root / path.lstrip("/")
            for folder in (own, *own.parents):
                if folder in roots or not folder.is_relative_to(root):
                    break
                yield folder
    yield from sorted(roots)


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _field(path: Path, name: str) -> int | None:
    """The number after a name in a file of names and numbers."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in path.read_text(encoding="ascii").splitlines():
            if line.startswith(name) and line.split()[0] == name:
                return int(line.split()[1])
    return None


def require_memory(size: int, what: str, hint: str = "", limit: int | None = None) -> None:
    """Raise an error unless `size` bytes are available (or within the given limit)."""
    if size < _UNCHECKED_BYTES and limit is None:
        return
    maximum = available_bytes() if limit is None else limit
    if size > maximum:
        raise MemoryLimitError(
            f"{what} requires {format_bytes(size)}, but only {format_bytes(maximum)} may be used.",
            hint=hint,
            needed=size,
            limit=maximum,
        )
