"""What can a rule ask of a row?  Four sorts of conditions; each holds or does not, never anything between.

    Between    low < x <= high of a numeric column, missing values in or out
    OneOf      the level is one of a set, missing values and levels never met in or out
    Answered   a question of any other kind gets one of some answers (UNKNOWN and UNSEEN_LEVEL are answers too)
    Routed     a node with surrogates sends the row down one branch

Conditions on the same column, or on the same question, meet in one condition (`meet`); so a path through a tree of
any depth has no more conditions than there are columns and questions of other kinds.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import UNKNOWN, UNSEEN_LEVEL, Question
from hornbeam.tree.questions.threshold import cut_text

Mask = npt.NDArray[np.bool_]
REFUSED = -3


@dataclasses.dataclass(frozen=True)
class Condition(abc.ABC):
    """Something that holds for a row or does not."""

    @property
    @abc.abstractmethod
    def key(self) -> Hashable:
        """What it is about: two conditions of one key can meet."""

    @property
    @abc.abstractmethod
    def columns(self) -> tuple[int, ...]:
        """The predictors it looks at."""

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
        """Whether it holds, for every row."""

    def meet(self, other: Condition) -> Condition:
        """The condition that holds where this one and another of the same key hold."""
        return self

    @abc.abstractmethod
    def text(self, schema: Schema, *, unknown: bool = False) -> str:
        """The condition in words; `unknown` adds whether missing values and new levels satisfy it."""


@dataclasses.dataclass(frozen=True)
class Between(Condition):
    """low < x <= high; None is no bound, low = inf an empty interval."""

    column: int
    low: float | None = None
    high: float | None = None
    missing: bool = False

    @property
    def key(self) -> Hashable:
        """Its column."""
        return self.column

    @property
    def columns(self) -> tuple[int, ...]:
        """The one predictor."""
        return (self.column,)

    @property
    def is_empty(self) -> bool:
        """Whether no number lies inside."""
        return self.low is not None and (self.low == np.inf or (self.high is not None and self.low >= self.high))

    @property
    def is_always(self) -> bool:
        """No bounds, and missing values are in."""
        return self.low is None and self.high is None and self.missing

    @property
    def is_never(self) -> bool:
        """Nothing inside, and missing values are out."""
        return self.is_empty and not self.missing

    def holds(self, columns: Sequence[Column]) -> Mask:
        """Inside the interval, or missing where that is in."""
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

    def text(self, schema: Schema, *, unknown: bool = False) -> str:
        """'2.5 < size <= 5', 'size is known', 'size is missing'."""
        spec = schema.columns[self.column]
        if self.is_empty:
            return f"{spec.name} is missing" if self.missing else f"{spec.name} is nothing"
        more = " (or missing)" if self.missing and unknown else ""
        if self.low is None and self.high is None:
            return f"{spec.name} is known{more}"
        if self.high is None:
            return f"{spec.name} > {cut_text(spec, float(self.low or 0.0))}{more}"
        low = "" if self.low is None else f"{cut_text(spec, self.low)} < "
        return f"{low}{spec.name} <= {cut_text(spec, self.high)}{more}"


@dataclasses.dataclass(frozen=True)
class OneOf(Condition):
    """The code is one of `codes`; `missing` and `unseen` say whether missing values and new levels satisfy it."""

    column: int
    codes: tuple[int, ...]
    n_levels: int
    missing: bool = False
    unseen: bool = False

    @property
    def key(self) -> Hashable:
        """Its column."""
        return self.column

    @property
    def columns(self) -> tuple[int, ...]:
        """The one predictor."""
        return (self.column,)

    @property
    def is_always(self) -> bool:
        """Everything is in."""
        return len(self.codes) == self.n_levels and self.missing and self.unseen

    @property
    def is_never(self) -> bool:
        """Everything is out."""
        return not self.codes and not self.missing and not self.unseen

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The level is in the set."""
        # Codes start at -2 (a new level) and -1 (missing): shifted by two they are places in a table.
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

    def text(self, schema: Schema, *, unknown: bool = False) -> str:
        """'colour = green', 'colour in {green, red}', 'grade <= mid'."""
        spec = schema.columns[self.column]
        outside = [word for word, holds in (("missing", self.missing), ("new", self.unseen)) if holds]
        if not self.codes:
            return f"{spec.name} is {' or '.join(outside) or 'nothing'}"
        more = f" (or {' or '.join(outside)})" if outside and unknown else ""
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
        return f"{spec.name} in {{{', '.join(levels)}}}{more}"


