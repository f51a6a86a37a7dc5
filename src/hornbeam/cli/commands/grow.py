"""Grow a tree or an ensemble from data, print it, and save it with -o.

The default recipe prunes the tree; --no-pruning keeps the whole tree, and --recipe plain grows it until the leaves are
pure.

The method is a recipe changed by flags: --TYPE NAME chooses a part, --PART-SETTING VALUE sets one of its settings and
implies the part. `hornbeam recipes` and `hornbeam parts` list them. The recipes forest, extra_trees, bagging, adaboost
and boosting grow many trees and combine their predictions (--forest-n-trees, --boosting-n-rounds and so on). The
searches kd_median, pca_median, two_means and ball need no --target; `hornbeam relabel` adds the labels later.

With --memory 2GB, DATA need not fit into memory: its values become bins on disk, and the tree is grown from them. The
tree does not depend on the memory. `hornbeam estimate` states the memory and the disk in advance. With --scheduler, the
workers of a Dask cluster read the files. With --resume FILE, an interrupted growth continues.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage, add_output, add_work
from hornbeam.cli.data_flags import DATA_HELP, add_division, add_reading, code_of, inputs_of, table_of
from hornbeam.cli.dataset_flags import add_memory
from hornbeam.cli.method_flags import add_method, method_of
from hornbeam.cli.output import Output, check_free, check_suffix, only_ascii, width, write

if TYPE_CHECKING:
    from hornbeam.ensembles.progress import Progress
    from hornbeam.recipes.recipe import Recipe
    from hornbeam.table.table import Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

_PROGRESS_EVERY = 5.0  # seconds
SUMMARY = "grow a tree from data, print it, save it"
DOING = "grow a tree"
EXAMPLE = "hornbeam grow patients.csv --target outcome --max-depth 4 --min-leaf 10 -o patients.tree"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam grow`."""
    parser.add_argument("data", nargs="+", metavar="DATA", help=DATA_HELP)
    add_reading(parser)
    add_division(parser)
    add_method(parser)
    add_memory(parser)
    add_work(parser)
    add_output(parser, "file for the tree (.tree)")
    group = parser.add_argument_group("printing")
    group.add_argument(
        "--show-depth", type=int, metavar="N", help="maximum depth that is printed; the tree is not changed"
    )
    group.add_argument(
        "--trace", action="store_true", help="print the candidate questions of every node; for small data"
    )


def run(args: argparse.Namespace, out: Output) -> int:
    """Grow a tree."""
    if args.output:
        check_suffix(args.output, (".tree",))
        check_free(args.output, force=args.force, inputs=inputs_of(args.data))
    method = method_of(args)
    if args.resume is not None and args.memory is None and args.scheduler is None:
        raise Usage("--resume requires --memory or --scheduler.", hint="Pass --memory 2GB.", option="--resume")
    if args.memory is not None or args.scheduler is not None:
        return _save_and_print(_from_files(args, out, method), None, args, out)
    from hornbeam.recipes.estimate import estimate
    from hornbeam.recipes.grow import grow
    from hornbeam.table.memory import format_bytes

    needs_target = method.ensemble_method is not None or any(search.needs_target for search in method.searches)
    table = table_of(args, out, args.data, needs_target=needs_target)
    method = method_of(args, table)
    if out.verbose and method.ensemble_method is None:
        size = estimate(table, method, threads=args.threads).in_memory
        out.detail(f"about {format_bytes(size)} of memory in addition to the table")
    what = "a tree" if method.ensemble_method is None else "trees"
    with out.busy(f"growing {what} on {len(table):,} rows"):
        model = grow(
            table, method, seed=args.seed, threads=args.threads, progress=_progress(method, out), trace=args.trace
        )
    return _save_and_print(model, table, args, out)


def _from_files(args: argparse.Namespace, out: Output, method: Recipe) -> Tree | Forest:
    """The model grown from files within the memory of --memory."""
    from hornbeam.cli.dataset_flags import connected_client, dataset_of
    from hornbeam.recipes.grow_files import grow_files

    for flag, given in (("--trace", args.trace), ("--group", args.group), ("--time", args.time)):
        if given:
            other = "--memory" if args.memory is not None else "--scheduler"
            raise Usage(f"{flag} cannot be combined with {other}.", hint="Omit one of them.", option=flag)
    dataset = dataset_of(args, args.data)
    work = {"seed": args.seed, "threads": args.threads, "work": args.work, "resume": args.resume}
    with (
        connected_client(args.scheduler) as client,
        out.busy(f"growing a tree from {', '.join(args.data)}") as report,
    ):
        return grow_files(dataset, method, memory=args.memory, report=report, client=client, **work)


def _save_and_print(model: Tree | Forest, table: Table | None, args: argparse.Namespace, out: Output) -> int:
    """Print the notes of the model, save it, and print it; the exit code."""
    for remark in model.metadata.get("notes", ()):
        out.note(remark)
    for remark in _pruning_notes(model):
        out.note(remark)
    if args.output:
        from hornbeam.tree.file.files import to_bytes

        write(args.output, to_bytes(model))
        out.note(f"saved {args.output}: {_size(model)}")
    out.result(*_result(model, args, out))
    return 0 if table is None else code_of(table)


def _progress(method: Recipe, out: Output) -> Progress | None:
    """For many trees: a note every few seconds with the number of trees grown and the remaining time."""
    from hornbeam.ensembles.progress import TimedProgress

    count = None if method.ensemble_method is None else method.ensemble_method.n_steps
    return None if count is None else TimedProgress(count, out.note, every=_PROGRESS_EVERY)


def _pruning_notes(model: Tree | Forest) -> list[str]:
    """For a pruned tree: its leaves before and after, and how to keep all of them."""
    found = []
    for entry in model.metadata.get("prunings", ()):
        before, after = entry["leaves"]
        if after < before:
            method = entry["pruning"]["name"].replace("_", "-")
            rows = f" with {entry['held_out_rows']} held-out rows" if "held_out_rows" in entry else ""
            found.append(
                f"pruned from {before} to {after} leaves by {method} pruning{rows}; --no-pruning keeps the whole tree"
            )
    return found


def _size(model: Tree | Forest) -> str:
    from hornbeam.tree.nodes import Tree

    if isinstance(model, Tree):
        return f"{len(model):,} nodes, {model.n_leaves:,} leaves, depth {model.depth}"
    return f"{len(model):,} trees, {model.n_nodes:,} nodes"


def _result(model: Tree | Forest, args: argparse.Namespace, out: Output) -> tuple[str, dict[str, Any]]:
    """The model as text and as JSON values; only the requested form is computed."""
    from hornbeam.cli.tree_values import model_values
    from hornbeam.growing.trace import format_trace
    from hornbeam.tree.nodes import Tree
    from hornbeam.tree.text import format_tree

    if out.is_json:
        traced = {"trace": format_trace(model)} if args.trace and isinstance(model, Tree) else {}
        return "", {**model_values(model, args.show_depth), **traced, "saved": args.output}
    if not isinstance(model, Tree):
        return str(model), {}
    text = format_tree(model, depth=args.show_depth, width=width(), ascii=only_ascii())
    return f"{format_trace(model)}\n\n{text}" if args.trace else text, {}
