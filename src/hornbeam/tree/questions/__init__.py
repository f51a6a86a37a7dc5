"""The questions that nodes test: one kind per file, five encodings for all of them.

| kind       | branch                                   | encoding |
| ---------- | ---------------------------------------- | -------- |
| threshold  | 0 if x <= cut else 1                     | CUTS     |
| intervals  | number of cuts below x                   | CUTS     |
| is_missing | 0 if missing else 1                      | CUTS     |
| subset     | 0 if the level is in the set else 1      | MAP      |
| multiway   | one branch per level                     | MAP      |
| hyperplane | 0 if sum w x <= bound else 1             | PLANE    |
| sphere     | 0 if inside else 1                       | BALL     |
| combined   | 0 if all (any) literals are true else 1  | COMBINED |
| named      | that of the question that has the name   | its own  |

The outcome is UNKNOWN (-1) when a needed value is missing, and UNSEEN_LEVEL (-2) when a level has no branch.
"""

from hornbeam.tree.questions.base import UNKNOWN, UNSEEN_LEVEL, Encoding, Question
from hornbeam.tree.questions.combined import Combined, Literal
from hornbeam.tree.questions.hyperplane import Hyperplane
from hornbeam.tree.questions.intervals import Intervals
from hornbeam.tree.questions.is_missing import IsMissing
from hornbeam.tree.questions.kinds import question_kind, question_kinds
from hornbeam.tree.questions.multiway import Multiway
from hornbeam.tree.questions.named import Named
from hornbeam.tree.questions.sphere import Sphere
from hornbeam.tree.questions.subset import Subset
from hornbeam.tree.questions.table import QuestionTable
from hornbeam.tree.questions.threshold import Threshold

__all__ = [
    "UNKNOWN",
    "UNSEEN_LEVEL",
    "Combined",
    "Encoding",
    "Hyperplane",
    "Intervals",
    "IsMissing",
    "Literal",
    "Multiway",
    "Named",
    "Question",
    "QuestionTable",
    "Sphere",
    "Subset",
    "Threshold",
    "question_kind",
    "question_kinds",
]
