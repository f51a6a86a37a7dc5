"""What if the answer is unknown?  What happens to such rows while growing, and where new ones go."""

from hornbeam.parts.missing.base import Missing
from hornbeam.registry import Registry

missing = Registry("missing", Missing, __name__)  # type: ignore[type-abstract]

__all__ = ["Missing", "missing"]
