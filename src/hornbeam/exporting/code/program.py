"""The functions and arrays of an exported model.

`evaluate(x, out)` writes the probabilities, or the number, and returns the index of the class; -2 if the row is
rejected. `scores(x, out)` writes the sums of a boosted model before the link. Functions that are not called and arrays
that are not read are left out.
"""

from __future__ import annotations

import dataclasses

from hornbeam.exporting.code.library import GIVEN, engine, needed, outcome_function, reads, reserved_names, series
from hornbeam.exporting.code.masks import Masks, leaf_order, masks_of
from hornbeam.exporting.code.names import identifiers
from hornbeam.exporting.code.packing import Packer
from hornbeam.exporting.code.statements import added, body_of, indented, linked
from hornbeam.exporting.code.unrolled import MAX_DEPTH, Unroller
from hornbeam.exporting.model import (
    ExportModel,
    ExportTree,
    Floats,
    ForestModel,
    NestedModel,
    RulesModel,
    TreeModel,
)

_MAX_AUTO_DEPTH = 20


@dataclasses.dataclass(frozen=True, eq=False)
class Program:
    """Source in the subset of Python, with its arrays and constants.

    `constants` are the names of the positions in `x`, one per column that the model reads; `width` is the number of
    values that `evaluate` writes, `n_scores` the number that `scores` writes (0: the model has none).
    """

    source: str
    ints: dict[str, list[int]]
    floats: dict[str, list[float]]
    words: dict[str, list[int]]
    scalars: dict[str, int]
    constants: tuple[str, ...]
    width: int
    n_scores: int
    functions: tuple[str, ...]

    @property
    def global_names(self) -> frozenset[str]:
        """All names outside of functions."""
        return frozenset([*self.ints, *self.floats, *self.scalars, *self.constants, *self.functions, *GIVEN[:3]])


def is_small(model: ExportModel, max_nodes: int) -> bool:
    """Whether the trees of a model are written as nested conditions by default."""
    depth = max((tree.source.depth for tree in model.trees), default=0)
    return sum(map(len, model.trees)) <= max_nodes and depth <= _MAX_AUTO_DEPTH


def too_deep(model: ExportModel) -> bool:
    """Whether a tree is too deep for nested conditions."""
    return any(tree.source.depth > MAX_DEPTH for tree in model.trees)


def program_of(model: ExportModel, *, style: str) -> Program:
    """The program of a model: nested conditions (unrolled), arrays and a loop (tables) or bit masks (masks)."""
    return _Builder(model, style).build()


def has_masks(model: ExportModel, *, only_fast: bool = False) -> bool:
    """Whether a model can be written as bit masks; `only_fast`: and is estimated to be faster with them."""
    masks = _Builder(model, "masks").masks
    return masks is not None and isinstance(model, ForestModel) and (masks.is_fast(model) or not only_fast)


