"""`export`: writes a model in another format, or returns the text."""

from __future__ import annotations

import os
import warnings
from typing import Any

from hornbeam.errors import HornbeamWarning, InputError, OptionError, OutputError, Set, available, short_repr
from hornbeam.exporting.base import Format
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats import formats
from hornbeam.tree.file.atomic import write_whole


def export(model: Any, path: Any = None, *, format: str | Format | None = None, **settings: Any) -> Any:
    """Write a model to a file or stream in another format; without `path`, return the contents.

    `model` is a tree, a forest, boosted trees, a rule set or a fitted estimator. `format` is the name of a format
    (`hornbeam.exporting.formats`); without it the suffix of the path selects one. `settings` are those of the format.
    What the format cannot express is an error, raised before anything is written.
    """
    chosen = chosen_format(path, format, settings)
    converted = export_model(model)
    reasons = list(chosen.unsupported(converted))
    if reasons:
        raise InputError(
            f"The format {chosen.name} cannot express this model: {' '.join(reasons)}",
            format=chosen.name,
            reasons=reasons,
        )
    contents = chosen.write(converted)
    for note in chosen.notes(converted):
        warnings.warn(note, HornbeamWarning, stacklevel=2)
    if path is None:
        return contents
    _write(path, chosen.to_bytes(contents))
    return None


def chosen_format(path: Any, format: str | Format | None, settings: dict[str, Any]) -> Format:
    """The format of a name, or of the suffix of a path, with its settings."""
    if isinstance(format, Format):
        return format.replace(**settings)
    if format is not None:
        return formats.part({"name": format, **settings})
    suffix = os.path.splitext(os.fspath(path))[1].lower() if isinstance(path, (str, os.PathLike)) else ""
    known = {ending: each.name for each in formats for ending in each.suffixes}
    if suffix in known:
        return formats.part({"name": known[suffix], **settings})
    what = f"The suffix {short_repr(suffix)} selects no format" if suffix else "No format is given"
    raise OptionError(
        f"{what}.", hint=available(formats.names(), most=30), fix=Set("format", inside="export"), option="format"
    )


def _write(path: Any, data: bytes) -> None:
    if isinstance(path, (str, os.PathLike)):
        write_whole(path, data)
        return
    if not hasattr(path, "write"):
        raise OutputError(f"Cannot write to {short_repr(path)}: a path or a stream is needed.")
    import io

    path.write(data.decode("utf-8") if isinstance(path, io.TextIOBase) else data)
