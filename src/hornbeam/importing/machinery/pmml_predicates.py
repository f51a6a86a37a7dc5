"""Predicates of PMML: each child of a node has one; together they are the question of the node.

The first child whose predicate is true is taken. A node whose predicates test one column becomes cuts, a set of levels,
one branch per group of levels, or "is missing"; two children that test several columns become a combined question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from hornbeam.importing.machinery.pmml_regions import INFINITY, Region, below, complement
from hornbeam.importing.machinery.pmml_schema import Fields, array_items
from hornbeam.importing.machinery.pmml_xml import Xml
from hornbeam.importing.machinery.rounding import cuts_below_rounded_values, cuts_of_rounded_values

PREDICATES = ("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False")
_MAX_NESTING = 50


@dataclasses.dataclass(frozen=True)
class Mixed:
    """A conjunction or disjunction over several columns."""

    parts: tuple[Region | Mixed, ...]
    is_and: bool


Test = Region | Mixed | bool


@dataclasses.dataclass(frozen=True)
class Branch:
    """The predicate of one child: its tests, the first of which decides unless a value is missing."""

    tests: tuple[Test, ...]


class PredicateReader:
    """Reads predicates for the columns of a model."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def branch(self, node: Xml) -> Branch:
        """The predicate of a node."""
        predicate = node.one(*PREDICATES)
        if predicate.attributes.get("booleanOperator") == "surrogate" and predicate.tag == "CompoundPredicate":
            return Branch(tuple(self.test(each, 1) for each in predicate.all(*PREDICATES)))
        return Branch((self.test(predicate, 0),))

    def test(self, predicate: Xml, depth: int) -> Test:
        """A predicate without surrogates."""
        if depth > _MAX_NESTING:
            predicate.fail(f"predicates are nested deeper than {_MAX_NESTING}")
        if predicate.tag in ("True", "False"):
            return predicate.tag == "True"
        if predicate.tag == "SimplePredicate":
            return self._simple(predicate)
        return self._set(predicate) if predicate.tag == "SimpleSetPredicate" else self._compound(predicate, depth)

    def _simple(self, predicate: Xml) -> Region:
        column, operator = self.fields.position(predicate), predicate.get("operator")
        has_levels = self.fields.columns[column].has_levels
        if operator in ("isMissing", "isNotMissing"):
            is_known = operator == "isNotMissing"
            everything = ((-INFINITY, INFINITY),) if is_known and not has_levels else ()
            codes = self._all_codes(column) if is_known else frozenset()
            return Region(column, everything, codes, is_known and has_levels, not is_known)
        if has_levels:
            if operator not in ("equal", "notEqual"):
                predicate.fail(f"the operator {operator} needs a continuous field")
            return self._of_levels(
                column, {self.fields.code(predicate, column, predicate.get("value"))}, operator == "equal"
            )
        return self._of_numbers(predicate, column, operator)

    def _of_numbers(self, predicate: Xml, column: int, operator: str) -> Region:
        value = predicate.number("value")
        at_most, under = value, below(value)
        if self.fields.types[column] == "float":
            at_most = float(cuts_of_rounded_values(np.array([value]))[0])
            under = float(cuts_below_rounded_values(np.array([value], dtype=np.float32))[0])
        spans = {
            "lessOrEqual": ((-INFINITY, at_most),),
            "lessThan": ((-INFINITY, under),),
            "greaterThan": ((at_most, INFINITY),),
            "greaterOrEqual": ((under, INFINITY),),
            "equal": ((under, at_most),),
            "notEqual": complement(((under, at_most),)),
        }
        if operator not in spans:
            predicate.fail(f"the operator {operator} is not known")
        return Region(column, spans[operator])

    def _set(self, predicate: Xml) -> Region:
        column, operator = self.fields.position(predicate), predicate.get("booleanOperator")
        if operator not in ("isIn", "isNotIn"):
            predicate.fail(f"the operator {operator} is not known")
        items = array_items(predicate)
        if self.fields.columns[column].has_levels:
            return self._of_levels(
                column, {self.fields.code(predicate, column, item) for item in items}, operator == "isIn"
            )
        numbers = sorted({predicate.as_number(item) for item in items})
        spans = tuple((below(number), number) for number in numbers)
        return Region(column, spans if operator == "isIn" else complement(spans))

    def _of_levels(self, column: int, codes: set[int], is_inside: bool) -> Region:
        chosen = frozenset(codes) if is_inside else self._all_codes(column) - codes
        return Region(column, codes=chosen, unlisted=not is_inside)

    def _all_codes(self, column: int) -> frozenset[int]:
        return frozenset(range(len(self.fields.columns[column].levels)))

    def _compound(self, predicate: Xml, depth: int) -> Test:
        operator = predicate.get("booleanOperator")
        if operator not in ("and", "or"):
            predicate.fail(f"the operator {operator} is not supported here")
        is_and = operator == "and"
        tests = [self.test(each, depth + 1) for each in predicate.all(*PREDICATES)]
        if not tests:
            predicate.fail("a compound predicate needs predicates")
        if any(test is (not is_and) for test in tests):
            return not is_and
        kept = [test for test in tests if not isinstance(test, bool)]
        return joined(kept, is_and=is_and) if kept else is_and


def joined(tests: Sequence[Region | Mixed], *, is_and: bool) -> Region | Mixed:
    """A conjunction or disjunction; of regions of one column, a region."""
    by_column: dict[int, Region] = {}
    mixed: list[Region | Mixed] = []
    for test in tests:
        if isinstance(test, Mixed):
            mixed.append(test)
        elif test.column in by_column:
            by_column[test.column] = by_column[test.column].joined(test, is_and=is_and)
        else:
            by_column[test.column] = test
    parts = [*by_column.values(), *mixed]
    return parts[0] if len(parts) == 1 else Mixed(tuple(parts), is_and)
