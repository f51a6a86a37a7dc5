"""The functions of the engine, and those of them that a program needs."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

GIVEN = ("scale", "exclude", "open_leaf", "zeros", "words", "int", "range")  # functions that the languages have


def series() -> list[float]:
    """The coefficients of the exponential series, from the term of degree 13 down."""
    factorial = [1.0]
    for n in range(1, 14):
        factorial.append(factorial[-1] * n)
    return [1.0 / factorial[n] for n in range(13, -1, -1)]


@cache
def engine() -> dict[str, str]:
    """The functions of the engine, by name."""
    source = Path(__file__).with_name("engine.py").read_text("utf-8")
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name: (ast.get_source_segment(source, node) or "") + "\n\n" for node in nodes}


_OUTCOMES = {0: "cuts_outcome", 1: "level_outcome", 2: "sum_outcome", 3: "sum_outcome", 4: "junction_outcome"}


def outcome_function(kinds: set[int]) -> str:
    """The function `outcome` of the engine for the kinds of questions that a model has."""
    head = engine()["outcome"].split("    at: int")[0]
    calls = sorted({_OUTCOMES[kind] for kind in kinds}) or ["cuts_outcome"]
    if len(calls) == 1:
        return f"{head}    return {calls[0]}(q * 8, x)\n\n"
    lines = ["    at: int = q * 8", "    kind: int = QUESTIONS[at]"]
    for kind in sorted(kinds):
        lines += [f"    if kind == {kind}:", f"        return {_OUTCOMES[kind]}(at, x)"]
    return "\n".join([head.rstrip(), *lines, "    return -1"]) + "\n\n"


def needed(source: str, library: dict[str, str]) -> dict[str, str]:
    """The functions of a source, and before them those of the library that it calls."""
    own = {node.name: "" for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    for name in own:
        own[name] = re.search(rf"^def {name}\(.*?(?=^def |\Z)", source, re.MULTILINE | re.DOTALL)[0]  # type: ignore[index]
    found: set[str] = set()
    waiting = [source]
    while waiting:
        text = waiting.pop()
        new = [name for name in library if name not in found and re.search(rf"\b{name}\(", text)]
        found.update(new)
        waiting += [library[name] for name in new]
    return {name: text for name, text in library.items() if name in found} | own


def reads(text: str, name: str) -> bool:
    """Whether a source reads a name."""
    return re.search(rf"\b{name}\b", text) is not None


@cache
def reserved_names() -> frozenset[str]:
    """Names that a column must not have: arrays and functions of the engine."""
    arrays = set(re.findall(r"\b[A-Z][A-Z_]+\b", "".join(engine().values())))
    others = (
        "RULES ROOTS OUTPUTS WEIGHTS FRACTIONAL STRENGTH CLASS_OF CLASSES INFINITY NAN NULL COLUMNS NAMES CODES "
        "CHUNKS CHUNK_WORDS CHUNK_CUTS CHUNK_MASKS PLACES LEVEL_BRANCHES BOUNDS EARLIER POSITIONS "
        "N_SLOTS N_GROUPS GROUP_WORDS N_WORDS"
    )
    return frozenset([*arrays, *engine(), *GIVEN, *others.split(), "BITS", "POWER", "HIGH_WORD"])
