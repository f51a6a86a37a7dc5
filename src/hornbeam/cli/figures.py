"""The figures of `hornbeam draw --what NAME`: the flags and rows that each needs, and the call that draws it."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hornbeam.cli.columns import rows_where
from hornbeam.cli.command import Usage
from hornbeam.cli.data_flags import matched_table, raw_of
from hornbeam.cli.output import Output
from hornbeam.cli.setting_text import json_value

if TYPE_CHECKING:
    from hornbeam.drawing import Picture
    from hornbeam.table.table import Table

_DATA_HINT = "Use for example: hornbeam draw MODEL.tree DATA.csv --what {what} -o figure.svg."
_WITH_TARGET = ("permutation", "out_of_bag")


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a figure shows, the flags that it has, whether it needs rows and their target, and how it is drawn."""

    text: str
    flags: tuple[str, ...]
    draw: Callable[[Any, Table | None, argparse.Namespace], Picture]
    needs_rows: bool = True
    needs_target: bool = False


def _tree(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import draw

    return draw(model, table, depth=args.depth, preset=args.preset or "plain", theme=args.theme)


def _regions(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import regions

    return regions(model, table, *(args.column or ()), theme=args.theme)


def _importance(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import importance

    return importance(model, table, args.method or "impurity", theme=args.theme)


def _dependence(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import dependence

    return dependence(model, table, _one_column(args), theme=args.theme)


def _ice(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import ice

    return ice(model, table, _one_column(args), args.positive, theme=args.theme)


def _contributions(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import contributions

    return contributions(model, table, args.row, args.positive, theme=args.theme)


def _roc(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import roc

    return roc(model, table, **_class_options(model, args), theme=args.theme)


def _calibration(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import calibration

    return calibration(model, table, **_class_options(model, args), theme=args.theme)


def _costs(model: Any, table: Table | None, args: argparse.Namespace) -> Picture:
    from hornbeam.drawing import costs

    return costs(model, table, **_class_options(model, args), theme=args.theme)


FIGURES = {
    "tree": Figure("the tree", ("depth", "preset", "tree_index"), _tree, needs_rows=False),
    "regions": Figure("predictions over two columns", ("column", "tree_index"), _regions),
    "importance": Figure("importance of the columns", ("method",), _importance, needs_rows=False),
    "dependence": Figure("mean prediction by one column", ("column",), _dependence, needs_rows=False),
    "ice": Figure("prediction of single rows by one column", ("column", "positive"), _ice),
    "contributions": Figure("contribution of each column", ("row", "where", "positive"), _contributions),
    "roc": Figure("ROC curve", ("positive",), _roc, needs_target=True),
    "calibration": Figure("observed and predicted probability", ("positive",), _calibration, needs_target=True),
    "costs": Figure("cost of errors by threshold", ("positive", "costs"), _costs, needs_target=True),
}


def check_figure(args: argparse.Namespace) -> Figure:
    """The figure of --what; raises if it has no such flag, or if its rows are missing."""
    figure = FIGURES[args.what]
    every = dict.fromkeys(name for each in FIGURES.values() for name in each.flags)
    for name in every:
        if getattr(args, name) is not None and name not in figure.flags:
            users = [what for what, each in FIGURES.items() if name in each.flags]
            flag = f"--{name.replace('_', '-')}"
            raise Usage(
                f"{flag} does not apply to --what {args.what}.", hint=f"It applies to {', '.join(users)}.", option=flag
            )
    needs_rows = figure.needs_rows or args.method in _WITH_TARGET
    if needs_rows and not args.data:
        raise Usage(f"--what {args.what} requires DATA.", hint=_DATA_HINT.format(what=args.what))
    if args.row is not None and args.where:
        raise Usage("--row and --where cannot be combined.", hint="Omit one of them.", option="--where")
    return figure


def figure_rows(figure: Figure, model: Any, args: argparse.Namespace, out: Output) -> Table | None:
    """The rows of DATA with the columns of the model; --where becomes the index of its first row."""
    if not args.data:
        return None
    with out.busy(f"reading {', '.join(args.data)}"):
        raw = raw_of(args, args.data)
    if args.where:
        args.row = rows_where(args.where, raw)[0]
    needs_target = figure.needs_target or args.what == "tree" or args.method in _WITH_TARGET
    return matched_table(args, out, model.schema, args.data, with_target=needs_target, raw=raw)


def _one_column(args: argparse.Namespace) -> str | None:
    if len(args.column or ()) > 1:
        raise Usage(f"--what {args.what} has one column, got {len(args.column)}.", option="--column")
    return args.column[0] if args.column else None


def _class_options(model: Any, args: argparse.Namespace) -> dict[str, Any]:
    from hornbeam.cli.evaluation import class_options

    costs = None if args.costs is None else json_value(args.costs)
    return class_options(model.schema, {"positive": args.positive, "costs": costs}, is_saved=True)
