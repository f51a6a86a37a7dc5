"""The contents of a page: the values of all its sections, for a tree or for an ensemble with its surrogate tree."""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.drawing.colors import THEMES
from hornbeam.drawing.report import columns, values
from hornbeam.drawing.report.card import card_values
from hornbeam.drawing.report.curve import curve_values
from hornbeam.drawing.report.ensemble import Imitation, ensemble_values, imitate
from hornbeam.drawing.report.evaluation import class_weights, evaluation_values, rarer_class
from hornbeam.drawing.report.privacy import privacy_values
from hornbeam.drawing.report.profiles import profile_values
from hornbeam.drawing.report.rerun import rerun_values
from hornbeam.drawing.report.rows import ReportTable, row_values
from hornbeam.drawing.report.text import printable_text
from hornbeam.drawing.text import count_text
from hornbeam.errors import InputError, Set
from hornbeam.explanation import diagnostics
from hornbeam.parts.prunings.cost_complexity import sequence
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.hiding import hidden_count, hide_counts
from hornbeam.tree.nodes import Tree


@dataclasses.dataclass(frozen=True, eq=False)
class Subject:
    """What a report is about: the model, the tree that is drawn, and the tables with the target of that tree."""

    model: Tree | Forest
    tree: Tree
    training: Table | None
    test: Table | None
    imitation: Imitation | None

    @property
    def kind(self) -> str:
        """The kind of model, for the title."""
        return "Decision tree" if self.imitation is None else self.imitation.name.partition(" of ")[0].capitalize()


def subject_of(model: Tree | Forest, training: ReportTable | None, held_out: ReportTable | None) -> Subject:
    """A tree with its tables, or an ensemble with its surrogate tree and the tables of its predictions."""
    table, test = (None if each is None else each.matched for each in (training, held_out))
    if isinstance(model, Tree):
        return Subject(model, model, table, test, None)
    if table is None or not len(table):
        raise InputError("The report of an ensemble needs its training rows.", fix=Set("table"))
    found = imitate(model, table, test)
    return Subject(model, found.tree, found.training, found.test, found)


def page_values(
    subject: Subject,
    training: ReportTable | None,
    held_out: ReportTable | None,
    title: str,
    positive: Any,
    rows: int,
    min_count: int,
) -> dict[str, Any]:
    """The values that the page shows, in the structure that web/src/report/values.ts declares."""
    model, tree = subject.model, subject.tree
    upper, hidden = values.fit_to_page(tree)
    table, test = (None if each is None else each.matched for each in (training, held_out))
    included = row_values(upper, training, held_out, rows)
    return {
        "title": title,
        "summary": _summary(subject, min_count),
        "target": printable_text(tree.schema.target.name if tree.schema.target else "?"),
        "is_class": tree.is_class,
        "classes": [printable_text(label) for label in tree.schema.classes],
        "colors": values.color_values(tree),
        "number_color": {name: theme.number for name, theme in THEMES.items()},
        "hide_below": min_count,
        "privacy": privacy_values(model, included, has_table=table is not None, min_count=min_count),
        "unseen": tree.unseen,
        "columns": columns.column_values(upper, table, min_count),
        "data": None if training is None else columns.data_values(training.given, min_count),
        "reasons": list(tree.reasons),
        "questions": values.question_values(upper),
        "profiles": profile_values(upper, subject.training, min_count),
        "rows": included,
        "importances": values.importance_values(model),
        "diagnostics": _warnings(subject, upper, table, test, min_count),
        "card": card_values(model, min_count),
        "rerun": rerun_values(model, None if training is None else training.given),
        **_node_values(subject, upper, hidden, min_count),
        **_evaluation(subject, table, test, positive, min_count),
    }


def _node_values(subject: Subject, upper: Tree, hidden: dict[int, int], min_count: int) -> dict[str, Any]:
    losses = values.losses_on_test_rows(upper, subject.test)
    links = sequence(upper)
    shown = hide_counts(upper, min_count)
    return {
        "nodes": values.node_values(shown, hidden, losses, links.collapse, min_count),
        "pruning": curve_values(upper, links, losses, min_count),
    }


def _evaluation(
    subject: Subject, table: Table | None, test: Table | None, positive: Any, min_count: int
) -> dict[str, Any]:
    """Metrics, ROC curves and the views of an ensemble, on the test rows or else on the training rows."""
    model = subject.model
    evaluated = test if test is not None else table
    if evaluated is None:
        return {"scores": None, "roc": [], "ensemble": None}
    prior = class_weights(model, table)
    scores, curves = evaluation_values(model, evaluated, test is not None, positive, prior, min_count)
    ensemble = None
    if subject.imitation is not None and table is not None:
        chosen = rarer_class(model.schema.classes, prior) if positive is None else positive
        ensemble = ensemble_values(subject.imitation, table, evaluated, chosen, min_count)
    return {"scores": scores, "roc": curves, "ensemble": ensemble}


def _warnings(subject: Subject, upper: Tree, table: Table | None, test: Table | None, min_count: int) -> list[str]:
    tree = subject.tree
    found = [str(each) for each in diagnostics(tree, table, test)] if subject.imitation is None else []
    if subject.imitation is not None and test is None:
        found.append("No test rows were given: metrics on the training rows are optimistic.")
    if min_count:
        found = [*columns.without_numbers(found), "Diagnostics that state counts are not in this file."]
    if len(upper) < len(tree):
        found.append(f"The tree has {len(tree):,} nodes; this page contains the upper {len(upper):,}.")
    return [printable_text(each) for each in found]


def _summary(subject: Subject, min_count: int) -> str:
    tree = hide_counts(subject.tree, min_count)
    parts = [count_text(len(tree), "node"), f"{tree.n_leaves:,} leaves", f"depth {tree.depth}"]
    if subject.imitation is not None:
        parts = [subject.imitation.name, f"surrogate tree of {tree.n_leaves:,} leaves"]
    rows = float(tree.nodes.rows[0])
    if subject.imitation is not None:
        rows = hidden_count(len(subject.imitation.training), min_count)
    parts.append(f"trained on {count_text(rows, 'row')}")
    name = subject.model.recipe.get("name")
    return printable_text(", ".join(parts) + (f", recipe {name}" if name else ""))
