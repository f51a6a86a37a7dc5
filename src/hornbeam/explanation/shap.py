"""How much did each column add to what a row is told?  Shapley values of the tree, exact.

    what is told = base + sum over columns of contribution                          (to rounding)

Two games (see games.py). Without a background, columns that have not joined follow the training rows (path-dependent);
the base is the mean of what the leaves say. With `background` rows they are taken from there (interventional): the base
is the mean of what these rows are told.

    one column a question     points of Gauss and sixteen rows side by side, O(nodes * columns on a path / 2) a row
    several columns           a question is answered when all of them have joined; leaf by leaf, times 2 to the number
                              of different sets on a path. Against a background the mixture of the two rows is asked.

A forest's contributions are the weighted sum of its members'; boosted scores are explained before the link. Parts of a
row below 1e-6, which prediction drops when it shares rows out, are kept here.
"""

from __future__ import annotations

import dataclasses
import html
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, did_you_mean, short_repr
from hornbeam.explanation import reference_shap
from hornbeam.explanation.games import Game, game_of, gauss_points, native_game
from hornbeam.explanation.models import AdditiveModel, Floats, additive_model
from hornbeam.options import thread_count
from hornbeam.table.column import Column
from hornbeam.table.table import Schema, Table
from hornbeam.tree import walk
from hornbeam.tree.prediction import columns_of
from hornbeam.tree.text import printable
from hornbeam.tree.text_tables import aligned_text, html_table, number_text, signed_text

ENGINES = ("core", "python")
_MOST_SETS = 16
_MOST_TERMS = 16


@dataclasses.dataclass(frozen=True, eq=False)
class Contributions:
    """The contributions of every column to what every row is told.

    `values` is (rows, columns, outputs), `base` one number an output, `told` (rows, outputs) what base and
    contributions add up to. Outputs are the classes, or the one number; `scale` says what they are measured in.
    `data` are the rows themselves, so that a contribution can be told with its value.
    """

    schema: Schema
    values: Floats
    base: Floats
    told: Floats
    outputs: tuple[str, ...]
    scale: str
    game: str
    data: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.values)

    def output(self, wanted: Any = None) -> int:
        """The place of an output by its name; without one the last (of two classes, the second)."""
        if wanted is None:
            return len(self.outputs) - 1
        if str(wanted) not in self.outputs:
            raise InputError(f"There is no output {short_repr(wanted)}.", hint=did_you_mean(str(wanted), self.outputs))
        return self.outputs.index(str(wanted))

    def of(self, row: int, output: Any = None) -> dict[str, float]:
        """One row's contributions by column name, the largest first."""
        self._check_row(row)
        found = self.values[row, :, self.output(output)]
        order = np.argsort(-np.abs(found), kind="stable")
        return {self.schema.names[c]: float(found[c]) for c in order.tolist()}

    def _check_row(self, row: int) -> None:
        if not 0 <= row < len(self):
            raise InputError(f"There are {len(self)} rows, numbered from 0; got row {short_repr(row)}.", row=row)

    def strength(self, output: Any = None) -> dict[str, float]:
        """The mean size of every column's contribution over the rows, largest first: an importance."""
        place = self.output(output)
        mean = np.abs(self.values[:, :, place]).mean(axis=0) if len(self) else np.zeros(len(self.schema.names))
        order = np.argsort(-mean, kind="stable")
        return {self.schema.names[c]: float(mean[c]) for c in order.tolist()}

    def rows(self, row: int = 0, output: Any = None, most: int | None = None) -> list[list[str]]:
        """One row as a table: column, value, contribution; the rest in one line."""
        place = self.output(output)
        found = [(name, gain) for name, gain in self.of(row, output).items() if gain != 0]
        shown_ones = found if most is None else found[:most]
        lines = [["column", "value", "contribution"]]
        lines.append(["base", "", number_text(float(self.base[place]))])
        for name, gain in shown_ones:
            value = self.data[self.schema.position(name)].shown_value(row)
            lines.append([printable(name), printable(value), signed_text(gain)])
        rest = sum(gain for _, gain in found[len(shown_ones) :])
        if len(found) > len(shown_ones):
            lines.append([f"{len(found) - len(shown_ones)} other columns", "", signed_text(rest)])
        lines.append(["told", "", number_text(float(self.told[row, place]))])
        return lines

    def text(self, row: int = 0, output: Any = None, most: int | None = 20) -> str:
        """One row's contributions in words."""
        self._check_row(row)
        name = self.outputs[self.output(output)]
        what = f"{self.scale} of {name}" if self.scale != "number" else name
        return f"Row {row}: {printable(what)}\n{aligned_text(self.rows(row, output, most))}"

    def as_dict(self, row: int, output: Any = None) -> dict[str, Any]:
        """One row as plain values."""
        place = self.output(output)
        return {
            "row": row,
            "output": self.outputs[place],
            "scale": self.scale,
            "game": self.game,
            "base": float(self.base[place]),
            "told": float(self.told[row, place]),
            "contributions": self.of(row, output),
        }

    def __str__(self) -> str:
        if not len(self):
            return "No rows."
        if len(self) == 1:
            return self.text()
        lines = [["column", "mean size of contribution"]]
        lines += [[printable(name), number_text(size)] for name, size in self.strength().items()]
        return f"Contributions in {len(self)} rows to {self.outputs[-1]}\n{aligned_text(lines)}"

    def __repr__(self) -> str:
        return f"<Contributions of {len(self.schema.names)} columns in {len(self)} rows, {self.game}>"

    def _repr_html_(self) -> str:
        if not len(self):
            return "<p>No rows.</p>"
        if len(self) == 1:
            return html_table(self.rows(0, most=20))
        lines = [["column", f"mean size of contribution to {self.outputs[-1]}"]]
        lines += [[name, number_text(size)] for name, size in self.strength().items()]
        return f"<p>{html.escape(repr(self)[1:-1])}</p>" + html_table(lines)


