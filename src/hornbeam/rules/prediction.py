"""Predictions of rules: by the first rule that matches, or by a vote of all that match; otherwise by the default.

Class probabilities are, by `first`, those of the rows that the rule covers and, by `vote`, the fractions of the votes.
In a regression a vote is the mean of the predictions, weighted by the weight that each rule covers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.rules.matching import packed_matches, unpacked
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.table.column import UNSEEN, Column
from hornbeam.tree.prediction import Prediction, columns_of

NONE = -1


def predict_rules(rules: RuleSet, rows: Any) -> Prediction:
    """The predictions; `nodes` is the number of the first rule that matches, len(rules) for the default."""
    columns = columns_of(rules.schema, rows)
    n_rows = len(columns[0]) if columns else 0
    fired = first_fired(rules.rules, columns)
    _check_matched(rules, fired)
    all_rules = [*rules.rules, *([rules.default] if rules.default is not None else [])]
    fired[fired == NONE] = len(rules)
    has_unseen_level = np.zeros(n_rows, dtype=np.bool_)
    for position in {column for rule in rules for condition in rule.conditions for column in condition.columns}:
        if columns[position].levels:
            has_unseen_level |= columns[position].values == UNSEEN
    if rules.predict_by == "vote":
        values, codes = _votes(rules, columns, fired)
    else:
        values = (np.array([rule_values(rule) for rule in all_rules]) if all_rules else np.zeros((0, 1)))[fired]
        codes = np.array([rule.answer for rule in all_rules])[fired].astype(np.int32)
    if not rules.is_class:
        codes = np.zeros(0, dtype=np.int32)
    return Prediction(rules.schema, values, codes, fired, np.zeros(n_rows, dtype=np.bool_), has_unseen_level)


def first_fired(rules: Sequence[Rule], columns: Sequence[Column]) -> npt.NDArray[np.int32]:
    """The number of the first rule that matches each row, -1 where none does."""
    n_rows = len(columns[0]) if columns else 0
    fired = np.full(n_rows, NONE, dtype=np.int32)
    for start, stop, bits in packed_matches(rules, columns):
        open_rows = np.full(bits.shape[1], 255, dtype=np.uint8)
        here = fired[start:stop]
        for number, matched in enumerate(bits):
            new = matched & open_rows
            if new.any():
                here[unpacked(new, stop - start)] = number
                open_rows &= ~matched
    return fired


def _check_matched(rules: RuleSet, fired: npt.NDArray[np.int32]) -> None:
    if rules.default is None and (fired == NONE).any():
        row = int(np.flatnonzero(fired == NONE)[0])
        raise InputError(
            f"Row {row} satisfies no rule, and the rules have no default.",
            hint="Check whether it has a level that the tree rejects, or whether rules were removed from the set.",
            row=row,
        )


def rule_values(rule: Rule) -> list[float]:
    """Class probabilities of a rule (1 for its class if it covers no row), or its number."""
    if not rule.is_class:
        return [rule.answer]
    stats = np.array(rule.stats)
    if not stats.sum() > 0:
        stats = np.zeros(len(stats))
        stats[int(rule.answer)] = 1.0
    probabilities: list[float] = (stats / stats.sum()).tolist()
    return probabilities


def _votes(
    rules: RuleSet, columns: Sequence[Column], fired: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
    """The votes of all rules that match, as fractions or as a mean; the default where none matches."""
    n_rows = len(fired)
    width = len(rules.schema.classes) if rules.is_class else 1
    sums = np.zeros((n_rows, width))
    total = np.zeros(n_rows)
    for start, stop, bits in packed_matches(rules.rules, columns):
        for rule, matched in zip(rules, bits, strict=True):
            rows = start + np.flatnonzero(unpacked(matched, stop - start))
            if rule.is_class:
                strength = ((rule.right or 0.0) + 1.0) / (rule.weight + 2.0)
                sums[rows, int(rule.answer)] += strength
            else:
                strength = rule.weight
                sums[rows, 0] += strength * rule.answer
            total[rows] += strength
    has_votes = total > 0
    values = np.divide(sums, total[:, None], out=np.zeros_like(sums), where=has_votes[:, None])
    codes = np.argmax(sums, axis=1).astype(np.int32)
    unmatched = np.flatnonzero(~has_votes)
    if len(unmatched):
        all_rules = [*rules.rules, *([rules.default] if rules.default is not None else [])]
        values[unmatched] = np.array([rule_values(rule) for rule in all_rules])[fired[unmatched]]
        codes[unmatched] = np.array([rule.answer for rule in all_rules])[fired[unmatched]].astype(np.int32)
    return values, codes
