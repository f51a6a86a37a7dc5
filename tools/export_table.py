"""Prints the table of what survives which export, for docs/guides/export/index.md.

    python -m tools.export_table            prints the table as Markdown

The table is made from the formats themselves: the features that each one lists as impossible.
"""

from __future__ import annotations

from hornbeam.exporting import formats
from hornbeam.exporting.features import Feature


def table() -> str:
    """A row per feature of models, a column per format that can be run."""
    complete = [part for part in formats if part.is_complete and part.__module__.startswith("hornbeam.")]
    lines = [
        "| | " + " | ".join(part.name for part in complete) + " |",
        "|---|" + "---|" * len(complete),
    ]
    for feature in Feature:
        cells = ["no" if feature in part.cannot else "yes" for part in complete]
        lines.append(f"| {feature.value} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
