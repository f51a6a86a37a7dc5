"""Named methods, one TOML file each: cart, id3, c45, notes, regression, plain."""

from hornbeam.recipes.recipe import Recipe, names, recipe

__all__ = ["Recipe", "names", "recipe"]
