"""Convert a saved tree to rules: one per leaf, or fewer and shorter ones learned from it and its training rows.

    leaves       one rule per leaf; every row satisfies exactly one
    postpruned   each rule pruned separately: by Laplace on --validation rows, or pessimistically on --training rows
    c45rules     C4.5rules: generalized, chosen by code length, ordered; requires an unpruned tree (grow --recipe c45
                 --no-pruning) and its --training rows

--as sets the format. -o FILE writes them instead: FILE.rules to predict with, or .txt, .md, .sql, .csv or .json. A
saved FILE.rules can be used in place of MODEL.
"""

from __future__ import annotations

import argparse
import csv
import io
from typing import TYPE_CHECKING

from hornbeam.cli.command import Usage, add_model, add_output
from hornbeam.cli.data_flags import add_reading, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, write
from hornbeam.json_text import json_text

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.table.table import Table
    from hornbeam.tree.nodes import Tree

SUMMARY = "convert a saved tree to rules"
DOING = "derive the rules"
EXAMPLE = "hornbeam rules patients.tree --method c45rules --training patients.csv --as markdown"
_METHODS = ("leaves", "postpruned", "c45rules")
_FORMATS = {"text": ".txt", "markdown": ".md", "sql": ".sql", "csv": ".csv", "json": ".json"}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam rules`."""
    add_model(parser)
    group = parser.add_argument_group("rules")
    group.add_argument("--method", choices=_METHODS, help="how the rules are derived (default: leaves)")
    group.add_argument("--training", metavar="DATA", action="append", help="rows that were used to grow the tree")
    group.add_argument("--validation", metavar="DATA", action="append", help="rows that were not used to grow the tree")
    group.add_argument("--confidence", type=float, metavar="X", help="confidence of pessimistic errors (default: 0.25)")
    group.add_argument(
        "--redundancy", type=float, metavar="X", help="redundancy of the columns, for c45rules (default: 1)"
    )
    group.add_argument(
        "--seed", type=int, metavar="N", help="seed of the search among many rules, for c45rules (default: 0)"
    )
    group.add_argument(
        "--as", dest="format_name", choices=tuple(_FORMATS), default="text", help="output format (default: text)"
    )
    group.add_argument(
        "--show-missing", action="store_true", help="print how missing values and unseen levels are handled"
    )
    add_output(parser, f"file for the rules: .rules, {', '.join(_FORMATS.values())}")
    add_reading(parser, target=False)


def run(args: argparse.Namespace, out: Output) -> int:
    """Derive rules and print or write them."""
    if args.output:
        check_suffix(args.output, (".rules", *_FORMATS.values()))
        data = [*(args.training or ()), *(args.validation or ())]
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(data)])
    rules = _rules(args, out)
    if args.output:
        write(args.output, _bytes(args, rules))
        text = f"wrote {args.output}: {len(rules):,} rules"
        out.saved(args.output, text, {"rules": len(rules), "saved": args.output})
    elif out.is_json or args.format_name == "json":
        out.data(_values(rules))
    else:
        out.text(_text(rules, args.format_name, args.show_missing))
    return 0


def _rules(args: argparse.Namespace, out: Output) -> RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load_tree

    if args.model.lower().endswith(".rules"):
        if args.method or args.training or args.validation:
            raise Usage(
                "--method, --training and --validation require a tree, but the model is a file of rules.",
                hint="Pass a tree (.tree).",
                option="--method",
            )
        return load_rules(args.model)
    return _derive(args, out, load_tree(args.model, member=args.tree_index))


def _derive(args: argparse.Namespace, out: Output, tree: Tree) -> RuleSet:
    from hornbeam.rules import c45rules, extract_rules, postprune_rules

    method = args.method or "leaves"
    if method == "leaves":
        return extract_rules(tree)
    training, validation = _rows(args, out, tree, "training"), _rows(args, out, tree, "validation")
    if training is None:
        raise Usage(f"--method {method} requires the training rows of the tree.", hint="Pass --training FILE.")
    confidence = 0.25 if args.confidence is None else args.confidence
    with out.busy(f"deriving rules from {tree.n_leaves:,} leaves"):
        if method == "postpruned":
            return postprune_rules(tree, training, validation, confidence=confidence)
        if tree.metadata.get("prunings"):
            out.note("the tree was pruned; C4.5rules expects an unpruned tree")
        redundancy = 1.0 if args.redundancy is None else args.redundancy
        return c45rules(tree, training, confidence=confidence, redundancy=redundancy, seed=args.seed or 0)


def _rows(args: argparse.Namespace, out: Output, tree: Tree, name: str) -> Table | None:
    data = getattr(args, name)
    return matched_table(args, out, tree.schema, data, with_target=True) if data else None


def _values(rules: RuleSet) -> dict[str, object]:
    return {"method": rules.method, "predict_by": rules.predict_by, "rules": rules.as_rows()}


def _text(rules: RuleSet, format_name: str, show_missing: bool) -> str:
    if format_name == "markdown":
        return rules.markdown(show_missing=show_missing)
    if format_name == "sql":
        from hornbeam.exporting import export

        return str(export(rules, format="sql"))
    if format_name == "csv":
        return _csv(rules)
    return rules.text(show_missing=show_missing)


def _csv(rules: RuleSet) -> str:
    text = io.StringIO()
    rows = rules.as_rows()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _bytes(args: argparse.Namespace, rules: RuleSet) -> bytes:
    from hornbeam.rules.files import rules_to_bytes

    suffix = check_suffix(args.output, (".rules", *_FORMATS.values()), _FORMATS[args.format_name])
    if suffix == ".rules":
        return rules_to_bytes(rules)
    format_name = next(name for name, ending in _FORMATS.items() if ending == suffix)
    text = json_text(_values(rules)) if format_name == "json" else _text(rules, format_name, args.show_missing)
    return (text.rstrip("\n") + "\n").encode("utf-8")
