"""How does the answer change with one column?

    with a table      every row is told what it would be told with the column set to each place: one line a row (ICE),
                      and their weighted mean, partial dependence
    without           the other columns follow the training rows down the tree: weighted by the training path, as the
                      path-dependent game has it with this column alone joined

A tree answers in steps, so places are taken between the cuts that the model makes in the column: the curve is exact.
Where a question looks at several columns at once, or there are more than 200 cuts, quantiles of the column take their
place. A column of levels has one place a level.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, did_you_mean, short_repr
from hornbeam.explanation.games import Game, game_of
from hornbeam.explanation.models import AdditiveModel, Floats, TreeTerm, additive_model
from hornbeam.table.column import Column, ColumnSpec, Kind
from hornbeam.table.table import Schema, Table
from hornbeam.tree import reference_walk
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import columns_of, predict
from hornbeam.tree.text_tables import aligned_text, html_table, number_text

_MOST_CUTS = 200
_MOST_ROWS = 1000
_QUANTILES = 64


@dataclasses.dataclass(frozen=True, eq=False)
class PartialDependence:
    """What is told at each place of one column: `mean` (places, outputs), and `lines` (rows, places, outputs) if asked.

    `edges` are the ends of the steps around the places of a number, one more than places; empty for levels and for
    quantiles. `places` are numbers, or codes of levels.
    """

    spec: ColumnSpec
    places: Floats
    mean: Floats
    outputs: tuple[str, ...]
    scale: str
    edges: Floats
    lines: Floats | None
    n_rows: int

    def output(self, wanted: Any = None) -> int:
        """The place of an output by its name; without one the last (of two classes, the second)."""
        if wanted is None:
            return len(self.outputs) - 1
        if str(wanted) not in self.outputs:
            raise InputError(f"There is no output {short_repr(wanted)}.", hint=did_you_mean(str(wanted), self.outputs))
        return self.outputs.index(str(wanted))

    def labels(self) -> list[str]:
        """Every place in words: a step, a number or a level."""
        if self.spec.has_levels:
            return [str(self.spec.levels[int(code)]) for code in self.places]
        if len(self.edges):
            inner = [number_text(edge) for edge in self.edges[1:-1]]
            if not inner:
                return ["everywhere"]
            between = [f"{a} to {b}" for a, b in itertools.pairwise(inner)]
            return [f"<= {inner[0]}", *between, f"> {inner[-1]}"]
        return [number_text(place) for place in self.places]

    def rows(self) -> list[list[str]]:
        """One line a place."""
        lines = [[self.spec.name, *self.outputs]]
        lines += [
            [label, *(number_text(value) for value in told)]
            for label, told in zip(self.labels(), self.mean.tolist(), strict=True)
        ]
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "column": self.spec.name,
            "scale": self.scale,
            "places": [
                {"place": label, **dict(zip(self.outputs, told, strict=True))}
                for label, told in zip(self.labels(), self.mean.tolist(), strict=True)
            ],
        }

    def __str__(self) -> str:
        what = f"mean over {self.n_rows} rows" if self.n_rows else "mean along the training paths"
        return f"What is told by {self.spec.name} ({self.scale}, {what})\n{aligned_text(self.rows())}"

    def __repr__(self) -> str:
        return f"<Dependence on {self.spec.name}: {len(self.places)} places>"

    def _repr_html_(self) -> str:
        return html_table(self.rows())


def partial_dependence(
    model: Any, column: str, table: Table | None = None, *, individual: bool = False, threads: int | None = None
) -> PartialDependence:
    """What a model tells as one column changes: over the rows of a table, or along the training paths without one.

    A table of more than 1,000 rows is thinned to evenly spaced ones. `individual` keeps the line of every row.
    """
    found = unwrapped(model)
    parts = additive_model(found)
    position = found.schema.position(column)
    spec = found.schema.columns[position]
    if table is None:
        if individual:
            raise InputError("Lines of rows need a table.", hint="Pass table=.")
        places, edges = _places(parts, position, None)
        mean = parts.start + sum(_along_paths(member, position, places, parts) for member in parts.members)
        return PartialDependence(spec, places, np.asarray(mean), parts.outputs, parts.scale, edges, None, 0)
    if not len(table):
        raise InputError("The table has no rows.")
    if len(table) > _MOST_ROWS:
        table = table.take(np.linspace(0, len(table) - 1, _MOST_ROWS).astype(np.int64))
    columns = columns_of(found.schema, table)
    places, edges = _places(parts, position, columns[position])
    lines = np.stack([_told(found, columns, position, place, threads) for place in places.tolist()], axis=1)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    mean = np.einsum("r,rpk->pk", weights / weights.sum(), lines)
    outputs = tuple(map(str, found.schema.classes)) if found.schema.is_class else parts.outputs
    scale = "share" if found.schema.is_class else "number"
    kept = lines if individual else None
    return PartialDependence(spec, places, mean, outputs, scale, edges, kept, len(table))


def _told(model: Any, columns: tuple[Column, ...], position: int, place: float, threads: int | None) -> Floats:
    held = _constant(columns[position], place, len(columns[position]))
    return predict(model, (*columns[:position], held, *columns[position + 1 :]), threads=threads).values


def _constant(like: Column, place: float, n: int) -> Column:
    dtype: Any = np.float64 if like.kind is Kind.NUMERIC else np.int32
    return Column(like.name, like.kind, np.full(n, place, dtype=dtype), like.levels)


def _places(model: AdditiveModel, position: int, column: Column | None) -> tuple[Floats, Floats]:
    """Where the column is looked at, and the ends of the steps around these places (none: they are points)."""
    spec = model.schema.columns[position]
    if spec.has_levels:
        return np.arange(len(spec.levels), dtype=np.float64), np.zeros(0)
    cuts, is_exact = cuts_of(model, position)
    known = np.zeros(0) if column is None else column.values[np.isfinite(column.values)]
    if not is_exact or len(cuts) > _MOST_CUTS:
        values = known if len(known) else cuts
        if not len(values):
            raise InputError(
                f"Where to look at {short_repr(spec.name)} is not known without rows.", hint="Pass table=."
            )
        return np.unique(np.quantile(values, np.linspace(0, 1, _QUANTILES))), np.zeros(0)
    reach = np.concatenate([known, cuts])
    low, high = (float(reach.min()), float(reach.max())) if len(reach) else (0.0, 1.0)
    room = (high - low) * 0.05 or max(abs(low), 1.0) * 0.05
    edges = np.concatenate([[low - room], cuts, [high + room]])
    # A place in the middle of a step; the cut itself belongs to the step below it.
    middle = edges[:-1] + (edges[1:] - edges[:-1]) / 2
    return np.where(middle > edges[:-1], middle, edges[1:]), edges


def cuts_of(model: AdditiveModel, position: int) -> tuple[Floats, bool]:
    """The cuts that a model makes in a numeric column, ascending, and whether these are all that it asks of it."""
    cuts: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    is_exact = True
    for member in model.members:
        table, asked = member.tree.questions, np.unique(member.tree.nodes.question[~member.tree.nodes.is_leaf])
        for row in asked[table.column[asked] == position].tolist():
            cuts.append(table.reals_of(row))
        for row in asked[table.column[asked] < 0].tolist():
            is_exact = is_exact and position not in table[row].columns
    found = np.unique(np.concatenate(cuts))
    return found[np.isfinite(found)], is_exact


def _along_paths(member: TreeTerm, position: int, places: Floats, model: AdditiveModel) -> Floats:
    """What a member adds at every place when the other columns follow the training rows."""
    game = game_of(member)
    one = _at_places(model.schema, position, places)
    reach = np.zeros((len(game.set), len(places)))
    reach[0] = 1.0
    for node in range(len(game.tree)):
        edges = slice(int(game.edge_start[node]), int(game.edge_start[node + 1]))
        if edges.start == edges.stop:
            continue
        if game.columns_of(node) == (position,):
            parts = _ways(game, node, one)
        else:
            parts = np.repeat(game.share[edges][:, None], len(places), axis=1)
        reach[game.child[edges]] = reach[node] * parts
    leaves = game.edge_start[:-1] == game.edge_start[1:]
    out = np.zeros((len(places), model.width))
    out[:, member.output : member.output + game.values.shape[1]] = reach[leaves].T @ game.values[leaves]
    return out


def _at_places(schema: Schema, position: int, places: Floats) -> list[Column]:
    """Rows that know this column alone, one a place."""
    found = []
    for c, spec in enumerate(schema.columns):
        like = Column(spec.name, spec.kind, np.zeros(0), spec.levels)
        gone = np.nan if spec.kind is Kind.NUMERIC else -1
        found.append(_constant(like, gone, len(places)) if c != position else dataclasses.replace(like, values=places))
    return found


def _ways(game: Game, node: int, one: list[Column]) -> Floats:
    """The share of each place that takes each edge of a node: (edges, places)."""
    edges = slice(int(game.edge_start[node]), int(game.edge_start[node + 1]))
    tree: Tree = game.tree
    branch = reference_walk.step(tree, node, one, np.arange(len(one[0])))[0]
    out = np.zeros((edges.stop - edges.start, len(branch)))
    is_fractional = (branch == ALL_BRANCHES) & (game.has_stay[node] != 2)
    to = np.where(branch >= 0, branch, edges.stop - edges.start - 1)
    out[to, np.arange(len(branch))] = 1.0
    own = game.share[edges].copy()
    if game.has_stay[node]:
        own[-1] = 0.0
    out[:, is_fractional] = (own / own.sum() if own.sum() > 0 else own)[:, None]
    return out
