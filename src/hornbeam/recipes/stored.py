"""The recipe that is stored in a model, as a `Recipe` that can be run again.

A model file is data: its recipe may name installed parts and nothing else. Function addresses and files of questions
are rejected.
"""

from __future__ import annotations

from typing import Any

from hornbeam.errors import HornbeamError, ModelFileError
from hornbeam.recipes.recipe import Recipe
from hornbeam.tree.file.validate_metadata import check_metadata
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def stored_recipe(model: Tree | Forest, **changes: Any) -> Recipe:
    """The recipe stored in a model, with some fields changed."""
    table = {**model.recipe, **changes}
    try:
        check_metadata({}, table, model.schema)
        return Recipe.from_table(table)
    except HornbeamError as error:
        raise ModelFileError(
            f"The recipe inside the model cannot be run again: {error.message}", **error.remedy, **error.details
        ) from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"The recipe inside the model is invalid: {error}.") from error
