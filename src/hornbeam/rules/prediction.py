"""What do rules say of new rows?  The first rule that holds, or a vote of all that do; else the default.

Classes get shares: by `first` those of the rows that the rule covers, by `vote` the votes of each class over all votes.
Numbers by `vote` are the mean of the answers, each with the weight its rule covers.
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
from hornbeam.table.match import match_columns
from hornbeam.table.table import Table
from hornbeam.tree.prediction import Prediction, align_table

NONE = -1


def predict_rules(rules: RuleSet, rows: Any) -> Prediction:
    """What the rules say; `nodes` holds the number of the rule that fired first, that of the default is len(rules)."""
    columns = _columns_of(rules, rows)
    n_rows = len(columns[0]) if columns else 0
    fired = first_fired(rules.rules, columns)
    _check_answered(rules, fired)
    said = [*rules.rules, *([rules.default] if rules.default is not None else [])]
    fired[fired == NONE] = len(rules)
    met = np.zeros(n_rows, dtype=np.bool_)
    for place in {column for rule in rules for condition in rule.conditions for column in condition.columns}:
        if columns[place].levels:
            met |= columns[place].values == UNSEEN
    if rules.answers_by == "vote":
        values, codes = _votes(rules, columns, fired)
    else:
        values = (np.array([_says(rule) for rule in said]) if said else np.zeros((0, 1)))[fired]
        codes = np.array([rule.answer for rule in said])[fired].astype(np.int32)
    if not rules.is_class:
        codes = np.zeros(0, dtype=np.int32)
    return Prediction(rules.schema, values, codes, fired, np.zeros(n_rows, dtype=np.bool_), met)


def first_fired(rules: Sequence[Rule], columns: Sequence[Column]) -> npt.NDArray[np.int32]:
    """The number of the first rule that holds for each row, -1 where none does."""
    n_rows = len(columns[0]) if columns else 0
    fired = np.full(n_rows, NONE, dtype=np.int32)
    for start, stop, bits in packed_matches(rules, columns):
        open_rows = np.full(bits.shape[1], 255, dtype=np.uint8)
        here = fired[start:stop]
        for number, held in enumerate(bits):
            new = held & open_rows
            if new.any():
                here[unpacked(new, stop - start)] = number
                open_rows &= ~held
    return fired


def _columns_of(rules: RuleSet, rows: Any) -> tuple[Column, ...]:
    if isinstance(rows, Table):
        return align_table(rules.schema, rows)
    if isinstance(rows, (tuple, list)) and rows and all(isinstance(each, Column) for each in rows):
        return tuple(rows)
    return match_columns(rules.schema, rows).columns


def _check_answered(rules: RuleSet, fired: npt.NDArray[np.int32]) -> None:
    if rules.default is None and (fired == NONE).any():
        row = int(np.flatnonzero(fired == NONE)[0])
        raise InputError(
            f"Row {row} satisfies no rule, and the rules have no default.",
            hint="Check whether it has a level that the tree rejects, or whether rules were removed from the set.",
            row=row,
        )


def _says(rule: Rule) -> list[float]:
    """What a rule gives: class shares, all to its class where it covers nothing; or its number."""
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
    """The votes of all rules that hold, as shares or as a mean; the default where none does."""
    n_rows = len(fired)
    width = len(rules.schema.classes) if rules.is_class else 1
    sums = np.zeros((n_rows, width))
    total = np.zeros(n_rows)
    for start, stop, bits in packed_matches(rules.rules, columns):
        for rule, held in zip(rules, bits, strict=True):
            rows = start + np.flatnonzero(unpacked(held, stop - start))
            if rule.is_class:
                strength = ((rule.right or 0.0) + 1.0) / (rule.weight + 2.0)
                sums[rows, int(rule.answer)] += strength
            else:
                strength = rule.weight
                sums[rows, 0] += strength * rule.answer
            total[rows] += strength
    voted = total > 0
    values = np.divide(sums, total[:, None], out=np.zeros_like(sums), where=voted[:, None])
    codes = np.argmax(sums, axis=1).astype(np.int32)
    silent = np.flatnonzero(~voted)
    if len(silent):
        said = [*rules.rules, *([rules.default] if rules.default is not None else [])]
        values[silent] = np.array([_says(rule) for rule in said])[fired[silent]]
        codes[silent] = np.array([rule.answer for rule in said])[fired[silent]].astype(np.int32)
    return values, codes
