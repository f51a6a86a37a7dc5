"""Prune a saved tree and save the smaller one with -o; for a forest, all trees or one with --tree-index.

Some prunings need rows: --pruning-set FILE are rows that were not used to grow the tree; --training FILE are the rows
that were, and with --folds N they choose by cross-validation. --explain prints the reason for each node. --cost-table
prints rpart's table of complexities instead of pruning, cross-validated with --training and --folds, with the choice
marked.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_model, add_output, add_work
from hornbeam.cli.data_flags import add_reading, inputs_of, matched_table
from hornbeam.cli.output import Output, check_free, check_suffix, only_ascii, width, write
from hornbeam.cli.part_flags import add_part_flags, chosen_parts, part_of, registries
from hornbeam.errors import available

if TYPE_CHECKING:
    from hornbeam.parts.prunings import Folds, Pruning, PruningData
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

SUMMARY = "prune a saved tree"
DOING = "prune the tree"
EXAMPLE = "hornbeam prune patients.tree --cost-complexity-alpha 0.01 -o small.tree"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam prune`."""
    add_model(parser)
    parser.add_argument("--explain", action="store_true", help="print why each node was pruned or kept")
    parser.add_argument(
        "--pruning-set", metavar="DATA", action="append", help="rows that were not used to grow the tree"
    )
    parser.add_argument("--training", metavar="DATA", action="append", help="rows that were used to grow the tree")
    parser.add_argument(
        "--folds", type=int, metavar="N", help="number of folds of a cross-validation on the training rows"
    )
    parser.add_argument("--cost-table", action="store_true", help="print the table of complexities instead of pruning")
    add_output(parser, "file for the pruned tree (.tree)")
    add_part_flags(parser, ["pruning"])
    add_reading(parser, target=False)
    add_work(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Prune a tree."""
    if args.output:
        check_suffix(args.output, (".tree",))
        data = [*(args.pruning_set or ()), *(args.training or ())]
        check_free(args.output, force=args.force, inputs=[args.model, *inputs_of(data)])
    if args.cost_table:
        return _cost_table(args, out)
    chosen = chosen_parts(args, ["pruning"]).get("pruning")
    if not chosen:
        names = registries()["pruning"].names()
        raise Usage("No pruning is given.", hint=f"Pass --pruning NAME. {available(names)}", option="--pruning")
    from hornbeam.parts.prunings import prunings
    from hornbeam.parts.prunings.machinery.prune import prune
    from hornbeam.tree.file.files import load, load_tree, to_bytes
    from hornbeam.tree.forest import Forest

    part = _with_rule(part_of(prunings, chosen[0]), args, out)
    model = load(args.model) if args.tree_index is None else load_tree(args.model, member=args.tree_index)
    if isinstance(model, Forest) and (args.explain or args.folds):
        raise Usage("--explain and --folds require one tree, but the model is a forest.", hint="Pass --tree-index N.")
    evidence = _evidence(args, out, model)
    smaller: Tree | Forest
    with out.busy("pruning"):
        smaller = prune(model, part, evidence)
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


def _with_rule(part: Pruning, args: argparse.Namespace, out: Output) -> Pruning:
    """The pruning; with held-out rows and without an alpha, the one-standard-error rule chooses alpha."""
    from hornbeam.parts.prunings.cost_complexity import CostComplexity

    if (
        not isinstance(part, CostComplexity)
        or part.rule != "given"
        or part.alpha
        or not (args.folds or args.pruning_set)
    ):
        return part
    out.note("alpha is chosen by the rule one_se; --cost-complexity-rule sets another rule")
    return replace(part, rule="one_se")


def _cost_table(args: argparse.Namespace, out: Output) -> int:
    """The table of complexities of a saved tree."""
    from hornbeam.parts.prunings.machinery.complexity_table import complexity_table
    from hornbeam.tree.file.files import load_tree

    tree = load_tree(args.model, member=args.tree_index)
    evidence = _evidence(args, out, tree)
    with out.busy("evaluating every size"):
        found = complexity_table(tree, evidence.folds)
    chosen_row = found.chosen() if found.xerror is not None else None
    out.result(found.text(), {"chosen": chosen_row, "rule": "one_se", "rows": found.as_dicts()})
    return 0


def _evidence(args: argparse.Namespace, out: Output, tree: Tree | Forest) -> PruningData:
    from hornbeam.parts.prunings import PruningData

    def rows(data: list[str] | None) -> Table | None:
        return matched_table(args, out, tree.schema, data, with_target=True) if data else None

    training = rows(args.training)
    folds = None
    if args.folds is not None:
        if training is None:
            raise Usage(
                "--folds requires the training rows of the tree.", hint="Pass --training FILE.", option="--folds"
            )
        folds = _folds(args, tree, training)
    return PruningData(pruning_set=rows(args.pruning_set), training=training, folds=folds)


def _folds(args: argparse.Namespace, tree: Tree | Forest, training: Table) -> Folds:
    """The training rows in folds, for trees grown with the recipe stored in the model."""
    from hornbeam.parts.prunings import Folds
    from hornbeam.recipes.grow_and_prune import grow_and_prune
    from hornbeam.recipes.stored import stored_recipe
    from hornbeam.table.divide import table_splits

    method = stored_recipe(tree, pruning=None)
    seed = args.seed or 0
    return Folds(
        training,
        table_splits(training, args.folds, seed),
        lambda rows: grow_and_prune(rows, method, seed=seed, threads=args.threads),
    )
