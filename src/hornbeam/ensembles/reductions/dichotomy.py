r"""NestedDichotomy: a binary tree of class sets that reduces many classes to decisions between two groups.

            {setosa, versicolor, virginica}
              /                        \
          {setosa}          {versicolor, virginica}
                               /              \
                         {versicolor}     {virginica}

K classes need K - 1 classifiers, one per set of two or more classes. A row uses as many as its path is long: between
ceil(log2 K) in a balanced tree and K - 1 in a chain. The lecture notes call the structure a DAG. Nodes are numbered
parent first; the two children of a node are adjacent.

A tree is given, and returned, as nested pairs: `("setosa", ("versicolor", "virginica"))`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from hornbeam.errors import OptionError, did_you_mean, short_repr

Split = Callable[[tuple[int, ...]], tuple[tuple[int, ...], tuple[int, ...], float | None]]


@dataclasses.dataclass(frozen=True)
class ClassNode:
    """A set of classes (by code), and the two nodes that it is split into; -1 for a single class."""

    classes: tuple[int, ...]
    parent: int
    first: int = -1
    second: int = -1
    score: float | None = None
    rows: int | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether the set has one class."""
        return self.first < 0


@dataclasses.dataclass(frozen=True)
class NestedDichotomy:
    """Sets of classes, each split in two, down to single classes; `scored_by` is the name of the scores."""

    labels: tuple[Any, ...]
    nodes: tuple[ClassNode, ...]
    scored_by: str = ""

    @property
    def n_classifiers(self) -> int:
        """The number of sets that are split: the number of classes minus 1."""
        return sum(not node.is_leaf for node in self.nodes)

    @property
    def path_lengths(self) -> dict[Any, int]:
        """The number of classifiers on the path to each class."""
        depth = [0] * len(self.nodes)
        for index, node in enumerate(self.nodes):
            depth[index] = depth[node.parent] + 1 if node.parent >= 0 else 0
        leaves = {node.classes[0]: depth[index] for index, node in enumerate(self.nodes) if node.is_leaf}
        return {self.labels[code]: leaves[code] for code in sorted(leaves)}

    @property
    def longest_path(self) -> int:
        """The maximum number of classifiers on a path."""
        return max(self.path_lengths.values())

    @property
    def pairs(self) -> Any:
        """The tree as nested pairs, the form in which a structure is given."""
        nested: list[Any] = [None] * len(self.nodes)
        for index in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[index]
            nested[index] = self.labels[node.classes[0]] if node.is_leaf else (nested[node.first], nested[node.second])
        return nested[0]

    def group_text(self, index: int) -> str:
        """The classes of a node as text."""
        return ", ".join(str(self.labels[code]) for code in self.nodes[index].classes)

    def __str__(self) -> str:
        lines = []
        waiting = [(0, 0)]
        while waiting:
            index, depth = waiting.pop()
            node = self.nodes[index]
            if node.is_leaf:
                lines.append("  " * depth + f"= {self.group_text(index)}")
                continue
            score = "" if node.score is None else f"    {self.scored_by} {node.score:.4g}"
            question = f"{self.group_text(node.first)} | {self.group_text(node.second)}{score}"
            lines.append("  " * depth + question)
            waiting += [(node.second, depth + 1), (node.first, depth + 1)]
        return "\n".join(lines)


def build_dichotomy(labels: Sequence[Any], split: Split, scored_by: str) -> NestedDichotomy:
    """The tree of a function that splits classes into two groups and returns them with their score."""
    nodes = [ClassNode(tuple(range(len(labels))), -1)]
    for index, node in enumerate(nodes):  # nodes are appended during the loop
        if len(node.classes) > 1:
            first, second, score = split(node.classes)
            nodes[index] = dataclasses.replace(node, first=len(nodes), second=len(nodes) + 1, score=score)
            nodes += [ClassNode(first, index), ClassNode(second, index)]
    return NestedDichotomy(tuple(labels), tuple(nodes), scored_by)


def dichotomy_from_pairs(pairs: Any, labels: Sequence[Any]) -> NestedDichotomy:
    """The tree that nested pairs describe; each class occurs once."""
    raw: list[Any] = [pairs]
    parents, firsts = [-1], [-1]
    for index, inside in enumerate(raw):  # nodes are appended during the loop
        if isinstance(inside, (tuple, list)):
            if len(inside) != 2:
                raise _structure_error(f"a group must have 2 members, got {len(inside)} in {short_repr(inside)}")
            firsts[index] = len(raw)
            raw += inside
            parents += [index, index]
            firsts += [-1, -1]
        if len(raw) > 2 * len(labels) - 1:
            raise _structure_error(f"it has more than the {len(labels)} classes of the target")
    sets = _sets(raw, firsts, labels)
    absent = [str(label) for code, label in enumerate(labels) if code not in sets[0]]
    if absent:
        raise _structure_error(f"missing classes: {', '.join(absent)}")
    nodes = (
        ClassNode(sets[index], parents[index], first, first + 1 if first >= 0 else -1)
        for index, first in enumerate(firsts)
    )
    return NestedDichotomy(tuple(labels), tuple(nodes))


def _sets(raw: list[Any], firsts: list[int], labels: Sequence[Any]) -> list[tuple[int, ...]]:
    """The classes of each node, from the leaves up."""
    sets: list[tuple[int, ...]] = [()] * len(raw)
    seen: set[int] = set()
    for index in range(len(raw) - 1, -1, -1):
        first = firsts[index]
        if first >= 0:
            sets[index] = tuple(sorted(sets[first] + sets[first + 1]))
            continue
        code = code_of(raw[index], labels, "structure")
        if code in seen:
            raise _structure_error(f"class {short_repr(raw[index])} occurs twice")
        seen.add(code)
        sets[index] = (code,)
    return sets


def code_of(label: Any, labels: Sequence[Any], option: str) -> int:
    """The code of a class, found by value or by its text."""
    for code, known in enumerate(labels):
        if label == known or str(label) == str(known):
            return code
    raise OptionError(
        f"{option} contains {short_repr(label)}, which is not a class.",
        hint=did_you_mean(str(label), [str(known) for known in labels]),
        option=option,
    )


def _structure_error(what: str) -> OptionError:
    return OptionError(
        f"structure must be nested pairs that contain each class once; {what}.",
        hint='Write it like ("a", ("b", "c")).',
        option="structure",
    )
