"""Models of several trees: forests, bagging, boosting, and estimates from out-of-bag rows.

The public names are imported when they are first used: most users of this package need one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbeam.lazy_names import lazy_names

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
