"""What is a tree?  Parallel arrays, one row a node, and the questions they ask.

    root is node 0; a parent comes before its children; the children of a node stand side by side:
    child of branch b = first_child + b.

A node's children are numbered when the node is expanded, nodes are expanded in preorder, branch 0 first; so the same
tree has the same numbers whatever order it was grown in.

Every node keeps its statistics, so that pruning, risk, importance and drawing need no data again:

    classes   stats = weight of each class
              answer = index of the class it would say
    numbers   stats = (weight, weighted mean, weighted sum of squares about the mean)
              answer = the number it would say

Some arrays follow from others in most trees (`node_arrays.py`): they may be left out, and are made when asked for.
Others are kept in fewer bytes (`packed.py`) and handed out in full.

`missing_branch` says where a row goes when no question or surrogate can be answered: a branch, STAY (the row ends here)
or SHARE (it goes down every branch, with the share of training weight that each took).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.table.table import Schema
from hornbeam.tree.file.serializer_state import restore, state_of
from hornbeam.tree.name_codes import REASONS
from hornbeam.tree.node_arrays import ZEROS, Later, depths_of, gains, parents, two_branches
from hornbeam.tree.packed import Narrow, Packed
from hornbeam.tree.questions import Question, QuestionTable

STAY = -1
SHARE = -2

UNSEEN_POLICIES = ("as_missing", "majority", "stay", "error")

NODE_DTYPES: dict[str, Any] = {
    "parent": np.dtype(np.int32),
    "first_child": np.dtype(np.int32),
    "n_branches": np.dtype(np.int32),
    "question": np.dtype(np.int32),
    "missing_branch": np.dtype(np.int32),
    "depth": np.dtype(np.int32),
    "reason": np.dtype(np.int8),
    "rows": np.dtype(np.int64),
    "weight": np.dtype(np.float64),
    "stats": np.dtype(np.float64),
    "answer": np.dtype(np.float64),
    "impurity": np.dtype(np.float64),
    "gain": np.dtype(np.float64),
    "score": np.dtype(np.float64),
    "surrogate_start": np.dtype(np.int64),
    "surrogate_question": np.dtype(np.int32),
    "surrogate_flipped": np.dtype(np.int8),
    "surrogate_agree": np.dtype(np.float64),
    "surrogate_adjusted": np.dtype(np.float64),
    "competitor_start": np.dtype(np.int64),
    "competitor_question": np.dtype(np.int32),
    "competitor_gain": np.dtype(np.float64),
    "competitor_score": np.dtype(np.float64),
}

_NONE_KEPT = {
    name: np.zeros(0, dtype)
    for name, dtype in NODE_DTYPES.items()
    if name.startswith(("surrogate_", "competitor_")) and not name.endswith("_start")
}
for _none in _NONE_KEPT.values():
    _none.flags.writeable = False

# Those that follow from others: how, where nothing else is said.
_FOLLOW: dict[str, Later] = {"parent": parents, "n_branches": two_branches, "depth": depths_of, "score": gains}

# Of the flags of an array: whether it is contiguous and writeable, and what they must be.
_CONTIGUOUS, _WRITEABLE = 0x1, 0x400
_STATE, _KEPT = _CONTIGUOUS | _WRITEABLE, _CONTIGUOUS

# Arrays that a model file may lack: nothing is asked of them when rows are sent down.
OPTIONAL = ("competitor_start", "competitor_question", "competitor_gain", "competitor_score")


@dataclasses.dataclass(frozen=True, eq=False)
class Nodes:
    """The arrays; each may be given as the function of these nodes that makes it. All are read-only; `stats` has one
    row a node; a leaf has first_child -1 and question -1.

    `gain` is the decrease in impurity inside the node, `score` what the criterion said (they differ for ratios).
    Surrogates of node t are rows [surrogate_start[t], surrogate_start[t + 1]) of the surrogate arrays; a flipped one
    sends its branch 0 to branch 1. Competitors, the questions that came next, are kept alike, if any are.
    """

    parent: npt.NDArray[np.int32]
    first_child: npt.NDArray[np.int32]
    n_branches: npt.NDArray[np.int32]
    question: npt.NDArray[np.int32]
    missing_branch: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    reason: npt.NDArray[np.int8]
    rows: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    stats: npt.NDArray[np.float64]
    answer: npt.NDArray[np.float64]
    impurity: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    surrogate_start: npt.NDArray[np.int64]
    surrogate_question: npt.NDArray[np.int32]
    surrogate_flipped: npt.NDArray[np.int8]
    surrogate_agree: npt.NDArray[np.float64]
    surrogate_adjusted: npt.NDArray[np.float64]
    competitor_start: npt.NDArray[np.int64]
    competitor_question: npt.NDArray[np.int32]
    competitor_gain: npt.NDArray[np.float64]
    competitor_score: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        mine = self.__dict__
        later: dict[str, Later] = {}
        mine["later"] = later
        for name, dtype in NODE_DTYPES.items():
            value = mine[name]
            if type(value) is not np.ndarray and callable(value):
                later[name] = mine.pop(name)
                continue
            if value.dtype is dtype and value.flags.num & _STATE == _KEPT:
                continue
            value = mine[name] = np.ascontiguousarray(value, dtype=dtype).view()
            value.flags.writeable = False

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        later = self.__dict__.get("later", {}).get(name)
        if isinstance(later, Packed):
            return later.lent(self)
        made = self._made(name)
        self.__dict__[name] = made
        return made

    def _made(self, name: str) -> npt.NDArray[Any]:
        """An array that was left out, made from the others."""
        make = self.__dict__.get("later", {}).get(name)
        if make is None:
            raise AttributeError(f"Nodes have no {name!r}.", name=name, obj=self)
        made: npt.NDArray[Any] = make(self)
        made.flags.writeable = False
        return made

    def __len__(self) -> int:
        return len(self.first_child)

    @property
    def is_leaf(self) -> npt.NDArray[np.bool_]:
        """True for leaves."""
        return self.first_child < 0

    def children(self, node: int) -> range:
        """The children of a node, by branch."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_branches[node])) if first >= 0 else range(0)

    def arrays(self, names: Collection[str] = tuple(NODE_DTYPES)) -> dict[str, npt.NDArray[Any]]:
        """Arrays by name: what the core and the model file take. What is made for this is not kept."""
        mine = self.__dict__
        return {name: mine[name] if name in mine else self._made(name) for name in names}

    def as_kept(self, name: str) -> npt.NDArray[Any]:
        """An array as these nodes keep it: the same numbers, whole ones perhaps in a narrower type."""
        later = self.__dict__["later"].get(name)
        return later.kept if isinstance(later, Narrow) else self.arrays((name,))[name]

    def in_full(self) -> Nodes:
        """The same nodes with all arrays made, each once; these keep none of them."""
        later: dict[str, Later] = self.__dict__["later"]
        other = self.replace(**{name: make(self) for name, make in later.items() if isinstance(make, Packed)})
        return _made_of({name: getattr(other, name) for name in NODE_DTYPES})

    def replace(self, **arrays: npt.NDArray[Any] | Later) -> Nodes:
        """The same nodes with other arrays."""
        mine = self.__dict__
        given: dict[str, Any] = {name: mine[name] if name in mine else mine["later"][name] for name in NODE_DTYPES}
        return _made_of(given | arrays)


