"""The arrays of a tree under the names of scikit-learn.

    children_left, children_right   -1 at leaves         feature     the column of the split, -2 at leaves
    n_node_samples, impurity, ...   one entry per node   threshold   x <= threshold goes left; -2 at leaves

Nodes keep their numbers (the children of a node are adjacent), which `apply` and `decision_path` use too. A split on
categories has no threshold (NaN). A tree with a node of more than two branches has no left and right child: an error is
raised.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError
from hornbeam.estimators.paths import decision_paths
from hornbeam.explanation.impurity import gain_fractions, tree_gains
from hornbeam.tree import walk
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import columns_of
from hornbeam.tree.questions import Encoding

LEAF = -1
UNDEFINED = -2


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SklearnTree(Tree):
    """A tree that also has scikit-learn's attribute names."""

    @property
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self)

    @property
    def max_depth(self) -> int:
        """The maximum depth."""
        return self.depth

    @property
    def n_features(self) -> int:
        """The number of predictors."""
        return len(self.schema.columns)

    @property
    def n_outputs(self) -> int:
        """The number of targets, 1."""
        return 1

    @property
    def n_classes(self) -> npt.NDArray[np.int64]:
        """The number of classes, in an array of one; 1 for regression."""
        return np.array([max(len(self.schema.classes), 1)], dtype=np.int64)

    @property
    def max_n_classes(self) -> int:
        """The number of classes; 1 for regression."""
        return int(self.n_classes[0])

    @property
    def capacity(self) -> int:
        """The number of nodes that the arrays have room for: all nodes."""
        return len(self)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The node where each row of a matrix ends."""
        return walk.leaves(self, columns_of(self.schema, X)).astype(np.int64)

    def predict(self, X: Any, *, threads: int | None = None) -> Any:
        """The class probabilities (rows, classes) or predictions (rows, 1) of the rows of a matrix."""
        prediction = super().predict(X, threads=threads)
        return prediction.probabilities if self.is_class else prediction.numbers[:, None]

    def decision_path(self, X: Any) -> Any:
        """A sparse matrix (rows, nodes): 1 for each node on the path of a row."""
        return decision_paths(self, walk.leaves(self, columns_of(self.schema, X)))

    def compute_feature_importances(self, normalize: bool = True) -> npt.NDArray[np.float64]:
        """The impurity decrease per column; with `normalize` as fractions of the total."""
        return gain_fractions(self) if normalize else tree_gains(self)

    @property
    def children_left(self) -> npt.NDArray[np.int64]:
        """The child of branch 0, -1 at leaves."""
        self._require_two_branches()
        return self.nodes.first_child.astype(np.int64)

    @property
    def children_right(self) -> npt.NDArray[np.int64]:
        """The child of branch 1, -1 at leaves."""
        left = self.children_left
        return np.where(left == LEAF, LEAF, left + 1)

    @property
    def feature(self) -> npt.NDArray[np.int64]:
        """The column of the split, -2 at leaves."""
        return self._of_questions(self.questions.column, UNDEFINED).astype(np.int64)

    @property
    def threshold(self) -> npt.NDArray[np.float64]:
        """The cut of a numeric column, -2 at leaves, NaN for categories."""
        cuts = np.full(len(self.questions), np.nan)
        table = self.questions
        is_cut = (table.encoding == Encoding.CUTS) & (table.first == 0) & (np.diff(table.reals_start) == 1)
        cuts[is_cut] = self.questions.reals[self.questions.reals_start[:-1][is_cut]]
        return self._of_questions(cuts, float(UNDEFINED))

    @property
    def missing_go_to_left(self) -> npt.NDArray[np.uint8]:
        """1 if missing values go to branch 0."""
        return np.asarray(self.nodes.missing_branch == 0, dtype=np.uint8)

    @property
    def impurity(self) -> npt.NDArray[np.float64]:
        """The impurity of each node."""
        return self.nodes.impurity

    @property
    def n_node_samples(self) -> npt.NDArray[np.int64]:
        """The number of training rows of each node."""
        return self.nodes.rows

    @property
    def weighted_n_node_samples(self) -> npt.NDArray[np.float64]:
        """The weight of the training rows of each node."""
        return self.nodes.weight

    @property
    def value(self) -> npt.NDArray[np.float64]:
        """Class probabilities (nodes, 1, classes) or predictions (nodes, 1, 1)."""
        return walk.node_values(self)[:, None, :]

    def _of_questions(self, of_question: npt.NDArray[Any], at_leaves: float) -> npt.NDArray[Any]:
        row = self.nodes.question
        out = np.full(len(self), at_leaves, dtype=of_question.dtype)
        out[row >= 0] = of_question[row[row >= 0]]
        return out

    def _require_two_branches(self) -> None:
        multiway = np.flatnonzero((self.nodes.n_branches != 2) & (self.nodes.n_branches != 0))
        if len(multiway):
            raise InputError(
                f"Node {multiway[0]} has {self.nodes.n_branches[multiway[0]]} branches: there is no left and right.",
                hint="Use tree_.nodes.children(node), or searches of two branches.",
                node=int(multiway[0]),
            )


def with_sklearn_names(tree: Tree) -> SklearnTree:
    """The tree with scikit-learn's attribute names; the arrays are shared."""
    return SklearnTree(**_fields(tree))


def as_tree(tree: Tree) -> Tree:
    """The tree without scikit-learn's attribute names."""
    return Tree(**_fields(tree))


def _fields(tree: Tree) -> dict[str, Any]:
    return {field.name: getattr(tree, field.name) for field in dataclasses.fields(Tree)}
