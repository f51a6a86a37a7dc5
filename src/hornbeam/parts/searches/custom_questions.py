"""A list of questions of the user, tried at every node in its order.

As in phonetic clustering ("is the left context a nasal?"), experts list the questions and the data select among them
(definition 1.5). `machinery/question_tables.py` describes how a question is written; `file` names a TOML file with the
list. A question that was used above has an empty branch and cannot be used again. With other searches, a question about
one column wins a tie against a listed one, and an earlier listed question against a later one.

Rows whose branch is unknown are excluded from the score. A file is read when the part is created: the recipe contains
the questions themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, short_repr
from hornbeam.functions import function_name
from hornbeam.options import PartValue, option
from hornbeam.parts.criteria import Criterion
from hornbeam.parts.node import Candidate, Limits, NodeView, Sample, first_best
from hornbeam.parts.searches.machinery.binary_questions import score_questions
from hornbeam.parts.searches.machinery.many_column_search import ManyColumnSearch
from hornbeam.parts.searches.machinery.question_tables import check_table, question_of, read_tables
from hornbeam.table.column import Column, Kind
from hornbeam.tree.questions import Question

# The key of the questions and their branches in the cache of a sample.
LISTED = "custom_questions"


@dataclass(frozen=True)
class CustomQuestions(ManyColumnSearch):
    """The questions of a list, in its order."""

    name: ClassVar[str] = "custom_questions"
    must_gain: ClassVar[bool] = False
    kinds: ClassVar[tuple[Kind, ...]] = (Kind.NUMERIC, Kind.ORDINAL, Kind.NOMINAL)
    rank: ClassVar[int] = 6
    competes_with_cuts: ClassVar[bool] = False
    questions: tuple[Mapping[str, Any], ...] = option((), "questions, one table each")
    file: str = option("", "TOML file with a list called questions")

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.questions) == bool(self.file):
            raise OptionError("custom_questions requires either questions or file.", option="questions")
        if self.file:
            object.__setattr__(self, "questions", read_tables(self.file))
            object.__setattr__(self, "file", "")
        for index, table in enumerate(self.questions):
            check_table(table, _label(index, table))
        named = [table["name"] for table in self.questions if table.get("name")]
        twice = [name for name in named if named.count(name) > 1]
        if twice:
            raise OptionError(
                f"questions must have different names, and two are named {short_repr(twice[0])}.", option="questions"
            )

    def as_table(self) -> dict[str, Any]:
        """The part as a TOML table; functions by name."""
        return {**super().as_table(), "questions": [question_values(table) for table in self.questions]}

    def in_core(self) -> PartValue:
        """Without the list: the core receives the branches of all rows (`growing/given_questions.py`)."""
        return PartValue(self.part_type, self.name, {"until_depth": self.until_depth})

    def questions_about(self, columns: Sequence[Column]) -> tuple[Question, ...]:
        """The questions about the columns of a table."""
        return tuple(question_of(table, columns, _label(index, table)) for index, table in enumerate(self.questions))

    def among(
        self,
        node: NodeView,
        columns: Sequence[int],
        criterion: Criterion,
        limits: Limits,
        best_single: Candidate | None,
    ) -> Candidate | None:
        """The best of the questions all of whose columns compete."""
        questions, branches = self.branches(node.sample)
        competing = set(columns)
        indices = [index for index, each in enumerate(questions) if competing.issuperset(each.columns)]
        if not indices:
            return None
        branch = branches[indices][:, node.rows]
        found = score_questions(node, branch == 0, branch == 1, criterion, limits)
        found.record(node, lambda index: questions[indices[index]])
        costs = np.array([node.sample.cost(questions[index]) for index in indices])
        best = first_best(found.scores / costs, criterion.tolerance(node.stats, node.targets))
        if best < 0:
            return None
        return found.candidate(node, best, questions[indices[best]], criterion)

    def branches(self, sample: Sample) -> tuple[tuple[Question, ...], npt.NDArray[np.int8]]:
        """The questions and the branches of all rows, computed once per sample."""

        def compute() -> tuple[tuple[Question, ...], npt.NDArray[np.int8]]:
            questions = self.questions_about(sample.columns)
            return questions, branches_of(questions, sample.columns)

        return sample.cache.get(LISTED, compute)


def branches_of(questions: Sequence[Question], columns: Sequence[Column]) -> npt.NDArray[np.int8]:
    """The branch of every row (columns) for every question (rows); below 0 if it is unknown."""
    return np.array([question.branch(columns).astype(np.int8) for question in questions])


def _label(index: int, table: Any) -> str:
    name = table.get("name") if isinstance(table, Mapping) else None
    return f"Question {short_repr(name)}" if isinstance(name, str) and name else f"Question {index}"


def question_values(table: Mapping[str, Any]) -> dict[str, Any]:
    """A question as plain values; functions by name."""
    out: dict[str, Any] = {}
    for key, value in table.items():
        if key == "predicate":
            out[key] = function_name(value)
        elif key in ("all", "any"):
            out[key] = [question_values(inner) for inner in value]
        else:
            out[key] = list(value) if isinstance(value, tuple) else value
    return out
