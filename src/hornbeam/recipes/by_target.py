"""Settings of a recipe that apply to one type of target: its sections `[by_target.class]` and `[by_target.number]`.

A section changes the settings of the recipe like `Recipe.with_changes`: stops are merged by name. Changes that a user
makes later take precedence over the sections.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.growing.method_parts import TARGETS, each_part
from hornbeam.options import Part
from hornbeam.parts.stops import stops

Sections = Mapping[str, Mapping[str, Any]]


def checked_sections(given: Any, target: str, known: Collection[str]) -> Sections | None:
    """The sections as tables, stops as parts; None if there are none; raises if a target or a setting is unknown."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or not all(isinstance(section, Mapping) for section in given.values()):
        raise OptionError(
            f"by_target must be a table of settings per target, got {short_repr(given)}.", option="by_target"
        )
    for name, section in given.items():
        if name not in (TARGETS if target == "any" else (target,)):
            hint = did_you_mean(str(name), TARGETS) if target == "any" else f"The recipe has the target {target}."
            raise OptionError(f"Unknown target {short_repr(name)} of by_target.", hint=hint, option="by_target")
        for key in section:
            if key not in known:
                raise OptionError(
                    f"Unknown key {short_repr(key)} of by_target.{name}.",
                    hint=did_you_mean(str(key), known),
                    option=key,
                )
    return {name: _with_parts(section) for name, section in given.items()} or None


def _with_parts(section: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(section)
    if "stops" in found:
        found["stops"] = each_part(stops, found["stops"])
    return found


def without_settings(sections: Sections, keys: Collection[str], stop_names: Collection[str]) -> Sections:
    """The sections without some settings and without the stops of some names."""
    return {target: _without(section, keys, stop_names) for target, section in sections.items()}


def _without(section: Mapping[str, Any], keys: Collection[str], stop_names: Collection[str]) -> dict[str, Any]:
    found = {key: value for key, value in section.items() if key == "stops" or key not in keys}
    if "stops" in found:
        found["stops"] = tuple(stop for stop in found["stops"] if stop.name not in stop_names)
    return found


def values_in_sections(sections: Sections | None, field: str) -> list[Any]:
    """The values of a setting in all sections; the values of a list one by one."""
    values = [section[field] for section in (sections or {}).values() if section.get(field) is not None]
    return [part for value in values for part in (value if isinstance(value, (tuple, list)) else [value])]


def section_tables(sections: Sections) -> dict[str, dict[str, Any]]:
    """The sections as tables of TOML values."""
    return {target: {key: _plain(value) for key, value in section.items()} for target, section in sections.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return value.as_table()
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
