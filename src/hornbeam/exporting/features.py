"""Features: what a model uses that a format may lack. Each format lists those it cannot express, with the reason."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from hornbeam.exporting.model import (
    REJECTED,
    ExportModel,
    ForestModel,
    NestedModel,
    Route,
    RulesModel,
    TreeModel,
)
from hornbeam.tree.nodes import ALL_BRANCHES, STAY
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap


class Feature(enum.StrEnum):
    """A feature of models; the value is its name in messages and in the documentation."""

    TREE = "one tree"
    MEAN = "mean of trees"
    VOTE = "votes of trees"
    CONFIDENCE = "votes by confidence"
    MEDIAN = "weighted median of trees"
    SUM = "sum of trees (boosting)"
    RULES_FIRST = "rules, first match"
    RULES_VOTE = "rules that vote"
    NESTED = "nested dichotomy"
    CLASSES = "class probabilities"
    NUMBER = "regression"
    NO_TARGET = "a tree without a target"
    LOGISTIC = "logistic link"
    SOFTMAX = "softmax link"
    EXP = "exponential link"
    THRESHOLD = "threshold of a number"
    INTERVALS = "intervals of a number"
    ORDINAL = "cut of an ordinal column"
    LEVEL_SET = "set of levels"
    MULTIWAY = "one branch per level"
    IS_MISSING = "is-missing question"
    PLANE = "hyperplane"
    SPHERE = "sphere"
    JUNCTION = "conjunction or disjunction"
    SURROGATES = "surrogates"
    DEFAULT_BRANCH = "default branch for missing values"
    OWN_BRANCH = "own branch for missing values"
    STAY_MISSING = "a missing value ends at the node"
    FRACTIONAL = "fractional rows"
    UNSEEN_MAJORITY = "unseen level: majority branch"
    UNSEEN_STAY = "unseen level: ends at the node"
    UNSEEN_ERROR = "unseen level: error"


_COMBINES = {
    "mean": Feature.MEAN,
    "vote": Feature.VOTE,
    "median": Feature.MEDIAN,
    "confidence": Feature.CONFIDENCE,
    "sum": Feature.SUM,
}
_LINKS = {"logistic": Feature.LOGISTIC, "softmax": Feature.SOFTMAX, "exp": Feature.EXP}


def features_of(model: ExportModel) -> frozenset[Feature]:
    """All features that a model uses."""
    return frozenset(_features(model))


def _features(model: ExportModel) -> Iterator[Feature]:
    yield from _of_kind(model)
    if model.schema.target is None:
        yield Feature.NO_TARGET
    else:
        yield Feature.CLASSES if model.is_class else Feature.NUMBER
    if isinstance(model, NestedModel):
        for node in model.nodes:
            if node.model is not None:
                yield from (each for each in _features(node.model) if each is not Feature.TREE)
        return
    for route in model.routes():
        yield from _of_route(route, model)


def _of_kind(model: ExportModel) -> Iterator[Feature]:
    if isinstance(model, TreeModel):
        yield Feature.TREE
    elif isinstance(model, ForestModel):
        yield _COMBINES[model.combine]
        if model.link in _LINKS:
            yield _LINKS[model.link]
    elif isinstance(model, RulesModel):
        yield Feature.RULES_FIRST if model.by == "first" else Feature.RULES_VOTE
    else:
        yield Feature.NESTED


def _of_route(route: Route, model: ExportModel) -> Iterator[Feature]:
    yield from _of_form(route.form, model)
    for form, _ in route.surrogates:
        yield Feature.SURROGATES
        yield from _of_form(form, model)
    if isinstance(model, RulesModel):
        return
    is_defined = isinstance(route.form, Cuts) and route.form.missing_answer >= 0
    if route.missing == ALL_BRANCHES:
        yield Feature.FRACTIONAL
    elif route.missing >= n_branches(route.form):
        yield Feature.OWN_BRANCH
    elif route.missing >= 0:
        yield Feature.DEFAULT_BRANCH
    elif not is_defined:
        yield Feature.STAY_MISSING
    if route.unseen is not None and _reads_levels(route, model):
        if route.unseen >= 0:
            yield Feature.UNSEEN_MAJORITY
        else:
            yield {STAY: Feature.UNSEEN_STAY, REJECTED: Feature.UNSEEN_ERROR}[route.unseen]


def _of_form(form: Form, model: ExportModel) -> Iterator[Feature]:
    if isinstance(form, Cuts):
        if not form.cuts:
            yield Feature.IS_MISSING
        elif model.schema.columns[form.column].has_levels:
            yield Feature.ORDINAL
        else:
            yield Feature.THRESHOLD if len(form.cuts) == 1 else Feature.INTERVALS
    elif isinstance(form, LevelMap):
        yield Feature.LEVEL_SET if max(form.branches, default=0) <= 1 else Feature.MULTIWAY
    elif isinstance(form, Junction):
        yield Feature.JUNCTION
        for literal, _ in form.literals:
            yield from _of_form(literal, model)
    else:
        yield Feature.SPHERE if isinstance(form, Ball) else Feature.PLANE


def _reads_levels(route: Route, model: ExportModel) -> bool:
    return any(model.schema.columns[column].has_levels for column in route.columns)


def n_branches(form: Form) -> int:
    """The number of branches that a question has; a node may have one more, for missing values."""
    if isinstance(form, Cuts):
        return form.first + len(form.cuts) + 1
    return max(form.branches, default=0) + 1 if isinstance(form, LevelMap) else 2
