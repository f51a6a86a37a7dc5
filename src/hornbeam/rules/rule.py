"""Rules and rule sets.

    if 2.45 < petal_length and petal_width <= 1.75 then versicolor      (54 rows, 91% right)

A rule stores the statistics of the rows that it covers, as a tree's node does: the weight of each class, or weight,
mean and sum of squares. A rule set predicts by one of two methods (`predict_by`):

    first    the first rule that matches predicts; so does a set of leaf rules, of which exactly one matches
    vote     every rule that matches votes for its class with its estimated accuracy, (right + 1) / (weight + 2)

Where no rule matches, the default predicts. Without a default such a row is an error.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hornbeam.errors import InputError, OptionError, available, short_repr
from hornbeam.ordered_sum import ordered_sum
from hornbeam.rules.conditions import Condition
from hornbeam.table.table import Schema
from hornbeam.tree.file.serializer_state import restore, state_of

if TYPE_CHECKING:
    from hornbeam.tree.prediction import Prediction

METHODS = ("first", "vote")


@dataclasses.dataclass(frozen=True)
class Rule:
    """If all conditions are true, the prediction is `answer`: the index of a class, or a number.

    `stats` and `rows` are those of the training rows that it covers, `node` is the leaf that it comes from (-1: none),
    `estimate` the accuracy by which it is ordered (None: it is not). A rule that `stays` is for rows that end at an
    inner node because its question has no outcome for them; its statistics are those of the whole node.
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
        """Whether it predicts a class (and not a number)."""
        return self.schema.is_class

    @property
    def label(self) -> Any:
        """The prediction: a class or a number."""
        return self.schema.classes[int(self.answer)] if self.is_class else self.answer

    @property
    def weight(self) -> float:
        """The training weight that it covers."""
        return ordered_sum(self.stats) if self.is_class else self.stats[0]

    @property
    def right(self) -> float | None:
        """The training weight of its class among that; None for a regression."""
        return self.stats[int(self.answer)] if self.is_class else None

    @property
    def accuracy(self) -> float | None:
        """The fraction that it predicts correctly; None for a regression, and where it covers no row."""
        return None if self.right is None or not self.weight > 0 else self.right / self.weight

    def condition_text(self, *, show_missing: bool = False) -> tuple[str, ...]:
        """The conditions as text."""
        return tuple(condition.text(self.schema, show_missing=show_missing) for condition in self.conditions)

    def __str__(self) -> str:
        from hornbeam.rules.text import rule_line

        return rule_line(self)


@dataclasses.dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules in order, the default rule, and the method by which they predict.

    `totals` and `rows` are the statistics and number of all training rows; `method` is how the rules were made.
    """

    schema: Schema
    rules: tuple[Rule, ...]
    default: Rule | None
    totals: tuple[float, ...]
    rows: int
    predict_by: str = "first"
    method: str = "leaves"
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.predict_by not in METHODS:
            raise OptionError(
                f"predict_by must be one of {', '.join(METHODS)}, got {short_repr(self.predict_by)}.",
                option="predict_by",
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

    def __getitem__(self, index: int) -> Rule:
        if not -len(self.rules) <= index < len(self.rules):
            raise InputError(f"The index of a rule must be below {len(self.rules)}, got {index}.")
        return self.rules[index]

    @property
    def is_class(self) -> bool:
        """Whether classes are predicted (and not numbers)."""
        return self.schema.is_class

    def replace(self, **changes: Any) -> RuleSet:
        """The same rules with something changed: `rules.replace(predict_by="vote")`."""
        known = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise OptionError(f"A RuleSet has no {short_repr(name)}.", hint=available(known), option=name)
        return dataclasses.replace(self, **changes)

    def predict(self, rows: Any) -> Prediction:
        """The predictions for rows: a table, a data frame or anything that `read` accepts, matched by name."""
        from hornbeam.rules.prediction import predict_rules

        return predict_rules(self, rows)

    def text(self, *, show_missing: bool = False) -> str:
        """One line per rule; `show_missing` adds whether missing values and unseen levels satisfy a condition."""
        from hornbeam.rules.text import text

        return text(self, show_missing=show_missing)

    def markdown(self, *, show_missing: bool = False) -> str:
        """A Markdown table with cover, accuracy and lift."""
        from hornbeam.rules.text import markdown

        return markdown(self, show_missing=show_missing)

    def as_rows(self) -> list[dict[str, Any]]:
        """One dict per rule, for a data frame: `pandas.DataFrame(rules.as_rows())`."""
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
        return f"<RuleSet of {target}: {len(self)} rules by {self.method}, predicts by {self.predict_by}>"

    def _repr_html_(self) -> str:
        from hornbeam.rules.text import html_table

        return html_table(self)
