"""Cross-validate recipes on the same folds of the same data and rank them, best first.

--prunings compares prunings instead: one recipe grows a tree, every pruning is applied to it, and all results are
evaluated on the same rows.

The metric is accuracy for classification and the root mean squared error for regression, unless --by names another. The
interval is the mean over the folds plus and minus two standard errors; it is optimistic, since the training rows of the
folds overlap.
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

SUMMARY = "cross-validate recipes and rank them"
DOING = "compare the recipes"
EXAMPLE = "hornbeam compare patients.csv --target outcome --folds 10"
_SMALLER_IS_BETTER = ("rmse", "mse", "mae", "median_absolute_error", "log_loss", "brier", "ece", "average_cost")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam compare`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--recipe",
        metavar="NAME",
        action="append",
        help="name of a recipe, or a TOML file; may be repeated (default: all)",
    )
    group.add_argument("--folds", type=int, metavar="N", default=10, help="number of folds (default: 10)")
    group.add_argument(
        "--by", metavar="METRIC", help="metric of the ranking (default: accuracy, or rmse for regression)"
    )
    group.add_argument(
        "--prunings", action="store_true", help="compare all prunings on one tree of one recipe (default: plain)"
    )
    add_trust(group)
    group.add_argument("--positive", metavar="CLASS", help="positive class")
    add_output(parser, "with --prunings, write the comparison as a figure: .svg, .png or .html")
    add_reading(parser)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Compare recipes."""
    from hornbeam.cli.evaluation import evaluate_folds

    if args.output and not args.prunings:
        raise Usage("-o requires --prunings.", hint="Add --prunings, or omit -o.", option="--output")
    if args.output:
        check_suffix(args.output, (".svg", ".png", ".html"))
        check_free(args.output, force=args.force, inputs=inputs_of(args.data))
    table = table_of(args, out, args.data)
    if args.prunings:
        return _prunings(args, out, table)
    by = args.by or ("accuracy" if table.schema.is_class else "rmse")
    options = {"positive": args.positive}
    lines: list[dict[str, Any]] = []
    excluded: dict[str, HornbeamError] = {}
    methods = _recipes(args, out, "class" if table.schema.is_class else "number")
    for number, method in enumerate(methods, 1):
        try:
            with out.busy(f"recipe {number} of {len(methods)}: {method.name}") as report:
                found = evaluate_folds(
                    table, method, args.folds, options, seed=args.seed, threads=args.threads, report=report
                )
        except (InputError, OptionError) as error:
            if args.recipe:
                raise
            excluded[method.name] = error
            continue
        if by not in found.measures:
            raise Usage(f"Unknown metric {short_repr(by)}.", hint=did_you_mean(by, found.measures), option="--by")
        lines.append({"recipe": method.name, "metric": found[by]})
    if not lines:
        raise list(excluded.values())[-1]
    for name, reason in excluded.items():
        out.note(f"{name} is excluded: {reason.message}")
    sign = 1 if by in _SMALLER_IS_BETTER else -1
    lines.sort(key=lambda line: sign * line["metric"].mean.value if line["metric"].mean.value is not None else math.inf)
    out.result(
        _leaderboard(lines, args.folds), {"by": by, "folds": args.folds, "recipes": [_values(line) for line in lines]}
    )
    return code_of(table)


def _prunings(args: argparse.Namespace, out: Output, table: Table) -> int:
    """Compare every pruning on one tree."""
    from hornbeam.recipes.compare_prunings import compare_prunings
    from hornbeam.recipes.recipe import recipe

    if args.recipe and len(args.recipe) > 1:
        raise Usage("--prunings requires a single recipe.", hint="Pass one --recipe.", option="--recipe")
    method = recipe(args.recipe[0] if args.recipe else "plain", trust=args.trust_recipe)
    with out.busy(f"growing one tree and one per fold, {args.folds} folds"):
        found = compare_prunings(table, method, folds=args.folds, seed=args.seed or 0, threads=args.threads)
    if args.output:
        figure = found.picture()
        suffix = args.output[args.output.rindex(".") :].lower()
        text = figure.html if suffix == ".html" else figure.svg
        write(args.output, figure.png() if suffix == ".png" else text.encode("utf-8"))
        out.note(f"wrote {args.output}")
    best = None if found.best is None else found[found.best].label
    out.result(found.text(), {"metric": found.measure, "rows": found.rows, "best": best, "prunings": found.as_dicts()})
    return code_of(table)


def _recipes(args: argparse.Namespace, out: Output, target: str) -> list[Any]:
    """The named recipes, or all that support the target."""
    from hornbeam.recipes.recipe import recipe, recipe_names

    if args.recipe:
        return [recipe(name, trust=args.trust_recipe) for name in args.recipe]
    found = []
    for name in recipe_names():
        method = recipe(name)
        try:
            method.check_target(target)
        except OptionError as error:
            out.note(f"{name} is excluded: {error.message}")
        else:
            found.append(method)
    return found


def _leaderboard(lines: list[dict[str, Any]], folds: int) -> str:
    from dataclasses import replace

    width = max(len("recipe"), *(len(line["recipe"]) for line in lines))
    text = [f"{lines[0]['metric'].mean.text} over {folds} folds, best first", ""]
    text.append(f"{'':>3}  {'recipe':<{width}}  {'mean':>9}  two standard errors")
    for rank, line in enumerate(lines, 1):
        low, high = _interval(line["metric"])
        span = replace(line["metric"].mean, low=low, high=high).interval_text
        text.append(f"{rank:>3}  {line['recipe']:<{width}}  {line['metric'].mean.value_text:>9}  {span}".rstrip())
    return "\n".join(text)


def _interval(metric: Any) -> tuple[float | None, float | None]:
    if metric.mean.value is None or metric.standard_error is None:
        return None, None
    return metric.mean.value - 2 * metric.standard_error, metric.mean.value + 2 * metric.standard_error


def _values(line: dict[str, Any]) -> dict[str, Any]:
    low, high = _interval(line["metric"])
    return {
        "recipe": line["recipe"],
        "mean": line["metric"].mean.value,
        "low": low,
        "high": high,
        "folds": list(line["metric"].values),
    }
