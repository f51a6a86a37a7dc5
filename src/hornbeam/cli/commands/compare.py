"""Cross-validate recipes on the same folds of the same data and print them in order, the best first.

--prunings compares ways to cut one tree back instead: one recipe grows it, every pruning cuts it, all are judged alike.

The figure is accuracy for classes and the root mean squared error for numbers, unless --by names another. The interval
is the mean over the folds plus and minus two standard errors; it is optimistic, since folds share teaching rows.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, table_of
from hornbeam.cli.method_flags import add_trust
from hornbeam.cli.output import Output, check_free, check_suffix, write
from hornbeam.errors import HornbeamError, InputError, OptionError, did_you_mean, short_repr

if TYPE_CHECKING:
    from hornbeam.table.table import Table

WORDS = "cross-validate recipes, best first"
DOING = "compare the recipes"
EXAMPLE = "hornbeam compare patients.csv --target outcome --folds 10"
_SMALLER_IS_BETTER = ("rmse", "mse", "mae", "median_absolute_error", "log_loss", "brier", "ece", "average_cost")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam compare`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--recipe", metavar="NAME", action="append", help="a name or a TOML file; repeatable (default: all)"
    )
    group.add_argument("--folds", type=int, metavar="N", default=10, help="in so many folds (default: 10)")
    group.add_argument(
        "--by", metavar="MEASURE", help="what decides the order (default: accuracy, or rmse for numbers)"
    )
    group.add_argument(
        "--prunings", action="store_true", help="compare every pruning on one tree of one recipe (default: plain)"
    )
    add_trust(group)
    group.add_argument("--positive", metavar="CLASS", help="the class that is looked for")
    add_output(parser, "with --prunings, the comparison as a picture: .svg, .png or .html")
    add_reading(parser)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Compare recipes."""
    from hornbeam.cli.evaluation import evaluate_folds

    if args.output and not args.prunings:
        raise Usage("Only --prunings draws a picture.", hint="Add --prunings, or leave -o out.", option="--output")
    if args.output:
        check_suffix(args.output, (".svg", ".png", ".html"))
        check_free(args.output, force=args.force, inputs=inputs_of(args.data))
    table = table_of(args, out, args.data)
    if args.prunings:
        return _prunings(args, out, table)
    by = args.by or ("accuracy" if table.schema.is_class else "rmse")
    asked = {"positive": args.positive}
    lines: list[dict[str, Any]] = []
    left_out: dict[str, HornbeamError] = {}
    methods = _recipes(args, out, "class" if table.schema.is_class else "number")
    for place, method in enumerate(methods, 1):
        try:
            with out.busy(f"recipe {place} of {len(methods)}: {method.name}") as say:
                found = evaluate_folds(table, method, args.folds, asked, seed=args.seed, threads=args.threads, say=say)
        except (InputError, OptionError) as error:
            if args.recipe:
                raise
            left_out[method.name] = error
            continue
        if by not in found.metrics:
            raise Usage(f"There is no metric {short_repr(by)}.", hint=did_you_mean(by, found.metrics), option="--by")
        lines.append({"recipe": method.name, "measure": found[by]})
    if not lines:
        raise list(left_out.values())[-1]
    for name, reason in left_out.items():
        out.note(f"{name} is left out: {reason.message}")
    sign = 1 if by in _SMALLER_IS_BETTER else -1
    lines.sort(
        key=lambda line: sign * line["measure"].mean.value if line["measure"].mean.value is not None else math.inf
    )
    out.result(_leaderboard(lines, args.folds), {"by": by, "folds": args.folds, "recipes": [_plain(x) for x in lines]})
    return code_of(table)


def _prunings(args: argparse.Namespace, out: Output, table: Table) -> int:
    """Compare every pruning on one tree."""
    from hornbeam.recipes.compare_prunings import compare_prunings
    from hornbeam.recipes.recipe import recipe

    if args.recipe and len(args.recipe) > 1:
        raise Usage("--prunings cuts the tree of one recipe.", hint="Name one --recipe.", option="--recipe")
    method = recipe(args.recipe[0] if args.recipe else "plain", trust=args.trust_recipe)
    with out.busy(f"growing once and once a fold, in {args.folds} folds"):
        found = compare_prunings(table, method, folds=args.folds, seed=args.seed or 0, threads=args.threads)
    if args.output:
        picture = found.picture()
        suffix = args.output[args.output.rindex(".") :].lower()
        text = picture.html if suffix == ".html" else picture.svg
        write(args.output, picture.png() if suffix == ".png" else text.encode("utf-8"))
        out.note(f"The picture: {args.output}")
    best = None if found.best is None else found[found.best].label
    out.result(found.text(), {"measure": found.measure, "rows": found.rows, "best": best, "prunings": found.as_dicts()})
    return code_of(table)


def _recipes(args: argparse.Namespace, out: Output, target: str) -> list[Any]:
    """The recipes named, or all that suit the target."""
    from hornbeam.recipes.recipe import recipe, recipe_names

    if args.recipe:
        return [recipe(name, trust=args.trust_recipe) for name in args.recipe]
    found = []
    for name in recipe_names():
        method = recipe(name)
        try:
            method.check_target(target)
        except OptionError as error:
            out.note(f"{name} is left out: {error.message}")
        else:
            found.append(method)
    return found


def _leaderboard(lines: list[dict[str, Any]], folds: int) -> str:
    from dataclasses import replace

    width = max(len("recipe"), *(len(line["recipe"]) for line in lines))
    said = [f"{lines[0]['measure'].mean.text} over {folds} folds, best first", ""]
    said.append(f"{'':>3}  {'recipe':<{width}}  {'mean':>9}  two standard errors")
    for place, line in enumerate(lines, 1):
        low, high = _interval(line["measure"])
        span = replace(line["measure"].mean, low=low, high=high).interval_text
        said.append(f"{place:>3}  {line['recipe']:<{width}}  {line['measure'].mean.value_text:>9}  {span}".rstrip())
    return "\n".join(said)


def _interval(measure: Any) -> tuple[float | None, float | None]:
    if measure.mean.value is None or measure.standard_error is None:
        return None, None
    return measure.mean.value - 2 * measure.standard_error, measure.mean.value + 2 * measure.standard_error


def _plain(line: dict[str, Any]) -> dict[str, Any]:
    low, high = _interval(line["measure"])
    return {
        "recipe": line["recipe"],
        "mean": line["measure"].mean.value,
        "low": low,
        "high": high,
        "folds": list(line["measure"].values),
    }
