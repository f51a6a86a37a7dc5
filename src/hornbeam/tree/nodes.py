"""Tree and Nodes: a tree as parallel arrays, one entry per node, and a table of questions.

The root is node 0; a parent comes before its children; the children of a node are adjacent: the child of branch b is
first_child + b. Children are numbered when their parent is expanded, and nodes are expanded in preorder, branch 0
first, so the same tree has the same numbers for any order of growth.

Each node stores its statistics, so pruning, risk, importance and drawing need no data:

    classification   stats = weight of each class
                     answer = index of the predicted class
    regression       stats = (weight, weighted mean, weighted sum of squares about the mean)
                     answer = predicted number

Arrays that follow from others are computed when they are read (`node_arrays.py`); some arrays are stored in fewer bytes
(`packed.py`).

`missing_branch` is where a row goes when neither the question nor a surrogate has a defined outcome: a branch, STAY
(the row ends here) or ALL_BRANCHES (down all branches, with the fraction of the training weight of each).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.number_text import number_text
from hornbeam.table.table import Schema
from hornbeam.tree.file.serializer_state import restore, state_of
from hornbeam.tree.name_codes import REASONS
from hornbeam.tree.node_arrays import (
    Derive,
    depths_of,
    gains,
    no_branches,
    no_starts,
    nothing,
    parents,
    questions_in_order,
    two_branches,
    zeros,
)
from hornbeam.tree.packed import Narrow, Packed
from hornbeam.tree.probabilities import Probabilities
from hornbeam.tree.probabilities.frequencies import Frequencies
from hornbeam.tree.questions import Question, QuestionTable

if TYPE_CHECKING:
    from hornbeam.tree.prediction import Prediction

# Values of `missing_branch` that are not a branch.
STAY = -1
ALL_BRANCHES = -2

T = TypeVar("T", bound=np.generic)

UNSEEN_POLICIES = ("as_missing", "majority", "stay", "error")


class NodeArray(Generic[T]):
    """One array of `Nodes`: its type and the function that computes it where it is not given.

    Like a cached property: the attribute of the class is used until the array is in the instance.
    """

    def __init__(self, dtype: type[T], derive: Derive | None = None) -> None:
        self.dtype: np.dtype[T] = np.dtype(dtype)
        self.derive = derive

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, nodes: Nodes, owner: type | None = None) -> npt.NDArray[T]:
        lazy = nodes.lazy.get(self.name)
        if isinstance(lazy, Packed):
            return lazy.cached(nodes)
        found = nodes.__dict__[self.name] = nodes.computed(self.name)
        return found


class Nodes:
    """The arrays of the nodes. All are read-only; `stats` has one row per node; a leaf has first_child and question -1.

    An array that is not given is computed when it is first read: by the function that is given in its place, or by the
    one below. `gain` is the decrease in impurity at the node, `score` the value of the criterion (they differ for
    ratios). The surrogates of node t are rows [surrogate_start[t], surrogate_start[t + 1]) of the surrogate arrays; a
    flipped one sends its branch 0 to branch 1. Competitors, the next best questions, are stored in the same way.
    """

    parent = NodeArray(np.int32, parents)
    first_child = NodeArray(np.int32)
    n_branches = NodeArray(np.int32, two_branches)
    question = NodeArray(np.int32, questions_in_order)
    missing_branch = NodeArray(np.int32, no_branches)
    depth = NodeArray(np.int32, depths_of)
    reason = NodeArray(np.int8, zeros(np.int8))
    rows = NodeArray(np.int64, zeros(np.int64))
    weight = NodeArray(np.float64, zeros(np.float64))
    stats = NodeArray(np.float64)
    answer = NodeArray(np.float64, zeros(np.float64))
    impurity = NodeArray(np.float64, zeros(np.float64))
    gain = NodeArray(np.float64, zeros(np.float64))
    score = NodeArray(np.float64, gains)
    surrogate_start = NodeArray(np.int64, no_starts)
    surrogate_question = NodeArray(np.int32, nothing(np.int32))
    surrogate_flipped = NodeArray(np.int8, nothing(np.int8))
    surrogate_agree = NodeArray(np.float64, nothing(np.float64))
    surrogate_adjusted = NodeArray(np.float64, nothing(np.float64))
    competitor_start = NodeArray(np.int64, no_starts)
    competitor_question = NodeArray(np.int32, nothing(np.int32))
    competitor_gain = NodeArray(np.float64, nothing(np.float64))
    competitor_score = NodeArray(np.float64, nothing(np.float64))

    given: tuple[str, ...]  # the names of the arrays that were given
    lazy: dict[str, Derive | Packed]  # what was given in place of an array

    def __init__(self, **given: npt.NDArray[Any] | Derive | Packed) -> None:
        arrays: dict[str, npt.NDArray[Any]] = {}
        lazy: dict[str, Derive | Packed] = {}
        for name, value in given.items():
            if not isinstance(value, np.ndarray):
                lazy[name] = value
                continue
            dtype, flags = NODE_DTYPES[name], value.flags
            if value.dtype is not dtype or flags.writeable or not flags.c_contiguous:
                value = np.ascontiguousarray(value, dtype=dtype).view()
                value.flags.writeable = False
            arrays[name] = value
        self.__dict__.update(arrays, given=tuple(arrays), lazy=lazy)

    def __setattr__(self, name: str, value: Any) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def computed(self, name: str) -> npt.NDArray[Any]:
        """An array that was not given, computed from the others and not stored."""
        derive = self.lazy.get(name) or NODE_ARRAYS[name].derive
        if derive is None:
            raise InputError(f"The nodes of a tree need the array {name}.")
        found = derive(self)
        found.flags.writeable = False
        return found

    def __len__(self) -> int:
        return len(self.first_child)

    @property
    def base(self) -> int:
        """The index of the root."""
        return 0

    @property
    def is_leaf(self) -> npt.NDArray[np.bool_]:
        """True for leaves."""
        return self.first_child < 0

    def children(self, node: int) -> range:
        """The children of a node, by branch."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_branches[node])) if first >= 0 else range(0)

    def arrays(self, names: Collection[str] = ()) -> dict[str, npt.NDArray[Any]]:
        """Arrays by name, all without names; arrays that are computed for this call are not stored."""
        given = self.__dict__
        return {name: given[name] if name in given else self.computed(name) for name in names or NODE_DTYPES}

    def stored(self, name: str) -> npt.NDArray[Any]:
        """An array in the type in which it is stored: its integers may have a narrower type than the attribute."""
        lazy = self.lazy.get(name)
        return lazy.kept if isinstance(lazy, Narrow) else self.arrays((name,))[name]

    def in_full(self) -> Nodes:
        """The same nodes with all arrays computed once; these nodes store none of them."""
        found = self.replace(**{name: lazy(self) for name, lazy in self.lazy.items() if isinstance(lazy, Packed)})
        return Nodes(**{name: getattr(found, name) for name in NODE_DTYPES})

    def replace(self, **arrays: npt.NDArray[Any] | Derive) -> Nodes:
        """The same nodes with other arrays; arrays that were not given are computed from them. `in_full` keeps all."""
        given = {name: self.__dict__[name] for name in self.given}
        return Nodes(**{**given, **self.lazy, **arrays})


