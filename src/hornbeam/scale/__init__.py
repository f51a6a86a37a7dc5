"""Tables that do not fit into memory: predictions in batches, and trees grown from files.

The public names are imported when they are first used, so that `import hornbeam` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbeam.lazy_names import lazy_names

if TYPE_CHECKING:
    from hornbeam.scale.dataset import Dataset
    from hornbeam.scale.size_estimate import Estimate, estimate

_HOMES = {"Dataset": "dataset", "Estimate": "size_estimate", "estimate": "size_estimate"}

__all__ = ["Dataset", "Estimate", "estimate"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
