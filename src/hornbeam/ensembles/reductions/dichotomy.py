r"""How are many classes told apart by questions of two groups?  A tree whose nodes are sets of classes.

            {setosa, versicolor, virginica}
              /                        \
          {setosa}          {versicolor, virginica}
                               /              \
                         {versicolor}     {virginica}

K classes need K - 1 classifiers, one a set of two or more; a row meets as many as its path is long, between
ceil(log2 K) where the tree is balanced and K - 1 where it is a chain. The notes call it a DAG, the literature a nested
dichotomy. Nodes are numbered parent first, the two children side by side.

A tree is written, and given, as pairs within pairs: `("setosa", ("versicolor", "virginica"))`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from hornbeam.errors import OptionError, did_you_mean, short_repr

Split = Callable[[tuple[int, ...]], tuple[tuple[int, ...], tuple[int, ...], float | None]]


@dataclasses.dataclass(frozen=True)
class ClassNode:
    """A set of classes (by position), and the two nodes it is split into; -1 for a single class."""

    classes: tuple[int, ...]
    parent: int
    first: int = -1
    second: int = -1
    score: float | None = None
    rows: int | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether one class is left."""
        return self.first < 0


@dataclasses.dataclass(frozen=True)
class NestedDichotomy:
    """Sets of classes, each split in two, down to single classes; `scored_by` says what the scores are."""

    labels: tuple[Any, ...]
    nodes: tuple[ClassNode, ...]
    scored_by: str = ""

    @property
    def n_classifiers(self) -> int:
        """The number of sets that are split: one less than there are classes."""
        return sum(not node.is_leaf for node in self.nodes)

    @property
    def path_lengths(self) -> dict[Any, int]:
        """How many classifiers a row of each class meets."""
        depth = [0] * len(self.nodes)
        for place, node in enumerate(self.nodes):
            depth[place] = depth[node.parent] + 1 if node.parent >= 0 else 0
        leaves = {node.classes[0]: depth[place] for place, node in enumerate(self.nodes) if node.is_leaf}
        return {self.labels[code]: leaves[code] for code in sorted(leaves)}

    @property
    def longest_path(self) -> int:
        """The most classifiers that any row meets."""
        return max(self.path_lengths.values())

    @property
    def pairs(self) -> Any:
        """The tree as pairs within pairs, which can be given again."""
        made: list[Any] = [None] * len(self.nodes)
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            made[place] = self.labels[node.classes[0]] if node.is_leaf else (made[node.first], made[node.second])
        return made[0]

    def group_text(self, place: int) -> str:
        """The classes of a node in words."""
        return ", ".join(str(self.labels[code]) for code in self.nodes[place].classes)

    def __str__(self) -> str:
        lines = []
        waiting = [(0, 0)]
        while waiting:
            place, depth = waiting.pop()
            node = self.nodes[place]
            if node.is_leaf:
                lines.append("  " * depth + f"= {self.group_text(place)}")
                continue
            score = "" if node.score is None else f"    {self.scored_by} {node.score:.4g}"
            question = f"{self.group_text(node.first)} | {self.group_text(node.second)}{score}"
            lines.append("  " * depth + question)
            waiting += [(node.second, depth + 1), (node.first, depth + 1)]
        return "\n".join(lines)


def build_dichotomy(labels: Sequence[Any], split: Split, scored_by: str) -> NestedDichotomy:
    """The tree that `split` makes: classes in, two groups and their score out."""
    nodes = [ClassNode(tuple(range(len(labels))), -1)]
    for place, node in enumerate(nodes):  # the list grows while it is walked
        if len(node.classes) > 1:
            first, second, score = split(node.classes)
            nodes[place] = dataclasses.replace(node, first=len(nodes), second=len(nodes) + 1, score=score)
            nodes += [ClassNode(first, place), ClassNode(second, place)]
    return NestedDichotomy(tuple(labels), tuple(nodes), scored_by)


def dichotomy_from_pairs(pairs: Any, labels: Sequence[Any]) -> NestedDichotomy:
    """The tree that pairs within pairs describe; every class stands in it once."""
    raw: list[Any] = [pairs]
    parents, firsts = [-1], [-1]
    for place, inside in enumerate(raw):  # the list grows while it is walked
        if isinstance(inside, (tuple, list)):
            if len(inside) != 2:
                raise _wrong(f"a group must be split into 2; got {len(inside)} in {short_repr(inside)}")
            firsts[place] = len(raw)
            raw += inside
            parents += [place, place]
            firsts += [-1, -1]
        if len(raw) > 2 * len(labels) - 1:
            raise _wrong(f"it holds more than the {len(labels)} classes of the target")
    sets = _sets(raw, firsts, labels)
    absent = [str(label) for code, label in enumerate(labels) if code not in sets[0]]
    if absent:
        raise _wrong(f"classes are left out: {', '.join(absent)}")
    nodes = (
        ClassNode(sets[place], parents[place], first, first + 1 if first >= 0 else -1)
        for place, first in enumerate(firsts)
    )
    return NestedDichotomy(tuple(labels), tuple(nodes))


def _sets(raw: list[Any], firsts: list[int], labels: Sequence[Any]) -> list[tuple[int, ...]]:
    """The classes of every node, from the leaves up."""
    sets: list[tuple[int, ...]] = [()] * len(raw)
    seen: set[int] = set()
    for place in range(len(raw) - 1, -1, -1):
        first = firsts[place]
        if first >= 0:
            sets[place] = tuple(sorted(sets[first] + sets[first + 1]))
            continue
        code = code_of(raw[place], labels, "structure")
        if code in seen:
            raise _wrong(f"class {short_repr(raw[place])} stands in it twice")
        seen.add(code)
        sets[place] = (code,)
    return sets


def code_of(label: Any, labels: Sequence[Any], option: str) -> int:
    """The position of a class, found by value or by its words."""
    for code, known in enumerate(labels):
        if label == known or str(label) == str(known):
            return code
    raise OptionError(
        f"{option} names {short_repr(label)}, which is no class.",
        hint=did_you_mean(str(label), [str(known) for known in labels]),
        option=option,
    )


def _wrong(what: str) -> OptionError:
    return OptionError(
        f"A class tree is pairs within pairs that hold every class once; {what}.",
        hint='Write it like ("a", ("b", "c")).',
        option="structure",
    )
