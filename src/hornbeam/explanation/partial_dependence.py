"""Partial dependence: how the prediction changes with the value of one column.

    with a table      the column is set to each grid value in every row: one curve per row (ICE), and their weighted
                      mean, the partial dependence
    without a table   the other columns follow the training rows down the tree, as in the path-dependent game with this
                      column alone in the coalition

The prediction of a tree is a step function, so the grid has one value between every two cuts that the model has in the
column: the curve is exact. If a question is about several columns, or there are more than 200 cuts, the grid is made of
quantiles of the column. A column with levels has one grid value per level.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, Set, did_you_mean, short_repr
from hornbeam.explanation.games import Game, game_of
from hornbeam.explanation.models import AdditiveModel, Floats, TreeTerm, additive_model
from hornbeam.number_text import short_number_text
from hornbeam.table.column import Column, ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree import reference_walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.nodes import ALL_BRANCHES, Tree
from hornbeam.tree.one_tree import unwrapped
from hornbeam.tree.prediction import predict
from hornbeam.tree.text_tables import aligned_text, html_table

_MAX_CUTS = 200
_MAX_ROWS = 1000
_N_QUANTILES = 64


@dataclasses.dataclass(frozen=True, eq=False)
class PartialDependence:
    """The mean prediction (grid values, outputs), and per row (rows, grid values, outputs) where requested.

    `edges` are the ends of the steps around the grid values of a numeric column, one more than grid values; empty for
    levels and for quantiles. `grid` contains numbers, or codes of levels.
    """

    spec: ColumnSpec
    grid: Floats
    mean: Floats
    outputs: tuple[str, ...]
    scale: str
    edges: Floats
    individual: Floats | None
    n_rows: int

    def output(self, name: Any = None) -> int:
        """The index of an output by name; by default the last one (the second of two classes)."""
        if name is None:
            return len(self.outputs) - 1
        if str(name) not in self.outputs:
            raise InputError(f"Unknown output {short_repr(name)}.", hint=did_you_mean(str(name), self.outputs))
        return self.outputs.index(str(name))

    def labels(self) -> list[str]:
        """Every grid value as text: an interval, a number or a level."""
        if self.spec.has_levels:
            return [str(self.spec.levels[int(code)]) for code in self.grid]
        if len(self.edges):
            inner = [self._text(edge) for edge in self.edges[1:-1]]
            if not inner:
                return ["all values"]
            between = [f"{a} to {b}" for a, b in itertools.pairwise(inner)]
            return [f"<= {inner[0]}", *between, f"> {inner[-1]}"]
        return [self._text(value) for value in self.grid]

    def _text(self, value: float) -> str:
        """A value of the column as text: a date, or a number."""
        found = self.spec.text_format
        return found.text(value) if found is not None and found.date else short_number_text(value)

    def rows(self) -> list[list[str]]:
        """One row of a table per grid value."""
        lines = [[self.spec.name, *self.outputs]]
        lines += [
            [label, *(short_number_text(value) for value in mean)]
            for label, mean in zip(self.labels(), self.mean.tolist(), strict=True)
        ]
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "column": self.spec.name,
            "scale": self.scale,
            "grid": [
                {"value": label, **dict(zip(self.outputs, mean, strict=True))}
                for label, mean in zip(self.labels(), self.mean.tolist(), strict=True)
            ],
        }

    def __str__(self) -> str:
        what = f"mean over {self.n_rows:,} rows" if self.n_rows else "mean along the training paths"
        return f"Prediction by {self.spec.name} ({self.scale}, {what})\n{aligned_text(self.rows())}"

    def __repr__(self) -> str:
        return f"<PartialDependence on {self.spec.name}: {len(self.grid)} grid values>"

    def _repr_html_(self) -> str:
        return html_table(self.rows())


def partial_dependence(
    model: Any, column: str, table: Any = None, *, individual: bool = False, threads: int | None = None
) -> PartialDependence:
    """The prediction as one column changes: over the rows of a table, or along the training paths without one.

    `table` is a table, a data frame or anything else that `read` accepts; of more than 1,000 rows, evenly spaced ones
    are used. `individual` stores the curve of every row.
    """
    found = unwrapped(model)
    terms = additive_model(found)
    position = found.schema.position(column)
    spec = found.schema.columns[position]
    if table is None:
        if individual:
            raise InputError("Curves of single rows need a table.", fix=Set("table"))
        grid, edges = _grid(terms, position, None)
        mean = terms.start + sum(_along_paths(term, position, grid, terms) for term in terms.members)
        return PartialDependence(spec, grid, np.asarray(mean), terms.outputs, terms.scale, edges, None, 0)
    rows = model_table(found.schema, table)
    if not len(rows):
        raise InputError("The table has no rows.")
    if len(rows) > _MAX_ROWS:
        rows = rows.take(np.linspace(0, len(rows) - 1, _MAX_ROWS).astype(np.int64))
    grid, edges = _grid(terms, position, rows.columns[position])
    curves = np.stack([_predicted(found, rows.columns, position, value, threads) for value in grid.tolist()], axis=1)
    weights = rows.row_weights
    mean = np.einsum("r,rpk->pk", weights / weights.sum(), curves)
    outputs = tuple(map(str, found.schema.classes)) if found.schema.is_class else terms.outputs
    scale = "probability" if found.schema.is_class else "number"
    return PartialDependence(spec, grid, mean, outputs, scale, edges, curves if individual else None, len(rows))


def _predicted(model: Any, columns: tuple[Column, ...], position: int, value: float, threads: int | None) -> Floats:
    constant = _constant(columns[position], value, len(columns[position]))
    return predict(model, (*columns[:position], constant, *columns[position + 1 :]), threads=threads).values


def _constant(like: Column, value: float, n: int) -> Column:
    dtype: Any = np.float64 if like.kind is Kind.NUMERIC else np.int32
    return Column(like.name, like.kind, np.full(n, value, dtype=dtype), like.levels)


def _grid(model: AdditiveModel, position: int, column: Column | None) -> tuple[Floats, Floats]:
    """The grid values of a column, and the ends of the steps around them (none: the values are points)."""
    spec = model.schema.columns[position]
    if spec.has_levels:
        return np.arange(len(spec.levels), dtype=np.float64), np.zeros(0)
    cuts, is_exact = cuts_of(model, position)
    known = np.zeros(0) if column is None else column.values[np.isfinite(column.values)]
    if not is_exact or len(cuts) > _MAX_CUTS:
        values = known if len(known) else cuts
        if not len(values):
            raise InputError(
                f"Without rows there are no values of {short_repr(spec.name)} to predict at.", fix=Set("table")
            )
        return np.unique(np.quantile(values, np.linspace(0, 1, _N_QUANTILES))), np.zeros(0)
    reach = np.concatenate([known, cuts])
    low, high = (float(reach.min()), float(reach.max())) if len(reach) else (0.0, 1.0)
    margin = (high - low) * 0.05 or max(abs(low), 1.0) * 0.05
    edges = np.concatenate([[low - margin], cuts, [high + margin]])
    # The middle of each step; the cut itself belongs to the step below it.
    middle = edges[:-1] + (edges[1:] - edges[:-1]) / 2
    return np.where(middle > edges[:-1], middle, edges[1:]), edges


def cuts_of(model: AdditiveModel, position: int) -> tuple[Floats, bool]:
    """The cuts of a model in a numeric column, ascending, and whether no other question uses the column."""
    cuts: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    is_exact = True
    for term in model.members:
        table, used = term.tree.questions, np.unique(term.tree.nodes.question[~term.tree.nodes.is_leaf])
        for row in used[table.column[used] == position].tolist():
            cuts.append(table.reals_of(row))
        for row in used[table.column[used] < 0].tolist():
            is_exact = is_exact and position not in table[row].columns
    found = np.unique(np.concatenate(cuts))
    return found[np.isfinite(found)], is_exact


def _along_paths(term: TreeTerm, position: int, grid: Floats, model: AdditiveModel) -> Floats:
    """The value of a tree at every grid value when the other columns follow the training rows."""
    game = game_of(term)
    one = _rows_with_one_column(model.schema, position, grid)
    reach = np.zeros((len(game.set), len(grid)))
    reach[0] = 1.0
    for node in range(len(game.tree)):
        edges = slice(int(game.edge_start[node]), int(game.edge_start[node + 1]))
        if edges.start == edges.stop:
            continue
        if game.columns_of(node) == (position,):
            fractions = _edge_fractions(game, node, one)
        else:
            fractions = np.repeat(game.share[edges][:, None], len(grid), axis=1)
        reach[game.child[edges]] = reach[node] * fractions
    leaves = game.edge_start[:-1] == game.edge_start[1:]
    out = np.zeros((len(grid), model.width))
    out[:, term.output : term.output + game.values.shape[1]] = reach[leaves].T @ game.values[leaves]
    return out


def _rows_with_one_column(schema: Schema, position: int, grid: Floats) -> list[Column]:
    """One row per grid value, in which all other columns are missing."""
    found = []
    for c, spec in enumerate(schema.columns):
        like = Column(spec.name, spec.kind, np.zeros(0), spec.levels)
        missing = np.nan if spec.kind is Kind.NUMERIC else -1
        found.append(_constant(like, missing, len(grid)) if c != position else dataclasses.replace(like, values=grid))
    return found


def _edge_fractions(game: Game, node: int, one: list[Column]) -> Floats:
    """The fraction of each row that takes each edge of a node: (edges, rows)."""
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
