"""Turn a saved tree into rules: one a leaf, or fewer and shorter ones learned from it and its training rows.

    leaves       one rule a leaf; every row satisfies exactly one
    postpruned   each rule cut back by itself: by Laplace on --validation rows, or pessimistically on --training rows
    c45rules     C4.5rules: generalised, chosen by code length, ordered; wants an unpruned tree (grow --recipe c45
                 --no-pruning) and its --training rows

--as says how they are printed. -o FILE writes them instead: FILE.rules to predict with, or .txt, .md, .sql, .csv or
.json. A saved FILE.rules can stand in for MODEL.
"""

from __future__ import annotations

import argparse
import csv
import io
from typing import TYPE_CHECKING

from hornbeam.cli.command import Usage, add_model, add_output
from hornbeam.cli.data_flags import add_reading, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, json_text, write

if TYPE_CHECKING:
    from hornbeam.rules.rule import RuleSet
    from hornbeam.table.table import Table
    from hornbeam.tree.nodes import Tree

WORDS = "turn a saved tree into rules"
DOING = "make the rules"
EXAMPLE = "hornbeam rules patients.tree --method c45rules --training patients.csv --as markdown"
_METHODS = ("leaves", "postpruned", "c45rules")
_SHAPES = {"text": ".txt", "markdown": ".md", "sql": ".sql", "csv": ".csv", "json": ".json"}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam rules`."""
    add_model(parser)
    group = parser.add_argument_group("rules")
    group.add_argument("--method", choices=_METHODS, help="how rules are made (default: leaves)")
    group.add_argument("--training", metavar="DATA", action="append", help="the rows that grew the tree")
    group.add_argument("--validation", metavar="DATA", action="append", help="rows that did not grow the tree")
    group.add_argument("--confidence", type=float, metavar="X", help="of pessimistic errors (default: 0.25)")
    group.add_argument("--redundancy", type=float, metavar="X", help="of the columns, for c45rules (default: 1)")
    group.add_argument("--seed", type=int, metavar="N", help="for c45rules with many rules (default: 0)")
    group.add_argument("--as", dest="shape", choices=tuple(_SHAPES), default="text", help="the form of the output")
    group.add_argument("--unknown", action="store_true", help="say what missing values and new levels do")
    add_output(parser, f"write here: .rules, {', '.join(_SHAPES.values())}")
    add_reading(parser, target=False)


def run(args: argparse.Namespace, out: Output) -> int:
    """Make rules and show them."""
    if args.output:
        check_suffix(args.output, (".rules", *_SHAPES.values()))
        data = [*(args.training or ()), *(args.validation or ())]
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(data)])
    rules = _rules(args, out)
    if args.output:
        write(args.output, _bytes(args, rules))
        words = f"wrote {args.output}: {len(rules)} rules"
        out.saved(args.output, words, {"rules": len(rules), "saved": args.output})
    elif out.is_json or args.shape == "json":
        out.data(_values(rules))
    else:
        out.text(_text(rules, args.shape, args.unknown))
    return 0


def _rules(args: argparse.Namespace, out: Output) -> RuleSet:
    from hornbeam.rules.files import load_rules
    from hornbeam.tree.file.files import load_tree

    if args.model.lower().endswith(".rules"):
        if args.method or args.training or args.validation:
            raise Usage("Saved rules are shown as they are.", hint="Name a tree to make others.", option="--method")
        return load_rules(args.model)
    return _made(args, out, load_tree(args.model, member=args.member))


def _made(args: argparse.Namespace, out: Output, tree: Tree) -> RuleSet:
    from hornbeam.rules import c45rules, extract_rules, postprune_rules

    method = args.method or "leaves"
    if method == "leaves":
        return extract_rules(tree)
    training, validation = _rows(args, out, tree, "training"), _rows(args, out, tree, "validation")
    if training is None:
        raise Usage(f"--method {method} needs the rows that grew the tree.", hint="Say --training FILE.")
    confidence = 0.25 if args.confidence is None else args.confidence
    with out.busy(f"making rules of {tree.n_leaves} leaves"):
        if method == "postpruned":
            return postprune_rules(tree, training, validation, confidence=confidence)
        if tree.metadata.get("prunings"):
            out.note("the tree was pruned; C4.5rules starts from an unpruned one")
        redundancy = 1.0 if args.redundancy is None else args.redundancy
        return c45rules(tree, training, confidence=confidence, redundancy=redundancy, seed=args.seed or 0)


def _rows(args: argparse.Namespace, out: Output, tree: Tree, name: str) -> Table | None:
    data = getattr(args, name)
    return matched_table(args, out, tree.schema, data, with_target=True) if data else None


def _values(rules: RuleSet) -> dict[str, object]:
    return {"method": rules.method, "answers_by": rules.answers_by, "rules": rules.as_rows()}


def _text(rules: RuleSet, shape: str, unknown: bool) -> str:
    if shape == "markdown":
        return rules.markdown(show_missing=unknown)
    if shape == "sql":
        return rules.sql()
    if shape == "csv":
        return _csv(rules)
    return rules.text(show_missing=unknown)


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

    suffix = check_suffix(args.output, (".rules", *_SHAPES.values()), _SHAPES[args.shape])
    if suffix == ".rules":
        return rules_to_bytes(rules)
    shape = next(name for name, ending in _SHAPES.items() if ending == suffix)
    text = json_text(_values(rules)) if shape == "json" else _text(rules, shape, args.unknown)
    return (text.rstrip("\n") + "\n").encode("utf-8")
