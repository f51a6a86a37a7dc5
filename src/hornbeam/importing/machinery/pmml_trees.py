"""TreeModel of PMML: nodes with predicates, scores and class distributions, and the rules for missing values."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import HornbeamWarning, short_repr
from hornbeam.importing.machinery.pmml_predicates import Branch, PredicateReader, Test
from hornbeam.importing.machinery.pmml_questions import NOTHING, Layer, layer, layers_of
from hornbeam.importing.machinery.pmml_regions import Region
from hornbeam.importing.machinery.pmml_schema import Fields, level_of
from hornbeam.importing.machinery.pmml_xml import Xml
from hornbeam.importing.machinery.source_tree import SourceTree, tree_of
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, Tree
from hornbeam.tree.questions import Question
from hornbeam.tree.questions.is_missing import IsMissing

_STRATEGIES = ("defaultChild", "lastPrediction", "nullPrediction", "weightedConfidence", "none")
_INNER_MODELS = ("DecisionTree", "Regression")


@dataclasses.dataclass
class _Step:
    """The question of one inner node, with its children in the order of the branches."""

    question: Question
    children: tuple[int, ...]
    missing: int
    surrogates: list[tuple[Question, bool]]
    unseen: int | None  # the branch of levels that the file does not list, STAY for none; None without levels
    has_gaps: bool


class TreeReader:
    """Reads one TreeModel."""

    def __init__(self, model: Xml, fields: Fields, class_type: str, classes: Sequence[Any]) -> None:
        self.model, self.fields = model, fields
        self.class_type, self.codes = class_type, {label: code for code, label in enumerate(classes)}
        self.strategy = model.attributes.get("missingValueStrategy", "none")
        if self.strategy not in _STRATEGIES:
            model.fail(f"the missing value strategy {short_repr(self.strategy)} is not supported")
        self.returns_last = model.attributes.get("noTrueChildStrategy") == "returnLastPrediction"
        self.predicates = PredicateReader(fields)

    def tree(self, schema: Schema, metadata: dict[str, Any]) -> Tree:
        """The tree; `schema` has classes if it is a classification."""
        nodes, children = _flattened(self.model)
        steps: dict[int, _Step] = {}
        for index, below in enumerate(children):
            if below:
                steps[index] = self._step(nodes[index], [nodes[each] for each in below], below)
        unseen = self._unseen_policy(steps)
        n = len(nodes)
        missing = np.full(n, STAY, dtype=np.int32)
        for index, step in steps.items():
            missing[index] = step.missing
        source = SourceTree(
            children=[steps[index].children if index in steps else () for index in range(n)],
            column=np.zeros(n, dtype=np.int32),
            cut=np.zeros(n),
            missing=missing,
            questions={index: step.question for index, step in steps.items()},
            surrogates={index: step.surrogates for index, step in steps.items() if step.surrogates},
            **(self._classes(nodes, children) if schema.is_class else self._numbers(nodes)),
        )
        return dataclasses.replace(
            tree_of(source, schema, metadata, f"{self.model.name}, line {self.model.line}"), unseen=unseen
        )

    def _numbers(self, nodes: list[Xml]) -> dict[str, Any]:
        values = [node.number("score") if "score" in node.attributes else np.nan for node in nodes]
        for node, value in zip(nodes, values, strict=True):
            if np.isnan(value) and not node.all("Node"):
                node.fail("a leaf needs a score")
        counts = [max(node.number("recordCount", 0.0), 0.0) for node in nodes]
        return {"value": np.array(values), "weight": np.array(counts), "rows": _whole(counts)}

    def _classes(self, nodes: list[Xml], children: list[list[int]]) -> dict[str, Any]:
        stats = np.zeros((len(nodes), len(self.codes)))
        answer = np.full(len(nodes), -1)
        for index, node in enumerate(nodes):
            parts = node.all("ScoreDistribution")
            stats[index] = self._class_weights(parts, bool(children[index]))
            if "score" in node.attributes:
                answer[index] = self._class(node, node.attributes["score"])
            elif not children[index] and not parts:
                node.fail("a leaf needs a score or a distribution")
        totals = stats.copy()
        for index in range(len(nodes) - 1, -1, -1):
            if children[index] and not totals[index].sum() > 0:
                totals[index] = totals[children[index]].sum(axis=0)
        answer = np.where(answer < 0, totals.argmax(axis=1), answer)
        counts = [max(node.number("recordCount", 0.0), 0.0) for node in nodes]
        return {"value": stats, "answer": answer, "rows": _whole(counts)}

    def _class_weights(self, parts: list[Xml], is_inner: bool) -> npt.NDArray[np.float64]:
        """The counts of a distribution; where it has probabilities that are not their fractions, those times the count.

        An inner node with such probabilities has no weights: they are added up from the leaves.
        """
        found = {name: np.zeros(len(self.codes)) for name in ("recordCount", "probability")}
        for name, values in found.items():
            for part in parts:
                values[self._class(part, part.get("value"))] = max(part.number(name, 0.0), 0.0)
        counts, probabilities = found["recordCount"], found["probability"]
        total = counts.sum()
        if not total > 0 or not probabilities.sum() > 0:
            return counts if total > 0 else probabilities
        if np.allclose(counts / total, probabilities, rtol=0, atol=1e-6):
            return counts
        return np.zeros(len(counts)) if is_inner else probabilities * (total / probabilities.sum())

    def _class(self, where: Xml, text: str) -> int:
        label = level_of(where, self.class_type, text)
        if label not in self.codes:
            where.fail(f"{short_repr(label)} is not a class of the target")
        return self.codes[label]

    def _step(self, node: Xml, below: list[Xml], numbers: list[int]) -> _Step:
        """The question of a node with children."""
        if len(below) < 2:
            node.fail("a node with one child is not supported")
        branches: list[Branch] = [self.predicates.branch(child) for child in below]
        rows, ends = layers_of(node, branches)
        first, *others = [layer(node, tests, self.fields) for tests in rows]
        surrogates = [(other.question, self._is_flipped(node, first, other)) for other in others]
        missing = self._missing(node, below, rows[0] if len(rows) == 1 and not ends else ends)
        order = first.order
        unlisted = (
            None if first.unlisted is None else STAY if first.unlisted == NOTHING else order.index(first.unlisted)
        )
        branch = order.index(missing) if missing >= 0 else missing
        return _Step(
            first.question, tuple(numbers[each] for each in order), branch, surrogates, unlisted, first.has_gaps
        )

    def _is_flipped(self, node: Xml, first: Layer, other: Layer) -> bool:
        """Whether the branches of a surrogate are swapped."""
        if other.order == first.order[: len(other.order)]:
            return False
        if len(first.order) == 2 and other.order == first.order[::-1]:
            return True
        node.fail("the branches of a surrogate have another order than those of the question")

    def _missing(self, node: Xml, below: list[Xml], tests: Sequence[Test]) -> int:
        """The child of a missing value, STAY or ALL_BRANCHES: the children in order, then the strategy."""
        results = [
            test if isinstance(test, bool) else test.missing if isinstance(test, Region) else None for test in tests
        ]
        for index, result in enumerate(results or [None]):
            if result:
                return index
            if result is None and self.strategy != "none":
                return self._by_strategy(node, below)
        return STAY

    def _by_strategy(self, node: Xml, below: list[Xml]) -> int:
        if self.strategy == "defaultChild" and "defaultChild" in node.attributes:
            wanted = node.attributes["defaultChild"]
            found = [index for index, child in enumerate(below) if child.attributes.get("id") == wanted]
            if not found:
                node.fail(f"the default child {short_repr(wanted)} is not one of its children")
            return found[0]
        if self.strategy in ("nullPrediction", "defaultChild"):
            warnings.warn(
                f"{self.model.name}: rows with missing values have no prediction in the source; the converted tree "
                "predicts from the last node that they reach.",
                HornbeamWarning,
                stacklevel=2,
            )
        return ALL_BRANCHES if self.strategy == "weightedConfidence" else STAY

    def _unseen_policy(self, steps: dict[int, _Step]) -> str:
        """The policy of the tree for levels without a branch; adds surrogates where unseen levels have a branch."""
        of_levels = [step for step in steps.values() if step.unseen is not None]
        has_gaps = any(step.has_gaps for step in of_levels)
        treatments = self.fields.treatments
        if not of_levels:
            return "as_missing"
        if len(treatments) > 1 or not treatments <= {"returnInvalid", "asMissing", "asIs"}:
            self.model.fail(
                f"the treatments {', '.join(sorted(treatments))} of invalid values are not supported together"
            )
        if treatments == {"returnInvalid"}:
            return "stay" if has_gaps and self.returns_last else "error"
        stays = all(step.missing == STAY for step in of_levels if step.has_gaps)
        if treatments == {"asMissing"} and (stays or not has_gaps):
            return "as_missing"
        if treatments == {"asIs"}:
            if all(step.unseen == STAY for step in of_levels):
                return "stay" if self.returns_last else "error"
            if not has_gaps and all(_separate_unseen(step) for step in of_levels):
                return "as_missing"
        self.model.fail("its rules for levels that a node does not list are not supported")


def _separate_unseen(step: _Step) -> bool:
    """Whether unseen levels take a branch of two; adds a surrogate if it is not that of missing values."""
    if step.unseen == step.missing:
        return True
    if step.surrogates or len(step.children) != 2 or step.unseen == STAY or step.missing < 0:
        return False
    column = step.question.columns[0]
    n = getattr(step.question, "n_levels", 0)
    step.surrogates.append((IsMissing(column, n), step.missing == 1))
    return True


def _flattened(model: Xml) -> tuple[list[Xml], list[list[int]]]:
    """The nodes of a tree, parents first, and the children of each."""
    root = model.one("Node")
    if root.one("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False").tag != "True":
        root.fail("the predicate of the root must be True")
    nodes, children = [root], [[]]  # type: tuple[list[Xml], list[list[int]]]
    at = 0
    while at < len(nodes):
        if nodes[at].first(*_INNER_MODELS) is not None:
            nodes[at].fail("models inside nodes are not supported")
        for child in nodes[at].all("Node"):
            children[at].append(len(nodes))
            nodes.append(child)
            children.append([])
        at += 1
    return nodes, children


def _whole(counts: list[float]) -> Any:
    """Record counts as rows, if they are integers; else None."""
    found = np.array(counts)
    return found if (found == np.floor(found)).all() and found.max(initial=0.0) < 2**53 and found.any() else None
