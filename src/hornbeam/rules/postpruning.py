"""Rule post-pruning: drop conditions of each rule while its estimated accuracy does not decrease.

    laplace       (right + 1) / (rows + 2) on a validation set
    pessimistic   1 - (E + added errors) / N on the training rows, as C4.5 adds them

The condition is dropped whose removal gives the best estimate, the last one on ties. Rules without conditions are
dropped, equal ones merged. The rest are sorted by estimate, then cover, then order: the first that matches predicts.
The default is the majority class of the training rows that satisfy no rule. A missing value satisfies no condition.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_real
from hornbeam.parts.prunings.machinery.added_errors import added_errors
from hornbeam.rules.conditions import Condition
from hornbeam.rules.generalizing import ConditionCoverage
from hornbeam.rules.matching import matches
from hornbeam.rules.paths import leaf_paths
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.training import default_rule, rule_from, training_rows, uncovered_rows
from hornbeam.tree.one_tree import only_tree

ESTIMATES = ("laplace", "pessimistic")


def postprune_rules(
    tree: Any,
    training: Any,
    validation: Any = None,
    *,
    estimate: str | None = None,
    confidence: float = 0.25,
) -> RuleSet:
    """The post-pruned rules of a tree (or its estimator): by Laplace on validation rows, or pessimistically."""
    tree = only_tree(tree, "Rule post-pruning")
    estimate = estimate or ("pessimistic" if validation is None else "laplace")
    if estimate not in ESTIMATES:
        raise OptionError(
            f"estimate must be one of {', '.join(ESTIMATES)}, got {short_repr(estimate)}.", option="estimate"
        )
    check_confidence(confidence)
    data = training_rows(tree.schema, training, "Rule post-pruning")
    rows = data if validation is None else training_rows(tree.schema, validation, "Rule post-pruning")
    value_of = rule_value(estimate, confidence)
    found: dict[tuple[frozenset[Condition], int], Rule] = {}
    for node, conditions in leaf_paths(tree):
        answer = int(tree.nodes.answer[node])
        coverage = ConditionCoverage(rows, conditions, answer)
        value = drop_conditions(coverage, value_of)
        kept = [conditions[index] for index in coverage.kept]
        cover = coverage.cover if rows is data else ConditionCoverage(data, kept, answer).cover
        rule = rule_from(data, kept, cover, answer, node, value)
        if rule is not None and rule.conditions:
            key = (frozenset(rule.conditions), answer)
            if key not in found or (found[key].estimate or 0.0) < value:
                found[key] = rule
    rules = sorted(found.values(), key=lambda rule: (-(rule.estimate or 0.0), -rule.weight))
    default = default_rule(data, uncovered_rows(matches(rules, data.columns)))
    totals = tuple(map(float, data.totals))
    return RuleSet(tree.schema, tuple(rules), default, totals, len(data), method="postpruned")


def rule_value(estimate: str, confidence: float) -> Callable[[float, float], float]:
    """The estimated accuracy of a rule by its rows and errors; results are cached, because most counts recur."""

    @functools.lru_cache(maxsize=1 << 16)
    def value_of(rows: float, errors: float) -> float:
        if estimate == "laplace":
            return (rows - errors + 1.0) / (rows + 2.0)
        return 1.0 - (errors + added_errors(rows, errors, confidence)) / rows if rows > 0 else 0.0

    return value_of


def drop_conditions(rule: ConditionCoverage, value_of: Callable[[float, float], float]) -> float:
    """Drop conditions; the estimate of the rule with the others."""
    while True:
        rows, errors, without_rows, without_errors = rule.counts()
        now = value_of(rows, errors)
        best, dropped = now, -1
        for each, less, wrong in zip(rule.kept, without_rows.tolist(), without_errors.tolist(), strict=True):
            value = value_of(less, wrong)
            if value >= best:
                best, dropped = value, each
        if dropped < 0:
            return now
        rule.drop(dropped)


def check_confidence(confidence: float) -> None:
    """Raise an error unless a confidence is above 0 and at most 1."""
    if not is_real(confidence) or not 0 < confidence <= 1:
        raise OptionError(
            f"confidence must be above 0 and at most 1, got {short_repr(confidence)}.",
            option="confidence",
            got=confidence,
        )
