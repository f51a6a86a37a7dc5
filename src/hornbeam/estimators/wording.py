"""Errors of the library in terms of an estimator: its own parameter names, and hints that an estimator can follow."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping

from hornbeam.errors import HornbeamError

_HINTS = (
    (
        r'Say infinite="ordered" to place it beyond all numbers, or make it missing\.',
        "Make it finite, or missing.",
    ),
    (r'Drop these rows, or say missing_target="drop"\.', "Drop these rows."),
    (r"Use validation_fraction=None\.", "Say early_stopping=False, or pass more rows."),
)


@contextlib.contextmanager
def translate_parameters(names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Rename settings in errors: `names` maps inner names ('Boosting.n_rounds', 'n_trees') to parameters."""
    try:
        yield
    except HornbeamError as error:
        message, hint = error.message, error.hint
        for inner, parameter in (names or {}).items():
            message = re.sub(rf"(?<![\w.]){re.escape(inner)}(?![\w.])", parameter, message)
        for pattern, replacement in _HINTS:
            hint = re.sub(pattern, replacement, hint)
        option = error.details.get("option")
        known = {inner.rpartition(".")[2]: parameter for inner, parameter in (names or {}).items()}
        error.args, error.message, error.hint = (message,), message, hint
        if option in known:
            error.details["option"] = known[option]
        raise
