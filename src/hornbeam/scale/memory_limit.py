"""The memory that a growth from files may use: its text, and how many rows are processed at once within it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from hornbeam.errors import MemoryLimitError, OptionError, short_repr
from hornbeam.scale.first_pass import Roles
from hornbeam.table.memory import format_bytes

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12} | {
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "TIB": 2**40,
}
MIN_LIMIT = 32 << 20
_CELL_BYTES = 48  # of a batch: the value, its float64, its codes and the buffers of the reader
_SAMPLE_CELL_BYTES = 24  # of the sample: two copies while pieces are merged, and one sorted column
_MIN_BATCH, _MAX_BATCH = 4096, 131_072


def bytes_of(memory: str | int) -> int:
    """A size such as "2GB", "512 MiB" or a number of bytes, in bytes."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", str(memory))
    unit = found[2].upper() if found else ""
    if found is None or unit not in _UNITS or isinstance(memory, bool):
        raise OptionError(
            f"memory must be a size such as '2GB' or '512MB', got {short_repr(memory)}.", option="memory", got=memory
        )
    size = int(float(found[1]) * _UNITS[unit])
    if size < MIN_LIMIT:
        raise OptionError(
            f"memory must be at least {format_bytes(MIN_LIMIT)}, got {format_bytes(size)}.", option="memory", got=memory
        )
    return size


@contextlib.contextmanager
def memory_returned() -> Iterator[None]:
    """Let pyarrow allocate from the system inside the block: its own pools keep memory that has been freed."""
    import pyarrow as pa

    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)
        before.release_unused()


def batch_rows_within(limit: int, n_columns: int) -> int:
    """The number of rows that are processed at once; the result does not depend on it."""
    return max(_MIN_BATCH, min(_MAX_BATCH, limit // 4 // (_CELL_BYTES * n_columns)))


def sample_bytes(n_columns: int, sample_rows: int) -> int:
    """The memory of the sample of rows while it is collected."""
    return sample_rows * (n_columns * _SAMPLE_CELL_BYTES + 64)


def check_sample_fits(roles: Roles, n_rows: int, limit: int) -> None:
    """Raise an error if the sample of rows does not fit into the memory."""
    needed = sample_bytes(len(roles.predictors) + 1, min(roles.sample_rows, n_rows))
    if needed > limit // 2:
        raise MemoryLimitError(
            f"The sample of {roles.sample_rows:,} rows requires {format_bytes(2 * needed)} of memory, but the limit is "
            f"{format_bytes(limit)}.",
            hint="Pass a larger memory=, or a smaller bins_sample=, which makes the bins coarser.",
            needed=2 * needed,
            limit=limit,
        )
