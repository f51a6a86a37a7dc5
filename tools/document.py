"""Replaces a section of a document that a tool writes: the text between `<!-- NAME -->` and `<!-- end of NAME -->`."""

from __future__ import annotations

from pathlib import Path


def replace_section(path: Path, name: str, text: str) -> None:
    """Write the text between the two comments, which must exist."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    document = path.read_text(encoding="utf-8")
    before, found, rest = document.partition(begin)
    _, also_found, after = rest.partition(end)
    if not found or not also_found:
        raise ValueError(f"{path} has no section between {begin.strip()} and {end.strip()}")
    path.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
