"""Declaration of settings: `Part`, the base of all pluggable classes, and `option`, which declares one setting.

A *part* is a frozen dataclass; each of its fields is declared by `option(default, text, limits...)`. The check when the
part is constructed, the error message, the TOML key, the command line flag, the scikit-learn parameter and the entry on
the reference page are all derived from this single declaration.

    @dataclass(frozen=True)
    class MaxDepth(Stop):
        name: ClassVar[str] = "max_depth"
        depth: int = option(30, "the longest path from the root", at_least=0, at_most=1_000_000)

    MaxDepth(depth=-1)  ->  MaxDepth.depth (the longest path from the root) must be between 0 and 1000000, got -1.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from hornbeam.errors import OptionError, did_you_mean, short_repr

_KEY = "hornbeam.option"
_MAX_THREADS = 1024


@dataclasses.dataclass(frozen=True)
class Option:
    """The declaration of one setting: a description and the limits of its values."""

    text: str
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[Any, ...] | None = None

    def limits(self) -> str:
        """The limits as text that follows "must", or '' when there are none."""
        if self.choices is not None:
            return "be one of " + ", ".join(map(str, self.choices))
        low = None if self.at_least is None else _number_text(self.at_least)
        high = None if self.at_most is None else _number_text(self.at_most)
        if low and high:
            return f"be between {low} and {high}"
        ends = []
        if low:
            ends.append(f"at least {low}")
        if self.above is not None:
            ends.append(f"above {_number_text(self.above)}")
        if high:
            ends.append(f"at most {high}")
        if self.below is not None:
            ends.append(f"below {_number_text(self.below)}")
        return f"be {' and '.join(ends)}" if ends else ""

    def accepts(self, value: Any) -> bool:
        """Whether a value of the right type is within the limits."""
        if self.choices is not None:
            return value in self.choices
        if not isinstance(value, numbers.Real):
            return True
        number = float(value)
        return not (
            math.isnan(number)
            or (self.at_least is not None and number < self.at_least)
            or (self.at_most is not None and number > self.at_most)
            or (self.above is not None and number <= self.above)
            or (self.below is not None and number >= self.below)
        )


def _number_text(limit: float) -> str:
    return str(int(limit)) if float(limit).is_integer() and abs(limit) < 1e15 else f"{limit:g}"


def option(
    default: Any,
    text: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    choices: tuple[Any, ...] | None = None,
    kw_only: bool = False,
) -> Any:
    """Declare a setting of a part: default, description, limits; `kw_only` for a setting that subclasses inherit."""
    declared = Option(text, at_least, at_most, above, below, choices)
    return dataclasses.field(default=default, metadata={_KEY: declared}, kw_only=kw_only)


class PartValue(NamedTuple):
    """A part as the compiled core receives it: part type, name and settings."""

    part_type: str
    name: str
    settings: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Part:
    """A pluggable class: frozen, checked when constructed, found by name in the registry of its part type."""

    part_type: ClassVar[str] = "part"
    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in settings_of(type(self)):
            object.__setattr__(self, each.name, check_option(type(self).__name__, each, getattr(self, each.name)))

    def replace(self, **changes: Any) -> Self:
        """A copy of the part with some settings changed."""
        known = [each.name for each in settings_of(type(self))]
        for name in changes:
            if name not in known:
                raise OptionError(
                    f"Unknown setting {short_repr(name)} of {type(self).__name__}.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
        return dataclasses.replace(self, **changes)

    def settings(self) -> dict[str, Any]:
        """The value of every setting, by name."""
        return {each.name: getattr(self, each.name) for each in settings_of(type(self))}

    def as_table(self) -> dict[str, Any]:
        """The part as a TOML table: its name and the settings that differ from their defaults."""
        changed = {k: v for k, v in self.settings().items() if v != defaults_of(type(self))[k] and v is not None}
        return {"name": self.name, **{k: _as_toml(v) for k, v in changed.items()}}

    def in_core(self) -> PartValue:
        """The part as the compiled core receives it; the core decides whether it has such a part."""
        settings = self.settings()
        inner = {name: value.in_core() for name, value in settings.items() if isinstance(value, Part)}
        return PartValue(self.part_type, self.name, settings | inner)

    @classmethod
    def text(cls) -> str:
        """The first paragraph of the part's docstring."""
        return (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def _as_toml(value: Any) -> Any:
    if isinstance(value, Part):
        return value.as_table()
    if isinstance(value, tuple):
        return [_as_toml(each) for each in value]
    return value


@dataclasses.dataclass(frozen=True)
class Setting:
    """One setting of a part with its type, default and declaration: for flags, forms and reference pages."""

    name: str
    type: Any
    default: Any
    option: Option


def settings_of(part: type[Part]) -> list[Setting]:
    """The settings that a part declares, in the order of declaration."""
    if part not in _SETTINGS:
        hints = typing.get_type_hints(part)
        _SETTINGS[part] = [
            Setting(field.name, hints[field.name], field.default, field.metadata[_KEY])
            for field in dataclasses.fields(part)
            if _KEY in field.metadata
        ]
    return _SETTINGS[part]


_SETTINGS: dict[type[Part], list[Setting]] = {}


def defaults_of(part: type[Part]) -> dict[str, Any]:
    """The default of every setting."""
    return {each.name: each.default for each in settings_of(part)}


def check_option(owner: str, setting: Setting, value: Any) -> Any:
    """The value, converted to its declared type; an error that states the accepted values otherwise."""
    fits, converted = _convert(setting.type, value)
    if not fits:
        expected, got = f"be {type_text(setting.type)}", f"{short_repr(value)} ({type(value).__name__})"
    elif converted is not None and not setting.option.accepts(converted):
        expected, got = setting.option.limits() or "be a number", short_repr(value)
    else:
        return converted
    label = f"{owner}.{setting.name} ({setting.option.text})"
    raise OptionError(f"{label} must {expected}, got {got}.", option=setting.name, got=value)


def _members(kind: Any) -> tuple[Any, ...]:
    origin = typing.get_origin(kind)
    return typing.get_args(kind) if origin in (types.UnionType, typing.Union) else (kind,)


def _convert(kind: Any, value: Any) -> tuple[bool, Any]:
    """Whether a value is compatible with a declared type, and the value as that type."""
    for member in _members(kind):
        fits, converted = _convert_to(member, value)
        if fits:
            return True, converted
    return False, value


def _convert_to(member: Any, value: Any) -> tuple[bool, Any]:
    origin = typing.get_origin(member)
    if member is type(None):
        return value is None, None
    if member is Any:
        return True, value
    if member is bool:
        return _is_bool(value), bool(value) if _is_bool(value) else value
    if member is int:
        fits = isinstance(value, numbers.Integral) and not _is_bool(value)
        return fits, int(value) if fits else value
    if member is float:
        fits = isinstance(value, numbers.Real) and not _is_bool(value)
        return fits, float(value) if fits else value
    if origin is tuple:
        if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__") or isinstance(value, Mapping):
            return False, value
        (inner, *_) = typing.get_args(member)
        pairs = [_convert(inner, each) for each in value]
        return all(fits for fits, _ in pairs), tuple(each for _, each in pairs)
    if origin in (dict, Mapping) or typing.get_origin(member) is Mapping:
        return isinstance(value, Mapping), value
    return isinstance(value, origin or member), value


def is_integer(value: object) -> bool:
    """Whether a value is an integer of Python or NumPy, and not a boolean."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Whether a value is a real number of Python or NumPy, and not a boolean."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def thread_count(threads: Any) -> int:
    """The number of threads as the compiled core expects it: 0, for None, means all available cores."""
    if threads is None:
        return 0
    if not is_integer(threads) or threads < 0:
        raise OptionError(
            f"threads must be an integer of at least 0 or None (all cores), got {short_repr(threads)}.",
            option="threads",
            got=threads,
        )
    return min(int(threads), _MAX_THREADS)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def type_text(kind: Any) -> str:
    """A declared type as text for error messages and reference pages."""
    known = {int: "an integer", float: "a number", bool: "true or false", str: "text", type(None): "None"}
    return " or ".join(known.get(member) or _other_type_text(member) for member in _members(kind))


def _other_type_text(member: Any) -> str:
    if typing.get_origin(member) is tuple:
        return "a list"
    return "a " + getattr(member, "__name__", str(member))


def walk_parts(value: Any) -> Iterator[Part]:
    """All parts nested in a value, outermost first."""
    if isinstance(value, Part):
        yield value
        for inner in value.settings().values():
            yield from walk_parts(inner)
    elif isinstance(value, tuple):
        for each in value:
            yield from walk_parts(each)
