"""scikit-learn's `HistGradientBoosting...`: float64 cuts, learned branches for missing values, sets of levels.

A fitted model encodes the levels of categorical columns and puts those columns first; the converted model has the
columns in their own order and the levels themselves. A level that was not seen in training is treated as missing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, NotFittedError
from hornbeam.importing.machinery.binary_tests import binary_tests
from hornbeam.importing.machinery.level_sets import LevelSet, levels_with_rest
from hornbeam.importing.machinery.source import Given, Source, is_object_of
from hornbeam.importing.machinery.source_tree import SourceTree, tree_of
from hornbeam.importing.scikit_learn import about_estimator, has_base, schema_of_estimator
from hornbeam.tree.forest import Forest, score_schema

_EXP = ("poisson", "gamma")
Order = npt.NDArray[np.int64]


class HistogramBoosting(Source):
    """Histogram gradient boosting of scikit-learn."""

    title: ClassVar[str] = "scikit-learn HistGradientBoosting"

    @classmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is such an estimator."""
        return is_object_of(given, "sklearn") and has_base(given.value, ("BaseHistGradientBoosting",))

    @classmethod
    def convert(cls, given: Given) -> Forest:
        """The estimator as a forest of boosted trees."""
        model = given.value
        if not hasattr(model, "_predictors"):
            raise NotFittedError(f"The {type(model).__name__} is not fitted.", hint="Call its fit first.")
        order, categories = _columns(model)
        sources = [[_source_tree(predictor, order, categories) for predictor in stage] for stage in model._predictors]
        levels = {
            column: levels_with_rest(
                known,
                (
                    found.inside
                    for stage in sources
                    for tree in stage
                    for found in tree.sets.values()
                    if found.column == column
                ),
                f"Column {column}",
            )
            for column, known in categories.items()
        }
        schema = schema_of_estimator(given, model, levels=levels)
        width = int(model.n_trees_per_iteration_)
        link = "exp" if model.loss in _EXP else "identity"
        scores = score_schema(schema)
        return Forest(
            schema,
            tuple(
                tree_of(source, scores, {}, f"Stage {index}") for index, stage in enumerate(sources) for source in stage
            ),
            combine="sum",
            link=link if not schema.is_class else "logistic" if width == 1 else "softmax",
            base=np.asarray(model._baseline_prediction, dtype=np.float64).reshape(-1),
            output=np.tile(np.arange(width, dtype=np.int32), len(sources)),
            metadata=about_estimator(model),
        )


def _columns(model: Any) -> tuple[Order, dict[int, list[Any]]]:
    """The column of each position inside the model, and the levels of categorical columns."""
    n = int(model.n_features_in_)
    if getattr(model, "is_categorical_", None) is None:
        return np.arange(n), {}
    encoder = getattr(model._preprocessor, "named_transformers_", {}).get("encoder")
    if encoder is None:
        raise InputError("The categorical columns of the model have an encoding that is not known.")
    of_levels = np.flatnonzero(model.is_categorical_)
    order = np.concatenate([of_levels, np.flatnonzero(~np.asarray(model.is_categorical_))])
    levels = {
        int(column): [level for level in known.tolist() if level is not None and level == level]
        for column, known in zip(of_levels, encoder.categories_, strict=True)
    }
    return order, levels


def _source_tree(predictor: Any, order: Order, categories: dict[int, list[Any]]) -> SourceTree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    column = order[nodes["feature_idx"]]
    missing = np.where(nodes["missing_go_to_left"], 0, 1)
    tests = binary_tests(
        np.where(leaf, -1, nodes["left"].astype(np.int64)),
        np.where(leaf, -1, nodes["right"].astype(np.int64)),
        column,
        nodes["num_threshold"],
        missing,
    )
    sets = {
        int(node): LevelSet(
            int(column[node]),
            _members(predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]], len(categories[int(column[node])])),
            int(missing[node]),
        )
        for node in np.flatnonzero((nodes["is_categorical"] != 0) & ~leaf)
    }
    return SourceTree(
        value=np.where(leaf, nodes["value"], np.nan),
        weight=nodes["count"],
        rows=nodes["count"],
        gain=np.maximum(nodes["gain"], 0.0),
        sets=sets,
        **tests,
    )


def _members(words: npt.NDArray[np.uint32], n_levels: int) -> frozenset[int]:
    """The codes in a set of 32-bit words."""
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<u4").view(np.uint8), bitorder="little")
    return frozenset(np.flatnonzero(bits[:n_levels]).tolist())
