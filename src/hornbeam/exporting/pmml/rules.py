"""Rules of which the first match predicts, as a TreeModel: the root has one child per rule and predicts by default.

A scoring engine takes the first child whose predicate is true, which is the first rule that matches. PMML's
RuleSetModel has the same order (firstHit) but neither class probabilities nor regression.
"""

from __future__ import annotations

from hornbeam.exporting.model import ExportRule, RulesModel, RuleTest
from hornbeam.exporting.pmml.columns import Columns
from hornbeam.exporting.pmml.predicates import FALSE, TRUE, Predicates, compound, level_text, number_text
from hornbeam.exporting.pmml.xml import Element, element
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL
from hornbeam.tree.questions.forms import Cuts, Junction, LevelMap


def rules_model(model: RulesModel, columns: Columns, mining: Element, *more: Element) -> Element:
    """The list of rules."""
    predicates = Predicates(model.schema, columns, ends=True)
    nodes = [_node(model, index, rule, _matches(rule, predicates)) for index, rule in enumerate(model.rules, start=1)]
    root = element("Node", TRUE, id=0) if model.default is None else _node(model, 0, model.default, TRUE)
    return element(
        "TreeModel",
        mining,
        *more,
        root.add(*nodes),
        functionName="classification" if model.is_class else "regression",
        missingValueStrategy="none",
        noTrueChildStrategy="returnNullPrediction" if model.default is None else "returnLastPrediction",
        splitCharacteristic="multiSplit",
    )


def _node(model: RulesModel, index: int, rule: ExportRule, predicate: Element) -> Element:
    score = level_text(model.classes[rule.label]) if model.is_class else number_text(rule.values[0])
    found = element("Node", predicate, id=index, score=score)
    if model.is_class:
        for label, value in zip(model.classes, rule.values, strict=True):
            number = number_text(value)
            found.add(element("ScoreDistribution", value=level_text(label), recordCount=number, probability=number))
    return found


def _matches(rule: ExportRule, predicates: Predicates) -> Element:
    """True if all conditions are; false if one is not, or is unknown."""
    if not rule.tests:
        return TRUE
    return compound("surrogate", compound("and", *(_condition(test, predicates) for test in rule.tests)), FALSE)


def _condition(test: RuleTest, predicates: Predicates) -> Element:
    """The predicate of one condition, never unknown."""
    route, accepted = test.route, test.accepted
    if route.surrogates or route.missing >= 0:
        return predicates.of_branch(route, accepted[0], route.missing)
    known = [predicates.known(route.form, branch) for branch in accepted if branch >= 0]
    undefined = _undefined(test, predicates)
    if not known:
        return compound("or", *undefined) if undefined else FALSE
    return compound("or", *undefined, compound("surrogate", compound("or", *known), FALSE))


def _undefined(test: RuleTest, predicates: Predicates) -> list[Element]:
    """Predicates of missing values and of levels without a branch, where a condition accepts them."""
    form, accepted = test.route.form, test.accepted
    if not {UNKNOWN, UNSEEN_LEVEL} & set(accepted):
        return []
    if isinstance(form, Junction):  # both predicates are unknown; a defined outcome makes one of them false
        return [compound("surrogate", compound("and", predicates.known(form, 0), predicates.known(form, 1)), TRUE)]
    if not isinstance(form, (Cuts, LevelMap)):
        name = predicates.columns.name_of(form)
        return [element("SimplePredicate", field=name, operator="isMissing")]
    name = predicates.schema.columns[form.column].name
    found = [element("SimplePredicate", field=name, operator="isMissing")] if UNKNOWN in accepted else []
    is_unseen = UNSEEN_LEVEL in accepted or (UNKNOWN in accepted and test.route.unseen is None)
    if is_unseen and predicates.schema.columns[form.column].has_levels:
        found.append(compound("surrogate", predicates.without_branch(form), FALSE))
    return found
