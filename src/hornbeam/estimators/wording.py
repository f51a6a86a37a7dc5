"""Errors of the library in terms of an estimator: its own parameter names, and hints that an estimator can follow."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping

from hornbeam.errors import HornbeamError, Set

# Settings of the library that estimators do not have, and what solves the problem there instead.
_FIXES: dict[str, tuple[Set, ...]] = {
    "infinite": (),
    "missing_target": (),
    "boosting.validation_fraction": (Set("early_stopping", False),),
}


@contextlib.contextmanager
def translate_parameters(names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Rename settings in errors: `names` maps inner names ('Boosting.n_rounds', 'n_trees') to parameters."""
    try:
        yield
    except HornbeamError as error:
        message = error.message
        for inner, parameter in (names or {}).items():
            message = re.sub(rf"(?<![\w.]){re.escape(inner)}(?![\w.])", parameter, message)
        option = error.details.get("option")
        known = {inner.rpartition(".")[2]: parameter for inner, parameter in (names or {}).items()}
        error.args, error.message = (message,), message
        error.fix = tuple(other for fix in error.fix for other in _FIXES.get(fix.setting, (fix,)))
        if option in known:
            error.details["option"] = known[option]
        raise