@dataclasses.dataclass(frozen=True)
class BranchIs(Condition):
    """The question's answer is one of `answers`, in rising order."""

    question: Question
    answers: tuple[int, ...]

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
        """Every answer is among them."""
        return len(self.answers) == self.question.n_branches + 2

    @property
    def is_never(self) -> bool:
        """There is no answer among them."""
        return not self.answers

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The answer is among them."""
        return np.isin(self.question.branch(columns), self.answers)

    def meet(self, other: Condition) -> Condition:
        """The answers of both."""
        assert isinstance(other, BranchIs)
        return BranchIs(self.question, tuple(each for each in self.answers if each in other.answers))

    def text(self, schema: Schema, *, unknown: bool = False) -> str:
        """What the question says of these answers."""
        branches = [answer for answer in self.answers if answer >= 0]
        if not branches:
            return f"no answer to: {self.question.text(schema)}"
        if len(branches) == self.question.n_branches:
            return f"any answer to: {self.question.text(schema)}"
        more = " (or unknown)" if unknown and self.answers[0] < 0 else ""
        return " or ".join(self.question.text(schema, branch) for branch in branches) + more


@dataclasses.dataclass(frozen=True)
class RoutedTo(Condition):
    """A node with surrogates sends the row to `branch` (STAY: nothing can be answered, and the row ends there).

    `surrogates` are (question, flipped); `otherwise` is where a row goes that none can answer; `unseen` where one goes
    whose level has no branch: None as if missing, a branch, STAY or REFUSED.
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
        asked = [self.question, *(question for question, _ in self.surrogates)]
        return tuple(dict.fromkeys(column for question in asked for column in question.columns))

    def holds(self, columns: Sequence[Column]) -> Mask:
        """The row goes down this branch."""
        branch = np.array(self.question.branch(columns), dtype=np.int32)
        new = branch == UNSEEN_LEVEL
        if self.unseen is None:
            branch[new] = UNKNOWN
        unknown = branch == UNKNOWN
        for question, is_flipped in self.surrogates:
            answer = question.branch(columns)
            usable = unknown & (answer >= 0)
            branch[usable] = 1 - answer[usable] if is_flipped else answer[usable]
            unknown &= ~usable
        branch[unknown] = self.otherwise
        if self.unseen is not None:
            branch[new] = self.unseen
        found: Mask = branch == self.branch
        return found

    def text(self, schema: Schema, *, unknown: bool = False) -> str:
        """The question's own words, and with `unknown` those of the surrogates."""
        if self.branch == STAY:
            asked = [self.question, *(question for question, _ in self.surrogates)]
            return "no answer to: " + ", ".join(question.text(schema) for question in asked)
        if self.branch >= self.question.n_branches:
            own = f"no answer to: {self.question.text(schema)}"
        else:
            own = self.question.text(schema, self.branch)
        if not unknown:
            return own
        instead = [
            question.text(schema, 1 - self.branch if is_flipped else self.branch)
            for question, is_flipped in self.surrogates
            if self.branch < question.n_branches
        ]
        last = ["otherwise yes" if self.otherwise == self.branch else "otherwise no"]
        return f"{own} (if unknown: {', else '.join([*instead, *last])})"


def merge_conditions(found: dict[Hashable, Condition], new: Sequence[Condition]) -> dict[Hashable, Condition] | None:
    """Conditions by key with more of them added; None when together they can never hold."""
    out = dict(found)
    for condition in new:
        both = out[condition.key].meet(condition) if condition.key in out else condition
        if both.is_never:
            return None
        out[condition.key] = both
    return out
