"""The columns and the target of a PMML model: data dictionary and mining schema."""

from __future__ import annotations

import dataclasses
from typing import Any

from hornbeam.errors import short_repr
from hornbeam.importing.machinery.naming import TARGET, class_levels, column_names, free_name
from hornbeam.importing.machinery.pmml_xml import Xml
from hornbeam.importing.machinery.source import Given
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema

_ACTIVE = ("active",)
_TARGETS = ("target", "predicted")
_TYPES = {"string": str, "integer": int, "double": float, "float": float, "boolean": bool}
MAX_LEVELS = 1 << 22


@dataclasses.dataclass(frozen=True, eq=False)
class Fields:
    """The columns of a model by name, their data types, and how values that are not listed are treated."""

    columns: tuple[ColumnSpec, ...]
    types: tuple[str, ...]
    treatments: frozenset[str]
    codes: dict[str, dict[Any, int]]

    def position(self, predicate: Xml) -> int:
        """The column that a predicate tests."""
        name = predicate.get("field")
        for index, spec in enumerate(self.columns):
            if spec.name == name:
                return index
        predicate.fail(
            f"{short_repr(name)} is not an active field of the data dictionary; derived fields are not supported"
        )

    def code(self, predicate: Xml, column: int, text: str) -> int:
        """The code of a level."""
        return self.codes[self.columns[column].name][level_of(predicate, self.types[column], text)]


def level_of(where: Xml, data_type: str, text: str) -> Any:
    """A level as a value of its data type."""
    kind = _TYPES.get(data_type)
    if kind is None:
        where.fail(f"the data type {short_repr(data_type)} is not supported")
    if kind is bool:
        if text.lower() not in ("true", "false"):
            where.fail(f"true or false is needed, got {short_repr(text)}")
        return text.lower() == "true"
    if kind is str:
        return text
    number = where.as_number(text)
    return int(number) if kind is int and number.is_integer() else number


def read_fields(root: Xml, model: Xml) -> tuple[Fields, ColumnSpec | None]:
    """The active columns and the target of a model."""
    dictionary = {field.get("name"): field for field in root.one("DataDictionary").all("DataField")}
    used = _levels_in_predicates(model)
    columns, types, treatments, codes = [], [], set(), {}
    target = None
    for field in model.one("MiningSchema").all("MiningField"):
        name, usage = field.get("name"), field.attributes.get("usageType", "active")
        if usage in _TARGETS and name in dictionary:
            target = _spec(dictionary[name], ())
        if usage not in _ACTIVE:
            continue
        if name not in dictionary:
            field.fail(f"{short_repr(name)} is not in the data dictionary")
        if "missingValueReplacement" in field.attributes:
            field.fail("missingValueReplacement is not supported")
        spec = _spec(dictionary[name], used.get(name, ()))
        columns.append(spec)
        types.append(dictionary[name].attributes.get("dataType", "double"))
        if spec.has_levels:
            is_open = not dictionary[name].all("Value")
            treatments.add("asIs" if is_open else field.attributes.get("invalidValueTreatment", "returnInvalid"))
            codes[name] = {level: code for code, level in enumerate(spec.levels)}
    return Fields(tuple(columns), tuple(types), frozenset(treatments), codes), target


def _spec(field: Xml, used: Any) -> ColumnSpec:
    name, data_type = field.get("name"), field.attributes.get("dataType", "double")
    if field.attributes.get("optype") == "continuous":
        return ColumnSpec(name, Kind.NUMERIC)
    values = [value for value in field.all("Value") if value.attributes.get("property", "valid") == "valid"]
    levels = [level_of(value, data_type, value.get("value")) for value in values]
    levels += [level_of(where, data_type, text) for where, text in used]
    if len(levels) > MAX_LEVELS:
        field.fail(f"at most {MAX_LEVELS} levels are supported")
    return ColumnSpec(name, Kind.NOMINAL, tuple(dict.fromkeys(levels)))


def _levels_in_predicates(model: Xml) -> dict[str, list[tuple[Xml, str]]]:
    """The values that predicates name, by field."""
    found: dict[str, dict[str, Xml]] = {}
    waiting = [model]
    while waiting:
        here = waiting.pop()
        waiting.extend(here.children)
        name = here.attributes.get("field", "")
        if here.tag == "SimplePredicate" and "value" in here.attributes:
            found.setdefault(name, {}).setdefault(here.attributes["value"], here)
        elif here.tag == "SimpleSetPredicate":
            for text in array_items(here):
                found.setdefault(name, {}).setdefault(text, here)
    return {name: [(where, text) for text, where in texts.items()] for name, texts in found.items()}


def array_items(predicate: Xml) -> list[str]:
    """The texts of an array: separated by blanks, in quotes where they contain blanks."""
    text = predicate.one("Array").text
    items: list[str] = []
    at, n = 0, len(text)
    while at < n:
        if text[at].isspace():
            at += 1
        elif text[at] == '"':
            at, item = _quoted(predicate, text, at + 1)
            items.append(item)
        else:
            stop = at
            while stop < n and not text[stop].isspace():
                stop += 1
            items.append(text[at:stop])
            at = stop
    return items


def _quoted(predicate: Xml, text: str, at: int) -> tuple[int, str]:
    parts: list[str] = []
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and text[at + 1 : at + 2] == '"':
            at += 1
        parts.append(text[at])
        at += 1
    if at == len(text):
        predicate.fail("a quote in the array is not closed")
    return at + 1, "".join(parts)


def schema_with(given: Given, fields: Fields, target: ColumnSpec | None, classes: list[Any] | None) -> Schema:
    """The schema of the converted model; the names that the caller gave replace those of the file."""
    names = column_names(given, [spec.name for spec in fields.columns], len(fields.columns))
    columns = tuple(dataclasses.replace(spec, name=name) for spec, name in zip(fields.columns, names, strict=True))
    labels = class_levels(given, classes)
    own = target.name if target is not None else TARGET
    name = given.target or free_name(own, names)
    return Schema(columns, ColumnSpec(name, Kind.NUMERIC if labels is None else Kind.NOMINAL, labels or ()))
