"""Named methods, one TOML file each: cart, id3, c45, notes, regression, plain."""

from hornbeam.recipes.recipe import Recipe, recipe, recipe_names

__all__ = ["Recipe", "recipe", "recipe_names"]
