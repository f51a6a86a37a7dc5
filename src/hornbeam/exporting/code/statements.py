"""Statements of the functions that `program` writes: sums over trees, links."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbeam.exporting.model import ForestModel


def added(
    model: ForestModel, call: str, weight: str, output: str, *, is_mixed: bool, can_reject: bool = True
) -> list[str]:
    """Statements that add the prediction of a tree to the sums; return -2 if the row is rejected."""
    result = "label" if is_mixed else "end"
    lines = [f"{result} = {call}", *([f"if {result} < 0:", "    return -2"] if can_reject else [])]
    if model.combine == "vote":
        label = "label" if is_mixed else "LABELS[end]"
        return [*lines, f"out[{label}] = out[{label}] + {weight}"]
    if model.combine == "sum":
        value = "v[0]" if is_mixed else "VALUES[end]"
        return [*lines, f"term = {weight} * {value}", f"out[{output}] = out[{output}] + term"]
    value = "v[k]" if is_mixed else "VALUES[end * WIDTH + k]"
    lines += [f"for k in range(0, {model.width}):", f"    term = {weight} * {value}", "    out[k] = out[k] + term"]
    return lines


def linked(model: ForestModel, scores: str) -> list[str]:
    """Statements that convert the sums of a forest to its prediction."""
    width, n_values = model.width, len(model.classes) if model.is_class else 1
    call = [f"if {scores}(x, out) < 0:", "    return -2"]
    result = [f"return largest(out, {n_values})" if model.is_class else "return 0"]
    if model.link == "identity":
        return call + result
    if model.link == "logistic":
        lines = [f"s: Floats = zeros({width})", f"if {scores}(x, s) < 0:", "    return -2"]
        lines += ["second: float = 1.0 / (1.0 + exponential(-s[0]))", "out[0] = 1.0 - second", "out[1] = second"]
        return lines + result
    if model.link == "exp":
        return [*call, "out[0] = exponential(out[0])", *result]
    lines = list(call)
    if model.link == "softmax":
        lines += [f"top: float = out[largest(out, {width})]", f"for k in range(0, {width}):"]
        lines += ["    out[k] = exponential(out[k] - top)"]
    lines += ["total: float = 0.0", f"for k in range(0, {width}):", "    total = total + out[k]"]
    return [*lines, f"for k in range(0, {width}):", "    out[k] = out[k] / total", *result]


def body_of(lines: Sequence[str]) -> str:
    """Statements as the body of a function, in which the variables end, label and term are declared."""
    text = "\n".join(lines)
    declared = [
        f"{name}: {kind}"
        for name, kind in (("end", "int = 0"), ("label", "int = 0"), ("term", "float = 0.0"))
        if re.search(rf"\b{name} = ", text)
    ]
    return "\n".join(f"    {line}" for line in [*declared, *lines]) + "\n"


def indented(lines: Sequence[str]) -> list[str]:
    """Statements one level deeper."""
    return [f"    {line}" for line in lines]
