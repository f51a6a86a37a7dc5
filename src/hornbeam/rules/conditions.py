"""The conditions of rules: four types, each true or false for every row.

    Between    low < x <= high of a numeric column; missing values are included or not
    OneOf      the level is in a set; missing values and unseen levels are included or not
    BranchIs   the outcome of a question of any other kind is in a set (which may include UNKNOWN and UNSEEN_LEVEL)
    RoutedTo   a node with surrogates sends the row to one branch

Conditions on the same column, or on the same question, are merged into one (`meet`); so a path through a tree of any
depth has no more conditions than there are columns and questions of other kinds.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, Kind
from hornbeam.table.level_text import level_list
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question
from hornbeam.tree.questions.threshold import cut_text

Mask = npt.NDArray[np.bool_]
REJECTED = -3


@dataclasses.dataclass(frozen=True)
class Condition(abc.ABC):
    """A condition that is true or false for every row."""

    @property
    @abc.abstractmethod
    def key(self) -> Hashable:
        """Its subject: two conditions of one key can be merged."""

    @property
    @abc.abstractmethod
    def columns(self) -> tuple[int, ...]:
        """The predictors that it uses."""

    @property
    def is_always(self) -> bool:
        """Whether every row satisfies it."""
        return False

    @property
    def is_never(self) -> bool:
        """Whether no row can satisfy it."""
        return False

    @abc.abstractmethod
    def holds(self, columns: Sequence[Column]) -> Mask:
        """Whether it is true, for every row."""

    def meet(self, other: Condition) -> Condition:
        """The condition that is true where this one and another of the same key are true."""
        return self

    @abc.abstractmethod
    def text(self, schema: Schema, *, show_missing: bool = False) -> str:
        """The condition as text; `show_missing` adds whether missing values and unseen levels satisfy it."""


@dataclasses.dataclass(frozen=True)
class ColumnCondition(Condition):
    """A condition on one column."""

    column: int

    @property
    def key(self) -> Hashable:
        """Its column."""
        return self.column

    @property
    def columns(self) -> tuple[int, ...]:
        """The one predictor."""
        return (self.column,)


@dataclasses.dataclass(frozen=True)
class Between(ColumnCondition):
    """low < x <= high; None is no bound, low = inf an empty interval."""

    low: float | None = None
    high: float | None = None
    missing: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the interval contains no number."""
        return self.low is not None and (self.low == np.inf or (self.high is not None and self.low >= self.high))

    @property
    def is_always(self) -> bool:
        """No bounds, and missing values are included."""
        return self.low is None and self.high is None and self.missing

    @property
    def is_never(self) -> bool:
        """An empty interval, and missing values are not included."""
        return self.is_empty and not self.missing

    def holds(self, columns: Sequence[Column]) -> Mask:
        """Inside the interval, or missing if missing values are included."""
        values = columns[self.column].values
        inside: Mask = ~np.isnan(values)
        if self.low is not None:
            inside &= values > self.low
        if self.high is not None:
            inside &= values <= self.high
        return inside | np.isnan(values) if self.missing else inside

    def meet(self, other: Condition) -> Condition:
        """The intersection."""
        assert isinstance(other, Between)
        low = max((end for end in (self.low, other.low) if end is not None), default=None)
        high = min((end for end in (self.high, other.high) if end is not None), default=None)
        found = Between(self.column, low, high, self.missing and other.missing)
        return Between(self.column, np.inf, None, found.missing) if found.is_empty else found

    def text(self, schema: Schema, *, show_missing: bool = False) -> str:
        """'2.5 < size <= 5', 'size is known', 'size is missing'."""
        spec = schema.columns[self.column]
        if self.is_empty:
            return f"{spec.name} is missing" if self.missing else f"{spec.name} is impossible"
        more = " (or missing)" if self.missing and show_missing else ""
        if self.low is None and self.high is None:
            return f"{spec.name} is known{more}"
        if self.high is None:
            return f"{spec.name} > {cut_text(spec, float(self.low or 0.0))}{more}"
        low = "" if self.low is None else f"{cut_text(spec, self.low)} < "
        return f"{low}{spec.name} <= {cut_text(spec, self.high)}{more}"


