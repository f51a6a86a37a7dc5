"""Recipes: complete methods, one TOML file each, and `grow`, which runs them."""

from hornbeam.recipes.recipe import Recipe, recipe, recipe_names

__all__ = ["Recipe", "recipe", "recipe_names"]
