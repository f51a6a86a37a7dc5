"""Levels as text that never runs over a line.

Biscoe, Dream                        a few levels in full
3 of 1,352 levels: a, b, ...         some levels of a column that has more
1,352 levels: a, b, c, ...           all levels of a column
"""

from __future__ import annotations

from collections.abc import Sequence

MAX_WIDTH = 60
_MAX_LEVEL_LENGTH = 24


def level_list(
    levels: Sequence[str], n_levels: int, *, total: int | None = None, sign: str = ", ", width: int = MAX_WIDTH
) -> str:
    """`n_levels` levels, of which the first are given; of `total` levels of the column, if not all are meant."""
    if n_levels == 0:
        return "none"
    full = sign.join(levels)
    if len(levels) == n_levels and len(full) <= width:
        return full
    count = f"{n_levels:,}" + (f" of {total:,}" if total is not None else "") + " levels: "
    shown: list[str] = []
    used = len(count) + len("...")
    for level in levels:
        text = level if len(level) <= _MAX_LEVEL_LENGTH else level[: _MAX_LEVEL_LENGTH - 3] + "..."
        used += len(text) + len(sign)
        if used > width and shown:
            break
        shown.append(text)
    more = ["..."] if len(shown) < n_levels else []
    return count + sign.join(shown + more)
