"""The features of the TreeEnsemble: one per column that the model reads, and one per plane or sphere.

number             the value; NaN is missing
levels as text     the position of the level plus one; NaN where the text is empty; a larger number if it is unseen
levels as numbers  the value itself
"""

from __future__ import annotations

import dataclasses

from hornbeam.exporting.model import ExportModel
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.questions.forms import Ball, Plane


def has_texts(spec: ColumnSpec) -> bool:
    """Whether the levels of a column are texts."""
    return spec.has_levels and any(isinstance(level, str) for level in spec.levels)


@dataclasses.dataclass
class Columns:
    """The features of a model; `used` are the columns that it reads."""

    schema: Schema
    used: tuple[int, ...]
    forms: dict[Plane | Ball, int] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, model: ExportModel) -> Columns:
        """The features of a model; the first column if it reads none."""
        return cls(model.schema, model.used_columns or (0,))

    def feature(self, column: int) -> int:
        """The feature of a column."""
        return self.used.index(column)

    def computed(self, form: Plane | Ball) -> int:
        """The feature of a plane or a sphere."""
        return self.forms.setdefault(form, len(self.used) + len(self.forms))

    def level_number(self, column: int, code: int) -> float:
        """The number by which a level enters the TreeEnsemble."""
        spec = self.schema.columns[column]
        return float(code + 1) if has_texts(spec) else float(spec.levels[code])
