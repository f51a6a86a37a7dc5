"""What a report reveals about its data, in sentences that the page shows."""

from __future__ import annotations

from typing import Any

from hornbeam.drawing.text import count_text
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def privacy_values(tree: Tree | Forest, rows: dict[str, Any], *, has_table: bool, min_count: int) -> list[str]:
    """Whether the file contains rows of the data (the first sentence), and what else it contains."""
    return [_rows(rows), *_contents(tree, has_table), _counts(min_count)]


def _rows(rows: dict[str, Any]) -> str:
    test, training = rows["n_included"]
    all_test, all_training = rows["n_rows"]
    counts = []
    if training:
        counts.append(f"{training:,} of {count_text(all_training, 'training row')}")
    if test:
        counts.append(f"{test:,} of {count_text(all_test, 'test row')}")
    if not counts:
        return "This file contains no row of the data."
    return f"This file contains the values of {' and '.join(counts)}."


def _contents(tree: Tree | Forest, has_table: bool) -> list[str]:
    kind = "classes" if tree.is_class else "mean and standard deviation of the target"
    out = [
        "It contains the tree: names of columns, levels and classes, thresholds, and for each node the number of rows, "
        f"{kind}, and the gain."
    ]
    if isinstance(tree, Forest):
        out.append(
            "It describes the ensemble: mean predictions by column, errors by group and the upper levels of some trees."
        )
    if has_table:
        out.append(
            "It contains summaries of the training rows: the range and median of each column, its missing values, and "
            "histograms of the columns that the largest nodes test."
        )
    return out


def _counts(min_count: int) -> str:
    if min_count:
        return (
            f"Counts are multiples of {min_count}; counts below {min_count} are hidden. Class probabilities follow "
            "from these counts; metrics, cuts and the means of a regression are exact."
        )
    return "Counts are exact. A leaf with few rows can identify a person; a report can hide counts below a minimum."
