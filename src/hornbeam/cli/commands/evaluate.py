"""Judge a saved tree on rows whose target is known, or a recipe by cross-validation.

  hornbeam evaluate MODEL DATA            the figures of a saved tree, with intervals
  hornbeam evaluate DATA --target COLUMN --folds 10     grow and judge anew in every fold

--fail-under MEASURE=VALUE makes the exit code 1 when the figure is below the value, or undefined.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_work, pairs
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, matched_table, table_of
from hornbeam.cli.method_flags import DEFAULT, add_method, method_of
from hornbeam.cli.output import Output
from hornbeam.cli.part_flags import GROWING, chosen_parts
from hornbeam.errors import did_you_mean, short_repr

if TYPE_CHECKING:
    from hornbeam.evaluation import Metric

WORDS = "judge a saved tree, or a recipe by cross-validation"
DOING = "evaluate"
EXAMPLE = "hornbeam evaluate patients.tree held-out.csv --positive ill --fail-under auc=0.8"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam evaluate`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"MODEL (.tree) and DATA, or DATA alone: {DATA_HELP}")
    group = parser.add_argument_group("judgement")
    group.add_argument("--folds", type=int, metavar="N", help="cross-validate in so many folds; no MODEL then")
    group.add_argument("--positive", metavar="CLASS", help="the class that is looked for: sensitivity, ROC and so on")
    group.add_argument("--prevalence", type=float, metavar="SHARE", help="PPV and NPV where so many are positive")
    group.add_argument("--threshold", type=float, metavar="SHARE", help="say positive from this share on")
    group.add_argument(
        "--fail-under", metavar="MEASURE=VALUE", action="append", help="exit code 1 below this; repeatable"
    )
    add_reading(parser)
    add_work(parser)
    add_method(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Evaluate."""
    limits = [(name, _number(value)) for name, value in pairs(args.fail_under, "--fail-under")]
    if args.folds is not None:
        return _cross_validated(args, out, limits)
    if len(args.files) < 2:
        raise Usage(
            "A model and data are needed, or data and --folds.",
            hint="For example: hornbeam evaluate MODEL.tree DATA.csv, or "
            "hornbeam evaluate DATA.csv --target COLUMN --folds 10.",
        )
    _refuse_growing_flags(args)
    from hornbeam.cli.evaluation import evaluate_model
    from hornbeam.tree.file.files import load

    tree = load(args.files[0])
    if args.target and tree.schema.target is not None and args.target != tree.schema.target.name:
        raise Usage(
            f"The model tells {short_repr(tree.schema.target.name)}, not {short_repr(args.target)}.", option="--target"
        )
    table = matched_table(args, out, tree.schema, args.files[1:], with_target=True)
    scores = evaluate_model(tree, table, _asked(args), threads=args.threads)
    failed = _failed(limits, scores.metrics)
    out.result("\n\n".join([str(scores), *failed]), {**scores.as_dict(), "failed": failed})
    return 1 if failed else code_of(table)


def _refuse_growing_flags(args: argparse.Namespace) -> None:
    """A saved tree is judged as it is: flags that would change its growth are refused, not ignored."""
    given = {"--kind": args.kind, "--drop": args.drop, "--recipe": args.recipe != DEFAULT}
    flag = next((name for name, value in given.items() if value), None)
    parts = chosen_parts(args, GROWING)
    if flag or parts:
        raise Usage(
            f"{flag or f'--{next(iter(parts))}'} changes how a tree is grown, and a saved tree is judged here.",
            hint="Leave it out, or cross-validate with --folds N and without a model.",
            option=flag or "",
        )


def _cross_validated(args: argparse.Namespace, out: Output, limits: list[tuple[str, float]]) -> int:
    method = method_of(args)
    from hornbeam.cli.evaluation import class_options
    from hornbeam.studies.cross_validate import cross_validate

    table = table_of(args, out, args.files)
    with out.busy(f"growing and judging in {args.folds} folds") as say:
        found = cross_validate(
            table,
            method,
            args.folds,
            seed=args.seed,
            threads=args.threads,
            progress=lambda fold, folds: say(f"fold {fold} of {folds}"),
            **class_options(table.schema, _asked(args)),
        )
    failed = _failed(limits, {name: each.mean for name, each in found.metrics.items()})
    values: dict[str, Any] = {
        name: {
            "mean": each.mean.as_dict(),
            "standard_error": each.standard_error,
            "pooled": each.pooled.as_dict(),
            "folds": list(each.values),
        }
        for name, each in found.metrics.items()
    }
    out.result("\n\n".join([str(found), *failed]), {"folds": args.folds, "metrics": values, "failed": failed})
    return 1 if failed else code_of(table)


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    return {"positive": args.positive, "prevalence": args.prevalence, "threshold": args.threshold}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Usage(
            f"--fail-under takes MEASURE=VALUE; {short_repr(text)} is no number.", option="--fail-under"
        ) from None


def _failed(limits: list[tuple[str, float]], measures: dict[str, Metric]) -> list[str]:
    """The limits that were not reached, in words."""
    found = []
    for name, least in limits:
        if name not in measures:
            raise Usage(
                f"There is no metric {short_repr(name)}.", hint=did_you_mean(name, measures), option="--fail-under"
            )
        value = measures[name].value
        if value is None or not value >= least:
            said = f"undefined ({measures[name].reason})" if value is None else f"{value:.6g}"
            found.append(f"failed: {name} is {said}, under {least:g}")
    return found
