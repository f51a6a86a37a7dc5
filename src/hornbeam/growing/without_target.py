"""Growth of a tree from a table without a target, from the columns alone.

The searches that need no target (kd_median, pca_median, two_means, ball) choose the questions; stops of size and depth
end the growth. Internally every row has the same class, so that both growers run unchanged; the finished tree has no
target, and its nodes store rows and weights only:

    stats = (weight, 0, 0)      answer = impurity = gain = 0      schema.target = None

Labels come later, from any table with a target: `relabeling.py`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hornbeam.errors import InputError, OptionError, Set, short_repr
from hornbeam.growing.method import Method
from hornbeam.growing.method_parts import part_label
from hornbeam.options import Part
from hornbeam.parts.missing import Missing
from hornbeam.parts.missing.learned import Learned
from hornbeam.parts.missing.skip_column import SkipColumn
from hornbeam.parts.searches import Search, searches
from hornbeam.parts.stops import Stop
from hornbeam.parts.stops.pure import Pure
from hornbeam.table.column import Column, Kind
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree

# Settings that change how the target counts or which question its statistics select.
_ABOUT_TARGETS = (
    "criterion", "loss", "priors", "class_weight", "column_costs", "split_penalty", "collapse", "probabilities",
)  # fmt: skip


def add_single_class(table: Table, method: Method) -> tuple[Table, Method]:
    """The table with one class for all rows, and the method without what only a target decides.

    The stop `pure` is excluded, and where a branch for missing values would be learned they follow the larger one; an
    error if another part needs a target.
    """
    _check(method)
    one = Column("", Kind.NOMINAL, np.zeros(len(table), dtype=np.int32), levels=("",))
    stops = tuple(stop for stop in method.stops if not isinstance(stop, Pure))
    missing = SkipColumn() if isinstance(method.missing, Learned) else method.missing
    return dataclasses.replace(table, target=one), dataclasses.replace(method, stops=stops, missing=missing)


def drop_single_class(tree: Tree, method: Method) -> Tree:
    """A tree grown with one class for all rows as a tree without a target; `method` is the user's method."""
    zeros = np.zeros(len(tree))
    weight = tree.nodes.weight
    nodes = tree.nodes.replace(
        weight=weight,
        stats=np.stack([weight, zeros, zeros], axis=1),
        answer=zeros,
        impurity=zeros,
        gain=zeros,
        score=zeros,
    )
    schema = dataclasses.replace(tree.schema, target=None)
    metadata = {**tree.metadata, "class_factors": []}
    return dataclasses.replace(tree, nodes=nodes, schema=schema, recipe=method.as_table(), metadata=metadata)


def _check(method: Method) -> None:
    """Raise if some part or setting of a method needs a target."""
    parts: tuple[Search | Stop | Missing, ...] = (*method.searches, *method.stops, method.missing)
    for part in parts:
        if part.needs_target and not isinstance(part, (Pure, Learned)):
            raise InputError(
                f"{part_label(part)} requires a target, but the table has none.",
                fix=Set("target", inside="read"),
                hint=_alternative(part),
                **{part.part_type: part.name},
            )
    defaults: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(method)}
    for name in (*_ABOUT_TARGETS, *(("pruning",) if "pruning" in defaults else ())):
        value = getattr(method, name)
        if value != defaults[name]:
            given = value.name if isinstance(value, Part) else value
            raise OptionError(
                f"{name} = {short_repr(given)} requires a target, but the table has none.",
                fix=Set("target", inside="read"),
                hint=f"or omit {name}.",
                option=name,
            )
    if getattr(method, "target", "any") != "any":
        raise InputError(f"The recipe requires a {getattr(method, 'target', '')} target, but the table has none.")


def _alternative(part: Part) -> str:
    """The advice for a user who wants no target."""
    without = [kind.name for kind in searches if not kind.needs_target]
    if part.part_type != "search":
        return f"or omit the {part.part_type} {part.name}."
    return f"or use a search that does not require one: {', '.join(without)}."
