"""How is a setting declared once, so that its check, its error, its flag and its page all agree?

A *part* is a frozen dataclass; each of its fields is made by `option(default, words, limits...)`. From that single
declaration come the check when the part is made, the sentence of the error, the TOML key, the command line flag, the
scikit-learn parameter and the reference page.

    @dataclass(frozen=True)
    class Depth(Stop):
        name: ClassVar[str] = "depth"
        at_most: int = option(30, "the longest path from the root", at_least=0, at_most=1_000_000)

    MaxDepth(depth=-1)  ->  Depth.at_most must lie between 0 and 1000000; got -1. It is the longest path from the root.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from hornbeam.errors import OptionError, did_you_mean, short_repr

_KEY = "hornbeam.option"
_MOST_THREADS = 1024


@dataclasses.dataclass(frozen=True)
class Option:
    """The declaration of one setting: its words and its limits."""

    words: str
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[Any, ...] | None = None

    def limits(self) -> str:
        """The limits in words, or '' when there are none."""
        if self.choices is not None:
            return "be one of " + ", ".join(map(str, self.choices))
        low = None if self.at_least is None else f"{self.at_least:g}"
        high = None if self.at_most is None else f"{self.at_most:g}"
        if low and high:
            return f"lie between {low} and {high}"
        ends = []
        if low:
            ends.append(f"be at least {low}")
        if self.above is not None:
            ends.append(f"be above {self.above:g}")
        if high:
            ends.append(f"be at most {high}")
        if self.below is not None:
            ends.append(f"be below {self.below:g}")
        return " and ".join(ends)

    def admits(self, value: Any) -> bool:
        """Whether a value of the right type lies within the limits."""
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


def option(
    default: Any,
    words: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    choices: tuple[Any, ...] | None = None,
    kw_only: bool = False,
) -> Any:
    """Declare a setting of a part: default, words, limits; `kw_only` for a setting that parts inherit."""
    declared = Option(words, at_least, at_most, above, below, choices)
    return dataclasses.field(default=default, metadata={_KEY: declared}, kw_only=kw_only)


@dataclasses.dataclass(frozen=True)
class Part:
    """A choice as a value: frozen, checked when made, found by name on the shelf of its sort."""

    part_type: ClassVar[str] = "part"
    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in settings_of(type(self)):
            object.__setattr__(self, each.name, check_option(type(self).__name__, each, getattr(self, each.name)))

    def replace(self, **changes: Any) -> Self:
        """The same part with some settings changed."""
        known = [each.name for each in settings_of(type(self))]
        for name in changes:
            if name not in known:
                raise OptionError(
                    f"{type(self).__name__} has no setting {short_repr(name)}.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
        return dataclasses.replace(self, **changes)

    def settings(self) -> dict[str, Any]:
        """The settings by name, as plain values."""
        return {each.name: getattr(self, each.name) for each in settings_of(type(self))}

    def as_table(self) -> dict[str, Any]:
        """The part as a TOML table: its name and the settings that differ from their defaults."""
        changed = {k: v for k, v in self.settings().items() if v != defaults_of(type(self))[k] and v is not None}
        return {"name": self.name, **{k: _plain(v) for k, v in changed.items()}}

    @classmethod
    def text(cls) -> str:
        """The first sentence of the part's docstring."""
        return (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return value.as_table()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


@dataclasses.dataclass(frozen=True)
class Setting:
    """One setting of a part as seen from outside: for flags, forms and reference pages."""

    name: str
    type: Any
    default: Any
    option: Option


def settings_of(part: type[Part]) -> list[Setting]:
    """The settings that a part declares, in order."""
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
    """The value, converted to its declared type, or an error that says what is accepted."""
    label = f"{owner}.{setting.name}"
    fits, converted = _converted(setting.type, value)
    about = f"It is {setting.option.words}."
    if not fits:
        wanted = type_text(setting.type)
        raise OptionError(
            f"{label} must be {wanted}; got {short_repr(value)} ({type(value).__name__}). {about}",
            option=setting.name,
            got=value,
        )
    if converted is not None and not setting.option.admits(converted):
        raise OptionError(
            f"{label} must {setting.option.limits() or 'be a number'}; got {short_repr(value)}. {about}",
            option=setting.name,
            got=value,
        )
    return converted


def _members(kind: Any) -> tuple[Any, ...]:
    origin = typing.get_origin(kind)
    return typing.get_args(kind) if origin in (types.UnionType, typing.Union) else (kind,)


def _converted(kind: Any, value: Any) -> tuple[bool, Any]:
    """Whether a value suits a declared type, and the value as that type."""
    for member in _members(kind):
        fits, converted = _as_member(member, value)
        if fits:
            return True, converted
    return False, value


def _as_member(member: Any, value: Any) -> tuple[bool, Any]:
    origin = typing.get_origin(member)
    if member is type(None):
        return value is None, None
    if member is Any:
        return True, value
    if member is bool:
        return isinstance(value, bool) or type(value).__name__ == "bool_", bool(value) if _is_bool(value) else value
    if member is int:
        whole = isinstance(value, numbers.Integral) and not _is_bool(value)
        return whole, int(value) if whole else value
    if member is float:
        real = isinstance(value, numbers.Real) and not _is_bool(value)
        return real, float(value) if real else value
    if origin is tuple:
        if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__") or isinstance(value, Mapping):
            return False, value
        (inner, *_) = typing.get_args(member)
        pairs = [_converted(inner, each) for each in value]
        return all(fits for fits, _ in pairs), tuple(each for _, each in pairs)
    if origin in (dict, Mapping) or typing.get_origin(member) is Mapping:
        return isinstance(value, Mapping), value
    return isinstance(value, origin or member), value


def is_integer(value: object) -> bool:
    """Whether a value is a whole number, Python's or NumPy's, and no boolean."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Whether a value is a number, Python's or NumPy's, and no boolean."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def thread_count(threads: Any) -> int:
    """How many threads the core is to use: 0 for all there are, which is what None means."""
    if threads is None:
        return 0
    if not is_integer(threads) or threads < 0:
        raise OptionError(
            f"threads must be a whole number of 0 or more, or none for all there are; got {short_repr(threads)}.",
            option="threads",
            got=threads,
        )
    return min(int(threads), _MOST_THREADS)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def type_text(kind: Any) -> str:
    """A declared type in words a user knows."""
    known = {int: "a whole number", float: "a number", bool: "true or false", str: "text", type(None): "none"}
    return " or ".join(known.get(member, _sequence_words(member)) for member in _members(kind))


def _sequence_words(member: Any) -> str:
    if typing.get_origin(member) is tuple:
        return "a list"
    return "a " + getattr(member, "__name__", str(member))


def walk_parts(value: Any) -> Iterator[Part]:
    """Every part inside a value, outermost first."""
    if isinstance(value, Part):
        yield value
        for inner in value.settings().values():
            yield from walk_parts(inner)
    elif isinstance(value, tuple):
        for each in value:
            yield from walk_parts(each)