def nodes_from(arrays: Mapping[str, npt.NDArray[Any] | Later]) -> Nodes:
    """Nodes from arrays; those that are not given are filled: no surrogates or competitors, no
    reasons, two branches a question, the score is the gain.
    """
    given: dict[str, Any] = {**_FOLLOW, **_NONE_KEPT, **arrays}
    return _made_of({name: given[name] if name in given else _blank(name, arrays) for name in NODE_DTYPES})


def _made_of(arrays: dict[str, Any]) -> Nodes:
    """Nodes from all arrays; a frozen class would set them one by one, which small trees would feel."""
    nodes = object.__new__(Nodes)
    nodes.__dict__.update(arrays)
    nodes.__post_init__()
    return nodes


def _blank(name: str, arrays: Mapping[str, Any]) -> npt.NDArray[Any]:
    n = len(arrays["first_child"])
    if name.endswith("_start"):
        return ZEROS(n + 1)
    if name == "missing_branch":
        return np.full(n, STAY, dtype=np.int32)
    return np.zeros(n, dtype=NODE_DTYPES[name])


@dataclasses.dataclass(frozen=True, eq=False)
class Tree:
    """A grown tree: its columns, nodes, questions, and the recipe that made it.

    `metadata` are plain values about the training: rows, weight, dropped columns, column costs. `reasons` are the names
    that `nodes.reason` numbers.
    """

    schema: Schema
    nodes: Nodes
    questions: QuestionTable
    recipe: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    unseen: str = "as_missing"
    reasons: tuple[str, ...] = REASONS

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int(self.nodes.is_leaf.sum())

    @property
    def depth(self) -> int:
        """The longest path from the root."""
        return int(self.nodes.depth.max())

    @property
    def is_class(self) -> bool:
        """Whether leaves say a class (and not a number)."""
        return self.schema.is_class

    @property
    def is_labeled(self) -> bool:
        """Whether the nodes have predictions; a tree grown without a target has none."""
        return self.schema.target is not None

    def question(self, node: int) -> Question:
        """What an inner node asks."""
        row = int(self.nodes.question[node])
        if row < 0:
            raise InputError(f"Node {node} is a leaf: it asks nothing.")
        return self.questions[row]

    def used_columns(self) -> set[int]:
        """The columns that the nodes ask about; those of surrogates are not counted."""
        asked = np.unique(self.nodes.question[~self.nodes.is_leaf])
        single = self.questions.column[asked]
        several = (column for row in asked[single < 0].tolist() for column in self.questions[row].columns)
        return {*single[single >= 0].tolist(), *several}

    def reason(self, node: int) -> str:
        """Why a node is a leaf; '' for an inner node."""
        return self.reasons[int(self.nodes.reason[node])]

    def surrogates(self, node: int) -> Iterator[tuple[Question, bool, float, float]]:
        """A node's surrogates: question, flipped, agreement, adjusted agreement."""
        start, stop = self.nodes.surrogate_start[node : node + 2]
        for row in range(int(start), int(stop)):
            yield (
                self.questions[int(self.nodes.surrogate_question[row])],
                bool(self.nodes.surrogate_flipped[row]),
                float(self.nodes.surrogate_agree[row]),
                float(self.nodes.surrogate_adjusted[row]),
            )

    def competitors(self, node: int) -> Iterator[tuple[Question, float, float]]:
        """The questions that came next at a node: question, gain, score."""
        start, stop = self.nodes.competitor_start[node : node + 2]
        for row in range(int(start), int(stop)):
            yield (
                self.questions[int(self.nodes.competitor_question[row])],
                float(self.nodes.competitor_gain[row]),
                float(self.nodes.competitor_score[row]),
            )

    def branch_text(self, node: int, branch: int) -> str:
        """What holds for a row that takes a branch of a node; also for the branch of missing values."""
        question = self.question(node)
        if branch < question.n_branches:
            return question.text(self.schema, branch)
        names = " or ".join(self.schema.columns[position].name for position in question.columns)
        return f"{names} is missing"

    def prediction_text(self, node: int) -> str:
        """What a node says: a class label or a number; '' without a target."""
        if not self.is_labeled:
            return ""
        answer = float(self.nodes.answer[node])
        return str(self.schema.classes[int(answer)]) if self.is_class else f"{answer:.6g}"

    def errors(self) -> npt.NDArray[np.float64]:
        """The training weight that each node would get wrong as a leaf (classes); sum of squares (numbers)."""
        stats = self.nodes.stats
        if not self.is_class:
            return stats[:, 2]
        right: npt.NDArray[np.float64] = stats[np.arange(len(self)), self.nodes.answer.astype(np.int64)]
        return self.nodes.weight - right

    def __str__(self) -> str:
        from hornbeam.tree.text import format_tree

        return format_tree(self)

    def __repr__(self) -> str:
        target = f"of {self.schema.target.name}" if self.schema.target else "without target"
        return f"<Tree {target}: {len(self)} nodes, {self.n_leaves} leaves, depth {self.depth}>"

    def _repr_html_(self) -> str:
        from hornbeam.tree import views
        from hornbeam.tree.text import html_tree

        return html_tree(self) if views.shown_by is None else views.shown_by(self)

    def __getstate__(self) -> dict[str, bytes]:
        from hornbeam.tree.file.files import to_bytes

        return state_of(to_bytes(self))

    def __setstate__(self, state: Any) -> None:
        from hornbeam.tree.file.files import from_bytes

        restore(self, state, from_bytes, Tree)
