"""The result of `compare_prunings`: one line per pruning, as text, HTML, dictionaries and plot.

    pruning            leaves  training  held out  cross-validated
    none                   41    0.0000    0.1120    0.1043 ± 0.0121
    reduced_error          12    0.0410    0.0880    0.0861 ± 0.0109
    cost_complexity         5    0.0610    0.0800    0.0812 ± 0.0101  <- smallest

Errors are error rates (mean costs with costs, mean squared errors for regression). `leaves` and the first two errors
are those of one tree; cross-validated errors are those of trees grown and pruned in the same way per fold, plus and
minus one standard error. A method that cannot prune the tree keeps its line, with the reason.
"""

from __future__ import annotations

import dataclasses
import html
import math
from typing import Any

from hornbeam.drawing.dot_plot import dot_plot
from hornbeam.drawing.picture import Picture
from hornbeam.number_text import short_number_text
from hornbeam.tree.nodes import Tree

_HEADS = ("pruning", "leaves", "training", "held out", "cross-validated")


@dataclasses.dataclass(frozen=True, eq=False)
class PrunedTree:
    """One line: a pruning, the size of the pruned tree and its errors; None for a value that was not computed."""

    pruning: str
    settings: dict[str, Any]
    leaves: int | None
    nodes: int | None
    training: float | None
    held_out: float | None
    cross_validated: float | None
    standard_error: float | None
    tree: Tree | None = None
    error: str = ""

    @property
    def label(self) -> str:
        """The pruning's name with the settings that are not its defaults."""
        changed = [f"{name} {value}" for name, value in self.settings.items()]
        return f"{self.pruning} ({', '.join(changed)})" if changed else self.pruning

    def as_dict(self) -> dict[str, Any]:
        """The line as plain values."""
        names = ("leaves", "nodes", "training", "held_out", "cross_validated", "standard_error", "error")
        return {"pruning": self.pruning, "settings": self.settings, **{name: getattr(self, name) for name in names}}


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedPrunings:
    """The prunings of one tree; `best` is the line with the smallest cross-validated error."""

    lines: tuple[PrunedTree, ...]
    measure: str
    rows: dict[str, int]
    division: str = ""

    @property
    def best(self) -> int | None:
        """The index of the smallest cross-validated error, on ties of the smallest tree; None without errors."""
        known = [index for index, line in enumerate(self.lines) if line.cross_validated is not None]
        if not known:
            return None
        return min(known, key=lambda at: (self.lines[at].cross_validated, self.lines[at].leaves or math.inf, at))

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, key: int | str) -> PrunedTree:
        if isinstance(key, int):
            return self.lines[key]
        return next(line for line in self.lines if key in (line.pruning, line.label))

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per line, as for a data frame."""
        return [line.as_dict() for line in self.lines]

    def text(self) -> str:
        """The table as text, the smallest cross-validated error marked."""
        rows = self.cells()
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
        lines = []
        for at, row in enumerate(rows):
            cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
            mark = "  <- smallest" if self.best is not None and at == self.best + 1 else ""
            error = f"  {self.lines[at - 1].error}" if at and self.lines[at - 1].error else ""
            lines.append(("  ".join(cells) + mark + error).rstrip())
        return "\n".join([self.about, "", *lines])

    def cells(self) -> list[tuple[str, ...]]:
        """The cells of the table, the header first."""
        return [_HEADS, *(_cells(line) for line in self.lines)]

    @property
    def about(self) -> str:
        """What was grown and measured, in one line."""
        rows = self.rows
        return (
            f"{self.measure}; one tree grown on {rows['growing']} rows, {rows['pruning']} for pruning, "
            f"{rows['held out']} held out, {rows['folds']} folds{f', divided {self.division}' if self.division else ''}"
        )

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in _HEADS)
        body = []
        for at, line in enumerate(self.lines):
            cells = [*_cells(line)[:-1], f"{_cells(line)[-1]} {line.error}".strip()]
            weight = ' style="font-weight:bold"' if at == self.best else ""
            body.append(f"<tr{weight}>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>")
        return f"<p>{html.escape(self.about)}</p><table><tr>{head}</tr>{''.join(body)}</table>"

    def picture(self, theme: str = "light") -> Picture:
        """The errors of each method on one scale, with the number of leaves."""
        return dot_plot(
            [line.label for line in self.lines],
            {
                "training": [line.training for line in self.lines],
                "held out": [line.held_out for line in self.lines],
                "cross-validated": [line.cross_validated for line in self.lines],
            },
            whiskers={"cross-validated": [line.standard_error for line in self.lines]},
            notes=["" if line.leaves is None else f"{line.leaves} leaves" for line in self.lines],
            marked=self.best,
            scale=self.measure,
            title="Prunings of one tree",
            theme=theme,
        )


def _cells(line: PrunedTree) -> tuple[str, ...]:
    def text(value: float | None) -> str:
        return "" if value is None else short_number_text(value) if abs(value) >= 100 else f"{value:.4f}"

    cross_validated = text(line.cross_validated)
    if cross_validated and line.standard_error is not None:
        cross_validated += f" ± {text(line.standard_error)}"
    leaves = "" if line.leaves is None else str(line.leaves)
    return line.label, leaves, text(line.training), text(line.held_out), cross_validated
