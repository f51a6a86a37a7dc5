"""Metrics of a rule, each with its 95% interval (Wilson's).

    cover      the fraction of all rows that it matches
    support    the fraction of all rows that it matches and predicts correctly
    accuracy   the fraction of its rows that it predicts correctly
    lift       accuracy over the fraction of its class among all rows (interval: that of the accuracy, divided likewise)

Fractions are of weight; intervals use the number of rows, or the weight if that is smaller (fractional rows). A rule of
a regression has a cover, and instead of the rest the mean and standard deviation of its rows. Undefined is None.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from hornbeam.ordered_sum import ordered_sum
from hornbeam.proportions import wilson
from hornbeam.rules.rule import Rule, RuleSet


@dataclasses.dataclass(frozen=True)
class RuleMetric:
    """A value with its interval; None where there is none."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclasses.dataclass(frozen=True)
class RuleMetrics:
    """The metrics of one rule."""

    cover: RuleMetric
    support: RuleMetric
    accuracy: RuleMetric
    lift: RuleMetric
    deviation: float | None = None


def rule_metrics(rules: RuleSet, rule: Rule, confidence: float = 0.95) -> RuleMetrics:
    """The metrics of a rule of the set."""
    total = ordered_sum(rules.totals) if rules.is_class else rules.totals[0]
    n_all, n_own = min(float(rules.rows), total), min(float(rule.rows), rule.weight)
    cover = _fraction(rule.weight, total, n_all, confidence)
    if rule.right is None:
        spread = math.sqrt(max(rule.stats[2], 0.0) / rule.weight) if rule.weight > 0 else None
        return RuleMetrics(cover, RuleMetric(), RuleMetric(), RuleMetric(), spread)
    accuracy = _fraction(rule.right, rule.weight, n_own, confidence)
    base = rules.totals[int(rule.answer)] / total if total > 0 else 0.0
    lift = RuleMetric()
    if base > 0 and accuracy.value is not None and accuracy.low is not None and accuracy.high is not None:
        lift = RuleMetric(accuracy.value / base, accuracy.low / base, accuracy.high / base)
    return RuleMetrics(cover, _fraction(rule.right, total, n_all, confidence), accuracy, lift)


def _fraction(part: float, whole: float, n: float, confidence: float) -> RuleMetric:
    if not whole > 0 or not n > 0:
        return RuleMetric()
    value = min(max(part / whole, 0.0), 1.0)
    return RuleMetric(value, *wilson(value, n, confidence))


def rows_of(rules: RuleSet) -> list[dict[str, Any]]:
    """One dict per rule, the default last, for a data frame."""
    from hornbeam.rules.sql import where_clause

    all_rules = [*rules.rules, *([rules.default] if rules.default is not None else [])]
    out = []
    for number, rule in enumerate(all_rules):
        found = rule_metrics(rules, rule)
        entry: dict[str, Any] = {
            "rule": number,
            "conditions": " and ".join(rule.condition_text()) or "always",
            "answer": rule.label,
            "rows": rule.rows,
            "weight": rule.weight,
        }
        for name in ("cover", "support", "accuracy", "lift"):
            metric: RuleMetric = getattr(found, name)
            entry |= {name: metric.value, f"{name}_low": metric.low, f"{name}_high": metric.high}
        entry["deviation"] = found.deviation
        entry |= {"estimate": rule.estimate, "node": rule.node if rule.node >= 0 else None}
        entry |= {"is_default": rule is rules.default, "stays": rule.stays, "where": where_clause(rule)}
        out.append(entry)
    return out
