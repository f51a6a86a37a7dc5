"""Send rows down a saved tree and write what it says of each: CSV, or JSON lines with --json or -o FILE.jsonl.

Columns: row (from 0), answer, node (where the row ended; of rules, the rule that fired), and for classes one
share_CLASS a class. Columns are matched by name; the target is not needed. Cells are written as they are, for programs;
--for-spreadsheet puts a ' before text that a spreadsheet would take for a formula (it starts with = + - @ or a tab).
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

WORDS = "say what a saved tree tells of new rows"
DOING = "predict"
EXAMPLE = "hornbeam predict patients.tree new.csv -o told.csv"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BLOCK = 10_000


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam predict`."""
    parser.add_argument("model", metavar="MODEL", help="a saved tree or forest (.tree), or rules (.rules)")
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_output(parser, "write here: .csv or .jsonl (default: -, the standard output)")
    parser.add_argument("--for-spreadsheet", action="store_true", help="make text safe to open in a spreadsheet")
    add_reading(parser, target=False)
    add_work(parser, seed=False)


def run(args: argparse.Namespace, out: Output) -> int:
    """Predict."""
    to_file = args.output not in (None, "-")
    suffix = ".jsonl" if out.is_json else ".csv"
    if to_file:
        suffix = check_suffix(args.output, (".csv", ".jsonl"), suffix)
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(args.data)])
    model = _model(args.model)
    table = matched_table(args, out, model.schema, args.data, with_target=False)
    with out.busy(f"predicting {len(table)} rows"):
        said = _said(model, table, args.threads)
    n_unseen = int(said.has_unseen_level.sum())
    if n_unseen:
        out.note(f"{n_unseen} row(s) met a level that the tree has not seen")
    chunks = _json_lines(said) if suffix == ".jsonl" else _csv_lines(said, args.for_spreadsheet)
    if to_file:
        write(args.output, "".join(chunks).encode("utf-8"))
        out.saved(args.output, f"wrote {args.output}: {len(said)} rows", {"rows": len(said), "saved": args.output})
    else:
        for chunk in chunks:
            sys.stdout.write(chunk)
    return code_of(table)


def _model(path: str) -> Tree | Forest | RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load

    return load_rules(path) if path.lower().endswith(".rules") else load(path)


def _said(model: Tree | Forest | RuleSet, table: Table, threads: int | None) -> Prediction:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.tree.prediction import predict

    if isinstance(model, RuleSet):
        return model.predict(table.columns)
    return predict(model, table.columns, threads=threads)


def _rows(said: Prediction) -> Iterator[list[tuple[int, Any, int, list[float]]]]:
    """Row, answer, node and shares, in blocks; a tree without labels has no answers."""
    import numpy as np

    nodes = said.nodes
    labels = said.labels if said.schema.target is not None else np.full(len(said), None)
    for start in range(0, len(said), _BLOCK):
        block = slice(start, start + _BLOCK)
        probabilities = said.values[block].tolist() if said.is_class else [[]] * len(nodes[block])
        yield list(zip(range(start, len(said)), labels[block].tolist(), nodes[block].tolist(), probabilities))


def _csv_lines(said: Prediction, for_spreadsheet: bool) -> Iterator[str]:
    def cell(value: Any) -> Any:
        text = isinstance(value, str) and value.startswith(_FORMULA)
        return f"'{value}" if text and for_spreadsheet else value

    yield _csv([["row", "answer", "node", *(cell(f"share_{name}") for name in said.classes)]])
    for block in _rows(said):
        yield _csv([[row, cell(answer), node, *probabilities] for row, answer, node, probabilities in block])


def _csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _json_lines(said: Prediction) -> Iterator[str]:
    names = [str(name) for name in said.classes]
    for block in _rows(said):
        lines = []
        for row, answer, node, probabilities in block:
            entry: dict[str, Any] = {"row": row, "answer": answer, "node": node}
            if names:
                entry["shares"] = dict(zip(names, probabilities))
            lines.append(json_text(entry, indent=None) + "\n")
        yield "".join(lines)