class _Builder:
    def __init__(self, model: ExportModel, style: str) -> None:
        self.model = model
        self.unrolled = style == "unrolled"
        self.packer = Packer(model)
        self.constants = identifiers([spec.name for spec in model.inputs], upper=True, taken=reserved_names())
        self.unroller = Unroller(self.packer, self.constants)
        self.masks: Masks | None = None
        if style == "masks" and isinstance(model, ForestModel):
            self.masks = masks_of(model, self.packer, self.constants)
        self.parts: list[str] = []
        self.scalars: dict[str, int] = {}
        self.n_scores = 0
        self.n_trees = 0

    def build(self) -> Program:
        """The program with everything that it needs and nothing else."""
        model = self.model
        values = next((tree.values for tree in model.trees), None)
        self.scalars["WIDTH"] = 1 if values is None else values.shape[1]
        fractional = [len(tree) for tree in model.trees if tree.has_fractional]
        self.scalars["MOST_NODES"] = max(fractional, default=1)
        if isinstance(model, NestedModel):
            self._nested(model)
        elif isinstance(model, RulesModel):
            self._rules(model)
        else:
            self._member(model, "evaluate", "scores")
        self.packer.ints["ROOTS"] = self.packer.roots
        self.packer.floats["SERIES"] = series()
        kinds = {self.packer.ints["QUESTIONS"][at] for at in range(0, len(self.packer.ints["QUESTIONS"]), 8)}
        functions = needed("".join(self.parts), engine() | {"outcome": outcome_function(kinds)})
        text = "".join(functions.values())
        masks = self.masks or Masks([], {}, {}, {}, {})
        return Program(
            text,
            {name: array or [0] for name, array in self.packer.ints.items() if reads(text, name)} | masks.ints,
            {name: array or [0.0] for name, array in self.packer.floats.items() if reads(text, name)} | masks.floats,
            masks.words,
            {name: value for name, value in self.scalars.items() if reads(text, name)} | masks.scalars,
            tuple(self.constants),
            len(model.classes) if model.is_class else 1,
            self.n_scores,
            tuple(functions),
        )

    def _member(self, model: ExportModel, name: str, scores: str) -> None:
        if isinstance(model, TreeModel):
            self._tree(model, name)
            return
        assert isinstance(model, ForestModel)
        self._forest(model, name, scores)

    def _call(self, tree: ExportTree, values: Floats) -> str:
        """Add a tree to the tables; the call that returns the node where a row ends, or that mixes into `v`."""
        first, number = self.packer.roots[-1], self.n_trees
        self.n_trees += 1
        is_nested = self.unrolled and not tree.has_fractional
        self.packer.tree(tree, values, with_questions=not is_nested)
        if tree.has_fractional:
            return f"mix({first}, {first + len(tree)}, x, v)"
        if is_nested:
            self.parts.append(self.unroller.function(number, tree, first))
        return f"tree_{number}(x)" if is_nested else f"leaf({first}, x)"

    def _tree(self, model: TreeModel, name: str) -> None:
        call = self._call(model.tree, model.tree.values)
        if model.tree.has_fractional:
            lines = [f"return {call.replace(', v)', ', out)')}"]
        else:
            lines = [f"end = {call}", "if end < 0:", "    return -2", "for k in range(0, WIDTH):"]
            lines += ["    out[k] = VALUES[end * WIDTH + k]", "return LABELS[end]"]
        self.parts.append(f"def {name}(x: Floats, out: Out) -> int:\n{body_of(lines)}\n")

    def _forest(self, model: ForestModel, name: str, scores: str) -> None:
        lines = [f"out[{k}] = {value!r}" for k, value in enumerate(model.base)]
        if any(tree.has_fractional for tree in model.trees):
            lines += ["v: Floats = zeros(WIDTH)"]
        if self.unrolled:
            for index, tree in enumerate(model.trees):
                call = self._call(tree, model.added_values(index))
                weight, output = repr(model.weights[index]), str(model.outputs[index])
                lines += added(model, call, weight, output, is_mixed=tree.has_fractional)
        elif self.masks is not None:
            lines += self._masked(model, self.masks)
        else:
            lines += self._loop(model)
        if model.divisor != 1:
            lines += [f"for k in range(0, {model.width}):", f"    out[k] = out[k] / {model.divisor!r}"]
        self.parts.append(f"def {scores}(x: Floats, out: Out) -> int:\n{body_of(lines)}    return 0\n\n")
        self.parts.append(f"def {name}(x: Floats, out: Out) -> int:\n{body_of(linked(model, scores))}\n")
        self.n_scores = model.width if model.combine == "sum" else 0

    def _masked(self, model: ForestModel, masks: Masks) -> list[str]:
        lines = ["s: Floats = zeros(N_SLOTS)", *(f"s[{index}] = {value}" for index, value in enumerate(masks.slots))]
        lines += ["dead: Words = words(N_WORDS)", "exclude(s, dead)"]
        for index, tree in enumerate(model.trees):
            # Weights are multiplied here: the products are those of the loop over tables.
            self.packer.leaves(tree, model.weights[index] * model.added_values(index), leaf_order(tree))
        self.packer.floats["WEIGHTS"] = list(model.weights)
        self.packer.ints["OUTPUTS"] = list(model.outputs)
        weight = "WEIGHTS[t]" if model.combine == "vote" else "1.0"
        output = "OUTPUTS[t]" if model.width > 1 else "0"
        body = added(model, "open_leaf(t, dead)", weight, output, is_mixed=False, can_reject=False)
        return [*lines, f"for t in range(0, {len(model.trees)}):", *indented(body)]

    def _loop(self, model: ForestModel) -> list[str]:
        start = len(self.packer.roots) - 1
        fractional = [int(tree.has_fractional) for tree in model.trees]
        for index, tree in enumerate(model.trees):
            self.packer.tree(tree, model.added_values(index))
        self.packer.floats.setdefault("WEIGHTS", []).extend(model.weights)
        self.packer.ints.setdefault("OUTPUTS", []).extend(model.outputs)
        self.packer.ints.setdefault("FRACTIONAL", []).extend(fractional)
        body = added(model, "leaf(ROOTS[t], x)", "WEIGHTS[t]", "OUTPUTS[t]", is_mixed=False)
        mixed = added(model, "mix(ROOTS[t], ROOTS[t + 1], x, v)", "WEIGHTS[t]", "OUTPUTS[t]", is_mixed=True)
        if all(fractional):
            body = mixed
        elif any(fractional):
            body = ["if FRACTIONAL[t] == 1:", *indented(mixed), "else:", *indented(body)]
        return [f"for t in range({start}, {start + len(model.trees)}):", *indented(body)]

    def _nested(self, model: NestedModel) -> None:
        lines = [f"reached: Floats = zeros({len(model.nodes)})", "p: Floats = zeros(2)", "second: float = 0.0"]
        lines += ["node: int = 0", "reached[0] = 1.0"]
        for index, node in enumerate(model.nodes):
            if node.first < 0:
                lines.append(f"out[{node.classes[0]}] = reached[{index}]")
                continue
            if node.model is None:
                lines.append(f"second = {node.only!r}")
            else:
                self._member(node.model, f"evaluate_{index}", f"scores_{index}")
                lines += [f"if evaluate_{index}(x, p) < 0:", "    return -2", "second = p[1]"]
            lines += [
                f"reached[{node.first}] = reached[{index}] * (1.0 - second)",
                f"reached[{node.second}] = reached[{index}] * second",
                f"if node == {index}:",
                f"    node = {node.second} if 2.0 * second - 1.0 > 0.0 else {node.first}",
            ]
        lines += ["return CLASS_OF[node]"]
        self.packer.ints["CLASS_OF"] = [node.classes[0] for node in model.nodes]
        self.n_scores = 0
        self.parts.append(f"def evaluate(x: Floats, out: Out) -> int:\n{body_of(lines)}\n")

    def _rules(self, model: RulesModel) -> None:
        packer, width = self.packer, len(model.classes) if model.is_class else 1
        rules = [*model.rules, *([] if model.default is None else [model.default])]
        ints, floats = packer.ints, packer.floats
        ints["RULES"], ints["ACCEPTED_START"], ints["ACCEPTED"] = [0], [0], []
        for rule in model.rules:
            for test in rule.tests:
                packer.route(test.route)
                ints["ACCEPTED"] += test.accepted
                ints["ACCEPTED_START"].append(len(ints["ACCEPTED"]))
            ints["RULES"].append(len(ints["ACCEPTED_START"]) - 1)
        ints["LABELS"] = [max(rule.label, 0) for rule in rules]
        floats["VALUES"] = [value for rule in rules for value in rule.values]
        floats["STRENGTH"] = [rule.strength for rule in rules]
        self.scalars["WIDTH"] = width
        n, unmatched = len(model.rules), len(model.rules) if model.default is not None else -2
        vote = model.by == "vote"
        lines = [f"first: int = {unmatched}", *(["total: float = 0.0"] if vote else [])]
        lines += [f"out[{k}] = 0.0" for k in range(width)]
        votes = ["out[LABELS[r]] = out[LABELS[r]] + STRENGTH[r]"]
        if not model.is_class:
            votes = ["term: float = STRENGTH[r] * VALUES[r]", "out[0] = out[0] + term"]
        voting = [*votes, "total = total + STRENGTH[r]"] if vote else []
        guard = "matches(r, x) == 1" if vote else f"first == {unmatched} and matches(r, x) == 1"
        lines += [f"for r in range(0, {n}):", f"    if {guard}:"]
        lines += indented(indented([*voting, f"if first == {unmatched}:", "    first = r"]))
        if vote:
            lines += ["if total > 0.0:", "    label: int = largest(out, WIDTH)"]
            lines += ["    for k in range(0, WIDTH):", "        out[k] = out[k] / total", "    return label"]
        lines += ["if first < 0:", "    return -2", "for k in range(0, WIDTH):"]
        lines += ["    out[k] = VALUES[first * WIDTH + k]", "return LABELS[first]"]
        self.parts.append(f"def evaluate(x: Floats, out: Out) -> int:\n{body_of(lines)}\n")
