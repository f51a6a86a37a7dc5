"""The predicate of each branch of a node.

PMML evaluates predicates to true, false or unknown (a value is missing), and `surrogate` takes the first result that is
not unknown. The predicate of branch b is

    surrogate(question has branch b, first surrogate has branch b, ..., b is the branch of missing values)

The last term is left to `missingValueStrategy` where all nodes of a tree have the same rule. A level without a branch
at a node is a known value in PMML but an undefined outcome here, so a term becomes

    (question has branch b) or (the level has no branch and the rest of the terms are true)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from hornbeam.exporting.model import Route, level_branches
from hornbeam.exporting.pmml.columns import Columns
from hornbeam.exporting.pmml.xml import Element, element
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, LevelMap, Plane

TRUE, FALSE = Element("True"), Element("False")
Term = tuple[Form, bool]


def number_text(value: float) -> str:
    """A number with all its digits."""
    return repr(float(value))


def level_text(level: Any) -> str:
    """A level or a class as text."""
    return str(level).lower() if isinstance(level, bool) else str(level)


@dataclasses.dataclass
class Predicates:
    """Writes predicates for the columns of a schema. `ends`: whether the rule for missing values is written out."""

    schema: Schema
    columns: Columns
    ends: bool

    def of_branch(self, route: Route, branch: int, default: int) -> Element:
        """The predicate of a branch; `default` is the branch of missing values, negative for none.

        A negative branch is that of rows whose outcome is undefined: no defined value is in two branches.
        """
        return self._terms([(route.form, False), *route.surrogates], route.unseen, branch, default) or FALSE

    def _terms(self, terms: Sequence[Term], unseen: int | None, branch: int, default: int) -> Element | None:
        if not terms:
            return (TRUE if branch == default else FALSE) if self.ends else None
        (form, is_flipped), *others = terms
        rest = self._terms(others, None, branch, default)
        head = self._head(form, is_flipped, unseen, branch, rest if others or self.ends else _is(branch == default))
        return head if rest is None or _is_defined(form) else compound("surrogate", head, *_surrogates(rest))

    def _head(self, form: Form, is_flipped: bool, unseen: int | None, branch: int, rest: Element | None) -> Element:
        own = 1 - branch if is_flipped else branch
        if unseen is not None and unseen == branch and isinstance(form, (Cuts, LevelMap)) and self._levels(form.column):
            return self._in_levels(form.column, self._codes(form, {*range(len(self._all(form)))} - {own}), negated=True)
        known = self.known(form, own) if branch >= 0 else compound("and", self.known(form, 0), self.known(form, 1))
        if unseen is not None or rest is None or rest.name == "False" or not self._has_undefined(form):
            return known
        assert isinstance(form, (Cuts, LevelMap))
        defined = {*self._all(form)} - {-1}
        if rest.name == "True":
            return self._outside(form, defined - {own})
        return compound("or", known, compound("and", self._outside(form, defined), rest))

    def _has_undefined(self, form: Form) -> bool:
        """Whether a level that PMML takes for known has no branch."""
        if isinstance(form, LevelMap):
            return -1 in form.branches or form.column in self.columns.open
        return isinstance(form, Cuts) and bool(form.cuts) and form.column in self.columns.open

    def _outside(self, form: Cuts | LevelMap, branches: set[int]) -> Element:
        """Known levels of other branches than these."""
        if form.column in self.columns.open:
            return self._in_levels(form.column, self._codes(form, branches), negated=True)
        return self._in_levels(form.column, self._codes(form, {*self._all(form)} - branches))

    def without_branch(self, form: Cuts | LevelMap) -> Element:
        """True for a level that has no branch, unseen levels among them."""
        return self._outside(form, {*self._all(form)} - {-1})

    def known(self, form: Form, branch: int) -> Element:
        """True where the form has this branch, unknown where it is undefined."""
        if isinstance(form, LevelMap) or (isinstance(form, Cuts) and form.cuts and self._levels(form.column)):
            return self._in_levels(form.column, self._codes(form, {branch}))
        if isinstance(form, Cuts):
            return self._in_cuts(form, branch)
        if isinstance(form, Junction):
            is_any = form.is_any == (branch == 0)
            parts = [self.known(literal, int(negated) ^ branch) for literal, negated in form.literals]
            return compound("or" if is_any else "and", *parts)
        assert isinstance(form, (Plane, Ball))
        bound = form.bound if isinstance(form, Plane) else form.radius2
        return _simple(self.columns.name_of(form), "lessOrEqual" if branch == 0 else "greaterThan", number_text(bound))

    def _in_cuts(self, form: Cuts, branch: int) -> Element:
        name = self.schema.columns[form.column].name
        at = branch - form.first
        if at < 0 or not form.cuts:
            return element("SimplePredicate", field=name, operator="isMissing" if at < 0 else "isNotMissing")
        limits = []
        if at > 0:
            limits.append(_simple(name, *_comparison(form.cuts[at - 1], above=True)))
        if at < len(form.cuts):
            limits.append(_simple(name, *_comparison(form.cuts[at], above=False)))
        return limits[0] if len(limits) == 1 else compound("and", *limits)

    def _levels(self, column: int) -> bool:
        return self.schema.columns[column].has_levels

    def _all(self, form: Cuts | LevelMap) -> tuple[int, ...]:
        return level_branches(form, len(self.schema.columns[form.column].levels))

    def _codes(self, form: Cuts | LevelMap, branches: set[int]) -> list[int]:
        return [code for code, each in enumerate(self._all(form)) if each in branches]

    def _in_levels(self, column: int, codes: Sequence[int], *, negated: bool = False) -> Element:
        """Whether the level is one of these. Levels with quotes are compared one by one: arrays use quotes."""
        spec = self.schema.columns[column]
        texts = [level_text(spec.levels[code]) for code in codes]
        one, several, join = ("notEqual", "isNotIn", "and") if negated else ("equal", "isIn", "or")
        if len(texts) == 1 or (texts and any(_needs_quotes(text) for text in texts)):
            return compound(join, *(_simple(spec.name, one, text) for text in texts))
        array = element("Array", type_=_array_type(spec), n=len(texts), text=_array_text(spec, texts))
        return element("SimpleSetPredicate", array, field=spec.name, booleanOperator=several)


def _is(condition: bool) -> Element:
    return TRUE if condition else FALSE


def _is_defined(form: Form) -> bool:
    """Whether a form has an outcome for every row."""
    return isinstance(form, Cuts) and form.missing_answer >= 0


def _simple(name: str, operator: str, value: str) -> Element:
    return element("SimplePredicate", field=name, operator=operator, value=value)


def _comparison(cut: float, *, above: bool) -> tuple[str, str]:
    """The comparison of a branch above or below a cut; a cut at -infinity as a comparison with the smallest number."""
    if cut == float("-inf"):
        return ("greaterOrEqual" if above else "lessThan"), "-1.7976931348623157E308"
    return ("greaterThan" if above else "lessOrEqual"), number_text(cut)


def compound(operator: str, *parts: Element) -> Element:
    """The predicates joined by an operator; one predicate is itself."""
    return parts[0] if len(parts) == 1 else element("CompoundPredicate", *parts, booleanOperator=operator)


def _surrogates(rest: Element) -> Sequence[Element]:
    """The terms of the rest, without a nested surrogate."""
    return rest.children if rest.attributes.get("booleanOperator") == "surrogate" else [rest]


def _needs_quotes(text: str) -> bool:
    return not text or '"' in text or "\\" in text or text != text.strip()


def _array_type(spec: ColumnSpec) -> str:
    return "int" if all(type(level) is int for level in spec.levels) else "real" if _has_numbers(spec) else "string"


def _has_numbers(spec: ColumnSpec) -> bool:
    return all(type(level) in (int, float) for level in spec.levels)


def _array_text(spec: ColumnSpec, texts: Sequence[str]) -> str:
    return " ".join(texts if _has_numbers(spec) else [f'"{text}"' for text in texts])
