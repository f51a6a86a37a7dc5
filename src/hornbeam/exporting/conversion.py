"""Converts a model to the form that all writers share: trees, forests, rule sets, and fitted estimators of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.ensembles.reductions.nested import Nested
from hornbeam.ensembles.reductions.pairs import Pairs
from hornbeam.errors import InputError, short_repr
from hornbeam.exporting.model import (
    ClassSplit,
    ExportModel,
    ExportRule,
    ExportTree,
    ForestModel,
    NestedModel,
    Route,
    RulesModel,
    RuleTest,
    TreeModel,
)
from hornbeam.rules.conditions import Between, BranchIs, Condition, OneOf, RoutedTo
from hornbeam.rules.prediction import rule_values
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL
from hornbeam.tree.questions.forms import Cuts, LevelMap, form_of


def export_model(model: Any) -> ExportModel:
    """A tree, a forest, a rule set or a fitted estimator as an `ExportModel`."""
    state = getattr(model, "__dict__", {}).get("_fitted_state")
    if isinstance(state, tuple) and len(state) == 3 and isinstance(state[0], (Nested, Pairs)):
        return _nested(model, *state)
    rules = getattr(model, "rules_", model)
    if isinstance(rules, RuleSet):
        return _rules(rules)
    found = unwrapped(model, labels=False)
    return _tree(found) if isinstance(found, Tree) else _forest(found)


def _tree(tree: Tree) -> TreeModel:
    return TreeModel(tree.schema, tree, ExportTree(tree))


def _forest(forest: Forest) -> ForestModel:
    is_sum = forest.combine == "sum"
    return ForestModel(
        schema=forest.schema,
        source=forest,
        members=tuple(ExportTree(tree) for tree in forest.trees),
        combine=forest.combine,
        link="normalize" if forest.combine == "confidence" else forest.link,
        weights=tuple(forest.weights.tolist()),
        outputs=tuple(forest.output.tolist()),
        base=tuple(forest.base.tolist()) if is_sum else (0.0,) * forest.width,
        divisor=1.0 if is_sum else float(forest.weights.sum()),
    )


def _rules(rules: RuleSet) -> RulesModel:
    default = None if rules.default is None else _rule(rules.default)
    return RulesModel(rules.schema, rules, tuple(map(_rule, rules)), default, rules.predict_by)


def _rule(rule: Rule) -> ExportRule:
    is_class = rule.is_class
    strength = ((rule.right or 0.0) + 1.0) / (rule.weight + 2.0) if is_class else rule.weight
    tests = tuple(_test(condition) for condition in rule.conditions)
    label = int(rule.answer) if is_class else -1
    return ExportRule(tests, tuple(rule_values(rule)), label, strength, " and ".join(rule.condition_text()))


def _test(condition: Condition) -> RuleTest:
    if isinstance(condition, Between):
        return _between(condition)
    if isinstance(condition, OneOf):
        inside = set(condition.codes)
        form = LevelMap(condition.column, tuple(int(code not in inside) for code in range(condition.n_levels)))
        accepted = [0] * bool(inside) + [UNKNOWN] * condition.missing + [UNSEEN_LEVEL] * condition.unseen
        return RuleTest(Route(form, unseen=UNSEEN_LEVEL), tuple(accepted))
    if isinstance(condition, BranchIs):
        return RuleTest(Route(form_of(condition.question), unseen=UNSEEN_LEVEL), condition.outcomes)
    assert isinstance(condition, RoutedTo)
    surrogates = tuple((form_of(question), is_flipped) for question, is_flipped in condition.surrogates)
    route = Route(form_of(condition.question), surrogates, condition.otherwise, condition.unseen)
    return RuleTest(route, (condition.branch,))


def _between(condition: Between) -> RuleTest:
    missing = (UNKNOWN,) if condition.missing else ()
    if condition.is_empty:
        return RuleTest(Route(Cuts(condition.column, (), 0, UNKNOWN)), missing)
    cuts = tuple(end for end in (condition.low, condition.high) if end is not None)
    inside = 0 if condition.low is None else 1
    return RuleTest(Route(Cuts(condition.column, cuts, 0, UNKNOWN)), (inside, *missing))


def _nested(model: Any, reduction: Nested | Pairs, schema: Schema, classes: Any) -> NestedModel:
    if isinstance(reduction, Pairs):
        raise InputError(
            f"A {type(model).__name__} cannot be exported: its predictions are games between the classifiers of all "
            "pairs of classes.",
            hint="Export a NestedDichotomyClassifier, or one of its estimators_.",
        )
    members = [None if each is None or each.model is None else _binary(each.model) for each in reduction.members]
    columns = _common_columns(schema, [each.schema for each in members if each is not None])
    common = Schema(columns, ColumnSpec("class", Kind.NOMINAL, tuple(np.asarray(classes).tolist())))
    nodes = []
    for node, member, found in zip(reduction.tree.nodes, reduction.members, members, strict=True):
        only = float(member.only) if member is not None and member.model is None else 0.0
        inner = None if found is None else _with_columns(found, columns)
        nodes.append(ClassSplit(node.classes, node.first, node.second, inner, only))
    return NestedModel(common, model, tuple(nodes))


def _with_columns(model: ExportModel, columns: tuple[ColumnSpec, ...]) -> ExportModel:
    """A binary model on the columns of the whole model."""
    schema = Schema(columns, model.schema.target)
    if isinstance(model, TreeModel):
        return TreeModel(schema, model.source, ExportTree(model.tree.source, schema))
    assert isinstance(model, ForestModel)
    members = tuple(ExportTree(tree.source, Schema(columns, tree.source.schema.target)) for tree in model.members)
    return dataclasses.replace(model, schema=schema, members=members)


def _binary(model: Any) -> ExportModel:
    try:
        found = unwrapped(model)
    except InputError as error:
        raise InputError(
            "Only binary classifiers that are trees or forests of hornbeam can be exported; "
            f"got {short_repr(type(model).__name__)}."
        ) from error
    return _tree(found) if isinstance(found, Tree) else _forest(found)


def _common_columns(schema: Schema, schemas: list[Schema]) -> tuple[ColumnSpec, ...]:
    """The columns of the binary models: the levels of a nominal column are those of all of them together."""
    if not schemas:
        return schema.columns
    return tuple(_common_column(specs) for specs in zip(*(each.columns for each in schemas), strict=True))


def _common_column(specs: tuple[ColumnSpec, ...]) -> ColumnSpec:
    first = specs[0]
    if all(spec.kind is Kind.NOMINAL for spec in specs):
        return ColumnSpec(
            first.name, Kind.NOMINAL, tuple(dict.fromkeys(level for spec in specs for level in spec.levels))
        )
    if any((spec.kind, spec.levels) != (first.kind, first.levels) for spec in specs):
        raise InputError(
            f"The binary classifiers have different kinds or levels of column {short_repr(first.name)}, because they "
            "were trained on different rows.",
            hint="Pass a frame whose ordered columns list all levels.",
            column=first.name,
        )
    return first
