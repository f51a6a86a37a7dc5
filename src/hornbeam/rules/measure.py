"""Metrics of rules on other rows: the same rules with the statistics of those rows."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.rules.bits import Mask
from hornbeam.rules.matching import matches
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.training import TrainingRows, training_rows, uncovered_rows


def measure_rules(rules: RuleSet, table: Any) -> RuleSet:
    """The rules with their cover and accuracy on the rows of a table or data frame; the default on the other rows."""
    if not isinstance(rules, RuleSet):
        raise InputError(
            f"measure_rules requires a rule set, got {short_repr(rules)}.",
            hint="Use extract_rules or load to get one.",
        )
    if not rules.is_class:
        raise InputError("measure_rules requires rules that predict a class; these predict numbers.")
    data = training_rows(rules.schema, table, "measure_rules")
    fires = matches(rules.rules, data.columns)
    found = tuple(_with_statistics(rule, data, matched) for rule, matched in zip(rules, fires, strict=True))
    default = None if rules.default is None else _with_statistics(rules.default, data, uncovered_rows(fires))
    return rules.replace(rules=found, default=default, totals=tuple(map(float, data.totals)), rows=len(data))


def _with_statistics(rule: Rule, data: TrainingRows, matched: Mask) -> Rule:
    stats = tuple(map(float, data.stats_of(matched)))
    return dataclasses.replace(rule, stats=stats, rows=int(np.count_nonzero(matched)))
