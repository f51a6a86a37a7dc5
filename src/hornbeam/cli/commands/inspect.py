"""Describe a data file or a model file.

For data: name, kind, levels or range, and missing values of each column, the reason for the kind, and the flag that
changes it. For a model (.tree): its target, the columns that it uses, its size, and its recipe.
"""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from hornbeam.cli.command import Usage
from hornbeam.cli.data_flags import DATA_HELP, add_reading, code_of, table_of
from hornbeam.cli.output import Output

if TYPE_CHECKING:
    from hornbeam.errors import Set, Spelling
    from hornbeam.table.describe import Description
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree

SUMMARY = "describe a data file or a model file"
DOING = "inspect the file"
EXAMPLE = "hornbeam inspect patients.csv --target outcome"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `hornbeam inspect`."""
    parser.add_argument("data", nargs="+", metavar="FILE", help=f"a model (.tree), or data: {DATA_HELP}")
    add_reading(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    """Inspect data or a model."""
    models = [name for name in args.data if name.lower().endswith(".tree")]
    if models and len(args.data) > 1:
        raise Usage("A model must be the only file.", hint="Pass one .tree file, or data files only.")
    if models:
        from hornbeam.tree.file.files import load
        from hornbeam.tree.forest import Forest

        model = load(models[0])
        if isinstance(model, Forest):
            out.result(_forest_text(models[0], model), _forest_values(models[0], model))
        else:
            out.result(_tree_text(models[0], model), _tree_values(models[0], model))
        return 0
    from hornbeam.table.describe import describe

    out.quiet = out.quiet or not out.verbose  # the description itself ends with the notes
    table, notes = _table(args, out)
    found = describe(table)
    found = dataclasses.replace(found, notes=(*found.notes, *notes))
    out.notes.clear()
    out.result(found.text(_flag, _note), _values(found))
    return code_of(table)


def _table(args: argparse.Namespace, out: Output) -> tuple[Table, tuple[str, ...]]:
    """The table, and a note if its target looks like an id, which is an error in all other commands."""
    from hornbeam.errors import InputError

    try:
        return table_of(args, out, args.data, needs_target=False, drop_unusable=True), ()
    except InputError as error:
        kind = error.details.get("looks_like_id")
        if kind is None:
            raise
        args.kind = [*(args.kind or ()), f"{args.target}={kind}"]
        return table_of(args, out, args.data, needs_target=False, drop_unusable=True), (error.message.rstrip("."),)


def _flag(fix: Set) -> str:
    """A fix as a flag of this command; empty if a name in it cannot be typed."""
    flag = "".join(_spelling()(fix) or ())
    return flag if flag.isprintable() else ""


def _note(note: str) -> str:
    """A note with the flags of this command."""
    from hornbeam.table.notes import note_text

    return note_text(note, _spelling())


def _spelling() -> Spelling:
    from hornbeam.cli.command import command_parser
    from hornbeam.cli.fixes import spelling_for

    return spelling_for(command_parser("inspect"))


def _values(found: Description) -> dict[str, Any]:
    """A description as JSON values, with the flag that changes the kind of each column."""
    values = found.as_dict()
    for column, report in zip(values["columns"], found.columns, strict=True):
        del column["fix"]
        column["flag"] = _flag(report.fix)
        column["notes"] = list(map(_note, report.notes))
    values["notes"] = list(map(_note, found.notes))
    return values


def _tree_text(path: str, tree: Tree) -> str:
    from hornbeam.table.level_text import level_list
    from hornbeam.toml_text import toml_text

    target = tree.schema.target
    prediction = _prediction(tree.schema)
    used = {
        index for node in range(len(tree)) if tree.nodes.question[node] >= 0 for index in tree.question(node).columns
    }
    lines = [
        f"{path}: a tree that predicts {target.name if target else '?'} ({prediction})",
        f"{len(tree)} nodes, {tree.n_leaves} leaves, depth {tree.depth}; grown on {int(tree.nodes.rows[0])} rows",
        "",
        "columns (* = used in a question):",
    ]
    for index, spec in enumerate(tree.schema.columns):
        levels = f": {level_list([str(level) for level in spec.levels[:6]], len(spec.levels))}" if spec.levels else ""
        kind = f"date ({spec.text_format.date})" if spec.is_date and spec.text_format else spec.kind
        lines.append(f"  {'*' if index in used else ' '} {spec.name}  {kind}{levels}")
    lines += ["", "recipe:", *(f"  {line}" for line in toml_text(tree.recipe).splitlines())]
    for entry in tree.metadata.get("prunings", ()):
        was, now = entry["leaves"]
        lines.append(f"pruned by {entry['pruning']['name']}: {was} leaves before, {now} after")
    return "\n".join(lines)


def _prediction(schema: Schema) -> str:
    """What a model predicts: its classes, or a number."""
    from hornbeam.table.level_text import level_list

    if not schema.is_class:
        return "a number"
    return f"one of {level_list([str(label) for label in schema.classes], len(schema.classes))}"


def _forest_text(path: str, forest: Forest) -> str:
    target = forest.schema.target
    prediction = _prediction(forest.schema)
    leaves = [tree.n_leaves for tree in forest.trees]
    depths = [tree.depth for tree in forest.trees]
    lines = [
        f"{path}: a forest that predicts {target.name if target else '?'} ({prediction})",
        f"{len(forest)} trees, {forest.n_nodes} nodes; the predictions are combined by {forest.combine}",
    ]
    if leaves:
        lines.append(f"{min(leaves)} to {max(leaves)} leaves per tree, depth {min(depths)} to {max(depths)}")
    lines += ["", "columns:", *(f"    {spec.name}  {spec.kind}" for spec in forest.schema.columns)]
    return "\n".join(lines)


def _forest_values(path: str, forest: Forest) -> dict[str, object]:
    return {
        "file": path,
        "trees": len(forest),
        "nodes": forest.n_nodes,
        "combine": forest.combine,
        "columns": [spec.name for spec in forest.schema.columns],
        "metadata": dict(forest.metadata),
    }


def _tree_values(path: str, tree: Tree) -> dict[str, object]:
    from hornbeam.cli.tree_values import tree_values

    found = tree_values(tree, depth=0)
    del found["tree"]
    metadata = {key: value for key, value in tree.metadata.items() if key != "prunings"}
    prunings = [
        {key: each[key] for key in ("pruning", "nodes", "leaves")} for each in tree.metadata.get("prunings", ())
    ]
    return {"file": path, **found, "rows": int(tree.nodes.rows[0]), "metadata": metadata, "prunings": prunings}
