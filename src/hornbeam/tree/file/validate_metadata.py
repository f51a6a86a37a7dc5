"""Checks the metadata of a model file that the library reads; part of the checks of `validate.py`.

Metadata are JSON values under any name. Those below are used by predictions, prunings or texts, so they must have the
form in which growing and pruning write them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.table.table import Schema

_LARGEST = 2**63
_SAMPLING = {"method": str, "with_replacement": bool, "fraction": float}


def check_metadata(metadata: Any, recipe: Any, schema: Schema) -> None:
    """Raise a ModelFileError unless the metadata that the library reads have the right form."""
    if not isinstance(metadata, dict) or not isinstance(recipe, dict):
        raise ModelFileError("Metadata and recipe must be mappings.")
    _reject_files(recipe)
    columns = len(schema.columns)
    forms: dict[str, Callable[[Any], bool]] = {
        "class_factors": _are_numbers,
        "criterion_factors": lambda value: _are_numbers(value, len(metadata.get("class_factors") or ())),
        "costs": lambda value: isinstance(value, list) and all(map(_are_numbers, value)),
        "sampling": _is_sampling,
        "errors": _are_numbers,
        "fill_values": lambda value: _are_numbers(value, columns) and _are_levels(value, schema),
        "columns_with_missing": lambda value: isinstance(value, list) and all(map(_is_count, value)),
        "held_out_loss": _are_numbers,
        "honest_rows": _is_count,
        "missing_fractions": lambda value: _are_numbers(value, columns) and all(0 <= each <= 1 for each in value),
        "notes": _are_texts,
        "prunings": lambda value: isinstance(value, list) and all(map(_is_pruning, value)),
        "rows": _is_count,
        "sampled_groups": _is_count,
        "seed": _is_count,
        "steps": _are_texts,
        "training_loss": _are_numbers,
        "training_rows": lambda value: isinstance(value, str),
    }
    for name, fits in forms.items():
        if name in metadata and not fits(metadata[name]):
            raise ModelFileError(f"The metadata {short_repr(name)} have the wrong form.")


def _reject_files(value: Any) -> None:
    """Raise if a recipe names a file of questions: the recipe of a model contains the questions themselves."""
    if isinstance(value, dict):
        if value.get("name") == "custom_questions" and value.get("file"):
            raise ModelFileError("The recipe inside the model names a file to read.")
        for inner in value.values():
            _reject_files(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _reject_files(inner)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2 * _LARGEST


def _is_number(value: Any) -> bool:
    return type(value) is float or (type(value) is int and abs(value) < _LARGEST)


def _are_numbers(value: Any, count: int | None = None) -> bool:
    return isinstance(value, list) and (count is None or len(value) == count) and all(map(_is_number, value))


def _are_levels(value: list[float], schema: Schema) -> bool:
    """Whether each value of a column with levels is the code of a level, -1 for none, or NaN."""
    pairs = zip(value, schema.columns, strict=True)
    return all(not spec.has_levels or math.isnan(each) or -1 <= each < len(spec.levels) for each, spec in pairs)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_sampling(value: Any) -> bool:
    return isinstance(value, dict) and all(type(each) is _SAMPLING.get(name) for name, each in value.items())


def _is_pruning(value: Any) -> bool:
    if not isinstance(value, dict) or not {"pruning", "nodes", "leaves"} <= set(value):
        return False
    pairs = [value["nodes"], value["leaves"]]
    verdicts = value.get("verdicts", {})
    return (
        isinstance(value["pruning"], Mapping)
        and isinstance(value["pruning"].get("name"), str)
        and all(isinstance(pair, list) and len(pair) == 2 and all(map(_is_count, pair)) for pair in pairs)
        and isinstance(verdicts, dict)
        and all(isinstance(text, str) for text in verdicts.values())
    )
