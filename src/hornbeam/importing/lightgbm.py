"""LightGBM: model files in text format, `Booster` and the scikit-learn wrappers.

An object is converted through the text that it writes, which holds every number in full. The weight of a node is its
number of training rows, as in LightGBM's own contributions (`pred_contrib`). A level that a set does not hold goes
right, and so do missing and unseen levels.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, ModelFileError, NotFittedError, short_repr
from hornbeam.importing.machinery.binary_tests import binary_tests
from hornbeam.importing.machinery.level_sets import LevelSet, levels_with_rest
from hornbeam.importing.machinery.lightgbm_tests import numeric_test
from hornbeam.importing.machinery.lightgbm_text import Block, Parsed, parse
from hornbeam.importing.machinery.naming import schema_of
from hornbeam.importing.machinery.source import Given, Source, is_object_of
from hornbeam.importing.machinery.source_tree import SourceTree, tree_of
from hornbeam.tree.forest import Forest, score_schema
from hornbeam.tree.questions import Question

_NUMBERS = (
    "regression", "regression_l2", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg",
    "custom", "none",
)  # fmt: skip
_EXP = ("poisson", "gamma", "tweedie")
_TWO_CLASSES = ("binary", "cross_entropy", "xentropy")
_SOFTMAX = ("multiclass", "softmax")
_MAX_COLUMNS = 1 << 24
_MAX_LEAVES = 1 << 24


class LightGBM(Source):
    """Models of LightGBM."""

    title: ClassVar[str] = "LightGBM (text file, Booster, scikit-learn wrapper)"

    @classmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is a text file or an object of LightGBM."""
        if given.data is not None:
            return given.data.startswith((b"tree\n", b"tree\r\n"))
        return is_object_of(given, "lightgbm")

    @classmethod
    def convert(cls, given: Given) -> Forest:
        """The model as a forest."""
        if given.data is not None:
            return _forest(parse(given.data, given.name), given)
        model, classes = given.value, given.classes
        booster = model
        if hasattr(model, "get_params"):
            booster = getattr(model, "_Booster", None)
            if booster is None:
                raise NotFittedError(f"The {type(model).__name__} is not fitted.", hint="Call its fit first.")
            if classes is None and hasattr(model, "classes_"):
                classes = model.classes_.tolist()
        text = booster.model_to_string().encode("utf-8")
        return _forest(parse(text, "The booster"), dataclasses.replace(given, classes=classes))


