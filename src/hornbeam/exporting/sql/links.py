"""The links of boosted models in SQL: sums of trees as probabilities or numbers.

The exponential function is the series of the compiled core, so that the results are the same in every database; EXP
differs from it in the last digits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hornbeam.exporting.sql.expressions import double
from hornbeam.exporting.sql.stages import Stages
from hornbeam.rules.sql_text import number

_SERIES = [1.0 / math.factorial(n) for n in range(13, -1, -1)]
_LOG2E, _HIGH, _LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
_SHIFT = 6755399441055744.0
_LIMIT = 700.0


def add_link(stages: Stages, link: str, sums: Sequence[str], series: bool) -> list[str]:
    """Stages that apply a link to sums; the names of the probabilities, or of the number."""
    if link == "logistic":
        raised = _exponentials(stages, [f"-{sums[0]}"], series)[0]
        second, first = stages.name("second"), stages.name("first")
        stages.add("odds", [(second, f"1e0 / (1e0 + {raised})")])
        stages.add("odds", [(first, f"1e0 - {second}")])
        return [first, second]
    if link == "exp":
        return _exponentials(stages, list(sums), series)
    if link == "softmax":
        top = stages.name("top")
        stages.add("tops", [(top, largest_value(sums))])
        sums = _exponentials(stages, [f"{each} - {top}" for each in sums], series)
    if link in ("softmax", "normalize"):
        return _divided(stages, sums, f"({' + '.join(sums)})")
    return list(sums)


def divided(stages: Stages, sums: Sequence[str], divisor: float) -> list[str]:
    """Sums divided by a number."""
    return list(sums) if divisor == 1 else _divided(stages, sums, double(number(divisor)))


def _divided(stages: Stages, sums: Sequence[str], by: str) -> list[str]:
    aliases = [stages.name(f"value_{k}") for k in range(len(sums))]
    stages.add("values_of_rows", [(alias, f"{each} / {by}") for alias, each in zip(aliases, sums, strict=True)])
    return aliases


def _exponentials(stages: Stages, arguments: list[str], series: bool) -> list[str]:
    """E to the power of each argument."""
    found = [stages.name(f"raised_{i}") for i in range(len(arguments))]
    if not series:
        stages.add("exponentials", [(alias, f"EXP({each})") for alias, each in zip(found, arguments, strict=True)])
        return found
    n = range(len(arguments))
    x, k, r = ([stages.name(f"{base}_{i}") for i in n] for base in ("exp_x", "exp_k", "exp_r"))
    stages.add("exp_arguments", [(x[i], _clamped(f"({arguments[i]})")) for i in n])
    shift, log2e = double(number(_SHIFT)), double(number(_LOG2E))
    stages.add("exp_powers", [(k[i], f"({x[i]} * {log2e} + {shift}) - {shift}") for i in n])
    high, low = double(number(_HIGH)), double(number(_LOW))
    stages.add("exp_rests", [(r[i], f"({x[i]} - {k[i]} * {high}) - {k[i]} * {low}") for i in n])
    stages.add("exponentials", [(found[i], f"({_horner(r[i])}) * POWER({double('2e0')}, {k[i]})") for i in n])
    return found


def _clamped(x: str) -> str:
    limit = number(_LIMIT)
    return double(f"CASE WHEN {x} > {limit} THEN {limit} WHEN {x} < -{limit} THEN -{limit} ELSE {x} END")


def _horner(r: str) -> str:
    text = double(number(_SERIES[0]))
    for coefficient in _SERIES[1:]:
        text = f"({text} * {r} + {number(coefficient)})"
    return text


def largest_value(names: Sequence[str]) -> str:
    """The largest of some columns."""
    return _by_largest(names, names)


def largest_of(names: Sequence[str], results: Sequence[str]) -> str:
    """The result that belongs to the largest of some columns, the first of equal ones; NULL if they are."""
    if len(names) == 1:
        return f"CASE WHEN {names[0]} IS NOT NULL THEN {results[0]} END"
    found = _by_largest(names, results)
    return found.replace(" ELSE ", f" WHEN {names[-1]} IS NOT NULL THEN ", 1)


def _by_largest(names: Sequence[str], results: Sequence[str]) -> str:
    whens = []
    for index in range(len(names) - 1):
        tests = " AND ".join(f"{names[index]} >= {other}" for other in names[index + 1 :])
        whens.append(f"WHEN {tests} THEN {results[index]}")
    return f"CASE {' '.join(whens)} ELSE {results[-1]} END" if whens else results[-1]
