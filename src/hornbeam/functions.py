"""Python functions in recipes and model files: lookup of registered names, import of trusted addresses.

A recipe may contain a function: the `function` of the criterion `custom`, the `predicate` of a custom question. In a
file it is a name. A file is data, so a name in it never selects a module to import:

    "a name"                  the function that an installed package registered under it (entry points `hornbeam.parts`)
    "package.module:function" imported by `import_functions` only, when the user trusts the recipe; parts reject it

`function_name` converts a function back to such a name.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any

from hornbeam.errors import OptionError, Set, short_repr

GROUP = "hornbeam.parts"
KEYS = ("function", "predicate")  # the settings that are functions
_MAX_NESTING = 64


@functools.cache
def registered() -> dict[str, Any]:
    """The objects that installed packages registered, by name. All are loaded, so that no name selects an import."""
    import importlib.metadata  # here: it is slow to import, and most jobs do not need it

    return {entry.name: _load(entry) for entry in importlib.metadata.entry_points(group=GROUP)}


def _load(entry: Any) -> Any:
    """The object of an entry point; an OptionError that names it if its module cannot be imported."""
    try:
        return entry.load()
    except (ImportError, AttributeError, NameError, SyntaxError, TypeError, ValueError) as error:
        raise OptionError(
            f"Cannot load the entry point {short_repr(entry.name)} of the group {GROUP}: "
            f"{type(error).__name__}: {error}.",
            hint="Correct the package that defines it, or uninstall it.",
            entry_point=entry.name,
        ) from error


def as_function(given: Any, label: str) -> Callable[..., Any]:
    """The function itself, or the one that a package registered under this name; nothing else is imported."""
    if isinstance(given, str) and ":" not in given and callable(registered().get(given)):
        given = registered()[given]
    if callable(given):
        found: Callable[..., Any] = given
        return found
    if isinstance(given, str) and ":" in given:
        raise OptionError(
            f"{label} names the function {short_repr(given)}, which is not imported: a recipe or model from an "
            "untrusted source could name any function on this computer.",
            fix=Set("trust", True, "if you trust its file", inside="recipe"),
            hint="or pass the function itself. A recipe inside a model file is never trusted.",
            option=label,
            got=given,
        )
    raise OptionError(
        f"{label} must be a function or the name of a function that an installed package registered, "
        f"got {short_repr(given)}.",
        option=label,
        got=given,
    )


def import_functions(value: Any, depth: int = 0) -> Any:
    """The values of a recipe, with the functions that are given by address imported. Only for trusted values."""
    if depth > _MAX_NESTING:
        raise OptionError(f"A recipe must be nested at most {_MAX_NESTING} deep.")
    if isinstance(value, Mapping):
        return {
            key: _import_address(inner)
            if key in KEYS and isinstance(inner, str)
            else import_functions(inner, depth + 1)
            for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [import_functions(inner, depth + 1) for inner in value]
    return value


def _import_address(address: str) -> Any:
    module, colon, attribute = address.partition(":")
    if not colon:
        return address
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"Cannot import the function {short_repr(address)}: {error}.", got=address) from error
    if not callable(found):
        raise OptionError(f"{short_repr(address)} is not a function.", got=address)
    return found


def function_name(function: Any) -> Any:
    """The registered name of a function, else its address; other values are returned unchanged."""
    if not callable(function):
        return function
    name = next((name for name, each in registered().items() if each is function), None)
    module, own = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    return name or (f"{module}:{own}" if module and own else repr(function))
