"""Evaluate a saved tree on rows with a known target, or a recipe by cross-validation.

  hornbeam evaluate MODEL DATA                          metrics of a saved tree, with intervals
  hornbeam evaluate DATA --target COLUMN --folds 10     grow and evaluate a tree in each fold
  hornbeam evaluate MODEL DATA --folds 10               the same by the recipe, columns and target of a saved model

--group COLUMN keeps rows of one value together (visits of a patient), --time COLUMN trains on earlier rows and tests on
later ones. -o writes what is printed as a page, with curves.

--fail-under METRIC=VALUE sets the exit code to 1 if the metric is below the value or undefined.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work, pairs
from hornbeam.cli.data_flags import (
    DATA_HELP,
    add_division,
    add_reading,
    code_of,
    inputs_of,
    matched_table,
    table_of,
)
from hornbeam.cli.method_flags import DEFAULT, add_method, method_of
from hornbeam.cli.output import Output
from hornbeam.cli.part_flags import GROWING, chosen_parts
from hornbeam.cli.setting_text import json_value
from hornbeam.errors import did_you_mean, short_repr

if TYPE_CHECKING:
    from hornbeam.evaluation import CrossValidation, Metric
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

SUMMARY = "evaluate a saved tree, or a recipe by cross-validation"
DOING = "evaluate"
EXAMPLE = "hornbeam evaluate patients.tree held-out.csv --positive ill --fail-under auc=0.8"
RARE = ("--criterion", "--class-weight", "--pruning", "--no-pruning", "--prevalence", "--force")
_TRAINING = (
    "These are the training rows of the model, so the metrics are optimistic. Evaluate on other rows, or with --folds."
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam evaluate`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=f"MODEL (.tree) and DATA, or DATA alone: {DATA_HELP}")
    group = parser.add_argument_group("evaluation")
    group.add_argument("--folds", type=int, metavar="N", help="number of folds of a cross-validation")
    group.add_argument("--positive", metavar="CLASS", help="positive class, for sensitivity, ROC and so on")
    group.add_argument("--prevalence", type=float, metavar="FRACTION", help="prevalence for PPV and NPV")
    group.add_argument(
        "--costs", metavar="JSON", help='costs of errors by true and predicted class, such as \'{"ill": {"well": 5}}\''
    )
    group.add_argument("--threshold", type=float, metavar="P", help="minimum probability to predict the positive class")
    group.add_argument(
        "--fail-under",
        metavar="METRIC=VALUE",
        action="append",
        help="exit with code 1 if a metric is below a value; may be repeated",
    )
    add_output(parser, "write the result as a page (.html)")
    add_reading(parser)
    add_division(parser)
    add_work(parser)
    add_method(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Evaluate."""
    limits = [(name, _number(value)) for name, value in pairs(args.fail_under, "--fail-under")]
    from hornbeam.cli.evaluation import check_page, evaluate_model, write_page
    from hornbeam.scale.new_rows import source_in_batches
    from hornbeam.tree.training_rows import are_training_rows

    check_page(args, inputs_of(args.files))
    if args.folds is not None:
        return _cross_validate(args, out, limits)
    _reject_division(args)
    if len(args.files) < 2:
        raise Usage(
            "A model and data are required, or data and --folds.",
            hint="Use for example: hornbeam evaluate MODEL.tree DATA.csv, or "
            "hornbeam evaluate DATA.csv --target COLUMN --folds 10.",
        )
    model = _load(args)
    if source_in_batches(args.files[1:], args.format) is not None:
        return _evaluate_in_batches(args, out, model, limits)
    table = matched_table(args, out, model.schema, args.files[1:], with_target=True)
    scores = evaluate_model(model, table, _options(args), threads=args.threads)
    failed = _failed(limits, scores.metrics)
    write_page(args, out, scores, failed)
    is_training = are_training_rows(model, table)
    parts = [*([_TRAINING] if is_training else ()), str(scores), *failed]
    values = {**scores.as_dict(), "on_training_rows": is_training, "failed": failed}
    out.result("\n\n".join(parts), values)
    return 1 if failed else code_of(table)


def _evaluate_in_batches(
    args: argparse.Namespace, out: Output, model: Tree | Forest, limits: list[tuple[str, float]]
) -> int:
    """Evaluate a saved model on files that are read in batches."""
    from hornbeam.cli.evaluation import class_options, write_page
    from hornbeam.evaluation.evaluate import ClassOptions
    from hornbeam.evaluation.streamed import streamed_scores
    from hornbeam.scale.time_left import row_progress

    options = ClassOptions(**class_options(model.schema, _options(args), is_saved=True))
    reading = {"weights": args.weights, "na_values": args.na_value, "keep_default_na": not args.no_default_na}
    with out.busy(f"evaluating {', '.join(args.files[1:])}") as report:
        scores = streamed_scores(model, args.files[1:], options, progress=row_progress(report), **reading)
    failed = _failed(limits, scores.metrics)
    write_page(args, out, scores, failed)
    out.result("\n\n".join([str(scores), *failed]), {**scores.as_dict(), "on_training_rows": None, "failed": failed})
    return 1 if failed else 0


