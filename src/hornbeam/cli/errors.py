"""Prints errors.

    error: cannot grow a tree
    cause: There is no column 'outcom'.
    hint: Did you mean 'outcome'?

With --json, stderr contains {"error": {"code", "message", "hint", "fix", "location", "doing", "exit_code"}}. Fixes are
spelled as flags of the command. An exception that the library does not raise on purpose is reported as a bug.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from hornbeam.cli.output import Output, one_line, use_color
from hornbeam.errors import HornbeamError, advice
from hornbeam.json_text import json_text

_LOCATION = ("path", "line", "column", "row", "node", "option", "offset")


def print_error(error: Exception, out: Output) -> None:
    """Print an error to stderr."""
    found = error_values(error, out)
    if out.is_json:
        sys.stderr.write(json_text({"error": {**found, "doing": out.doing, "exit_code": 2}}) + "\n")
        return
    _line("error", f"cannot {out.doing}")
    _line("cause", found["message"])
    if found["hint"]:
        _line("hint", found["hint"])


def print_stopped(out: Output, code: int) -> None:
    """Print that the user stopped the job."""
    if out.is_json:
        found = _values("stopped", "Stopped; nothing was written.")
        sys.stderr.write(json_text({"error": {**found, "doing": out.doing, "exit_code": code}}) + "\n")
    else:
        sys.stderr.write("\nstopped; nothing was written\n")


def error_values(error: Exception, out: Output) -> dict[str, Any]:
    """An error as code, message, hint, fix and location."""
    if isinstance(error, HornbeamError):
        return _own_values(error, out)
    if isinstance(error, OSError):
        name = f"{error.filename!r}: " if error.filename else ""
        message = f"{name}{error.strerror or error}."
        return _values("system", message, location={"path": str(error.filename)} if error.filename else {})
    if isinstance(error, MemoryError):
        return _values(
            "memory", "There is not enough memory.", "Use fewer rows or columns, or a machine with more memory."
        )
    name = type(error).__name__
    message = f"Unexpected {name}: {error}" if str(error) else f"Unexpected {name}."
    return _values("fault", message, "This is a bug in hornbeam. Run again with --debug and report the output.")


def _own_values(error: HornbeamError, out: Output) -> dict[str, Any]:
    code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower().removesuffix("_error")
    message = " ".join([error.message, *getattr(error, "__notes__", ())])
    location = {key: error.details[key] for key in _LOCATION if error.details.get(key) is not None}
    if not error.fix or out.parser is None:
        return _values(code, message, error.hint, location)
    from hornbeam.cli.fixes import fix_values, spelling_for

    spelling = spelling_for(out.parser)
    found = _values(code, message, advice(error.fix, error.more_hint, spelling), location)
    return {**found, "fix": [fix_values(fix, spelling) for fix in error.fix]}


def _values(code: str, message: str, hint: str = "", location: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "hint": hint, "fix": [], "location": location or {}}


def _line(label: str, text: str) -> None:
    if use_color(sys.stderr):
        from rich.console import Console
        from rich.text import Text

        color = {"error": "bold red", "cause": "bold", "hint": "bold green"}[label]
        Console(stderr=True, soft_wrap=True).print(Text.assemble((f"{label}:", color), f" {one_line(text)}"))
    else:
        sys.stderr.write(f"{label}: {one_line(text)}\n")
