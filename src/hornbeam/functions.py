"""Python functions that are named in plain values: which names are looked up, and which are never imported.

A recipe may hold a function: the `function` of the criterion `user`, the `predicate` of a given question. In a file it
is a name. A file is data, so a name never decides what is imported:

    "a name"                  the function that an installed package registered under it (entry points `hornbeam.parts`)
    "package.module:function" imported by `import_functions` alone, when the user trusts the recipe; parts refuse it

`plain` writes a function back as such a name.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any

from hornbeam.errors import OptionError, Set, short_repr

GROUP = "hornbeam.parts"
KEYS = ("function", "predicate")  # the settings that hold functions
_MOST_NESTED = 64


@functools.cache
def registered() -> dict[str, Any]:
    """What installed packages registered, by name. All of it is loaded, so no name selects an import."""
    import importlib.metadata  # here: it is slow to import, and most jobs do not need it

    return {entry.name: entry.load() for entry in importlib.metadata.entry_points(group=GROUP)}


def as_function(given: Any, label: str) -> Callable[..., Any]:
    """A function from itself or from the name an installed package registered for it; nothing else is imported."""
    if isinstance(given, str) and ":" not in given and callable(registered().get(given)):
        given = registered()[given]
    if callable(given):
        found: Callable[..., Any] = given
        return found
    if isinstance(given, str) and ":" in given:
        raise OptionError(
            f"{label} names the function {short_repr(given)}, which is not imported: a recipe or a model from somebody else "
            "could name any function of this computer.",
            fix=Set("trust", True, "if you trust its file", inside="recipe"),
            hint="or pass the function itself. A recipe inside a model file is never trusted.",
            option=label,
            got=given,
        )
    raise OptionError(
        f"{label} must be a function, or the name of one that an installed package registered; got {short_repr(given)}.",
        option=label,
        got=given,
    )


def import_functions(value: Any, depth: int = 0) -> Any:
    """Plain values whose functions are named by address, with these functions imported. Only for trusted values."""
    if depth > _MOST_NESTED:
        raise OptionError(f"A recipe may be nested {_MOST_NESTED} deep.")
    if isinstance(value, Mapping):
        return {
            key: _imported(inner) if key in KEYS and isinstance(inner, str) else import_functions(inner, depth + 1)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [import_functions(inner, depth + 1) for inner in value]
    return value


def _imported(address: str) -> Any:
    module, colon, attribute = address.partition(":")
    if not colon:
        return address
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"The function {short_repr(address)} cannot be imported: {error}.", got=address) from error
    if not callable(found):
        raise OptionError(f"{short_repr(address)} is not a function.", got=address)
    return found


def function_name(function: Any) -> Any:
    """A function as its registered name, else as its address; other values as they are."""
    if not callable(function):
        return function
    name = next((name for name, each in registered().items() if each is function), None)
    module, own = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    return name or (f"{module}:{own}" if module and own else repr(function))
