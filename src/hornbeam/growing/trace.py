"""What did the grower consider, and why did it choose so?

Every candidate of every node, and the lecture's table of them.

    Node 0: 14 rows, No 5, Yes 9; Entropy(S) = 0.940
      Gain(S, Outlook)     = 0.247   <- best
      Gain(S, Humidity)    = 0.152

A `Trace` is handed to `grow`, which fills it; `steps` tells it. Ratios come with their gain and split information.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.errors import InputError, Set
from hornbeam.growing.method import Method
from hornbeam.parts.criteria import NodeImpurity
from hornbeam.parts.criteria.gain_ratio import split_information
from hornbeam.parts.node import Candidate, NodeView, TriedCandidate
from hornbeam.tree.nodes import Tree
from hornbeam.tree.one_tree import only_tree
from hornbeam.tree.questions import Question

_IMPURITIES = {
    "entropy": "Entropy",
    "gain_ratio": "Entropy",
    "c45": "Entropy",
    "gini": "Gini",
    "squared_error": "Variance",
    "misclassification": "Error",
}
_RATIOS = ("gain_ratio", "c45")


@dataclasses.dataclass(frozen=True, eq=False)
class Considered:
    """The best question about one column and what it was compared by; NaN when it was barred."""

    candidate: Candidate
    value: float
    is_chosen: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Step:
    """What happened at one node: its impurity, the best of every column, and every single candidate tried."""

    node: int
    impurity: float
    considered: tuple[Considered, ...]
    tried: tuple[TriedCandidate, ...]


class Trace:
    """Filled while a tree grows: one step a node, in the tree's numbering when growth is done."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.tree: Tree | None = None
        self.criterion = ""
        self.is_gain = True

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
        self.criterion = method.criterion.name
        self.is_gain = isinstance(method.criterion, NodeImpurity)
        kept = tuple(
            Considered(each, value, place == chosen)
            for place, (each, value) in enumerate(zip(candidates, values, strict=True))
        )
        impurity = float(method.criterion.impurity(view.stats, view.targets))
        self.steps.append(Step(created, impurity, kept, tuple(view.notebook or ())))

    def finish(self, order: Sequence[int], tree: Tree) -> None:
        """Renumber the steps as the tree is numbered; those of nodes that were cut away again are dropped."""
        number = {created: place for place, created in enumerate(order)}
        kept = [dataclasses.replace(step, node=number[step.node]) for step in self.steps if step.node in number]
        self.steps = sorted(kept, key=lambda step: step.node)
        self.tree = tree


def format_trace(told: Tree | Trace, every: bool = False) -> str:
    """The lecture's table for every node; `every` lists every single candidate too (only of a trace)."""
    if not isinstance(told, Trace):
        told = only_tree(told, "The table of steps")
        if "steps" not in told.metadata:
            raise InputError("This tree was grown without a trace.", fix=Set("trace", True, inside="grow"))
        return "\n".join(told.metadata["steps"])
    if told.tree is None:
        raise InputError("This trace is empty: no tree has been grown with it.")
    lines: list[str] = []
    for step in told.steps:
        lines += _node_lines(step, told, told.tree, every)
    return "\n".join(lines)


def _node_lines(step: Step, trace: Trace, tree: Tree, every: bool) -> list[str]:
    impurity = f"{_IMPURITIES.get(trace.criterion, 'Impurity')}(S) = {step.impurity:.3f}"
    head = f"Node {step.node}{_path(tree, step.node)}: {_contents(tree, step.node)}; {impurity}"
    width = max((len(_subject(each.candidate, tree)) for each in step.considered), default=0)
    lines = [head, *(_considered(each, trace, tree, width) for each in step.considered)]
    if every:
        lines += [f"    {_asks(each.question, tree)}: {each.score:.6g}" for each in step.tried]
    reason = tree.reason(step.node)
    return [*lines, f"  leaf: {tree.prediction_text(step.node)}, because {reason}"] if reason else lines


def _path(tree: Tree, node: int) -> str:
    above = int(tree.nodes.parent[node])
    if above < 0:
        return ""
    return f" ({tree.branch_text(above, node - int(tree.nodes.first_child[above]))})"


def _contents(tree: Tree, node: int) -> str:
    rows = f"{int(tree.nodes.rows[node])} rows"
    stats = tree.nodes.stats[node]
    if not tree.is_class:
        return f"{rows}, mean {stats[1]:.4g}"
    return ", ".join([rows, *(f"{label} {weight:g}" for label, weight in zip(tree.schema.classes, stats, strict=True))])


def _subject(candidate: Candidate, tree: Tree) -> str:
    """The column, or the whole question where the column alone does not say it."""
    if candidate.question.kind == "multiway":
        return tree.schema.columns[candidate.column].name
    return candidate.question.text(tree.schema)


def _asks(question: Question, tree: Tree) -> str:
    return " | ".join(question.text(tree.schema, branch) for branch in range(question.n_branches))


def _considered(each: Considered, trace: Trace, tree: Tree, width: int) -> str:
    candidate = each.candidate
    about = f"(S, {_subject(candidate, tree)})".ljust(width + 6)
    mark = "   <- best" if each.is_chosen else ""
    if trace.criterion in _RATIOS:
        gain = candidate.score if trace.criterion == "c45" else candidate.gain
        bits = float(split_information(candidate.branches, candidate.unknown))
        ratio = f"{each.value:.3f}" if each.value == each.value else "barred"
        return f"  Gain{about}= {gain:.3f}   SplitInformation = {bits:.3f}   GainRatio = {ratio}{mark}"
    label = "Gain" if trace.is_gain else trace.criterion
    return f"  {label}{about}= {each.value:.3f}{mark}"
