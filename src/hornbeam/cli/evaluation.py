"""What `evaluate` and `compare` share: the class options of the command line as values of the table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.studies.cross_validate import predicted_values, table_scores
from hornbeam.table.target_kind import other_kind

if TYPE_CHECKING:
    from hornbeam.evaluation import Scores
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree


def evaluate_model(
    model: Tree | Forest, table: Table, options: Mapping[str, Any], *, threads: int | None = None
) -> Scores:
    """The metrics of a tree or a forest on rows with its columns and target."""
    values = predicted_values(model, table, threads)
    return table_scores(table, values, model.schema, class_options(model.schema, options, is_saved=True))


def class_options(schema: Schema, options: Mapping[str, Any], *, is_saved: bool = False) -> dict[str, Any]:
    """The options with the class that `positive` spells; an error if an option is given and the target is numeric.

    `is_saved`: the model is saved, so that only a new one can have another kind of target.
    """
    found = {name: value for name, value in options.items() if value is not None}
    if found and not schema.is_class:
        name = next(iter(found))
        raise OptionError(
            f"--{name} requires a classification target, but the target is numeric.",
            fix=[dataclasses.replace(fix, inside="grow" if is_saved else "read") for fix in other_kind(schema.target)],
            option=f"--{name}",
        )
    if "positive" in found:
        found["positive"] = _class_called(str(found["positive"]), schema)
    return found


def _class_called(text: str, schema: Schema) -> Any:
    for label in schema.classes:
        if str(label) == text:
            return label
    names = [str(label) for label in schema.classes]
    raise OptionError(f"Unknown class {short_repr(text)}.", hint=did_you_mean(text, names), option="--positive")
