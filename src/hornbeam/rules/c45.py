"""C4.5rules (release 8): a short ordered list of rules from an unpruned tree.

    1  generalize   drop conditions while the pessimistic or the actual error does not increase
    2  filter       drop rules without conditions, without rows or no better than the default; merge equal ones
    3  choose       for each class the subset of smallest code length                   (code_length.py, subsets.py)
    4  order        classes by fewest false positives among rows not yet covered; within a class by pessimistic error
    5  default      the class with most uncovered rows
    6  clean        while some rule increases the error on the training rows, drop the first such rule

A missing value satisfies no condition. Two properties of release 8 are not reproduced: rules that differ only in the
direction of a threshold are different rules here, and the significance test with mixed logarithms is omitted.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, short_repr
from hornbeam.options import is_real
from hornbeam.parts.prunings.machinery.added_errors import added_errors
from hornbeam.rules.bits import Mask
from hornbeam.rules.code_length import column_bits, naming_bits, rule_bits
from hornbeam.rules.conditions import Condition
from hornbeam.rules.generalizing import ConditionCoverage
from hornbeam.rules.matching import matches
from hornbeam.rules.paths import leaf_paths
from hornbeam.rules.postpruning import check_confidence
from hornbeam.rules.rule import Rule, RuleSet
from hornbeam.rules.subsets import best_subset
from hornbeam.rules.training import (
    Floats,
    TrainingRows,
    default_rule,
    rule_from,
    training_rows,
    uncovered_rows,
    weight_counts,
)
from hornbeam.seeds import as_seed
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree

MAX_ERROR = 0.7  # a rule of larger pessimistic error is not used


def c45rules(tree: Any, training: Any, *, confidence: float = 0.25, redundancy: float = 1.0, seed: int = 0) -> RuleSet:
    """A short ordered list of rules from an unpruned tree (or its estimator) and its training rows.

    `confidence` is that of the pessimistic errors; `redundancy` above 1 states that columns are redundant and makes
    conditions cheaper; `seed` is used if a class has more than ten rules to choose from.
    """
    tree = only_tree(tree, "C4.5rules")
    check_confidence(confidence)
    if not is_real(redundancy) or not redundancy > 0:
        raise OptionError(
            f"redundancy must be above 0, got {short_repr(redundancy)}.", option="redundancy", got=redundancy
        )
    data = training_rows(tree.schema, training, "C4.5rules")
    found = candidate_rules(data, tree, confidence)
    chosen = _chosen(data, found, redundancy, as_seed(seed))
    ordered = _ordered(data, [found[index].rule for index in chosen])
    fires = matches(ordered, data.columns)
    default = default_rule(data, uncovered_rows(fires))
    kept = _without_harmful(data, ordered, fires, int(default.answer))
    totals = tuple(map(float, data.totals))
    rules = tuple(ordered[index] for index in kept)
    return RuleSet(tree.schema, rules, default, totals, len(data), method="c45rules")


@dataclasses.dataclass(frozen=True)
class GeneralizedRule:
    """A rule, and its conditions before those on one column were merged."""

    rule: Rule
    unmerged: tuple[Condition, ...]


def candidate_rules(data: TrainingRows, tree: Tree, confidence: float) -> list[GeneralizedRule]:
    """The generalized rules of all leaves that pass the filter, in the order of the leaves."""
    found: dict[tuple[frozenset[Condition], int], GeneralizedRule] = {}
    totals = data.totals
    added = functools.lru_cache(maxsize=1 << 16)(functools.partial(added_errors, confidence=confidence))
    for node, conditions in leaf_paths(tree):
        if tree.nodes.weight[node] < 1:
            continue
        answer = int(tree.nodes.answer[node])
        default = 1.0 - (totals[answer] + 1.0) / (totals.sum() + 2.0)
        coverage = ConditionCoverage(data, conditions, answer)
        rows, error = generalize(coverage, added, default)
        kept = [conditions[index] for index in coverage.kept]
        if not kept or rows <= 0 or error >= default:
            continue
        rule = rule_from(data, kept, coverage.cover, answer, node, 1.0 - error)
        if rule is None:
            continue
        key = (frozenset(rule.conditions), answer)
        if key not in found:
            found[key] = GeneralizedRule(rule, tuple(kept))
        elif 1.0 - error < (found[key].rule.estimate or 0.0):
            same = dataclasses.replace(found[key].rule, estimate=1.0 - error)
            found[key] = dataclasses.replace(found[key], rule=same)
    return list(found.values())


def generalize(rule: ConditionCoverage, added: Callable[[float, float], float], default: float) -> tuple[float, float]:
    """Drop conditions; the rows that the others cover, and the pessimistic error."""

    def errors_of(rows: float, errors: float) -> tuple[float, float]:
        if rows <= 0:
            return default, 0.0
        return (errors + added(rows, errors)) / rows, errors / rows

    while True:
        rows, errors, without_rows, without_errors = rule.counts()
        pessimistic, actual = errors_of(rows, errors)
        dropped, least = -1, np.inf
        for each, less, wrong in zip(rule.kept, without_rows.tolist(), without_errors.tolist(), strict=True):
            new_pessimistic, new_actual = errors_of(less, wrong)
            if (new_pessimistic <= pessimistic or new_actual <= actual) and new_pessimistic <= least:
                dropped, least = each, new_pessimistic
        if dropped < 0:
            return rows, pessimistic
        rule.drop(dropped)


def _chosen(data: TrainingRows, found: list[GeneralizedRule], redundancy: float, seed: int) -> list[int]:
    """The indices of the rules in the best subset of every class."""
    per_column = column_bits(data)
    naming = naming_bits(per_column)
    bits = [rule_bits(each.unmerged, per_column, naming, redundancy) for each in found]
    fires = matches([each.rule for each in found], data.columns)
    kept: list[int] = []
    for answer in range(len(data.schema.classes)):
        own = [index for index, each in enumerate(found) if int(each.rule.answer) == answer]
        chosen = best_subset(fires[own], data.codes == answer, data.weights, [bits[p] for p in own], seed, answer)
        kept += [own[index] for index in chosen]
    return sorted(kept)


def _ordered(data: TrainingRows, found: list[Rule]) -> list[Rule]:
    """Classes of fewest false positives first, rules of a class by pessimistic error; without those above MAX_ERROR."""
    found = [rule for rule in found if 1.0 - (rule.estimate or 0.0) <= MAX_ERROR]
    fires = matches(found, data.columns)
    open_rows = np.ones(len(data), dtype=np.bool_)
    waiting = sorted({int(rule.answer) for rule in found})
    out: list[Rule] = []
    while waiting:
        of_class = {k: [index for index, rule in enumerate(found) if int(rule.answer) == k] for k in waiting}
        covers = {k: ~uncovered_rows(fires[of_class[k]]) & open_rows for k in waiting}
        false = {k: float(data.weights[covers[k] & (data.codes != k)].sum()) for k in waiting}
        first = min(waiting, key=lambda k: (false[k], k))
        own = [rule for rule in found if int(rule.answer) == first]
        out += sorted(own, key=lambda rule: -(rule.estimate or 0.0))
        open_rows &= ~covers[first]
        waiting.remove(first)
    return out


def _without_harmful(data: TrainingRows, rules: list[Rule], fires: Mask, default: int) -> list[int]:
    """The rules left after dropping, one by one, the first that increases the error on the training rows."""
    kept = list(range(len(rules)))
    answers = np.array([int(rule.answer) for rule in rules], dtype=np.int64)
    while True:
        harm = _harm(data, fires[kept], answers[kept], default)
        worse = np.flatnonzero(harm > 1e-9)
        if not len(worse):
            return kept
        del kept[int(worse[0])]


def _harm(data: TrainingRows, fires: Mask, answers: npt.NDArray[np.int64], default: int) -> Floats:
    """For each rule the weight that it misclassifies and the next rule would not, minus the reverse."""
    n_rules, n_rows = fires.shape
    predictions = np.append(answers, default)
    first = np.full(n_rows, n_rules)
    second = np.full(n_rows, n_rules)
    for index in range(n_rules - 1, -1, -1):
        second = np.where(fires[index], first, second)
        first = np.where(fires[index], index, first)
    now, then = predictions[first] == data.codes, predictions[second] == data.codes
    change = data.weights * (then.astype(np.float64) - now.astype(np.float64))
    return weight_counts(first, change, n_rules + 1)[:n_rules]