def _forest(parsed: Parsed, given: Given) -> Forest:
    header = parsed.header
    n = header.integer("max_feature_idx", 0, _MAX_COLUMNS - 1) + 1
    names = header.text("feature_names").split()
    if len(names) != n:
        header.fail("feature_names", f"{n} names are needed, got {len(names)}")
    width = header.integer("num_tree_per_iteration", 1, 1 << 20)
    link, classes, factor = _objective(header, width)
    blocks = [_tree_of_block(block, n) for block in parsed.trees]
    levels, codes = _levels(parsed, blocks, n)
    is_default = names == [f"Column_{index}" for index in range(n)]
    schema = schema_of(given, None if is_default else names, n, classes, levels)
    scores = score_schema(schema)
    trees = tuple(
        tree_of(_with_codes(source, codes), scores, {}, parsed.trees[index].place)
        for index, source in enumerate(blocks)
    )
    if len(trees) % width:
        header.fail("num_tree_per_iteration", f"{len(trees)} trees are not a multiple of {width}")
    if "average_output" in parsed.flags and len(trees):
        factor /= len(trees) // width
    return Forest(
        schema,
        trees,
        weights=np.full(len(trees), factor),
        combine="sum",
        link=link,
        base=np.zeros(width),
        output=np.tile(np.arange(width, dtype=np.int32), len(trees) // width),
        metadata={"converted_from": f"LightGBM, model version {header.text('version')}"},
    )


def _objective(header: Block, width: int) -> tuple[str, list[Any] | None, float]:
    """The link, the classes and the factor of the scores."""
    name, *settings = header.text("objective", "none").split() or ["none"]
    values = dict(each.partition(":")[::2] for each in settings)
    if name in _TWO_CLASSES and width == 1:
        try:
            return "logistic", [0, 1], float(values.get("sigmoid", "1"))
        except ValueError:
            header.fail("objective", f"sigmoid must be a number, got {short_repr(values['sigmoid'])}")
    if name in _SOFTMAX and width >= 2:
        return "softmax", list(range(width)), 1.0
    if width == 1 and name in _EXP:
        return "exp", None, 1.0
    if width == 1 and name in _NUMBERS and "sqrt" not in values:
        return "identity", None, 1.0
    header.fail("objective", f"{short_repr(header.text('objective', 'none'))} with {width} outputs is not supported")


def _tree_of_block(block: Block, n_columns: int) -> SourceTree:
    """One tree; inner nodes come first, then the leaves."""
    if block.integer("is_linear", 0, 1, 0):
        block.fail("is_linear", "leaves with linear models are not supported")
    leaves = block.integer("num_leaves", 1, _MAX_LEAVES)
    inner = leaves - 1
    value = np.concatenate([np.full(inner, np.nan), block.floats("leaf_value", leaves)])
    has_counts = "leaf_count" in block.values
    count = block.floats("leaf_count", leaves) if has_counts else np.zeros(leaves)
    rows = np.concatenate([np.zeros(inner), np.maximum(count, 0)]) if has_counts else None
    gain = np.concatenate([block.floats("split_gain", inner, np.zeros(inner)), np.zeros(leaves)])
    fields: dict[str, Any] = {
        "value": value,
        "weight": rows,
        "rows": rows,
        "gain": np.maximum(gain, 0.0),
        "column": np.zeros(inner + leaves, dtype=np.int32),
        "cut": np.zeros(inner + leaves),
        "missing": np.full(inner + leaves, -1, dtype=np.int32),
    }
    if not inner:
        return SourceTree(children=[()], **fields)
    left, right = (_children(block, key, inner, leaves) for key in ("left_child", "right_child"))
    questions, sets = _tests(block, inner, n_columns, fields)
    none = np.full(leaves, -1)
    tests = binary_tests(
        np.concatenate([left, none]),
        np.concatenate([right, none]),
        *(fields[each] for each in ("column", "cut", "missing")),
    )
    fields |= {**tests, "questions": {**tests["questions"], **questions}}
    return SourceTree(sets=sets, **fields)


def _children(block: Block, key: str, inner: int, leaves: int) -> npt.NDArray[np.int64]:
    """Children as node numbers: a leaf is stored as the complement of its number."""
    found = block.integers(key, inner)
    if (found >= inner).any() or (found < -leaves).any():
        block.fail(key, f"a child must be one of {inner} inner nodes or {leaves} leaves")
    return np.where(found < 0, inner + ~found, found)


def _tests(
    block: Block, inner: int, n_columns: int, fields: dict[str, Any]
) -> tuple[dict[int, Question], dict[int, LevelSet]]:
    """Fill in the columns, cuts and missing branches; return other questions, and the sets of category numbers."""
    column = block.integers("split_feature", inner)
    if (column < 0).any() or (column >= n_columns).any():
        block.fail("split_feature", f"a column must be below {n_columns}")
    cuts = block.floats("threshold", inner, infinite=True)
    kinds = block.integers("decision_type", inner)
    if (kinds < 0).any() or (kinds > 11).any():
        block.fail("decision_type", "a number from 0 to 11 is needed")
    fields["column"][:inner] = column
    questions: dict[int, Question] = {}
    sets: dict[int, LevelSet] = {}
    members = _category_sets(block) if (kinds & 1).any() else []
    for node, (where, cut, kind) in enumerate(zip(column.tolist(), cuts.tolist(), kinds.tolist(), strict=True)):
        if kind & 1:
            if not 0 <= cut < len(members):
                block.fail("threshold", f"node {node} has set {cut:g}; there are {len(members)}")
            sets[node] = LevelSet(where, members[int(cut)], unseen=1)
            fields["missing"][node] = 1
            continue
        question, fields["cut"][node], fields["missing"][node] = numeric_test(
            where, cut, kind >> 2, 0 if kind & 2 else 1
        )
        if question is not None:
            questions[node] = question
    return questions, sets


def _category_sets(block: Block) -> list[frozenset[int]]:
    """The category numbers of each set, from 32-bit words."""
    count = block.integer("num_cat", 0, _MAX_LEAVES)
    bounds = block.integers("cat_boundaries", count + 1)
    words = block.integers("cat_threshold", int(bounds[-1]) if len(bounds) else 0)
    if bounds[0] != 0 or (np.diff(bounds) < 0).any() or (words < 0).any() or (words >= 1 << 32).any():
        block.fail("cat_boundaries", "ascending numbers and words of 32 bits are needed")
    found = []
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        bits = np.unpackbits(words[start:stop].astype("<u4").view(np.uint8), bitorder="little")
        found.append(frozenset(np.flatnonzero(bits).tolist()))
    return found


def _levels(
    parsed: Parsed, trees: list[SourceTree], n: int
) -> tuple[dict[int, tuple[Any, ...]], dict[int, dict[int, int]]]:
    """The levels of categorical columns, and the code of each category number."""
    used: dict[int, list[frozenset[int]]] = {}
    for tree in trees:
        for found in tree.sets.values():
            used.setdefault(found.column, []).append(found.inside)
    known = _recorded_categories(parsed.header, n)
    named = sorted({*used, *known, *(each for each in parsed.categorical if each < n)})
    pandas = parsed.pandas_levels if len(parsed.pandas_levels) == len(named) else []
    if parsed.pandas_levels and not pandas:
        warnings.warn(
            f"The model names the levels of {len(parsed.pandas_levels)} columns, but {len(named)} are categorical; "
            f"the levels of the converted model are LightGBM's category numbers.",
            HornbeamWarning,
            stacklevel=4,
        )
    levels: dict[int, tuple[Any, ...]] = {}
    codes: dict[int, dict[int, int]] = {}
    for index, column in enumerate(named):
        sets = used.get(column, [])
        numbers = range(len(pandas[index])) if pandas else sorted(known.get(column, set()).union(*sets))
        codes[column] = {number: code for code, number in enumerate(numbers)}
        coded = (frozenset(codes[column][each] for each in inside if each in codes[column]) for inside in sets)
        levels[column] = levels_with_rest(pandas[index] if pandas else list(numbers), coded, f"Column {column}")
    _reject_mixed(trees, levels)
    return levels, codes


def _recorded_categories(header: Block, n: int) -> dict[int, set[int]]:
    """The category numbers of the training data: feature_infos has them as 3:1:2, numeric ranges as [low:high]."""
    infos = header.text("feature_infos", "").split()
    if infos and len(infos) != n:
        header.fail("feature_infos", f"{n} entries are needed, got {len(infos)}")
    found: dict[int, set[int]] = {}
    for index, info in enumerate(infos):
        if info != "none" and not info.startswith("["):
            try:
                found[index] = {int(each) for each in info.split(":") if int(each) >= 0}
            except ValueError:
                header.fail("feature_infos", f"entry {index} is {short_repr(info)}")
    return found


def _reject_mixed(trees: list[SourceTree], levels: dict[int, tuple[Any, ...]]) -> None:
    for index, tree in enumerate(trees):
        for node, children in enumerate(tree.children):
            if children and node not in tree.sets and int(tree.column[node]) in levels:
                raise ModelFileError(f"Tree {index}, node {node}: a cut in the categorical column {tree.column[node]}.")


def _with_codes(source: SourceTree, codes: dict[int, dict[int, int]]) -> SourceTree:
    """The tree with the codes of levels in place of category numbers."""
    sets = {
        node: LevelSet(
            found.column,
            frozenset(codes[found.column][each] for each in found.inside if each in codes[found.column]),
            found.unseen,
        )
        for node, found in source.sets.items()
    }
    return dataclasses.replace(source, sets=sets) if sets else source
