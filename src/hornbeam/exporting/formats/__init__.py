"""The registry of export formats: one format per file."""

from hornbeam.exporting.base import Format
from hornbeam.registry import Registry

formats: Registry[Format] = Registry("format", Format, __name__)  # type: ignore[type-abstract]

__all__ = ["Format", "formats"]
