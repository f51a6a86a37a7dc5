"""The base of the formats that are source code."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hornbeam import __version__
from hornbeam.exporting.base import Format
from hornbeam.exporting.code.program import Program, is_small, program_of, too_deep
from hornbeam.exporting.features import Feature
from hornbeam.exporting.model import ExportModel, ForestModel, NestedModel, RulesModel
from hornbeam.options import option
from hornbeam.table.column import ColumnSpec

STYLES = ("auto", "unrolled", "tables")


@dataclasses.dataclass(frozen=True)
class CodeFormat(Format):
    """Source code of one language: predict(row) and, for classes, probabilities(row)."""

    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.NO_TARGET: "The tree was grown without a target, so it predicts nothing.",
        Feature.MEDIAN: "The trees are combined by a median, which is no sum of their predictions.",
    }
    max_unrolled: ClassVar[int] = 600  # nodes that are nested conditions by default
    style: str = option(
        "auto",
        "nested conditions, or arrays and a loop; auto: conditions for small models",
        choices=STYLES,
        kw_only=True,
    )

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """Also nested conditions that are too deep."""
        found = list(super().unsupported(model))
        if self.is_unrolled(model) and too_deep(model):
            found.append('The tree is too deep for nested conditions: use style="tables".')
        return found

    def is_unrolled(self, model: ExportModel) -> bool:
        """Whether the trees of a model are written as nested conditions."""
        return is_small(model, self.max_unrolled) if self.style == "auto" else self.style == "unrolled"

    def program(self, model: ExportModel) -> Program:
        """The functions and arrays of a model in the style of the format."""
        return program_of(model, style="unrolled" if self.is_unrolled(model) else "tables")


def about(model: ExportModel) -> list[str]:
    """The lines of the comment at the top of a file."""
    target = "" if model.schema.target is None else model.schema.target.name
    what = "Decision tree"
    if isinstance(model, ForestModel):
        what = f"{len(model.trees)} trees ({model.combine})"
    elif isinstance(model, RulesModel):
        what = f"{len(model.rules)} rules"
    elif isinstance(model, NestedModel):
        what = "Nested dichotomy"
    return [f"{what} for {target}, exported by hornbeam {__version__}."]


def level_value(level: Any) -> str | int | float | bool:
    """A level as text, number or boolean; other types (dates) as their text."""
    if isinstance(level, (str, int, float, bool)):
        return level
    return level.isoformat() if hasattr(level, "isoformat") else str(level)


def levels_of(spec: ColumnSpec) -> list[str | int | float | bool]:
    """The levels of a column, in the order of their codes."""
    return [level_value(level) for level in spec.levels]


def joined(values: Sequence[str], indent: str = "    ", width: int = 110) -> str:
    """Values separated by commas, in lines of limited length."""
    lines, line = [], indent
    for value in values:
        if len(line) + len(value) > width and line != indent:
            lines.append(line.rstrip())
            line = indent
        line += f"{value}, "
    return "\n".join([*lines, line.rstrip().rstrip(",")])
