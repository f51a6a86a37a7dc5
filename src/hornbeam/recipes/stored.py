"""The recipe that a model carries, as a method that can be run again.

A model file is data: its recipe may name parts that are installed, and nothing else. Functions by address and files of
questions are refused.
"""

from __future__ import annotations

from typing import Any

from hornbeam.errors import HornbeamError, ModelFileError
from hornbeam.recipes.recipe import Recipe
from hornbeam.tree.file.validate_metadata import check_metadata
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree


def stored_recipe(model: Tree | Forest, **changes: Any) -> Recipe:
    """The recipe of a model with some of its fields changed."""
    table = {**model.recipe, **changes}
    try:
        check_metadata({}, table, model.schema)
        return Recipe.from_table(table)
    except HornbeamError as error:
        raise ModelFileError(
            f"The recipe inside the model cannot be run again: {error.message}", **error.remedy, **error.details
        ) from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"The recipe inside the model is not a recipe: {error}.") from error
