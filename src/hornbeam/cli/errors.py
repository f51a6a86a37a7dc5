"""How does an error read?

    error: cannot grow a tree
    cause: There is no column 'outcom'.
    hint: Did you mean 'outcome'?

With --json the same as {"error": {"code", "message", "hint", "location", "exit_code"}} on stderr. The library speaks of
arguments; here they are called by their flags. What is not an error of ours is a fault of the program and says so.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from hornbeam.cli.output import Output, json_text, one_line, use_color
from hornbeam.errors import HornbeamError

_WHERE = ("path", "line", "column", "row", "node", "option", "offset")
_WORDS = (
    (r"encoding='latin-1'", "--encoding latin-1"),
    (r"delimiter=','", "--delimiter ','"),
    (r"header=False \(--no-header\)", "--no-header"),
    (r", header=True if these are names", ""),
    (r"or say format=, such as csv", "or say --format csv"),
    (r"Name one: read\(\.\.\., target=\.\.\.\)\.", "Name it: --target COLUMN."),
    (r"Pass positive=\.", "Say --positive CLASS."),
    (
        r"Pass evidence=Evidence\(pruning_set=\.\.\.\) or Evidence\(folds=\.\.\.\)",
        "Give rows left out with --pruning-set FILE, or the rows that grew it with --training FILE --folds N",
    ),
    (r"Pass evidence=Evidence\(pruning_set=\.\.\.\)", "Give rows left out with --pruning-set FILE"),
    (r"Pass evidence=Evidence\(folds=\.\.\.\)", "Give the rows that grew it with --training FILE, and --folds N"),
    (r"Pass evidence=Evidence\(training=\.\.\.\)", "Give the rows that grew the tree with --training FILE"),
    (r'Say infinite="ordered" to place it beyond all numbers, or make it missing\.', "Change it in the file."),
    (r'Choose by = "median", or scope = "global"', "Say --impute-by median, or --impute-scope global"),
    (r"unseen='as_missing', 'majority' or 'stay'", "--unseen as_missing, majority or stay"),
    (r"\b(rule|code|value|unseen)='(\w+)'", r"\1 \2"),
)


def print_error(error: Exception, out: Output) -> None:
    """Say what went wrong, on stderr."""
    found = error_values(error)
    if out.is_json:
        sys.stderr.write(json_text({"error": {**found, "doing": out.doing, "exit_code": 2}}) + "\n")
        return
    _line("error", f"cannot {out.doing}")
    _line("cause", found["message"])
    if found["hint"]:
        _line("hint", found["hint"])


def print_stopped(out: Output, code: int) -> None:
    """Say that the user stopped the job."""
    if out.is_json:
        found = {"code": "stopped", "message": "Stopped; nothing was written.", "hint": "", "location": {}}
        sys.stderr.write(json_text({"error": {**found, "doing": out.doing, "exit_code": code}}) + "\n")
    else:
        sys.stderr.write("\nstopped; nothing was written\n")


def error_values(error: Exception) -> dict[str, Any]:
    """An error as code, message, hint and location."""
    if isinstance(error, HornbeamError):
        place = {key: error.details[key] for key in _WHERE if error.details.get(key) is not None}
        code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower().removesuffix("_error")
        notes = " ".join(getattr(error, "__notes__", ()))
        return {
            "code": code,
            "message": f"{error.message} {notes}".strip(),
            "hint": in_flags(error.hint),
            "location": place,
        }
    if isinstance(error, OSError):
        path = {"path": str(error.filename)} if error.filename else {}
        name = f"{error.filename!r}: " if error.filename else ""
        return {"code": "system", "message": f"{name}{error.strerror or error}.", "hint": "", "location": path}
    if isinstance(error, MemoryError):
        hint = "Use fewer rows or columns, or a machine with more memory."
        return {"code": "memory", "message": "There is not enough memory.", "hint": hint, "location": {}}
    message = (
        f"An unexpected {type(error).__name__}: {error}" if str(error) else f"An unexpected {type(error).__name__}."
    )
    hint = "This is a fault of hornbeam. Run again with --debug and report what it prints."
    return {"code": "fault", "message": message, "hint": hint, "location": {}}


def in_flags(hint: str) -> str:
    """A hint of the library in the words of the command line."""
    for pattern, words in _WORDS:
        hint = re.sub(pattern, words, hint)
    return hint


def _line(label: str, text: str) -> None:
    if use_color(sys.stderr):
        from rich.console import Console
        from rich.text import Text

        colour = {"error": "bold red", "cause": "bold", "hint": "bold green"}[label]
        Console(stderr=True, soft_wrap=True).print(Text.assemble((f"{label}:", colour), f" {one_line(text)}"))
    else:
        sys.stderr.write(f"{label}: {one_line(text)}\n")
