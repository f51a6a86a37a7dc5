"""Predicts from the JSON export alone, by docs/export-schema.json: no code of the package is used."""

from __future__ import annotations

import math
from typing import Any

UNDEFINED, UNSEEN, STAY, REJECTED, ALL = -1, -2, "stay", "error", "all_branches"
SMALLEST = 1e-6  # the smallest fraction of a row that is followed


Codes = dict[str, Any]


class Rejected(Exception):
    """The model rejects the row."""


class Reader:
    """One exported model."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.model, self.classes = content["model"], content["classes"]
        self.levels = {each["name"]: each["levels"] for each in content["columns"] if each["kind"] != "numeric"}

    def predict(self, row: dict[str, Any]) -> tuple[list[float], int]:
        """The probabilities or the number, and the index of the class."""
        codes = {name: self._code(name, value) for name, value in row.items()}
        return {"tree": _tree_model, "forest": _forest, "rules": _rules}[self.model["type"]](self.model, codes)

    def _code(self, name: str, value: Any) -> float | None:
        """A number, the index of a level, NaN for a missing value, None for an unseen level."""
        if value is None:
            return math.nan
        if name not in self.levels:
            return float(value)
        return self.levels[name].index(value) if value in self.levels[name] else None


def outcome(question: dict[str, Any], x: Codes) -> int:
    """A branch, -1 undefined, -2 unseen level."""
    form = question["form"]
    if form == "junction":
        return _junction(question, x)
    if form in ("plane", "ball"):
        return _sum(question, x)
    value = x[question["column"]]
    if value is None:
        return UNSEEN if question.get("cuts", True) else question["first"]
    if math.isnan(value):
        return UNDEFINED if question.get("missing") is None else question["missing"]
    if form == "levels":
        found = question["branches"][int(value)] if 0 <= value < len(question["branches"]) else -1
        return UNSEEN if found < 0 else found
    return question["first"] + sum(value > float(cut) for cut in question["cuts"])


def _sum(question: dict[str, Any], x: Codes) -> int:
    values = [x[name] for name in question["columns"]]
    if question["fill"]:
        values = [fill if math.isnan(value) else value for value, fill in zip(values, question["fill"], strict=True)]
    if question["form"] == "plane":
        total, bound = sum(w * v for w, v in zip(question["weights"], values, strict=True)), question["bound"]
    else:
        parts = zip(values, question["center"], question["scale"], strict=True)
        distances = [(v - c) / s for v, c, s in parts]
        total, bound = sum(each * each for each in distances), question["radius2"]  # ** raises where * gives infinity
    return UNDEFINED if math.isnan(total) else int(total > bound)


def _junction(question: dict[str, Any], x: Codes) -> int:
    """Kleene's logic: one literal may decide."""
    found = [(outcome(each["question"], x), each["negated"]) for each in question["literals"]]
    branches = [1 - branch if negated and branch >= 0 else branch for branch, negated in found]
    decisive = 0 if question["any"] else 1
    if decisive in branches:
        return decisive
    return min(branches) if min(branches) < 0 else 1 - decisive


def route(node: dict[str, Any], x: Codes) -> Any:
    """The branch of a row at a node, or what happens instead."""
    found = outcome(node["question"], x)
    if found == UNSEEN and node["unseen"] not in (None, "as_missing"):
        return node["unseen"]
    for surrogate in node["surrogates"] if found < 0 else ():
        found = outcome(surrogate["question"], x)
        if found >= 0:
            return 1 - found if surrogate["flipped"] else found
    return node["missing"] if found < 0 else found


def _tree(tree: dict[str, Any], x: Codes) -> tuple[list[float], int]:
    nodes, ends, waiting = tree["nodes"], [], [(0, 1.0)]
    is_fractional = False
    while waiting:
        index, fraction = waiting.pop()
        node = nodes[index]
        branch = route(node, x) if "children" in node else STAY
        if branch == REJECTED:
            raise Rejected
        if branch == ALL:
            is_fractional = True
            parts = zip(node["children"], node["fractions"], strict=True)
            followed = [(child, fraction * part) for child, part in parts if fraction * part >= SMALLEST]
            waiting += followed
            ends += [] if followed else [(fraction, node)]
        elif branch == STAY:
            ends.append((fraction, node))
        else:
            waiting.append((node["children"][branch], fraction))
    total = sum(fraction for fraction, _ in ends)
    values = [sum(fraction * node["values"][k] for fraction, node in ends) / total for k in range(len(node["values"]))]
    return values, largest(values) if is_fractional else ends[0][1]["label"]


def _tree_model(model: dict[str, Any], x: Codes) -> tuple[list[float], int]:
    return _tree(model["tree"], x)


def _forest(model: dict[str, Any], x: Codes) -> tuple[list[float], int]:
    sums, combine = list(model["base"]), model["combine"]
    for tree, weight, output in zip(model["trees"], model["weights"], model["outputs"], strict=True):
        values, label = _tree(tree, x)
        if combine == "vote":
            sums[label] += weight
        elif combine == "sum":
            sums[output] += weight * values[0]
        elif combine == "confidence":
            sums[label] += weight * values[label]
        else:
            sums = [total + weight * value for total, value in zip(sums, values, strict=True)]
    values = linked([total / model["divisor"] for total in sums], model["link"])
    return values, largest(values)


def linked(sums: list[float], link: str) -> list[float]:
    """The sums of the trees as probabilities or as a number."""
    if link == "logistic":
        second = 1 / (1 + math.exp(-sums[0]))
        return [1 - second, second]
    if link == "exp":
        return [math.exp(sums[0])]
    if link == "softmax":
        sums = [math.exp(each - max(sums)) for each in sums]
    return sums if link == "identity" else [each / sum(sums) for each in sums]


def _rules(model: dict[str, Any], x: Codes) -> tuple[list[float], int]:
    def is_true(rule: dict[str, Any]) -> bool:
        return all(route(test, x) in test["accepted"] for test in rule["tests"])

    matching = [rule for rule in model["rules"] if is_true(rule)]
    if matching and model["by"] == "vote" and matching[0]["label"] >= 0:
        votes = [0.0] * len(matching[0]["values"])
        for rule in matching:
            votes[rule["label"]] += rule["strength"]
        if sum(votes) > 0:
            return [each / sum(votes) for each in votes], largest(votes)
    first = matching[0] if matching else model["default"]
    if first is None:
        raise Rejected
    return first["values"], first["label"]


def largest(values: list[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)
