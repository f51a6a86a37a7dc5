"""What did the grower consider, and why did it choose so?  Every candidate of every node, and the lecture's table of them.

    Gain(S, Outlook) = 0.247  <- best
    Gain(S, Humidity) = 0.152

`Trace` is handed to `grow`, which fills it; `steps` prints it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.growing.method import Method
from hornbeam.parts.node import Candidate, NodeView, Tried
from hornbeam.table.table import Schema


@dataclasses.dataclass(frozen=True, eq=False)
class Considered:
    """The best question of one column: its words, and the numbers it was judged by."""

    column: int
    candidate: Candidate
    value: float
    chosen: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Step:
    """What happened at one node."""

    node: int
    rows: int
    stats: tuple[float, ...]
    impurity: float
    criterion: str
    considered: tuple[Considered, ...]
    tried: tuple[Tried, ...]


class Trace:
    """Filled while a tree grows: one step a node, in the tree's numbering when growth is done."""

    def __init__(self) -> None:
        self.schema: Schema | None = None
        self.steps: list[Step] = []

    def note(
        self,
        created: int,
        view: NodeView,
        method: Method,
        candidates: Sequence[Candidate],
        values: Sequence[float],
        chosen: int | None,
    ) -> None:
        """Keep what a node considered."""
        assert method.criterion is not None
        kept = tuple(
            Considered(each.column, each, value, place == chosen)
            for place, (each, value) in enumerate(zip(candidates, values, strict=True))
        )
        impurity = float(method.criterion.impurity(view.stats, view.targets))
        tried = tuple(view.notebook or ())
        self.steps.append(
            Step(created, view.n_rows, tuple(view.stats.tolist()), impurity, method.criterion.name, kept, tried)
        )

    def finish(self, order: Sequence[int], schema: Schema) -> None:
        """Renumber the steps as the tree is numbered; steps of nodes that were cut away again are dropped."""
        number = {created: place for place, created in enumerate(order)}
        kept = [dataclasses.replace(step, node=number[step.node]) for step in self.steps if step.node in number]
        self.steps = sorted(kept, key=lambda step: step.node)
        self.schema = schema
