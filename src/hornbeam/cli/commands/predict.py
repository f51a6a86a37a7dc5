"""Predict the rows of DATA with a saved model and write CSV, or JSON lines with --json or -o FILE.jsonl.

The columns are row (from 0), prediction, node (the leaf of the row; for rules, the rule that applies), and one
probability_CLASS per class. Columns of DATA are matched by name; the target is not needed. Text is written unchanged;
--for-spreadsheet puts a ' before text that a spreadsheet would evaluate as a formula (it starts with = + - @ or a tab).
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, json_text, write

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.prediction import Prediction

SUMMARY = "predict new rows with a saved model"
DOING = "predict"
EXAMPLE = "hornbeam predict patients.tree new.csv -o predictions.csv"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BLOCK = 10_000


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam predict`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree), or rules (.rules)")
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_output(parser, "file for the predictions: .csv or .jsonl (default: -, the standard output)")
    parser.add_argument("--for-spreadsheet", action="store_true", help="make text safe to open in a spreadsheet")
    add_reading(parser, target=False)
    add_work(parser, seed=False)


def run(args: argparse.Namespace, out: Output) -> int:
    """Predict rows."""
    to_file = args.output not in (None, "-")
    suffix = ".jsonl" if out.is_json else ".csv"
    if to_file:
        suffix = check_suffix(args.output, (".csv", ".jsonl"), suffix)
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    model = _model(args.model)
    table = matched_table(args, out, model.schema, args.data, with_target=False)
    with out.busy(f"predicting {len(table)} rows"):
        predicted = _predict(model, table, args.threads)
    n_unseen = int(predicted.has_unseen_level.sum())
    if n_unseen:
        out.note(f"{n_unseen} row(s) have a level that was not seen in training")
    chunks = _json_lines(predicted) if suffix == ".jsonl" else _csv_lines(predicted, args.for_spreadsheet)
    if to_file:
        write(args.output, "".join(chunks).encode("utf-8"))
        out.saved(
            args.output, f"wrote {args.output}: {len(predicted)} rows", {"rows": len(predicted), "saved": args.output}
        )
    else:
        for chunk in chunks:
            sys.stdout.write(chunk)
    return code_of(table)


def _model(path: str) -> Tree | Forest | RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load

    return load_rules(path) if path.lower().endswith(".rules") else load(path)


def _predict(model: Tree | Forest | RuleSet, table: Table, threads: int | None) -> Prediction:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.tree.prediction import predict

    if isinstance(model, RuleSet):
        return model.predict(table.columns)
    return predict(model, table.columns, threads=threads)


def _rows(predicted: Prediction) -> Iterator[list[tuple[int, Any, int, list[float]]]]:
    """Row, prediction, node and probabilities, in blocks; a tree without labels has no predictions."""
    import numpy as np

    nodes = predicted.nodes
    labels = predicted.labels if predicted.schema.target is not None else np.full(len(predicted), None)
    for start in range(0, len(predicted), _BLOCK):
        block = slice(start, start + _BLOCK)
        probabilities = predicted.values[block].tolist() if predicted.is_class else [[]] * len(nodes[block])
        yield list(zip(range(start, len(predicted)), labels[block].tolist(), nodes[block].tolist(), probabilities))


def _csv_lines(predicted: Prediction, for_spreadsheet: bool) -> Iterator[str]:
    def cell(value: Any) -> Any:
        text = isinstance(value, str) and value.startswith(_FORMULA)
        return f"'{value}" if text and for_spreadsheet else value

    yield _csv([["row", "prediction", "node", *(cell(f"probability_{name}") for name in predicted.classes)]])
    for block in _rows(predicted):
        yield _csv([[row, cell(label), node, *probabilities] for row, label, node, probabilities in block])


def _csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _json_lines(predicted: Prediction) -> Iterator[str]:
    names = [str(name) for name in predicted.classes]
    for block in _rows(predicted):
        lines = []
        for row, label, node, probabilities in block:
            entry: dict[str, Any] = {"row": row, "prediction": label, "node": node}
            if names:
                entry["probabilities"] = dict(zip(names, probabilities))
            lines.append(json_text(entry, indent=None) + "\n")
        yield "".join(lines)
