"""What is a rule, and what is a set of them?

    if 2.45 < petal_length and petal_width <= 1.75 then versicolor      (54 rows, 91% right)

A rule holds the statistics of the rows it covers, as a tree's node does: the weight of each class, or weight, mean and
sum of squares. A set answers in one of two ways:

    first    the first rule that holds says it; a set of leaf rules too, where exactly one holds
    vote     every rule that holds votes for its class with its estimated accuracy, (right + 1) / (weight + 2)

Where none holds the default says it. Without a default such a row is an error.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hornbeam.errors import InputError, OptionError, available, short_repr
from hornbeam.rules.conditions import Condition
from hornbeam.table.table import Schema
from hornbeam.tree.kept import restore, state_of

if TYPE_CHECKING:
    from hornbeam.tree.prediction import Prediction

WAYS = ("first", "vote")


@dataclasses.dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the answer: the index of a class, or a number.

    `stats` and `rows` are those of the training rows it covers, `node` the leaf it came from (-1: none), `estimate` the
    accuracy it was ordered by (None: it was not). A rule that `stays` is for rows that end at an inner node because no
    answer is known there; its figures are those of the whole node.
    """

    schema: Schema = dataclasses.field(repr=False)
    conditions: tuple[Condition, ...]
    answer: float
    stats: tuple[float, ...]
    rows: int
    node: int = -1
    estimate: float | None = None
    stays: bool = False

    def __len__(self) -> int:
        return len(self.conditions)

    @property
    def is_class(self) -> bool:
        """Whether it says a class (and not a number)."""
        return self.schema.is_class

    @property
    def label(self) -> Any:
        """What it says: a class or a number."""
        return self.schema.classes[int(self.answer)] if self.is_class else self.answer

    @property
    def weight(self) -> float:
        """The training weight it covers."""
        return sum(self.stats) if self.is_class else self.stats[0]

    @property
    def right(self) -> float | None:
        """The training weight of its class among that; None for numbers."""
        return self.stats[int(self.answer)] if self.is_class else None

    @property
    def accuracy(self) -> float | None:
        """The share it gets right; None for numbers, and where it covers nothing."""
        return None if self.right is None or not self.weight > 0 else self.right / self.weight

    def condition_text(self, *, unknown: bool = False) -> tuple[str, ...]:
        """The conditions in words."""
        return tuple(condition.text(self.schema, unknown=unknown) for condition in self.conditions)

    def __str__(self) -> str:
        from hornbeam.rules.text import rule_line

        return rule_line(self)


@dataclasses.dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules in their order, the default, and how they answer together.

    `totals` and `rows` are the statistics and number of all training rows; `method` says how the rules were made.
    """

    schema: Schema
    rules: tuple[Rule, ...]
    default: Rule | None
    totals: tuple[float, ...]
    rows: int
    answers_by: str = "first"
    method: str = "leaves"
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.answers_by not in WAYS:
            raise OptionError(
                f"answers_by must be one of {', '.join(WAYS)}; got {short_repr(self.answers_by)}.", option="answers_by"
            )

    def __getstate__(self) -> dict[str, bytes]:
        from hornbeam.rules.files import rules_to_bytes

        return state_of(rules_to_bytes(self))

    def __setstate__(self, state: Any) -> None:
        from hornbeam.rules.files import rules_from_bytes

        restore(self, state, rules_from_bytes, RuleSet)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, place: int) -> Rule:
        if not -len(self.rules) <= place < len(self.rules):
            raise InputError(f"There are {len(self.rules)} rules; number {place} was asked for.")
        return self.rules[place]

    @property
    def is_class(self) -> bool:
        """Whether classes are said (and not numbers)."""
        return self.schema.is_class

    def replace(self, **changes: Any) -> RuleSet:
        """The same rules with something changed: `rules.replace(answers_by="vote")`."""
        known = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise OptionError(f"A RuleSet has no {short_repr(name)}.", hint=available(known), option=name)
        return dataclasses.replace(self, **changes)

    def predict(self, rows: Any) -> Prediction:
        """What the rules say of new rows: a table, or anything `read` takes, matched by name."""
        from hornbeam.rules.prediction import predict_rules

        return predict_rules(self, rows)

    def text(self, *, unknown: bool = False) -> str:
        """One line a rule; `unknown` adds what missing values and new levels do."""
        from hornbeam.rules.text import text

        return text(self, unknown=unknown)

    def markdown(self, *, unknown: bool = False) -> str:
        """A Markdown table with cover, accuracy and lift."""
        from hornbeam.rules.text import markdown

        return markdown(self, unknown=unknown)

    def sql(self) -> str:
        """One SQL expression that says what the rules say: CASE WHEN ... END."""
        from hornbeam.rules.sql import case_expression

        return case_expression(self)

    def as_rows(self) -> list[dict[str, Any]]:
        """One dict of plain values a rule, for a data frame: `pandas.DataFrame(rules.as_rows())`."""
        from hornbeam.rules.rule_metrics import rows_of

        return rows_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rules to a model file, whole or not at all."""
        from hornbeam.rules.files import save_rules

        save_rules(self, path)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        target = self.schema.target.name if self.schema.target else "?"
        return f"<RuleSet of {target}: {len(self)} rules by {self.method}, answered by {self.answers_by}>"

    def _repr_html_(self) -> str:
        from hornbeam.rules.text import html_table

        return html_table(self)
