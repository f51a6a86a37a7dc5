"""A route as a tree of tests of single features, whose ends are the results of the route.

A test is x <= split or x in a set; NaN fails it unless `missing_is_true`. "x is known" is x <= infinity. Operators of
ONNX accept trees only, so a result that several tests lead to appears several times.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

from hornbeam.errors import InputError
from hornbeam.exporting.model import Route, level_branches
from hornbeam.exporting.onnx.columns import Columns
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, Plane

LEQ, MEMBER = 0, 6
INFINITY = float("inf")
MAX_TESTS = 5000  # of one route: conjunctions are copied for each state of their literals


@dataclasses.dataclass(frozen=True)
class Test:
    """A test of one feature with the decisions for both outcomes."""

    mode: int
    feature: int
    split: float
    true: Decision
    false: Decision
    missing_is_true: bool = False
    members: tuple[float, ...] = ()


Decision = int | Test
Targets = Callable[[int], Decision]


def results(decision: Decision) -> Iterator[int]:
    """The results of a decision, as often as they appear."""
    waiting = [decision]
    count = 0
    while waiting:
        here = waiting.pop()
        count += 1
        if count > 2 * MAX_TESTS:
            raise InputError("The format onnx cannot express this model: A conjunction has too many conditions.")
        if isinstance(here, Test):
            waiting += [here.true, here.false]
        else:
            yield here


class Decisions:
    """Writes decisions for the columns of a model."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def of_route(self, route: Route, result: Targets = lambda result: result) -> Decision:
        """The question, its surrogates, then the rule for missing values."""
        undefined = result(route.missing)
        for form, is_flipped in reversed(route.surrogates):
            swapped = (lambda branch: result(1 - branch)) if is_flipped else result
            undefined = self._form(form, swapped, undefined, undefined)
        unseen = undefined if route.unseen is None else result(route.unseen)
        return self._form(route.form, result, undefined, unseen)

    def _form(self, form: Form, on: Targets, missing: Decision, unseen: Decision) -> Decision:
        """The tests of a form; `on` are the decisions of its branches."""
        if isinstance(form, Junction):
            return self._junction(form, on, missing, unseen)
        if isinstance(form, (Plane, Ball)):
            bound = form.bound if isinstance(form, Plane) else form.radius2
            return _cuts(self.columns.computed(form), (bound,), [on(0), on(1)], missing)
        feature = self.columns.feature(form.column)
        if isinstance(form, Cuts) and form.missing_answer >= 0:
            missing = on(form.missing_answer)
        if isinstance(form, Cuts) and not form.cuts:
            return _known(feature, on(form.first), missing)
        spec = self.columns.schema.columns[form.column]
        if spec.has_levels:
            return self._levels(form.column, level_branches(form, len(spec.levels)), on, missing, unseen)
        assert isinstance(form, Cuts)
        return _cuts(feature, form.cuts, [on(form.first + branch) for branch in range(len(form.cuts) + 1)], missing)

    def _levels(
        self, column: int, branches: Sequence[int], on: Targets, missing: Decision, unseen: Decision
    ) -> Decision:
        feature = self.columns.feature(column)
        rest = missing if missing == unseen else _known(feature, unseen, missing)
        found = rest
        for branch in sorted(set(branches) - {-1}, reverse=True):
            if on(branch) != rest:
                codes = [code for code, each in enumerate(branches) if each == branch]
                members = tuple(self.columns.level_number(column, code) for code in codes)
                found = Test(MEMBER, feature, 0.0, on(branch), found, members=members)
        return found

    def _junction(self, form: Junction, on: Targets, missing: Decision, unseen: Decision) -> Decision:
        """Literal by literal; the state is: none undefined so far, one missing, one unseen."""
        decided = on(0) if form.is_any else on(1)
        states = [on(1) if form.is_any else on(0), missing, unseen]
        for literal, negated in reversed(form.literals):
            decisive = (0 if form.is_any else 1) ^ int(negated)
            ends = [(states[0], states[1], states[2]), (states[1], states[1], states[2]), (states[2],) * 3]
            states = [
                self._form(literal, _two(decisive, decided, go_on), if_missing, if_unseen)
                for go_on, if_missing, if_unseen in ends
            ]
        return states[0]


def _cuts(feature: int, cuts: Sequence[float], targets: Sequence[Decision], missing: Decision) -> Decision:
    found = targets[-1]
    for position in range(len(cuts) - 1, -1, -1):
        is_true = position == 0 and missing == targets[0]
        found = Test(LEQ, feature, cuts[position], targets[position], found, is_true)
    return found if missing in (targets[0], targets[-1]) else _known(feature, found, missing)


def _known(feature: int, known: Decision, missing: Decision) -> Decision:
    return Test(LEQ, feature, INFINITY, known, missing)


def _two(branch: int, one: Decision, other: Decision) -> Targets:
    return lambda result: one if result == branch else other
