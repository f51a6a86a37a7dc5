"""Forests as bit masks: the tables with which exported C finds the leaves of a row without branches.

The leaves of a tree, from left to right, are bits of a 64-bit word; small trees share a word. Every cut below the value
of a row excludes the leaves of its left branch, and the row ends at the first leaf that is left (QuickScorer, Lucchese
et al., SIGIR 2015). The cuts of all trees are sorted per slot and divided into chunks of eight. Each chunk stores what
all earlier cuts of its slot exclude: a row reads one such line and compares eight cuts per slot, whatever the number of
trees. A slot is a column, the branches of the levels of a column, or whether a column has a value; a missing value is
replaced by a number that goes to the branch of missing values at every cut of the slot.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

from hornbeam.exporting.code.packing import Packer, is_one_cut
from hornbeam.exporting.model import ExportTree, ForestModel, Route
from hornbeam.tree.questions.forms import Cuts, LevelMap

_BITS = 64
_CHUNK = 8  # cuts that a row is compared with, per slot
_TILE = 8  # words that are combined at a time
_GROUP = 128  # words with common tables: the tables of a group grow with the square of its words


@dataclasses.dataclass(frozen=True)
class _Slot:
    """A column; the branch per level, or the branches of a value and of a missing value (then a cut is at 0.5)."""

    column: int
    levels: tuple[int, ...] = ()
    presence: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class _Cut:
    """A cut with the branch of missing values, and the leaves of its left branch: bits of a word."""

    value: float
    missing: int
    word: int
    mask: int


@dataclasses.dataclass(eq=False)
class Masks:
    """The tables of a forest. `slots` are expressions of `x`: the values that are compared with the cuts."""

    slots: list[str]
    ints: dict[str, list[int]]
    floats: dict[str, list[float]]
    words: dict[str, list[int]]
    scalars: dict[str, int]

    def is_fast(self, forest: ForestModel) -> bool:
        """Whether the masks are estimated to be faster than conditions: work per slot, and per level of the trees."""
        groups = self.scalars["N_GROUPS"]
        work = len(self.slots) * groups * (self.scalars["GROUP_WORDS"] + 60)
        return work <= 8 * sum(math.log2((len(tree) + 1) / 2) for tree in forest.trees)


def masks_of(forest: ForestModel, packer: Packer, constants: Sequence[str]) -> Masks | None:
    """The masks of a forest of cuts and of levels with two branches; None if it has other questions or large trees."""
    cuts: dict[_Slot, list[_Cut]] = {}
    places: list[int] = []  # per tree: word, shift, first leaf
    n_words = used = n_leaves = 0
    for tree in forest.trees:
        found = _tree_cuts(tree, packer)
        if found is None:
            return None
        leaves = len(tree) - len(found)
        if n_words == 0 or used + leaves > _BITS:
            n_words, used = n_words + 1, 0
        places += [n_words - 1, used, n_leaves]
        for slot, value, missing, mask in found:
            cuts.setdefault(slot, []).append(_Cut(value, missing, n_words - 1, mask << used))
        used, n_leaves = used + leaves, n_leaves + leaves
    return _tables(cuts, places, n_words, packer, constants) if cuts else None


def leaf_order(tree: ExportTree) -> list[int]:
    """The leaves of a tree from left to right."""
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        children = tree.source.nodes.children(node)
        waiting += reversed(children)
        if not children:
            found.append(node)
    return found


def _tree_cuts(tree: ExportTree, packer: Packer) -> list[tuple[_Slot, float, int, int]] | None:
    """Slot, cut, branch of missing values and leaves of the left branch, per inner node; None if one has no slot."""
    leaves = leaf_order(tree)
    if len(leaves) > _BITS:
        return None
    below = {node: 1 << position for position, node in enumerate(leaves)}
    found = []
    for node in reversed(tree.inner):  # children have larger numbers than their parent
        children = tuple(tree.source.nodes.children(node))
        route = tree.route(node)
        assert route is not None
        slot = _slot(route, packer) if len(children) == 2 else None
        if slot is None:
            return None
        below[node] = below[children[0]] | below[children[1]]
        found.append((*slot, below[children[0]]))
    return found


def _slot(route: Route, packer: Packer) -> tuple[_Slot, float, int] | None:
    """The slot, cut and branch of missing values of a question with two branches; None if no comparison decides it."""
    form = route.form
    if isinstance(form, Cuts) and not form.cuts and form.missing_answer >= 0:
        return _Slot(form.column, presence=(form.first, form.missing_answer)), 0.5, 0
    if route.surrogates or route.missing not in (0, 1) or not isinstance(form, (Cuts, LevelMap)):
        return None
    has_levels = bool(packer.ints["LEVELED"][packer.position[form.column]])
    if has_levels and route.unseen not in (None, route.missing):
        return None
    if isinstance(form, LevelMap):
        levels = tuple(route.missing if branch < 0 else branch for branch in form.branches)
        return (_Slot(form.column, levels), 0.5, route.missing) if levels else None
    is_simple = is_one_cut(route) and form.missing_answer < 0 and math.isfinite(form.cuts[0])
    return (_Slot(form.column), form.cuts[0], route.missing) if is_simple else None


def _filled(cuts: dict[_Slot, list[_Cut]]) -> Iterator[tuple[_Slot, float, list[_Cut]]]:
    """The slots with the number that replaces a missing value; two slots if no number takes all its branches."""
    for slot, found in cuts.items():
        left = [cut for cut in found if cut.missing == 0]
        right = [cut for cut in found if cut.missing == 1]
        fill = min((cut.value for cut in left), default=math.inf)
        if all(cut.value < fill for cut in right):
            yield slot, fill, found
        else:
            yield slot, -math.inf, left
            yield slot, math.inf, right


def _tables(
    cuts: dict[_Slot, list[_Cut]], places: list[int], n_words: int, packer: Packer, constants: Sequence[str]
) -> Masks:
    slots = list(_filled(cuts))
    n_groups = -(-n_words // _GROUP)
    width = -(-n_words // (n_groups * _TILE)) * _TILE
    masks = Masks(
        [],
        {"CHUNKS": [], "CHUNK_WORDS": [], "PLACES": places, "LEVEL_BRANCHES": []},
        {"BOUNDS": [], "CHUNK_CUTS": []},
        {"CHUNK_MASKS": [], "EARLIER": []},
        {"N_SLOTS": len(slots), "N_GROUPS": n_groups, "GROUP_WORDS": width, "N_WORDS": n_groups * width},
    )
    for slot, fill, _ in slots:
        masks.slots.append(_expression(slot, fill, masks.ints["LEVEL_BRANCHES"], packer, constants))
    for first in range(0, n_groups * width, width):
        for _, _, found in slots:
            _add_chunks(masks, [cut for cut in found if first <= cut.word < first + width], first, width)
    masks.ints["LEVEL_BRANCHES"] = masks.ints["LEVEL_BRANCHES"] or [0]
    return masks


def _add_chunks(masks: Masks, cuts: list[_Cut], first: int, width: int) -> None:
    """The chunks of one slot in the group of words that begins at `first`."""
    cuts = sorted(cuts, key=lambda cut: cut.value)
    n_chunks = max(1, -(-len(cuts) // _CHUNK))
    size = 1  # a search divides the bounds by four
    while size < n_chunks:
        size *= 4
    masks.ints["CHUNKS"] += [len(masks.floats["CHUNK_CUTS"]) // _CHUNK, len(masks.floats["BOUNDS"]), size]
    cuts += [_Cut(math.inf, 0, first, 0)] * (n_chunks * _CHUNK - len(cuts))
    earlier = [0] * width
    for start in range(0, len(cuts), _CHUNK):
        masks.words["EARLIER"] += earlier
        masks.floats["BOUNDS"].append(cuts[start].value)
        for cut in cuts[start : start + _CHUNK]:
            masks.floats["CHUNK_CUTS"].append(cut.value)
            masks.ints["CHUNK_WORDS"].append(cut.word)
            masks.words["CHUNK_MASKS"].append(cut.mask)
            earlier[cut.word - first] |= cut.mask
    masks.floats["BOUNDS"] += [math.inf] * (size - n_chunks)


def _expression(slot: _Slot, fill: float, branches: list[int], packer: Packer, constants: Sequence[str]) -> str:
    """The value of a slot: a number or code, or a branch."""
    position = packer.position[slot.column]
    value, other = f"x[{constants[position]}]", repr(fill).replace("inf", "1e999")
    if slot.presence:
        return f"{slot.presence[0]}.0 if {value} == {value} else {slot.presence[1]}.0"
    if slot.levels:
        start = len(branches)
        branches += slot.levels
        is_known = f"{value} >= 0.0 and {value} < {len(slot.levels)}.0"
        return f"LEVEL_BRANCHES[{start} + int({value})] if {is_known} else {other}"
    has_levels = bool(packer.ints["LEVELED"][position])
    return f"{value} if {value} {'>= 0.0' if has_levels else f'== {value}'} else {other}"
