"""How do rules fare on other rows?  The same rules with the figures of those rows in place of the training's."""

from __future__ import annotations

import dataclasses

import numpy as np

from hornbeam.errors import InputError, short_repr
from hornbeam.rules.bits import Mask
from hornbeam.rules.matching import matches
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.training import TrainingRows, training_rows, uncovered_rows
from hornbeam.table.table import Table


def measure_rules(rules: RuleSet, table: Table) -> RuleSet:
    """The rules with their cover and accuracy on the rows of a table, each rule by itself; the default on the rest."""
    if not isinstance(rules, RuleSet):
        raise InputError(
            f"measured needs a rule set; got {short_repr(rules)}.",
            hint="Use extract_rules or load_rules to get one.",
        )
    if not rules.is_class:
        raise InputError("measured needs rules that say a class; these say numbers.")
    data = training_rows(rules.schema, table, "measured")
    fires = matches(rules.rules, data.columns)
    found = tuple(_refigured(rule, data, held) for rule, held in zip(rules, fires, strict=True))
    default = None if rules.default is None else _refigured(rules.default, data, uncovered_rows(fires))
    return rules.replace(rules=found, default=default, totals=tuple(map(float, data.totals)), rows=len(data))


def _refigured(rule: Rule, data: TrainingRows, held: Mask) -> Rule:
    stats = tuple(map(float, data.stats_of(held)))
    return dataclasses.replace(rule, stats=stats, rows=int(np.count_nonzero(held)))
