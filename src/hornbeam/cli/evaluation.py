"""What `evaluate` and `compare` share: class options as values of the table, rows to grow a model again, pages."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbeam.cli.data_flags import division_of, raw_of
from hornbeam.cli.output import Output, check_free, check_suffix, write
from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.studies.cross_validate import predicted_values, table_scores
from hornbeam.table.target_kind import other_kind

if TYPE_CHECKING:
    from hornbeam.evaluation import Scores
    from hornbeam.table.table import Schema, Table
    from hornbeam.tree.forest import Forest
    from hornbeam.tree.nodes import Tree


def evaluate_model(
    model: Tree | Forest, table: Table, options: Mapping[str, Any], *, threads: int | None = None
) -> Scores:
    """The metrics of a tree or a forest on rows with its columns and target."""
    values = predicted_values(model, table, threads)
    return table_scores(table, values, model.schema, class_options(model.schema, options, is_saved=True))


def regrowing_table(args: argparse.Namespace, out: Output, schema: Schema, data: Sequence[str]) -> Table:
    """The rows of DATA with the columns, kinds and target of a model, to grow it again."""
    from hornbeam.table.read import read

    assert schema.target is not None
    with out.busy(f"reading {', '.join(data)}"):
        raw = raw_of(args, data)
        absent = [name for name in (*schema.names, schema.target.name) if name not in raw.names]
        if absent:
            raise InputError(
                f"DATA lacks the column {short_repr(absent[0])} of the model.",
                hint=did_you_mean(absent[0], raw.names),
                column=absent[0],
            )
        table = read(
            raw,
            schema.target.name,
            kinds=_kinds(schema),
            na_values=args.na_value,
            keep_default_na=not args.no_default_na,
            weights=args.weights,
            columns=schema.names,
            decimal=args.decimal,
            **division_of(args, raw),
        )
    for note in table.notes:
        out.note(note)
    return table


def _kinds(schema: Schema) -> dict[str, Any]:
    """The kinds of a model's columns as `read` takes them; numeric columns are inferred: they may be dates."""
    from hornbeam.table.column import Kind

    assert schema.target is not None
    found: dict[str, Any] = {each.name: each.kind for each in schema.columns if each.kind is Kind.NOMINAL}
    found |= {each.name: list(each.levels) for each in schema.columns if each.kind is Kind.ORDINAL}
    return {**found, schema.target.name: schema.target.kind}


def check_page(args: argparse.Namespace, inputs: Sequence[str], accepted: Sequence[str] = (".html",)) -> None:
    """Raise, before any work is done, if the file of -o cannot be written."""
    if args.output:
        check_suffix(args.output, accepted)
        check_free(args.output, force=args.force, inputs=inputs)


def write_page(args: argparse.Namespace, out: Output, result: Any, failed: Sequence[str] = ()) -> None:
    """Write the result as a page to the file of -o, if it is given."""
    from hornbeam.studies.pages import page

    if args.output:
        write(args.output, page(result, failed=failed, notes=out.notes).html.encode("utf-8"))
        out.note(f"wrote {args.output}")


def class_options(schema: Schema, options: Mapping[str, Any], *, is_saved: bool = False) -> dict[str, Any]:
    """The options with the class that `positive` spells; an error if an option is given and the target is numeric.

    `is_saved`: the model is saved, so that only a new one can have another kind of target.
    """
    found = {name: value for name, value in options.items() if value is not None}
    if found and not schema.is_class:
        name = next(iter(found))
        raise OptionError(
            f"--{name} requires a classification target, but the target is numeric.",
            fix=[dataclasses.replace(fix, inside="grow" if is_saved else "read") for fix in other_kind(schema.target)],
            option=f"--{name}",
        )
    if "positive" in found:
        found["positive"] = _class_called(str(found["positive"]), schema)
    return found


def _class_called(text: str, schema: Schema) -> Any:
    for label in schema.classes:
        if str(label) == text:
            return label
    names = [str(label) for label in schema.classes]
    raise OptionError(f"Unknown class {short_repr(text)}.", hint=did_you_mean(text, names), option="--positive")
