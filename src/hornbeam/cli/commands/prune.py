"""Prune a saved tree and save the smaller one with -o; for a forest, all trees or one with --tree-index.

Without --pruning, rows choose the size of the tree: --training FILE are the rows that grew it, in 10 folds (--folds N),
--pruning-set FILE are other rows. The tree with the least loss is kept; `--pruning one_se` keeps the smallest tree
within one standard error of it. Without rows, a classification tree is pruned by error_based with confidence 0.05.

Large Parquet files of --pruning-set are read in batches; with --memory 2GB, those of --training need not fit into it.
--group and --time divide the training rows. --explain prints the reason for each node. --complexity-table prints
rpart's table of complexities instead of pruning, cross-validated with --training, with the choice marked.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_model, add_output, add_work
from hornbeam.cli.data_flags import add_division, add_reading, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, only_ascii, width, write
from hornbeam.cli.part_flags import add_part_flags, chosen_parts, part_of

if TYPE_CHECKING:
    from hornbeam.parts.prunings import Pruning, PruningData
    from hornbeam.parts.prunings.machinery.node_sums import NodeSums
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

SUMMARY = "prune a saved tree"
DOING = "prune the tree"
EXAMPLE = "hornbeam prune patients.tree --training patients.csv -o small.tree"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam prune`."""
    add_model(parser)
    parser.add_argument("--explain", action="store_true", help="print why each node was pruned or kept")
    parser.add_argument(
        "--pruning-set", metavar="DATA", action="append", help="rows that were not used to grow the tree"
    )
    parser.add_argument("--training", metavar="DATA", action="append", help="rows that were used to grow the tree")
    parser.add_argument("--folds", type=int, metavar="N", help="number of folds of the training rows (default: 10)")
    parser.add_argument(
        "--complexity-table", action="store_true", help="print the table of complexities instead of pruning"
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help="divide the files of --training into folds within this memory, such as 2GB; they need not fit into it",
    )
    add_output(parser, "file for the pruned tree (.tree)")
    add_part_flags(parser, ["pruning"])
    add_reading(parser, target=False)
    add_division(parser)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Prune a tree."""
    if args.output:
        check_suffix(args.output, (".tree",))
        data = [*(args.pruning_set or ()), *(args.training or ())]
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(data)])
    if args.complexity_table:
        return _complexity_table(args, out)
    from hornbeam.parts.prunings.machinery.prune import prune
    from hornbeam.tree.file.files import load, load_tree, to_bytes
    from hornbeam.tree.forest import Forest

    model = load(args.model) if args.tree_index is None else load_tree(args.model, member=args.tree_index)
    if isinstance(model, Forest) and (args.explain or args.folds):
        raise Usage("--explain and --folds require one tree, but the model is a forest.", hint="Pass --tree-index N.")
    pruning_data = _pruning_data(args, out, model)
    part = _pruning(args, out, model)
    smaller: Tree | Forest
    with out.busy("pruning"):
        smaller = prune(model, part, pruning_data)
    if args.output:
        write(args.output, to_bytes(smaller))
    print_result: Any = _print_forest if isinstance(model, Forest) else _print_tree
    print_result(args, out, model, smaller)
    return 0


def _print_forest(args: argparse.Namespace, out: Output, model: Forest, smaller: Forest) -> None:
    from hornbeam.cli.tree_values import model_values

    saved = f"saved {args.output}: " if args.output else ""
    out.note(f"{saved}{len(model)} trees of {model.n_nodes} nodes, now {smaller.n_nodes}")
    if out.is_json:
        out.data({**model_values(smaller), "saved": args.output})
    else:
        out.text(str(smaller))


def _print_tree(args: argparse.Namespace, out: Output, tree: Tree, smaller: Tree) -> None:
    from hornbeam.cli.tree_values import tree_values
    from hornbeam.tree.text import format_tree

    entry = smaller.metadata["prunings"][-1]
    found = "".join(f", {name} {entry[name]:.6g}" for name in ("alpha", "m") if isinstance(entry.get(name), float))
    saved = f"saved {args.output}: " if args.output else ""
    out.note(f"{saved}{tree.n_leaves} leaves, now {smaller.n_leaves}{found}")
    if out.is_json:
        out.data({**tree_values(smaller), "saved": args.output, "pruning": entry})
        return
    out.text(format_tree(smaller, width=width(), ascii=only_ascii()))
    if args.explain:
        out.text("\n" + "\n".join(f"node {node}: {reason}" for node, reason in entry["verdicts"].items()))


def _pruning(args: argparse.Namespace, out: Output, model: Tree | Forest) -> Pruning:
    """The pruning of the flags, or the default; with rows and without an alpha, a rule chooses alpha."""
    from hornbeam.parts.prunings import prunings
    from hornbeam.parts.prunings.cost_complexity import CostComplexity
    from hornbeam.parts.prunings.machinery.prune import RULES
    from hornbeam.tree.nodes import Tree

    chosen = chosen_parts(args, ["pruning"]).get("pruning")
    has_rows = bool(args.pruning_set or (args.training and isinstance(model, Tree)))
    if not chosen:
        return _noted(_default(model, has_rows), has_rows, out)
    if chosen[0]["name"] in RULES:
        chosen = [{**chosen[0], **RULES[chosen[0]["name"]].as_table()}]
    part: Pruning = part_of(prunings, chosen[0])
    if not isinstance(part, CostComplexity) or part.rule != "given" or part.alpha or not has_rows:
        return part
    out.note("alpha is chosen by the rule one_se; --cost-complexity-rule sets another rule")
    return replace(part, rule="one_se")


def _default(model: Tree | Forest, has_rows: bool) -> Pruning:
    from hornbeam.recipes.prune import default_pruning

    if not has_rows and not model.schema.is_class:
        raise Usage(
            "The default pruning of a regression tree is chosen on rows.",
            hint="Pass --training FILE with the rows that grew the tree, --pruning-set FILE, or --pruning NAME.",
            option="--pruning",
        )
    return default_pruning(model, has_rows=has_rows)


def _noted(part: Pruning, has_rows: bool, out: Output) -> Pruning:
    """The default pruning, with a note that names it."""
    if has_rows:
        out.note("pruned by cost_complexity to the size of least loss; `--pruning one_se` chooses a smaller tree")
    else:
        out.note("pruned by error_based, confidence 0.05; with --training DATA, folds of the rows choose the size")
    return part


def _complexity_table(args: argparse.Namespace, out: Output) -> int:
    """The table of complexities of a saved tree."""
    from hornbeam.parts.prunings.machinery.complexity_table import complexity_table
    from hornbeam.tree.file.files import load_tree

    tree = load_tree(args.model, member=args.tree_index)
    pruning_data = _pruning_data(args, out, tree)
    with out.busy("evaluating every size"):
        found = complexity_table(tree, pruning_data.folds)
    chosen_row = found.chosen() if found.xerror is not None else None
    out.result(found.text(), {"chosen": chosen_row, "rule": "one_se", "rows": found.as_dicts()})
    return 0


def _pruning_data(args: argparse.Namespace, out: Output, model: Tree | Forest) -> PruningData:
    from hornbeam.parts.prunings import PruningData
    from hornbeam.recipes.grow_and_prune import N_FOLDS
    from hornbeam.recipes.prune import regrown_folds
    from hornbeam.table.divide import feasible_folds
    from hornbeam.tree.nodes import Tree

    def rows(data: list[str] | None) -> Table | None:
        return matched_table(args, out, model.schema, data, with_target=True) if data else None

    if args.memory is not None:
        return _data_of_files(args, model)
    training = rows(args.training)
    folds = None
    if training is None:
        for flag, value in (("--folds", args.folds), ("--group", args.group), ("--time", args.time)):
            if value is not None:
                raise Usage(
                    f"{flag} requires the training rows of the tree.", hint="Pass --training FILE.", option=flag
                )
    elif isinstance(model, Tree):
        n_folds = feasible_folds(training, N_FOLDS) if args.folds is None else args.folds
        folds = regrown_folds(model, training, n_folds, seed=args.seed, threads=args.threads)
    return PruningData(pruning_set=_pruning_set(args, model) or rows(args.pruning_set), training=training, folds=folds)


def _pruning_set(args: argparse.Namespace, model: Tree | Forest) -> NodeSums | None:
    """The sums of the rows of --pruning-set, if they are read in batches."""
    from hornbeam.recipes.file_folds import sums_of_files
    from hornbeam.scale.new_rows import source_in_batches
    from hornbeam.tree.nodes import Tree

    data = args.pruning_set
    if not data or not isinstance(model, Tree) or source_in_batches(data, args.format) is None:
        return None
    return sums_of_files(model, data)


def _data_of_files(args: argparse.Namespace, model: Tree | Forest) -> PruningData:
    """Folds of the files of --training that need not fit into memory."""
    from hornbeam.parts.prunings import PruningData
    from hornbeam.recipes.file_folds import regrown_file_folds
    from hornbeam.tree.nodes import Tree

    if not args.training or not isinstance(model, Tree):
        raise Usage(
            "--memory requires one tree and its training rows.", hint="Pass --training FILE.", option="--memory"
        )
    for flag, given in (("--group", args.group), ("--time", args.time), ("--pruning-set", args.pruning_set)):
        if given:
            raise Usage(f"{flag} cannot be combined with --memory.", hint="Omit one of them.", option=flag)
    settings = {"folds": args.folds, "seed": args.seed, "threads": args.threads}
    return PruningData(folds=regrown_file_folds(model, args.training, memory=args.memory, **settings))
