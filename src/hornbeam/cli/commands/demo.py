"""Grow a tree on built-in data, print it, evaluate it on held-out rows, and write a report.

The report is hornbeam-demo.html in the current folder; the report of an earlier run is replaced.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from hornbeam.cli.command import add_output, add_work
from hornbeam.cli.method_flags import DEFAULT
from hornbeam.cli.output import CannotWrite, Output, check_free, check_suffix, only_ascii, width, write
from hornbeam.errors import short_repr

if TYPE_CHECKING:
    from hornbeam.evaluation import Scores
    from hornbeam.table.table import Table
    from hornbeam.tree.nodes import Tree

SUMMARY = "grow a tree on built-in data, evaluate it, write a report"
DOING = "run the demo"
EXAMPLE = "hornbeam demo"
_FILE = "hornbeam-demo.html"
_RERUN = {
    "With your own data": "hornbeam inspect YOUR.csv\nhornbeam grow YOUR.csv --target COLUMN -o model.tree\n"
    "hornbeam evaluate YOUR.csv --target COLUMN --folds 10\nhornbeam predict model.tree NEW.csv"
}
_N_FOLDS = 4  # the first of these folds is held out


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam demo`."""
    add_output(parser, f"file of the report (default: {_FILE} in the current folder)")
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the demo."""
    report = args.output or _FILE
    _check_report(report, args.force)
    from hornbeam import datasets
    from hornbeam.drawing import report as make_report
    from hornbeam.evaluation import evaluate, stratified_folds
    from hornbeam.recipes.grow_and_prune import grow_and_prune
    from hornbeam.recipes.recipe import recipe
    from hornbeam.tree.prediction import predict
    from hornbeam.tree.text import format_tree

    table, about = datasets.load("prostate"), datasets.about("prostate")
    assert table.target is not None
    held_out = stratified_folds(table.target.values, _N_FOLDS, args.seed or 0) == 0
    training, test = table.take(~held_out), table.take(held_out)
    assert test.target is not None
    with out.busy("growing"):
        tree = grow_and_prune(training, recipe(DEFAULT), seed=args.seed or 0, threads=args.threads)
    positive = table.schema.classes[-1]
    predicted = predict(tree, test, threads=args.threads)
    scores = evaluate(test.target.values, predicted.probabilities, table.schema.classes, positive=positive)
    page = make_report(tree, training, test, title=about.title, positive=positive, rerun=_RERUN)
    write(report, page.html.encode("utf-8"))
    where = os.path.abspath(report)
    value = {"tree": format_tree(tree), "nodes": len(tree), "scores": scores.as_dict(), "report": where}
    out.result(_text(about.title, training, test, tree, scores, where), value)
    return 0


def _text(title: str, training: Table, test: Table, tree: Tree, scores: Scores, where: str) -> str:
    from hornbeam.tree.text import format_tree

    metrics = [scores[name] for name in ("accuracy", "sensitivity", "specificity", "auc")]
    lines = [f"  {each.text:<12} {each.value_text:>7}   ({each.interval_text})" for each in metrics]
    return "\n".join(
        [
            f"{title}: a tree grown on {len(training)} rows; in parentheses: rows / misclassified rows",
            "",
            format_tree(tree, width=width(), ascii=only_ascii()),
            "",
            f"On {len(test)} held-out rows (95% interval):",
            *lines,
            "",
            f"The report: {where}",
            f"To open it: {_open_command(where)}",
            "Next:       hornbeam inspect YOUR.csv, then hornbeam grow YOUR.csv --target COLUMN",
        ]
    )


def _open_command(path: str) -> str:
    import pathlib
    import shlex
    import sys

    if sys.platform == "win32":
        return f'start "" "{path}"'
    command = "open" if sys.platform == "darwin" else "xdg-open"
    return f"{command} {shlex.quote(path)}, or {pathlib.Path(path).as_uri()} in a browser"


def _check_report(path: str, force: bool) -> None:
    """Raise if the file exists, unless it is an earlier report or --force is given."""
    check_suffix(path, (".html",))
    try:
        check_free(path, force=force)
    except CannotWrite:
        if not os.path.isfile(path) or not _is_report(path):
            raise
        check_free(path, force=True)


def _is_report(path: str) -> bool:
    from hornbeam.drawing.report import MARK

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return MARK in file.read(5000)
    except OSError as error:
        raise CannotWrite(f"Cannot read {short_repr(path, 300)}: {error.strerror}.", path=path) from error
