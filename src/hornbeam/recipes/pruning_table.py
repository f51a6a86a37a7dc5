"""How do the prunings compare on one tree?  The table that `compare_prunings` fills, as text, HTML, rows and picture.

    pruning            leaves  training  held out  cross-validated
    none                   41    0.0000    0.1120    0.1043 ± 0.0121
    reduced_error          12    0.0410    0.0880    0.0861 ± 0.0109
    cost_complexity         5    0.0610    0.0800    0.0812 ± 0.0101  <- least

Errors are shares of wrong answers (mean costs where there are costs, mean squares for numbers). `leaves` and the first
two errors are of the one tree; cross-validated ones are of trees grown and cut in the same way on each fold's rest,
plus and minus one standard error. A method that refuses the tree keeps its line, with the reason.
"""

from __future__ import annotations

import dataclasses
import html
import math
from typing import Any

from hornbeam.drawing.dot_plot import dot_plot
from hornbeam.drawing.picture import Picture
from hornbeam.tree.nodes import Tree

_HEADS = ("pruning", "leaves", "training", "held out", "cross-validated")


@dataclasses.dataclass(frozen=True, eq=False)
class PrunedTree:
    """One line: what cut the tree, how large it is left and how often it errs; None where there is no figure."""

    pruning: str
    settings: dict[str, Any]
    leaves: int | None
    nodes: int | None
    training: float | None
    held_out: float | None
    cross_validated: float | None
    standard_error: float | None
    tree: Tree | None = None
    refused: str = ""

    @property
    def label(self) -> str:
        """The pruning's name with the settings that are not its defaults."""
        told = [f"{name} {value}" for name, value in self.settings.items()]
        return f"{self.pruning} ({', '.join(told)})" if told else self.pruning

    def as_dict(self) -> dict[str, Any]:
        """The line as plain values."""
        names = ("leaves", "nodes", "training", "held_out", "cross_validated", "standard_error", "refused")
        return {"pruning": self.pruning, "settings": self.settings, **{name: getattr(self, name) for name in names}}


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedPrunings:
    """The prunings of one tree, side by side; `best` is the line of least cross-validated error."""

    lines: tuple[PrunedTree, ...]
    measure: str
    rows: dict[str, int]

    @property
    def best(self) -> int | None:
        """The first line of least cross-validated error, the smallest tree on ties; None if none was judged."""
        judged = [place for place, line in enumerate(self.lines) if line.cross_validated is not None]
        if not judged:
            return None
        return min(judged, key=lambda at: (self.lines[at].cross_validated, self.lines[at].leaves or math.inf, at))

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, place: int | str) -> PrunedTree:
        if isinstance(place, int):
            return self.lines[place]
        return next(line for line in self.lines if place in (line.pruning, line.label))

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dict a line: what a data frame is made of."""
        return [line.as_dict() for line in self.lines]

    def text(self) -> str:
        """The table as text, the least cross-validated error marked."""
        rows = [_HEADS, *(_cells(line) for line in self.lines)]
        widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADS))]
        lines = []
        for at, row in enumerate(rows):
            cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
            mark = "  <- least" if self.best is not None and at == self.best + 1 else ""
            refused = f"  {self.lines[at - 1].refused}" if at and self.lines[at - 1].refused else ""
            lines.append(("  ".join(cells) + mark + refused).rstrip())
        return "\n".join([self.about, "", *lines])

    @property
    def about(self) -> str:
        """What was grown, judged and measured, in one line."""
        told = self.rows
        return (
            f"{self.measure}; one tree grown on {told['growing']} rows, {told['pruning']} to prune with, "
            f"{told['held out']} held out, {told['folds']} folds"
        )

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in _HEADS)
        body = []
        for at, line in enumerate(self.lines):
            cells = [*_cells(line)[:-1], f"{_cells(line)[-1]} {line.refused}".strip()]
            weight = ' style="font-weight:bold"' if at == self.best else ""
            body.append(f"<tr{weight}>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>")
        return f"<p>{html.escape(self.about)}</p><table><tr>{head}</tr>{''.join(body)}</table>"

    def picture(self, theme: str = "light") -> Picture:
        """Every method's errors on one scale, its leaves beside them."""
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
    def said(value: float | None) -> str:
        return "" if value is None else f"{value:.4g}" if abs(value) >= 100 else f"{value:.4f}"

    crossed = said(line.cross_validated)
    if crossed and line.standard_error is not None:
        crossed += f" ± {said(line.standard_error)}"
    leaves = "" if line.leaves is None else str(line.leaves)
    return line.label, leaves, said(line.training), said(line.held_out), crossed
