"""Evaluate a saved tree on rows with a known target, or a recipe by cross-validation.

  hornbeam evaluate MODEL DATA                          metrics of a saved tree, with intervals
  hornbeam evaluate DATA --target COLUMN --folds 10     grow and evaluate a tree in each fold

--fail-under METRIC=VALUE sets the exit code to 1 if the metric is below the value or undefined.
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

SUMMARY = "evaluate a saved tree, or a recipe by cross-validation"
DOING = "evaluate"
EXAMPLE = "hornbeam evaluate patients.tree held-out.csv --positive ill --fail-under auc=0.8"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam evaluate`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"MODEL (.tree) and DATA, or DATA alone: {DATA_HELP}")
    group = parser.add_argument_group("evaluation")
    group.add_argument("--folds", type=int, metavar="N", help="number of folds of a cross-validation, without MODEL")
    group.add_argument("--positive", metavar="CLASS", help="positive class, for sensitivity, ROC and so on")
    group.add_argument("--prevalence", type=float, metavar="FRACTION", help="prevalence for PPV and NPV")
    group.add_argument("--threshold", type=float, metavar="P", help="minimum probability to predict the positive class")
    group.add_argument(
        "--fail-under",
        metavar="METRIC=VALUE",
        action="append",
        help="exit with code 1 if a metric is below a value; may be repeated",
    )
    add_reading(parser)
    add_work(parser)
    add_method(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Evaluate."""
    limits = [(name, _number(value)) for name, value in pairs(args.fail_under, "--fail-under")]
    if args.folds is not None:
        return _cross_validate(args, out, limits)
    if len(args.files) < 2:
        raise Usage(
            "A model and data are required, or data and --folds.",
            hint="Use for example: hornbeam evaluate MODEL.tree DATA.csv, or "
            "hornbeam evaluate DATA.csv --target COLUMN --folds 10.",
        )
    _reject_growing_flags(args)
    from hornbeam.cli.evaluation import evaluate_model
    from hornbeam.tree.file.files import load

    tree = load(args.files[0])
    if args.target and tree.schema.target is not None and args.target != tree.schema.target.name:
        raise Usage(
            f"--target {short_repr(args.target)} does not match the target of the model, "
            f"{short_repr(tree.schema.target.name)}.",
            option="--target",
        )
    table = matched_table(args, out, tree.schema, args.files[1:], with_target=True)
    scores = evaluate_model(tree, table, _options(args), threads=args.threads)
    failed = _failed(limits, scores.metrics)
    out.result("\n\n".join([str(scores), *failed]), {**scores.as_dict(), "failed": failed})
    return 1 if failed else code_of(table)


def _reject_growing_flags(args: argparse.Namespace) -> None:
    """Raise if flags are given that change how a tree is grown: a saved tree would ignore them."""
    given = {"--kind": args.kind, "--drop": args.drop, "--recipe": args.recipe != DEFAULT}
    flag = next((name for name, value in given.items() if value), None)
    parts = chosen_parts(args, GROWING)
    if flag or parts:
        raise Usage(
            f"{flag or f'--{next(iter(parts))}'} changes how a tree is grown, but a saved tree is evaluated.",
            hint="Omit it, or pass --folds N and no model.",
            option=flag or "",
        )


def _cross_validate(args: argparse.Namespace, out: Output, limits: list[tuple[str, float]]) -> int:
    method_of(args)  # checks the flags before the data is read
    from hornbeam.cli.evaluation import class_options
    from hornbeam.studies.cross_validate import cross_validate

    table = table_of(args, out, args.files)
    method = method_of(args, table)
    with out.busy(f"growing and evaluating in {args.folds} folds") as report:
        found = cross_validate(
            table,
            method,
            args.folds,
            seed=args.seed,
            threads=args.threads,
            progress=lambda fold, folds: report(f"fold {fold} of {folds}"),
            **class_options(table.schema, _options(args)),
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


def _options(args: argparse.Namespace) -> dict[str, Any]:
    return {"positive": args.positive, "prevalence": args.prevalence, "threshold": args.threshold}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Usage(
            f"--fail-under must be METRIC=VALUE, but {short_repr(text)} is not a number.", option="--fail-under"
        ) from None


def _failed(limits: list[tuple[str, float]], metrics: dict[str, Metric]) -> list[str]:
    """The metrics that are below their limits, as text."""
    found = []
    for name, minimum in limits:
        if name not in metrics:
            raise Usage(f"Unknown metric {short_repr(name)}.", hint=did_you_mean(name, metrics), option="--fail-under")
        value = metrics[name].value
        if value is None or not value >= minimum:
            text = f"undefined ({metrics[name].reason})" if value is None else f"{value:.6g}"
            found.append(f"failed: {name} is {text}, below {minimum:g}")
    return found
