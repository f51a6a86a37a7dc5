"""`compare`: cross-validates several recipes on the same folds of one table.

    print(hb.compare(table, ("cart", "c45", "forest"), folds=10))

The recipes are sorted by one metric, the best first. Each is compared with the best by the corrected resampled t test
(Nadeau and Bengio), which takes into account that the training rows of the folds overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hornbeam.errors import InputError, OptionError
from hornbeam.evaluation import CrossValidation, compare_cross_validated
from hornbeam.growing.method import Method
from hornbeam.recipes.recipe import Recipe
from hornbeam.recipes.recipe import recipe as as_recipe
from hornbeam.studies.cross_validate import cross_validate_splits, divided, repeated_splits, unknown_metric
from hornbeam.studies.recipe_table import ComparedRecipe, ComparedRecipes
from hornbeam.table.prepared import prepare
from hornbeam.table.table import Table

RecipeProgress = Callable[[str, int, int], Any]


def compare(
    table: Table,
    recipes: Sequence[str | Path | Method] = ("default", "cart", "c45", "forest"),
    folds: int = 10,
    *,
    groups: Any = None,
    times: Any = None,
    repeats: int = 1,
    seed: int | None = 0,
    metric: str | None = None,
    positive: Any = None,
    threads: int | None = None,
    progress: RecipeProgress | None = None,
) -> ComparedRecipes:
    """Recipes sorted by their cross-validated metric, the best first.

    `metric` decides the order (default: accuracy, or rmse for a numeric target). A recipe that cannot be used with
    this table keeps a line with the reason. `progress(recipe, fold, folds)` is called before each fold. The other
    arguments are those of `cross_validate`.
    """
    if isinstance(recipes, (str, Path, Method)):
        raise OptionError("recipes must be a list of recipes; use cross_validate for a single one.", option="recipes")
    table = prepare(divided(table, groups, times))
    splits = repeated_splits(table, folds, repeats, seed or 0)
    chosen = metric or ("accuracy" if table.schema.is_class else "rmse")
    lines: list[ComparedRecipe] = []
    for name, recipe in _named([as_recipe(each) for each in recipes]):
        report = None if progress is None else _fold_progress(progress, name)
        try:
            found = cross_validate_splits(
                table, recipe, splits, seed=seed, options={"positive": positive}, threads=threads, progress=report
            )
        except (InputError, OptionError) as error:
            lines.append(ComparedRecipe(name, error=error))
            continue
        if chosen not in found.metrics:
            raise unknown_metric(chosen, found)
        lines.append(ComparedRecipe(name, found))
    if not lines:
        raise OptionError("recipes must not be empty.", option="recipes")
    if lines[-1].error is not None and all(line.result is None for line in lines):
        raise lines[-1].error
    division = "" if table.division is None else table.division.text
    return ComparedRecipes(_tested(lines, chosen), chosen, len(table), folds, repeats, division)


def _named(recipes: list[Recipe]) -> list[tuple[str, Recipe]]:
    """The recipes with their names; a name that occurs again gets a number."""
    names: list[str] = []
    for recipe in recipes:
        base = recipe.name or "recipe"
        count = sum(name == base or name.startswith(f"{base} (") for name in names)
        names.append(f"{base} ({count + 1})" if count else base)
    return list(zip(names, recipes, strict=True))


def _fold_progress(progress: RecipeProgress, name: str) -> Callable[[int, int], Any]:
    return lambda fold, folds: progress(name, fold, folds)


def _tested(lines: list[ComparedRecipe], metric: str) -> tuple[ComparedRecipe, ...]:
    """The lines, the best first, each with its test against the best; those without a result at the end."""
    ranked = sorted((line for line in lines if line.result is not None), key=lambda line: line.rank(metric))
    best = ranked[0]
    tested = [best, *(line.tested(_test(line.result, best.result, metric)) for line in ranked[1:])]
    return (*tested, *(line for line in lines if line.result is None))


def _test(result: CrossValidation | None, best: CrossValidation | None, metric: str) -> Any:
    assert result is not None
    assert best is not None
    return compare_cross_validated(result, best, metric)