NODE_ARRAYS: dict[str, NodeArray[Any]] = {
    name: array for name, array in vars(Nodes).items() if isinstance(array, NodeArray)
}
NODE_DTYPES: dict[str, np.dtype[Any]] = {name: array.dtype for name, array in NODE_ARRAYS.items()}

# Arrays that a model file may omit; the walk does not read them.
OPTIONAL = ("competitor_start", "competitor_question", "competitor_gain", "competitor_score")


@dataclasses.dataclass(frozen=True, eq=False)
class Tree:
    """A grown tree: its columns, nodes, questions, and the recipe by which it was grown.

    `metadata` are JSON values about the training: rows, weight, dropped columns, column costs. `reasons` are the names
    that `nodes.reason` numbers. `probabilities` estimates class probabilities from the class weights of the nodes.
    """

    schema: Schema
    nodes: Nodes
    questions: QuestionTable
    recipe: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    unseen: str = "as_missing"
    reasons: tuple[str, ...] = REASONS
    probabilities: Probabilities = Frequencies()  # noqa: RUF009 - frozen

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int(self.nodes.is_leaf.sum())

    @property
    def depth(self) -> int:
        """The depth of the deepest leaf; the root has depth 0."""
        return int(self.nodes.depth.max())

    @property
    def is_class(self) -> bool:
        """Whether the tree predicts classes (and not numbers)."""
        return self.schema.is_class

    @property
    def is_labeled(self) -> bool:
        """Whether the nodes have predictions; a tree grown without a target has none."""
        return self.schema.target is not None

    def question(self, node: int) -> Question:
        """The question of an inner node."""
        row = int(self.nodes.question[node])
        if row < 0:
            raise InputError(f"Node {node} is a leaf: it has no question.")
        return self.questions[row]

    def used_columns(self) -> set[int]:
        """The columns of the questions of nodes; those of surrogates are not included."""
        rows = np.unique(self.nodes.question[~self.nodes.is_leaf])
        single = self.questions.column[rows]
        several = (column for row in rows[single < 0].tolist() for column in self.questions[row].columns)
        return {*single[single >= 0].tolist(), *several}

    def reason(self, node: int) -> str:
        """The reason why a node is a leaf; '' for an inner node."""
        return self.reasons[int(self.nodes.reason[node])]

    def surrogates(self, node: int) -> Iterator[tuple[Question, bool, float, float]]:
        """The surrogates of a node: question, flipped, agreement, adjusted agreement."""
        start, stop = self.nodes.surrogate_start[node : node + 2]
        for row in range(int(start), int(stop)):
            yield (
                self.questions[int(self.nodes.surrogate_question[row])],
                bool(self.nodes.surrogate_flipped[row]),
                float(self.nodes.surrogate_agree[row]),
                float(self.nodes.surrogate_adjusted[row]),
            )

    def competitors(self, node: int) -> Iterator[tuple[Question, float, float]]:
        """The next best questions of a node: question, gain, score."""
        start, stop = self.nodes.competitor_start[node : node + 2]
        for row in range(int(start), int(stop)):
            yield (
                self.questions[int(self.nodes.competitor_question[row])],
                float(self.nodes.competitor_gain[row]),
                float(self.nodes.competitor_score[row]),
            )

    def branch_text(self, node: int, branch: int) -> str:
        """The condition of a branch of a node, also of a separate branch for missing values."""
        question = self.question(node)
        if branch < question.n_branches:
            return question.text(self.schema, branch)
        names = " or ".join(self.schema.columns[position].name for position in question.columns)
        return f"{names} is missing"

    def prediction_text(self, node: int) -> str:
        """The prediction of a node as text: a class label or a number; '' without a target."""
        if not self.is_labeled:
            return ""
        answer = float(self.nodes.answer[node])
        return str(self.schema.classes[int(answer)]) if self.is_class else number_text(float(answer))

    def errors(self) -> npt.NDArray[np.float64]:
        """The training weight that each node would misclassify as a leaf; for regression the sum of squares."""
        stats = self.nodes.stats
        if not self.is_class:
            return stats[:, 2]
        right: npt.NDArray[np.float64] = stats[np.arange(len(self)), self.nodes.answer.astype(np.int64)]
        return self.nodes.weight - right

    def predict(self, rows: Any, *, threads: int | None = None) -> Prediction:
        """The predictions for rows; `hornbeam.predict` describes the arguments."""
        from hornbeam.tree.prediction import predict

        return predict(self, rows, threads=threads)

    def __str__(self) -> str:
        from hornbeam.tree.text import format_tree

        return format_tree(self)

    def __repr__(self) -> str:
        target = f"of {self.schema.target.name}" if self.schema.target else "without target"
        before = max((entry["leaves"][0] for entry in self.metadata.get("prunings", ())), default=0)
        pruned = f"; pruned from {before} leaves" if before > self.n_leaves else ""
        return f"<Tree {target}: {len(self):,} nodes, {self.n_leaves:,} leaves, depth {self.depth}{pruned}>"

    def _repr_html_(self) -> str:
        from hornbeam.tree.views import html_view

        return html_view(self)

    def __getstate__(self) -> dict[str, bytes]:
        from hornbeam.tree.file.files import to_bytes

        return state_of(to_bytes(self))

    def __setstate__(self, state: Any) -> None:
        from hornbeam.tree.file.files import from_bytes

        restore(self, state, from_bytes, Tree)
