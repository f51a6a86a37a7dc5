"""The record of growth: every candidate of every node, and its table as in the lecture notes.

    Node 0: 14 rows, No 5, Yes 9; Entropy(S) = 0.940
      Gain(S, Outlook)     = 0.247   Overcast [0, 4]  Rain [2, 3]  Sunny [3, 2]   <- best
      Gain(S, Wind)        = 0.048   Strong [3, 3]  Weak [2, 6]

The brackets contain the rows of each class in each branch, in the order of the first line; for a numeric target the
number of rows.

`grow` fills the `Trace` that it receives; `format_trace` prints it. Ratios come with their gain and split information.
Where columns have costs or kinds of question a penalty, the table shows the cost and the quotient that decides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from hornbeam.errors import InputError, Set
from hornbeam.growing.method import Method
from hornbeam.number_text import count_text, number_text, short_number_text
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
# More classes or branches make a line too long; then only the rows of each branch are printed, or nothing.
_MAX_CLASSES, _MAX_BRANCHES = 6, 8


@dataclasses.dataclass(frozen=True, eq=False)
class ColumnCandidate:
    """The best question about one column and its value, NaN if it was excluded; value / cost was compared."""

    candidate: Candidate
    value: float
    is_chosen: bool
    cost: float = 1.0


@dataclasses.dataclass(frozen=True, eq=False)
class Step:
    """The record of one node: its impurity, the best candidate of every column, and every candidate tried."""

    node: int
    impurity: float
    considered: tuple[ColumnCandidate, ...]
    tried: tuple[TriedCandidate, ...]


class Trace:
    """The steps of growth, one per node; numbered as in the tree after growth."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.tree: Tree | None = None
        self.criterion = ""
        self.is_gain = True

    def record(
        self,
        created: int,
        view: NodeView,
        method: Method,
        candidates: Sequence[Candidate],
        values: Sequence[float],
        chosen: int | None,
    ) -> None:
        """Record the candidates of a node."""
        assert method.criterion is not None
        self.criterion = method.criterion.name
        self.is_gain = isinstance(method.criterion, NodeImpurity)
        kept = tuple(
            ColumnCandidate(each, value, index == chosen, view.sample.cost(each.question))
            for index, (each, value) in enumerate(zip(candidates, values, strict=True))
        )
        impurity = float(method.criterion.impurity(view.stats, view.targets))
        self.steps.append(Step(created, impurity, kept, tuple(view.tried_candidates or ())))

    def finish(self, order: Sequence[int], tree: Tree) -> None:
        """Number the steps as in the tree; those of nodes that are not in the tree are dropped."""
        number = {created: index for index, created in enumerate(order)}
        kept = [dataclasses.replace(step, node=number[step.node]) for step in self.steps if step.node in number]
        self.steps = sorted(kept, key=lambda step: step.node)
        self.tree = tree


def format_trace(source: Tree | Trace, every: bool = False) -> str:
    """The table of every node; `every` also lists every candidate tried (for a trace only)."""
    if not isinstance(source, Trace):
        source = only_tree(source, "The table of steps")
        if "steps" not in source.metadata:
            raise InputError("This tree was grown without a trace.", fix=Set("trace", True, inside="grow"))
        return "\n".join(source.metadata["steps"])
    if source.tree is None:
        raise InputError("This trace is empty: no tree has been grown with it.")
    lines: list[str] = []
    for step in source.steps:
        lines += _node_lines(step, source, source.tree, every)
    return "\n".join(lines)


def _node_lines(step: Step, trace: Trace, tree: Tree, every: bool) -> list[str]:
    impurity = f"{_IMPURITIES.get(trace.criterion, 'Impurity')}(S) = {_score_text(step.impurity)}"
    head = f"Node {step.node}{_path(tree, step.node)}: {_contents(tree, step.node)}; {impurity}"
    width = max((len(_subject(each.candidate, tree)) for each in step.considered), default=0)
    lines = [head, *(_considered(each, trace, tree, width) for each in step.considered)]
    if every:
        lines += [f"    {_question_text(each.question, tree)}: {number_text(each.score)}" for each in step.tried]
    reason = tree.reason(step.node)
    return [*lines, f"  leaf: {tree.prediction_text(step.node)}, because {reason}"] if reason else lines


