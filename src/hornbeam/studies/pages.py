"""`page`: the result of an evaluation or a comparison as an HTML page, with the tables and figures that fit it.

page(hb.evaluate(tree, test, positive="ill")).save("scores.html")
page(hb.compare(table)).save("recipes.html")
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any

from hornbeam.drawing.calibration_plot import calibration
from hornbeam.drawing.document import Document, figure_block, table_block, text_block
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.roc_plot import roc
from hornbeam.errors import InputError
from hornbeam.evaluation import CrossValidation, Scores
from hornbeam.studies.pruning_table import ComparedPrunings
from hornbeam.studies.recipe_table import ComparedRecipes

# Metrics that are listed per fold.
_PER_FOLD = ("accuracy", "sensitivity", "specificity", "auc", "auc_macro", "log_loss", "brier", "rmse", "mae", "r2")


def page(
    result: Scores | CrossValidation | ComparedRecipes | ComparedPrunings,
    *,
    title: str | None = None,
    failed: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Document:
    """A page of a result; `failed` are checks that failed."""
    heading, about, blocks = _content(result)
    above = [text_block(failed, "failed")] if failed else []
    below = [text_block(notes)] if notes else []
    return Document(heading if title is None else title, about, (*above, *blocks, *below))


@singledispatch
def _content(result: Any) -> tuple[str, str, list[str]]:
    """The title, the line below it and the blocks of a result."""
    raise InputError(
        f"A page requires the result of evaluate, cross_validate, compare or compare_prunings, "
        f"got a {type(result).__name__}."
    )


@_content.register
def _(result: Scores) -> tuple[str, str, list[str]]:
    blocks = [table_block(title, lines) for title, lines in result.tables.items()]
    figures: list[Callable[[str], Picture]] = []
    if result.roc is not None:
        figures.append(lambda theme: roc(result, theme=theme))
    if result.reliability:
        figures.append(lambda theme: calibration(result, theme=theme))
    blocks += [figure_block(*figures)] if figures else []
    blocks += [text_block(result.reasons)] if result.reasons else []
    return "Evaluation", result.about, blocks


@_content.register
def _(result: CrossValidation) -> tuple[str, str, list[str]]:
    shown = [result[name] for name in _PER_FOLD if name in result.metrics and result[name].mean.value is not None]
    folds = [["fold", "training rows", "test rows", *(each.mean.text for each in shown)]]
    for number, (train, test) in enumerate(result.sizes):
        values = (dataclasses.replace(each.mean, value=each.values[number], low=None, high=None) for each in shown)
        folds.append([str(number + 1), f"{train:,}", f"{test:,}", *(each.value_text for each in values)])
    about = f"{result.about}; each test row is predicted by a model that was not trained on it"
    return "Cross-validation", about, [table_block("Metrics", result.lines), table_block("Folds", folds)]


@_content.register
def _(result: ComparedRecipes) -> tuple[str, str, list[str]]:
    lines = [line[1:] for line in result.cells()]
    failed = [f"{line.name}: {line.error.message}" for line in result.lines if line.error is not None]
    known = [line for line, each in zip(lines[1:], result.lines, strict=True) if each.error is None]
    blocks = [table_block("Recipes", [lines[0], *known], best=0), figure_block(result.picture)]
    return "Comparison of recipes", result.about, [*blocks, *([text_block(failed)] if failed else [])]


@_content.register
def _(result: ComparedPrunings) -> tuple[str, str, list[str]]:
    errors = [f"{line.label}: {line.error}" for line in result.lines if line.error]
    blocks = [table_block("Prunings", result.cells(), best=result.best), figure_block(result.picture)]
    return "Comparison of prunings", result.about, [*blocks, *([text_block(errors)] if errors else [])]
