"""Cross-validate recipes on the same folds of the same data and rank them, best first.

--prunings compares prunings instead: one recipe grows a tree, every pruning is applied to it, and all results are
evaluated on the same rows. --group COLUMN keeps rows of one value together (visits of a patient), --time COLUMN trains
on earlier rows and tests on later ones. -o writes the comparison as a page.

The metric is accuracy for classification and the root mean squared error for regression, unless --by names another. The
interval is the mean over the folds plus and minus two standard errors; it is optimistic, since the training rows of the
folds overlap.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_division, add_reading, code_of, inputs_of, table_of
from hornbeam.cli.method_flags import DEFAULT, add_trust
from hornbeam.cli.output import Output, write
from hornbeam.errors import OptionError

if TYPE_CHECKING:
    from hornbeam.studies.pruning_table import ComparedPrunings
    from hornbeam.studies.recipe_table import ComparedRecipes
    from hornbeam.table.table import Table

SUMMARY = "cross-validate recipes and rank them"
DOING = "compare the recipes"
EXAMPLE = "hornbeam compare patients.csv --target outcome --folds 10"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam compare`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--recipe",
        metavar="NAME",
        action="append",
        help="names of recipes, or TOML files, separated by commas; may be repeated (default: all)",
    )
    group.add_argument("--folds", type=int, metavar="N", default=10, help="number of folds (default: 10)")
    group.add_argument(
        "--by", metavar="METRIC", help="metric of the ranking (default: accuracy, or rmse for regression)"
    )
    group.add_argument(
        "--prunings",
        action="store_true",
        help="compare all prunings on one tree of one recipe (default: the default recipe)",
    )
    add_trust(group)
    group.add_argument("--positive", metavar="CLASS", help="positive class")
    add_output(parser, "write the comparison as a page (.html), or its figure (.svg, .png)")
    add_reading(parser)
    add_division(parser)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Compare recipes."""
    args.recipe = [name for each in args.recipe or () for name in each.split(",") if name]
    from hornbeam.cli.evaluation import check_page, class_options

    check_page(args, inputs_of(args.data), (".html", ".svg", ".png"))
    table = table_of(args, out, args.data)
    if args.prunings:
        return _prunings(args, out, table)
    from hornbeam.studies.compare import compare

    with out.busy("comparing recipes") as report:
        found = compare(
            table,
            _recipes(args, out, "class" if table.schema.is_class else "number"),
            args.folds,
            seed=args.seed,
            metric=args.by,
            threads=args.threads,
            progress=lambda recipe, fold, folds: report(f"{recipe}: fold {fold} of {folds}"),
            **class_options(table.schema, {"positive": args.positive}),
        )
    failed = [line for line in found.lines if line.error is not None]
    if failed and args.recipe:
        assert failed[0].error is not None
        raise failed[0].error
    for line in failed:
        assert line.error is not None
        out.note(f"{line.name} is excluded: {line.error.message}")
    kept = replace(found, lines=tuple(line for line in found.lines if line.error is None))
    _write(args, out, kept)
    out.result(kept.text(), {"metric": kept.metric, "folds": args.folds, "recipes": kept.as_dicts()})
    return code_of(table)


def _prunings(args: argparse.Namespace, out: Output, table: Table) -> int:
    """Compare every pruning on one tree."""
    from hornbeam.recipes.recipe import recipe
    from hornbeam.studies.compare_prunings import compare_prunings

    if args.recipe and len(args.recipe) > 1:
        raise Usage("--prunings requires a single recipe.", hint="Pass one --recipe.", option="--recipe")
    method = recipe(args.recipe[0] if args.recipe else DEFAULT, trust=args.trust_recipe)
    with out.busy(f"growing one tree and one per fold, {args.folds} folds"):
        found = compare_prunings(table, method, folds=args.folds, seed=args.seed or 0, threads=args.threads)
    _write(args, out, found)
    best = None if found.best is None else found[found.best].label
    out.result(found.text(), {"metric": found.measure, "rows": found.rows, "best": best, "prunings": found.as_dicts()})
    return code_of(table)


def _write(args: argparse.Namespace, out: Output, found: ComparedRecipes | ComparedPrunings) -> None:
    """Write the comparison to the file of -o: a page, or its figure alone."""
    from hornbeam.cli.evaluation import write_page

    suffix = os.path.splitext(args.output or "")[1].lower()
    if suffix not in (".svg", ".png"):
        write_page(args, out, found)
        return
    figure = found.picture()
    write(args.output, figure.png() if suffix == ".png" else figure.svg.encode("utf-8"))
    out.note(f"wrote {args.output}")


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
