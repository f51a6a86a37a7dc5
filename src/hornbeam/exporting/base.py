"""Format: the base of all export formats. A format is a part: a name, suffixes, settings and a writer."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hornbeam.exporting.features import Feature, features_of
from hornbeam.exporting.model import ExportModel
from hornbeam.options import Part


@dataclasses.dataclass(frozen=True)
class Format(Part, abc.ABC):
    """A format that models are exported to.

    `suffixes` are the endings of file names that select it. `cannot` gives the reason for each feature that the format
    cannot express; what depends on several features, or on a size, is reported by `unsupported`. `is_complete`: the
    result has everything that a prediction needs; formats for readers are not.
    """

    part_type: ClassVar[str] = "format"
    suffixes: ClassVar[tuple[str, ...]] = ()
    cannot: ClassVar[Mapping[Feature, str]] = {}
    is_complete: ClassVar[bool] = True

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """The reasons why this format cannot express a model, one sentence each; none if it can."""
        found = features_of(model)
        return list(dict.fromkeys(reason for feature, reason in self.cannot.items() if feature in found))

    def notes(self, model: ExportModel) -> Sequence[str]:
        """What the user should know about the result, such as thresholds rounded to float32; printed as warnings."""
        return ()

    @abc.abstractmethod
    def write(self, model: ExportModel) -> str | bytes | Any:
        """The contents of the file; called only if the model is supported."""

    def to_bytes(self, contents: Any) -> bytes:
        """The contents as the bytes of a file."""
        return contents if isinstance(contents, bytes) else str(contents).encode("utf-8")
