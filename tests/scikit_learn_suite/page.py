"""Writes the page of the documentation with every test of scikit-learn that does not pass, from the table.

python -m tests.scikit_learn_suite.page
"""

from __future__ import annotations

from pathlib import Path

from tests.scikit_learn_suite.run import REASONS, ROOT, Row, read_table

PAGE = ROOT / "docs" / "guides" / "scikit-learn-tests.md"


def page(rows: list[Row]) -> str:
    """The page as Markdown."""
    lines = ["# scikit-learn's tests with hornbeam's estimators", ""]
    lines += [
        "This page is generated from `tests/scikit_learn_suite/table.csv`; `make peers-tests` fails if the table is",
        "not what a run of scikit-learn's test files gives. A row is a test function some of whose cases do not pass.",
        "The [guide](scikit-learn.md) explains the deliberate differences.",
        "",
        "| reason | cases | meaning |",
        "|---|---:|---|",
    ]
    for reason, meaning in REASONS.items():
        lines.append(f"| {reason} | {sum(row.failed for row in rows if row.reason == reason)} | {meaning} |")
    for module in dict.fromkeys(row.module for row in rows):
        lines += ["", f"## {module}", "", "| test | cases that do not pass | reason | note |", "|---|---:|---|---|"]
        for row in rows:
            if row.module == module:
                lines.append(f"| `{row.test}` | {row.failed} of {row.cases} | {row.reason} | {row.note} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(PAGE).write_text(page(read_table()), encoding="utf-8")
