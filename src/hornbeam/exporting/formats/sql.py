"""SQL: a query that predicts every row of a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature, features_of
from hornbeam.exporting.model import ExportModel, ForestModel, NestedModel, RulesModel, form_columns
from hornbeam.exporting.sql.dialects import COMPUTED_ONCE, DIALECTS, renderer
from hornbeam.exporting.sql.models import ModelQuery
from hornbeam.exporting.sql.stages import Stages
from hornbeam.exporting.sql.trees import MAX_FRACTIONAL
from hornbeam.options import option
from hornbeam.rules.sql_text import identifier
from hornbeam.tree.questions.forms import Ball, Cuts, Plane

_MAX_TREES = 5_000


@dataclasses.dataclass(frozen=True)
class Sql(Format):
    """A query on a table: its columns, `prediction` and `probability_CLASS`; NULL is a missing value.

    A row that the model rejects (an unseen level with the policy "error", no rule that matches) has a NULL prediction.
    """

    name: ClassVar[str] = "sql"
    suffixes: ClassVar[tuple[str, ...]] = (".sql",)
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.NO_TARGET: "The tree was grown without a target, so it predicts nothing.",
        Feature.MEDIAN: "The trees are combined by a median, which is no sum of their predictions.",
    }
    table: str = option("data", "the table that the query reads; schema.table is possible")
    dialect: str = option("standard", "the database", choices=DIALECTS)
    view: str = option("", "the name of the view that the statement creates; empty: the query alone")
    keep: tuple[str, ...] | None = option(None, "columns of the table in the result; none: those of the model")
    exponential: str = option(
        "series",
        "for boosted models: series gives the digits of predict, function calls EXP",
        choices=("series", "function"),
    )
    raw_scores: bool = option(False, "add the sums of a boosted model before the link")

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """Also combinations of features and sizes that databases cannot handle."""
        found = list(super().unsupported(model))
        features = features_of(model)
        if Feature.FRACTIONAL in features and Feature.UNSEEN_ERROR in features:
            found.append("Fractional rows and rejected levels cannot be combined.")
        for tree in model.trees:
            if tree.has_fractional and len(tree) > MAX_FRACTIONAL:
                found.append(f"A tree with fractional rows can have {MAX_FRACTIONAL} nodes in SQL, got {len(tree)}.")
                break
        if _labels_differ(model):
            found.append("A fractional row would need the class of least risk, which SQL computes by probability only.")
        if isinstance(model, ForestModel) and len(model.trees) > _MAX_TREES:
            found.append(f"A query can have {_MAX_TREES} trees, got {len(model.trees)}.")
        if any(not np.isfinite(number) for number in _numbers(model)):
            found.append("SQL has no literal for an infinite number.")
        names = [name.lower() for name in self._kept(model)]
        if "prediction" in names:
            found.append('The table has a column "prediction": list other columns in `keep`.')
        return found

    def notes(self, model: ExportModel) -> Sequence[str]:
        """Many stages without the name of the database."""
        if self.dialect != "standard" or not isinstance(model, (ForestModel, NestedModel)):
            return ()
        names = ", ".join(COMPUTED_ONCE)
        return [f"The query has many stages, which some databases compute repeatedly: set dialect to one of {names}."]

    def _kept(self, model: ExportModel) -> tuple[str, ...]:
        return model.schema.names if self.keep is None else self.keep

    def write(self, model: ExportModel) -> str:
        """The query."""
        kept = self._kept(model)
        read = dict.fromkeys([*kept, *(spec.name for spec in model.inputs)])
        render = renderer(self.dialect)
        stages = Stages(self.table, list(read), render=render, once=COMPUTED_ONCE.get(self.dialect, ("", "")))
        query = ModelQuery(stages, series=self.exponential == "series", raw_scores=self.raw_scores)
        columns = query.columns(model)
        head = f"CREATE VIEW {render(identifier(self.view))} AS\n" if self.view else ""
        return f"{head}{stages.finished(columns, kept)};\n"


def _labels_differ(model: ExportModel) -> bool:
    """Whether a tree with fractional rows predicts other classes than the most probable ones."""
    if isinstance(model, NestedModel):
        return any(node.model is not None and _labels_differ(node.model) for node in model.nodes)
    trees = [tree for tree in model.trees if tree.has_fractional and tree.source.is_class]
    return any((np.argmax(tree.values, axis=1) != tree.labels).any() for tree in trees)


def _numbers(model: ExportModel) -> list[float]:
    """The numbers of all questions."""
    found: list[float] = []
    for route in model.routes():
        for form in (route.form, *(form for form, _ in route.surrogates)):
            if isinstance(form, Cuts) and not model.schema.columns[form_columns(form)[0]].has_levels:
                found += form.cuts
            elif isinstance(form, Plane):
                found += [*form.weights, form.bound, *form.fill]
            elif isinstance(form, Ball):
                found += [*form.center, *form.scale, form.radius2, *form.fill]
    return [] if isinstance(model, RulesModel) else found
