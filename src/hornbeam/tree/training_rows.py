"""The digest of the training rows in the metadata of a model, by which an evaluation recognizes these rows."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.row_digest import row_digest

M = TypeVar("M", Tree, Forest)


def with_training_rows(model: M, table: Table) -> M:
    """The model with the digest of the rows that it was grown on."""
    if "training_rows" in model.metadata:
        return model
    return dataclasses.replace(model, metadata={**model.metadata, "training_rows": row_digest(table)})


def are_training_rows(model: Tree | Forest, table: Table) -> bool | None:
    """Whether rows are those that the model was grown on; None if the model does not store their digest."""
    stored = model.metadata.get("training_rows")
    return None if stored is None else bool(stored == row_digest(table))