def shap_values(
    model: Any, rows: Any, *, background: Any = None, threads: int | None = None, engine: str = "core"
) -> Contributions:
    """Exact Shapley values of what a tree, a forest or an estimator says of rows.

    `background`: rows that stand for what is not known (a table of some tens or hundreds); without them the training
    weights that the tree keeps are used.
    """
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}; got {short_repr(engine)}.", option="engine")
    found = additive_model(model)
    columns = columns_of(found.schema, rows)
    told = _told(found, columns, threads)
    n = walk.n_rows_of(columns)
    if background is None:
        games = tuple(game_of(member) for member in found.members)
        base = found.start.copy()
        for game, member in zip(games, found.members, strict=True):
            base[member.output : member.output + game.values.shape[1]] += game.base()
        values = _by_paths(found, games, columns, n, threads, engine)
        name = "path-dependent"
    else:
        others, weights = _background(found, background)
        base = weights @ _told(found, others, threads)
        values = _by_background(found, columns, n, others, weights, threads, engine)
        name = "interventional"
    return Contributions(found.schema, values, base, told, found.outputs, found.scale, name, tuple(columns))


def _background(model: AdditiveModel, given: Any) -> tuple[tuple[Column, ...], Floats]:
    columns = columns_of(model.schema, given)
    n = walk.n_rows_of(columns)
    weights = given.weights if isinstance(given, Table) and given.weights is not None else np.ones(n)
    if not n or not weights.sum() > 0:
        raise InputError("The background has no rows.")
    return columns, np.ascontiguousarray(weights / weights.sum())


def _told(model: AdditiveModel, columns: tuple[Column, ...], threads: int | None) -> Floats:
    """The members' values added up, on the scale of the model's outputs."""
    out = np.tile(model.start, (walk.n_rows_of(columns), 1))
    for member in model.members:
        ends = walk.row_ends(member.tree, columns, threads=threads)[0]
        told = walk.values_at(member.tree, columns, ends, node_table=member.values, threads=threads)
        out[:, member.output : member.output + told.shape[1]] += told
    return out


def _explained_width(model: AdditiveModel) -> int:
    """Shares add up to 1 whatever happens, so the last class needs no work of its own."""
    return model.width - 1 if model.scale.startswith("share") else model.width


def _completed(model: AdditiveModel, values: Floats) -> Floats:
    if model.scale.startswith("share"):
        values[:, :, -1] = -values[:, :, :-1].sum(axis=2)
    return values


def _by_paths(
    model: AdditiveModel, games: tuple[Game, ...], columns: tuple[Column, ...], n: int, threads: int | None, engine: str
) -> Floats:
    out = np.zeros((n, len(columns), model.width))
    if engine == "python":
        for game, member in zip(games, model.members, strict=True):
            for row in range(n):
                part = reference_shap.path_dependent(game, columns, row)
                out[row, :, member.output : member.output + part.shape[1]] += part
        return out
    from hornbeam import _native

    width = _explained_width(model)
    made = _native_games(model, games, width)
    for game, each in zip(games, made, strict=True):
        if each.most_sets > _MOST_SETS:
            raise InputError(
                f"A path of this tree asks {each.most_sets} different sets of several columns; contributions are "
                f"worked out for at most {_MOST_SETS}.",
                hint="Explain against a background, or prune the tree.",
                nodes=len(game.tree),
            )
    points = [gauss_points(each.most_players) for each in made]
    _native.explain_by_paths(made, _arrays(columns), points, out, thread_count(threads))
    return _completed(model, out)


def _by_background(
    model: AdditiveModel,
    columns: tuple[Column, ...],
    n: int,
    background: tuple[Column, ...],
    weights: Floats,
    threads: int | None,
    engine: str,
) -> Floats:
    out = np.zeros((n, len(columns), model.width))
    if engine == "python":
        for member in model.members:
            place = slice(member.output, member.output + member.values.shape[1])
            for row in range(n):
                out[row, :, place] += reference_shap.interventional(
                    member.tree, member.values, columns, row, background, weights
                )
        return out
    from hornbeam import _native

    games = tuple(game_of(member) for member in model.members)
    most = max((int(np.diff(game.set_start).max(initial=1)) for game in games), default=1)
    if most > _MOST_TERMS:
        raise InputError(
            f"A question of this tree is about {most} columns: too many mixtures of two rows (at most {_MOST_TERMS}).",
            hint="Leave the background out: path-dependent contributions have no such limit.",
        )
    made = _native_games(model, games, _explained_width(model))
    _native.explain_by_background(made, _arrays(columns), _arrays(background), weights, out, thread_count(threads))
    return _completed(model, out)


def _native_games(model: AdditiveModel, games: tuple[Game, ...], width: int) -> list[Any]:
    return [
        native_game(game, model, member, min(width - member.output, game.values.shape[1]))
        for game, member in zip(games, model.members, strict=True)
    ]


def _arrays(columns: tuple[Column, ...]) -> list[npt.NDArray[Any]]:
    return [column.values for column in columns]
