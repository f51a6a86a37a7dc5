"""How are the rules of an overgrown tree cut back, each by itself?  Drop conditions while the estimate gets no worse.

    laplace       (right + 1) / (rows + 2) on a validation set
    pessimistic   1 - (E + added errors) / N on the training rows, as C4.5 adds them

Of the conditions whose loss does no harm the one goes that leaves the best estimate, the last on ties. Rules without
conditions go; equal ones merge. The rest are sorted by estimate, then cover, then order: the first that holds says it.
The default is the heaviest class among training rows that satisfy no rule. A missing value satisfies no condition.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_real
from hornbeam.parts.prunings.machinery.added_errors import added_errors
from hornbeam.rules.conditions import Condition
from hornbeam.rules.generalising import ConditionCoverage
from hornbeam.rules.matching import matches
from hornbeam.rules.paths import leaf_paths
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.training import default_rule, rule_from, training_rows, uncovered_rows
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree

ESTIMATES = ("laplace", "pessimistic")


def postprune_rules(
    tree: Tree,
    training: Table,
    validation: Table | None = None,
    *,
    estimate: str | None = None,
    confidence: float = 0.25,
) -> RuleSet:
    """The rules of a tree, post-pruned: by Laplace on a validation set where there is one, else pessimistically."""
    tree = only_tree(tree, "Rule post-pruning")
    estimate = estimate or ("pessimistic" if validation is None else "laplace")
    if estimate not in ESTIMATES:
        raise OptionError(
            f"estimate must be one of {', '.join(ESTIMATES)}; got {short_repr(estimate)}.", option="estimate"
        )
    check_confidence(confidence)
    data = training_rows(tree.schema, training, "Rule post-pruning")
    judges = data if validation is None else training_rows(tree.schema, validation, "Rule post-pruning")
    judged = rule_value(estimate, confidence)
    found: dict[tuple[frozenset[Condition], int], Rule] = {}
    for node, conditions in leaf_paths(tree):
        answer = int(tree.nodes.answer[node])
        fallible = ConditionCoverage(judges, conditions, answer)
        value = drop_conditions(fallible, judged)
        kept = [conditions[place] for place in fallible.kept]
        cover = fallible.cover if judges is data else ConditionCoverage(data, kept, answer).cover
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
    """What a rule of so many rows and errors is worth. Most counts come again, so answers are kept."""

    @functools.lru_cache(maxsize=1 << 16)
    def judged(rows: float, errors: float) -> float:
        if estimate == "laplace":
            return (rows - errors + 1.0) / (rows + 2.0)
        return 1.0 - (errors + added_errors(rows, errors, confidence)) / rows if rows > 0 else 0.0

    return judged


def drop_conditions(rule: ConditionCoverage, judged: Callable[[float, float], float]) -> float:
    """Drop the conditions that can go; the estimate of what is left."""
    while True:
        rows, errors, without_rows, without_errors = rule.counts()
        now = judged(rows, errors)
        best, place = now, -1
        for each, less, wrong in zip(rule.kept, without_rows.tolist(), without_errors.tolist(), strict=True):
            value = judged(less, wrong)
            if value >= best:
                best, place = value, each
        if place < 0:
            return now
        rule.drop(place)


def check_confidence(confidence: float) -> None:
    """Raise unless a confidence lies above 0 and at most at 1."""
    if not is_real(confidence) or not 0 < confidence <= 1:
        raise OptionError(
            f"confidence must be above 0 and at most 1; got {short_repr(confidence)}.",
            option="confidence",
            got=confidence,
        )
