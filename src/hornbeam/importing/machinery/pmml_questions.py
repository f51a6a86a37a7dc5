"""The question of a PMML node from the predicates of its children."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.importing.machinery.pmml_predicates import Branch, Mixed, Test
from hornbeam.importing.machinery.pmml_regions import Region, runs, spans_question
from hornbeam.importing.machinery.pmml_schema import Fields
from hornbeam.importing.machinery.pmml_xml import Xml
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.combined import Combined, Literal
from hornbeam.tree.questions.intervals import Intervals
from hornbeam.tree.questions.is_missing import IsMissing
from hornbeam.tree.questions.multiway import Multiway
from hornbeam.tree.questions.subset import Subset
from hornbeam.tree.questions.threshold import Threshold

NOTHING = -1


@dataclasses.dataclass(frozen=True)
class Layer:
    """A question, the child of each of its branches, and how it treats levels.

    `unlisted` is the child of levels that the file does not list (NOTHING for none), None without levels; `has_gaps`:
    whether a listed level has no branch.
    """

    question: Question
    order: tuple[int, ...]
    unlisted: int | None = None
    has_gaps: bool = False


def layers_of(node: Xml, branches: Sequence[Branch]) -> tuple[list[list[Test]], list[Test]]:
    """The tests of the question and of each surrogate, one per child, and the constants at the end if there are any."""
    depth = max(len(branch.tests) for branch in branches)
    rows: list[list[Test]] = []
    for level in range(depth):
        tests: list[Test] = []
        for branch in branches:
            if level < len(branch.tests):
                tests.append(branch.tests[level])
            elif len(branch.tests) == 1 and isinstance(branch.tests[0], bool):
                tests.append(branch.tests[0])
            else:
                node.fail("the children have different numbers of surrogates")
        rows.append(tests)
    if len(rows) > 1 and all(isinstance(test, bool) for test in rows[-1]):
        return rows[:-1], rows[-1]
    return rows, []


def layer(node: Xml, tests: Sequence[Test], fields: Fields) -> Layer:
    """The question of tests, one per child."""
    regions = [test for test in tests if isinstance(test, Region)]
    if any(isinstance(test, Mixed) for test in tests) or len({region.column for region in regions}) > 1:
        return _combined(node, tests, fields)
    if not regions:
        node.fail("the predicates of its children test nothing")
    column = regions[0].column
    whole = [None if test is True else test if isinstance(test, Region) else Region(column) for test in tests]
    if fields.columns[column].has_levels:
        return _of_levels(node, whole, column, fields)
    return _of_numbers(node, whole, column)


def _of_numbers(node: Xml, regions: Sequence[Region | None], column: int) -> Layer:
    cuts, owners = runs(regions)
    if NOTHING in owners:
        node.fail("no child has a true predicate for some numbers")
    order = tuple(dict.fromkeys(owners))
    own = _missing_child(node, regions, order)
    if len(order) == 1:
        if own is None:
            node.fail("one child takes all rows")
        return Layer(IsMissing(column), (own, order[0]))
    if len(order) == len(owners):
        question: Question = Threshold(column, cuts[0]) if len(cuts) == 1 else Intervals(column, tuple(cuts))
    elif len(order) == 2:
        ends = [float("-inf"), *cuts, float("inf")]
        spans = tuple((ends[at], ends[at + 1]) for at, owner in enumerate(owners) if owner == order[0])
        question = spans_question(column, spans)
    else:
        node.fail("its children divide a number into interleaved intervals")
    return Layer(question, order if own is None else (*order, own))


def _of_levels(node: Xml, regions: Sequence[Region | None], column: int, fields: Fields) -> Layer:
    n = len(fields.columns[column].levels)

    def owner(code: int) -> int:
        for index, region in enumerate(regions):
            if region is None or (code in region.codes if code >= 0 else region.unlisted):
                return index
        return NOTHING

    owners = [owner(code) for code in range(n)]
    order = tuple(sorted(set(owners) - {NOTHING}))
    own = _missing_child(node, regions, order)
    unlisted, has_gaps = owner(-1), NOTHING in owners
    if len(order) == 1 and own is not None:
        return Layer(IsMissing(column, n), (own, order[0]), unlisted, has_gaps)
    if len(order) < 2:
        node.fail("fewer than two children have levels")
    branches = [order.index(each) if each >= 0 else -1 for each in owners]
    question: Question = Multiway(column, tuple(branches))
    if len(order) == 2:
        inside, outside = (tuple(code for code in range(n) if branches[code] == side) for side in (0, 1))
        question = Subset(column, inside, outside, n)
    return Layer(question, order if own is None else (*order, own), unlisted, has_gaps)


def _missing_child(node: Xml, regions: Sequence[Region | None], order: tuple[int, ...]) -> int | None:
    """The child that only missing values reach, if there is one."""
    never = [index for index in range(len(regions)) if index not in order]
    for index in never:
        region = regions[index]
        if len(never) > 1 or not (region is None or region.missing):
            node.fail(f"no row can reach child {index}")
    return never[0] if never else None


def _combined(node: Xml, tests: Sequence[Test], fields: Fields) -> Layer:
    """Two children that test several columns: the second takes the rest."""
    first, *others = tests
    if len(tests) != 2 or isinstance(first, bool) or not (others[0] is True or _negates(first, others[0], fields)):
        node.fail("predicates about several columns are supported for two children, of which one takes the rest")
    question = _question(node, first, fields)
    has_levels = any(fields.columns[column].has_levels for column in question.columns)
    return Layer(question, (0, 1), NOTHING if has_levels else None)


def _question(node: Xml, test: Region | Mixed, fields: Fields) -> Question:
    if isinstance(test, Region):
        if test.missing is not None:
            node.fail("a test for missing values inside a predicate about several columns is not supported")
        if not fields.columns[test.column].has_levels:
            return spans_question(test.column, test.spans)
        n = len(fields.columns[test.column].levels)
        outside = tuple(code for code in range(n) if code not in test.codes)
        return Subset(test.column, tuple(sorted(test.codes)), outside, n)
    return Combined(tuple(Literal(_question(node, part, fields)) for part in test.parts), is_any=not test.is_and)


def _negates(one: Test, other: Test, fields: Fields) -> bool:
    """Whether one test is the negation of the other, part by part."""
    if isinstance(one, Region) and isinstance(other, Region):
        both = runs([one, other])[1] if one.spans or other.spans else [0]
        disjoint = not one.joined(other, is_and=True).spans and not one.codes & other.codes
        n = len(fields.columns[one.column].levels)
        return one.column == other.column and disjoint and NOTHING not in both and len(one.codes | other.codes) == n
    if isinstance(one, Mixed) and isinstance(other, Mixed):
        same = one.is_and != other.is_and and len(one.parts) == len(other.parts)
        return same and all(_negates(*pair, fields) for pair in zip(one.parts, other.parts, strict=True))
    return False
