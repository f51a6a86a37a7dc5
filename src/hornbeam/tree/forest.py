"""Forest: many trees whose predictions are combined.

    mean         weighted mean of class probabilities or numbers                       (bagging, forests)
    vote         weighted fraction of the trees that predict a class                   (Breiman's forests, AdaBoost)
    confidence   each tree votes with the probability of its class, times its weight   (C5.0's boosting)
    median       weighted median of numbers                                            (AdaBoost.R2)
    sum          base + sum of weight times the number of each tree, per output;       (boosting)
                 then the link: identity, logistic (two classes), softmax (more), exp (counts)

The trees are ordinary trees: they can be drawn, pruned and printed. With `sum`, a tree of a classification forest
predicts a number, its term of a score, so its own schema has a numeric target; `output[t]` is the class whose score it
adds to (two classes have one output, the score of the second).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.file.serializer_state import restore, state_of
from hornbeam.tree.nodes import Tree

if TYPE_CHECKING:
    from hornbeam.tree.prediction import Prediction

COMBINES = ("mean", "vote", "sum", "confidence", "median")
LINKS = ("identity", "logistic", "softmax", "exp")


@dataclasses.dataclass(frozen=True, eq=False)
class Forest:
    """Many trees over the same columns. `weights` and `output` have one value per tree, `base` one per output.

    `recipe` and `metadata` are JSON values, as those of a tree.
    """

    schema: Schema
    trees: tuple[Tree, ...]
    weights: npt.NDArray[np.float64] = dataclasses.field(default_factory=lambda: np.zeros(0))
    combine: str = "mean"
    link: str = "identity"
    base: npt.NDArray[np.float64] = dataclasses.field(default_factory=lambda: np.zeros(1))
    output: npt.NDArray[np.int32] = dataclasses.field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    recipe: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    metadata: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.trees)
        weights = np.ones(n) if not len(self.weights) else np.array(self.weights, dtype=np.float64)
        output = np.zeros(n, dtype=np.int32) if not len(self.output) else np.array(self.output, dtype=np.int32)
        for name, value in (("weights", weights), ("output", output), ("base", np.array(self.base, dtype=np.float64))):
            value.flags.writeable = False
            object.__setattr__(self, name, value)
        check_forest(self)

    def __len__(self) -> int:
        return len(self.trees)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    def __getitem__(self, index: int) -> Tree:
        return self.trees[index]

    @property
    def is_class(self) -> bool:
        """Whether the forest predicts classes (and not numbers)."""
        return self.schema.is_class

    @property
    def width(self) -> int:
        """The number of sums per row: classes, outputs, or one."""
        if self.combine == "sum":
            return len(self.base)
        return len(self.schema.classes) if self.is_class else 1

    @property
    def n_nodes(self) -> int:
        """The number of nodes of all trees."""
        return sum(map(len, self.trees))

    def predict(self, rows: Any, *, threads: int | None = None) -> Prediction:
        """The predictions for rows; `hornbeam.predict` describes the arguments."""
        from hornbeam.tree.prediction import predict

        return predict(self, rows, threads=threads)

    def __repr__(self) -> str:
        target = self.schema.target.name if self.schema.target else "?"
        return f"<Forest of {target}: {len(self):,} trees, {self.n_nodes:,} nodes, {self.combine}>"

    def __str__(self) -> str:
        from hornbeam.tree.forest_text import format_forest

        return format_forest(self)

    def _repr_html_(self) -> str:
        from hornbeam.tree.forest_text import html_forest

        return html_forest(self)

    def __getstate__(self) -> dict[str, bytes]:
        from hornbeam.tree.file.files import to_bytes

        return state_of(to_bytes(self))

    def __setstate__(self, state: Any) -> None:
        from hornbeam.tree.file.files import from_bytes

        restore(self, state, from_bytes, Forest)


def score_schema(schema: Schema) -> Schema:
    """The schema of a tree that predicts a score: the same columns, a numeric target."""
    if schema.target is None or not schema.is_class:
        return schema
    return Schema(schema.columns, ColumnSpec(f"score of {schema.target.name}", Kind.NUMERIC, ()))


def check_forest(forest: Forest) -> Forest:
    """The forest itself; an error if its fields contradict each other."""
    if forest.combine not in COMBINES:
        raise OptionError(f"combine must be one of {', '.join(COMBINES)}; got {short_repr(forest.combine)}.")
    if forest.link not in LINKS:
        raise OptionError(f"link must be one of {', '.join(LINKS)}; got {short_repr(forest.link)}.")
    n = len(forest.trees)
    if not n and forest.combine != "sum":
        raise InputError("A forest needs at least one tree.")
    if len(forest.weights) != n or len(forest.output) != n:
        raise InputError(
            f"{n} trees need as many weights and outputs; got {len(forest.weights)}, {len(forest.output)}."
        )
    if not np.isfinite(forest.weights).all() or not np.isfinite(forest.base).all():
        raise InputError("Weights and base of a forest must be finite.")
    if forest.combine != "sum" and not forest.weights.sum() > 0:
        raise InputError("The weights of a forest must add up to more than 0.")
    if forest.combine in ("vote", "confidence") and not forest.is_class:
        raise InputError("Trees that predict numbers cannot vote.", fix=Set("combine", "mean"))
    if forest.combine == "median" and forest.is_class:
        raise InputError("Class probabilities have no median.", fix=Set("combine", "mean"))
    if forest.combine == "sum":
        _check_outputs(forest)
    elif forest.output.any():
        raise InputError("The output of a tree must be 0 where predictions are averaged or voted on.")
    predicts_class = forest.is_class and forest.combine != "sum"
    columns = forest.schema.columns
    for index, tree in enumerate(forest.trees):
        if tree.schema is forest.schema and predicts_class == forest.is_class:
            continue
        if tree.schema.columns is not columns and tree.schema.columns != columns:
            raise InputError(f"Tree {index} was grown on other columns than the forest.")
        if tree.is_class != predicts_class or (predicts_class and tree.schema.classes != forest.schema.classes):
            raise InputError(f"Tree {index} has another target than the forest.")
    return forest


def _check_outputs(forest: Forest) -> None:
    needed = {"logistic": 1, "softmax": len(forest.schema.classes)}.get(forest.link, 1) if forest.is_class else 1
    if forest.is_class == (forest.link in ("identity", "exp")):
        what = "classification" if forest.is_class else "regression"
        raise InputError(f"Scores of a {what} cannot have the link {forest.link}.")
    if forest.link == "logistic" and len(forest.schema.classes) != 2:
        raise InputError(f"A logistic link needs two classes; there are {len(forest.schema.classes)}.")
    if len(forest.base) != needed:
        raise InputError(f"The base needs {needed} numbers; got {len(forest.base)}.")
    if len(forest.output) and (forest.output.min() < 0 or forest.output.max() >= needed):
        raise InputError(f"The output of a tree must be below {needed}.")


def combine_trees(trees: Sequence[Tree], **settings: Any) -> Forest:
    """A forest of trees; its schema is that of the first tree unless `schema` is given."""
    trees = tuple(trees)
    if "schema" not in settings and not trees:
        raise InputError("A forest of no trees needs a schema.")
    schema = settings.pop("schema", None) or trees[0].schema
    return Forest(schema=schema, trees=trees, **settings)
