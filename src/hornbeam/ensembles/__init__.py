"""Models of several trees: forests, bagging, boosting, and estimates from out-of-bag rows.

The public names are imported when they are first used: most users of this package need one of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hornbeam.ensembles.honest import Honesty
    from hornbeam.ensembles.methods.boosting import Boosting, boost
    from hornbeam.ensembles.row_sampling import RowSampling

_HOMES = {
    "Boosting": "methods.boosting",
    "Honesty": "honest",
    "RowSampling": "row_sampling",
    "boost": "methods.boosting",
}

__all__ = ["Boosting", "Honesty", "RowSampling", "boost"]


def _load(name: str) -> Any:
    """A public name of the package."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


if not TYPE_CHECKING:
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