def _load(args: argparse.Namespace) -> Tree | Forest:
    """The saved model; raises if the flags are about another target or another method."""
    _reject_growing_flags(args)
    from hornbeam.tree.file.files import load

    model = load(args.files[0])
    if args.target and model.schema.target is not None and args.target != model.schema.target.name:
        raise Usage(
            f"--target {short_repr(args.target)} does not match the target of the model, "
            f"{short_repr(model.schema.target.name)}.",
            option="--target",
        )
    return model


def _reject_division(args: argparse.Namespace) -> None:
    for flag, value in (("--group", args.group), ("--time", args.time)):
        if value is not None:
            raise Usage(
                f"{flag} divides the rows of a cross-validation, but a saved model is evaluated on all rows.",
                hint="Pass --folds N to grow and evaluate models in folds.",
                option=flag,
            )


def _reject_growing_flags(args: argparse.Namespace) -> None:
    """Raise if flags are given that change how a tree is grown: a saved tree would ignore them."""
    given = {"--kind": args.kind, "--drop": args.drop, "--columns": args.columns, "--recipe": args.recipe != DEFAULT}
    flag = next((name for name, value in given.items() if value), None)
    parts = chosen_parts(args, GROWING)
    if flag or parts:
        raise Usage(
            f"{flag or f'--{next(iter(parts))}'} changes how a tree is grown, but a saved tree is evaluated.",
            hint="Omit it, or pass --folds N and no model.",
            option=flag or "",
        )


def _cross_validate(args: argparse.Namespace, out: Output, limits: list[tuple[str, float]]) -> int:
    """Grow and evaluate models in folds, by the recipe of the flags or by that of a saved model."""
    from hornbeam.cli.evaluation import class_options, write_page
    from hornbeam.studies.cross_validate import cross_validate

    is_model = args.files[0].lower().endswith(".tree")
    method: Any = _load(args) if is_model else method_of(args)
    table = _regrowing_table(args, out, method) if is_model else table_of(args, out, args.files)
    method = method if is_model else method_of(args, table)
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
    write_page(args, out, found, failed)
    out.result("\n\n".join([str(found), *failed]), _values(found, args.folds, failed))
    return 1 if failed else code_of(table)


def _regrowing_table(args: argparse.Namespace, out: Output, model: Tree | Forest) -> Table:
    """The rows for a saved model, whose recipe grows models in the folds."""
    from hornbeam.cli.evaluation import regrowing_table

    if len(args.files) < 2:
        raise Usage("DATA is missing.", hint="Use for example: hornbeam evaluate MODEL.tree DATA.csv --folds 10.")
    if model.schema.target is None:
        raise Usage("The model has no target, so its recipe cannot be evaluated.")
    table = regrowing_table(args, out, model.schema, args.files[1:])
    name = short_repr(model.recipe.get("name") or "unnamed")
    out.note(f"the model is grown again in each fold by its own recipe ({name}); the saved model is not evaluated")
    return table


def _values(found: CrossValidation, n_folds: int, failed: list[str]) -> dict[str, Any]:
    """The cross-validation for JSON."""
    values: dict[str, Any] = {
        name: {
            "mean": each.mean.as_dict(),
            "standard_error": each.standard_error,
            "pooled": each.pooled.as_dict(),
            "folds": list(each.values),
        }
        for name, each in found.metrics.items()
    }
    return {"folds": n_folds, "divided": found.division, "metrics": values, "failed": failed}


def _options(args: argparse.Namespace) -> dict[str, Any]:
    costs = None if args.costs is None else json_value(args.costs)
    return {"positive": args.positive, "prevalence": args.prevalence, "costs": costs, "threshold": args.threshold}


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
            hint = did_you_mean(name, metrics)
            if f"{name}_macro" in metrics:
                hint = f"Pass --positive CLASS for the {name} of one class, or use {name}_macro for the mean."
            raise Usage(f"Unknown metric {short_repr(name)}.", hint=hint, option="--fail-under")
        value = metrics[name].value
        if value is None or not value >= minimum:
            text = f"undefined ({metrics[name].reason})" if value is None else f"{value:.6g}"
            found.append(f"failed: {name} is {text}, below {minimum:g}")
    return found