@dataclasses.dataclass(frozen=True)
class OneOf(ColumnCondition):
    """The code is one of `codes`; `missing` and `unseen`: whether missing values and unseen levels satisfy it."""

    codes: tuple[int, ...]
    n_levels: int
    missing: bool = False
    unseen: bool = False

    @property
    def is_always(self) -> bool:
        """All levels, missing values and unseen levels are included."""
        return len(self.codes) == self.n_levels and self.missing and self.unseen

    @property
    def is_never(self) -> bool:
        """Nothing is included."""
        return not self.codes and not self.missing and not self.unseen

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The level is in the set."""
        # Codes start at -2 (unseen level) and -1 (missing): shifted by two they are indices of a table.
        table = np.zeros(self.n_levels + 2, dtype=np.bool_)
        table[0], table[1] = self.unseen, self.missing
        table[[code + 2 for code in self.codes]] = True
        found: Mask = table[columns[self.column].values + 2]
        return found

    def meet(self, other: Condition) -> Condition:
        """The intersection."""
        assert isinstance(other, OneOf)
        both = set(other.codes)
        codes = tuple(code for code in self.codes if code in both)
        return OneOf(self.column, codes, self.n_levels, self.missing and other.missing, self.unseen and other.unseen)

    def text(self, schema: Schema, *, show_missing: bool = False) -> str:
        """'colour = green', 'colour in {green, red}', 'grade <= mid'."""
        spec = schema.columns[self.column]
        outside = [name for name, is_included in (("missing", self.missing), ("unseen", self.unseen)) if is_included]
        if not self.codes:
            return f"{spec.name} is {' or '.join(outside) or 'impossible'}"
        more = f" (or {' or '.join(outside)})" if outside and show_missing else ""
        if len(self.codes) == self.n_levels:
            return f"{spec.name} is known{more}"
        levels = [str(spec.levels[code]) for code in self.codes]
        first, last = self.codes[0], self.codes[-1]
        is_run = spec.kind is Kind.ORDINAL and last - first + 1 == len(self.codes)
        if is_run and first == 0:
            return f"{spec.name} <= {levels[-1]}{more}"
        if is_run and last == self.n_levels - 1:
            return f"{spec.name} > {spec.levels[first - 1]}{more}"
        if len(levels) == 1:
            return f"{spec.name} = {levels[0]}{more}"
        if is_run:
            return f"{spec.levels[first - 1]} < {spec.name} <= {levels[-1]}{more}"
        return f"{spec.name} in {{{level_list(levels, len(levels), total=self.n_levels)}}}{more}"


@dataclasses.dataclass(frozen=True)
class BranchIs(Condition):
    """The outcome of the question is one of `outcomes`, in ascending order."""

    question: Question
    outcomes: tuple[int, ...]

    @property
    def key(self) -> Hashable:
        """Its question."""
        return self.question

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors of the question."""
        return self.question.columns

    @property
    def is_always(self) -> bool:
        """Every outcome is included."""
        return len(self.outcomes) == self.question.n_branches + 2

    @property
    def is_never(self) -> bool:
        """No outcome is included."""
        return not self.outcomes

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The outcome is included."""
        return np.isin(self.question.branch(columns), self.outcomes)

    def meet(self, other: Condition) -> Condition:
        """The outcomes of both."""
        assert isinstance(other, BranchIs)
        return BranchIs(self.question, tuple(each for each in self.outcomes if each in other.outcomes))

    def text(self, schema: Schema, *, show_missing: bool = False) -> str:
        """The question's text for these outcomes."""
        branches = [each for each in self.outcomes if each >= 0]
        if not branches:
            return f"undefined: {self.question.text(schema)}"
        if len(branches) == self.question.n_branches:
            return f"defined: {self.question.text(schema)}"
        more = " (or missing)" if show_missing and self.outcomes[0] < 0 else ""
        return " or ".join(self.question.text(schema, branch) for branch in branches) + more


@dataclasses.dataclass(frozen=True)
class RoutedTo(Condition):
    """A node with surrogates sends the row to `branch` (STAY: no question has an outcome, and the row ends there).

    `surrogates` are (question, flipped); `otherwise` is the branch of a row for which none has an outcome;
    `unseen` that of a level without a branch: None as if missing, a branch, STAY or REJECTED.
    """

    question: Question
    surrogates: tuple[tuple[Question, bool], ...]
    otherwise: int
    unseen: int | None
    branch: int

    @property
    def key(self) -> Hashable:
        """Itself."""
        return self

    @property
    def columns(self) -> tuple[int, ...]:
        """The predictors of the question and its surrogates."""
        questions = [self.question, *(question for question, _ in self.surrogates)]
        return tuple(dict.fromkeys(column for question in questions for column in question.columns))

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The row goes to this branch."""
        branch = np.array(self.question.branch(columns), dtype=np.int32)
        unseen = branch == UNSEEN_LEVEL
        if self.unseen is None:
            branch[unseen] = UNKNOWN
        unknown = branch == UNKNOWN
        for question, is_flipped in self.surrogates:
            other = question.branch(columns)
            usable = unknown & (other >= 0)
            branch[usable] = 1 - other[usable] if is_flipped else other[usable]
            unknown &= ~usable
        branch[unknown] = self.otherwise
        if self.unseen is not None:
            branch[unseen] = self.unseen
        found: Mask = branch == self.branch
        return found

    def text(self, schema: Schema, *, show_missing: bool = False) -> str:
        """The question's text, and with `show_missing` those of the surrogates."""
        if self.branch == STAY:
            questions = [self.question, *(question for question, _ in self.surrogates)]
            return "undefined: " + ", ".join(question.text(schema) for question in questions)
        if self.branch >= self.question.n_branches:
            own = f"undefined: {self.question.text(schema)}"
        else:
            own = self.question.text(schema, self.branch)
        if not show_missing:
            return own
        instead = [
            question.text(schema, 1 - self.branch if is_flipped else self.branch)
            for question, is_flipped in self.surrogates
            if self.branch < question.n_branches
        ]
        last = ["otherwise yes" if self.otherwise == self.branch else "otherwise no"]
        return f"{own} (if missing: {', else '.join([*instead, *last])})"


def merge_conditions(found: dict[Hashable, Condition], new: Sequence[Condition]) -> dict[Hashable, Condition] | None:
    """Conditions by key with more of them merged in; None if no row can satisfy them together."""
    out = dict(found)
    for condition in new:
        both = out[condition.key].meet(condition) if condition.key in out else condition
        if both.is_never:
            return None
        out[condition.key] = both
    return out