def _path(tree: Tree, node: int) -> str:
    above = int(tree.nodes.parent[node])
    if above < 0:
        return ""
    return f" ({tree.branch_text(above, node - int(tree.nodes.first_child[above]))})"


def _contents(tree: Tree, node: int) -> str:
    n_rows = int(tree.nodes.rows[node])
    rows = f"{n_rows:,} row{'' if n_rows == 1 else 's'}"
    stats = tree.nodes.stats[node]
    if not tree.is_class:
        return f"{rows}, mean {short_number_text(float(stats[1]))}"
    return ", ".join(
        [
            rows,
            *(f"{label} {count_text(float(weight))}" for label, weight in zip(tree.schema.classes, stats, strict=True)),
        ]
    )


def _score_text(score: float) -> str:
    """A score with three decimals; a large one, as of squared errors, with separators."""
    return f"{score:.3f}" if not abs(score) >= 1000 else short_number_text(score)


def _subject(candidate: Candidate, tree: Tree) -> str:
    """The column, or the whole question where the column does not identify it."""
    if candidate.question.kind == "multiway":
        return tree.schema.columns[candidate.column].name
    return candidate.question.text(tree.schema)


def _question_text(question: Question, tree: Tree) -> str:
    return " | ".join(question.text(tree.schema, branch) for branch in range(question.n_branches))


def _considered(each: ColumnCandidate, trace: Trace, tree: Tree, width: int) -> str:
    candidate = each.candidate
    about = f"(S, {_subject(candidate, tree)})".ljust(width + 6)
    name = "GainRatio" if trace.criterion in _RATIOS else "Gain" if trace.is_gain else trace.criterion
    has_cost = each.cost != 1 and each.value == each.value
    cost = f"   Cost = {each.cost:g}   {name}/Cost = {each.value / each.cost:.3f}" if has_cost else ""
    mark = cost + _branches(candidate, tree) + ("   <- best" if each.is_chosen else "")
    if trace.criterion in _RATIOS:
        gain = candidate.score if trace.criterion == "c45" else candidate.gain
        bits = float(split_information(candidate.branches, candidate.unknown))
        ratio = _score_text(each.value) if each.value == each.value else "excluded"
        return (
            f"  Gain{about}= {_score_text(gain)}   SplitInformation = {_score_text(bits)}   GainRatio = {ratio}{mark}"
        )
    return f"  {name}{about}= {_score_text(each.value)}{mark}"


def _branches(candidate: Candidate, tree: Tree) -> str:
    """The contents of each branch: with its level, or the branch where the question holds first."""
    if candidate.n_branches > _MAX_BRANCHES:
        return ""
    contents = [_branch_contents(candidate, branch, tree) for branch in range(candidate.n_branches)]
    if candidate.question.kind != "multiway":
        return "   " + "  ".join(contents)
    column = tree.schema.columns[candidate.column]
    prefix = f"{column.name} = "
    names = [
        candidate.question.text(tree.schema, branch).removeprefix(prefix)
        if branch < candidate.question.n_branches
        else "missing"
        for branch in range(candidate.n_branches)
    ]
    return "   " + "  ".join(f"{name} {each}" for name, each in zip(names, contents, strict=True))


def _branch_contents(candidate: Candidate, branch: int, tree: Tree) -> str:
    stats, n_rows = candidate.branches[branch], count_text(float(candidate.rows[branch]))
    if not tree.is_class or len(stats) > _MAX_CLASSES:
        return f"[{n_rows} rows]"
    return f"[{', '.join(count_text(float(weight)) for weight in stats)}]"
