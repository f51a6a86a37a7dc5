"""The registry of question kinds: classes found by name, in this folder or in installed packages.

A class registers itself when its module is imported. The modules of this folder are imported with it; installed
packages name their classes as entry points of the group `hornbeam.parts`, all of which are loaded before a name is
unknown, so no name in a model file selects what is imported.
"""

from __future__ import annotations

import importlib
import pkgutil

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.functions import registered
from hornbeam.tree.questions.base import KIND_CLASSES, Question

_PACKAGE = "hornbeam.tree.questions"


def question_kinds() -> dict[str, type[Question]]:
    """All kinds by name, sorted."""
    package = importlib.import_module(_PACKAGE)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{_PACKAGE}.{module.name}")
    registered()
    return dict(sorted(KIND_CLASSES.items()))


def question_kind(name: str) -> type[Question]:
    """The class of a kind; an InputError if no installed package provides it."""
    found = KIND_CLASSES.get(name) or question_kinds().get(name)
    if found is None:
        hint = did_you_mean(name, KIND_CLASSES) or "Install the package that provides it."
        raise InputError(f"Unknown kind of question {short_repr(name)}.", hint=hint, kind=name)
    return found
