"""A query as a chain of common table expressions: every stage selects the columns still needed, and new ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from hornbeam.rules.sql_text import identifier

MAX_COLUMNS = 400  # new columns of one stage
MAX_TERMS = 200  # terms that one expression adds
_WIDTH = 110

Column = tuple[str, str]  # alias, expression


class Stages:
    """Collects the stages of a query on a table.

    `columns` are the table's columns that the query reads; `render` writes an expression in the dialect; `once` are
    the texts before and at the end of a stage that make a database compute it once.
    """

    def __init__(
        self,
        table: str,
        columns: Sequence[str],
        *,
        render: Callable[[str], str] = str,
        once: tuple[str, str] = ("", ""),
    ) -> None:
        self.source = ".".join(render(identifier(part)) for part in table.split("."))
        self.live = [identifier(name) for name in columns]
        self.render = render
        self.once = once
        self.texts: list[str] = []
        self.taken = {name.lower() for name in columns}
        self.used: set[str] = set()

    def name(self, base: str) -> str:
        """A name that no column of the table and no other stage or column has."""
        found, number = base, 2
        while found.lower() in self.taken:
            found, number = f"{base}_{number}", number + 1
        self.taken.add(found.lower())
        return found

    def add(self, base: str, columns: Sequence[Column], drop: Iterable[str] = ()) -> None:
        """Append a stage with new columns; columns to drop are not selected any more."""
        name = self.name(base)
        drop = set(drop)
        kept = [column for column in self.live if column not in drop]
        start, end = self.once
        self.texts.append(f"{name} AS {start}(\n{self._select(kept, columns)}{end}\n)")
        self.live = [*kept, *(alias for alias, _ in columns)]
        self.source = name

    def add_sums(
        self, base: str, starts: Sequence[str], terms: Sequence[Sequence[str]], drop: Sequence[str]
    ) -> list[str]:
        """Stages that add terms to sums, in order; the names of the sums. `terms[k]` are those of the sum k."""
        sums = list(starts)
        longest = max(map(len, terms))
        names: list[str] = []
        for at in range(0, max(longest, 1), MAX_TERMS):
            aliases = [self.name(f"{base}_{k}" if len(starts) > 1 else base) for k in range(len(starts))]
            columns = [
                (alias, " + ".join([sums[k], *terms[k][at : at + MAX_TERMS]])) for k, alias in enumerate(aliases)
            ]
            is_last = at + MAX_TERMS >= longest
            self.add(f"{base}s", columns, [*names, *(drop if is_last else ())])
            sums = names = aliases
        return names

    def finished(self, columns: Sequence[Column], keep: Sequence[str]) -> str:
        """The query: the stages, then the kept columns of the table and the last ones."""
        final = self._select([identifier(name) for name in keep], columns, indent="")
        return f"WITH {', '.join(self.texts)}\n{final}" if self.texts else final

    def _select(self, kept: Sequence[str], columns: Sequence[Column], indent: str = "  ") -> str:
        lines = _wrapped([self.render(name) for name in kept], f"{indent}  ")
        for alias, expression in columns:
            name = self.render(alias) if alias.startswith('"') else alias
            lines.append(f"{indent}  {self.render(expression)} AS {name}")
        return f"{indent}SELECT\n" + ",\n".join(lines) + f"\n{indent}FROM {self.source}"


def _wrapped(names: Sequence[str], indent: str) -> list[str]:
    """Names in lines of limited length, without the comma at the end of a line."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= _WIDTH:
            lines[-1] += f", {name}"
        else:
            lines.append(indent + name)
    return lines


def is_plain(alias: str) -> bool:
    """Whether a name needs no quotes."""
    return re.fullmatch(r"[a-z][a-z0-9_]*", alias) is not None
