"""Would this fit into memory?  Asked before anything large is made, so that the answer is an error with the number in it."""

from __future__ import annotations

import os
from pathlib import Path

from hornbeam.errors import MemoryLimitError

_NEVER_ASK_BELOW = 64 * 2**20


def worded_bytes(size: float) -> str:
    """A size as people read it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def available_bytes() -> int:
    """Memory that could be had now, as the system says; the whole of it where it does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 2**62


def require_memory(size: int, what: str, hint: str = "", limit: int | None = None) -> None:
    """Raise unless so many bytes are there (or lie within the limit given)."""
    if size < _NEVER_ASK_BELOW and limit is None:
        return
    most = available_bytes() if limit is None else limit
    if size > most:
        raise MemoryLimitError(
            f"{what} needs {worded_bytes(size)}; {worded_bytes(most)} may be used.", hint=hint, needed=size, limit=most
        )
