"""Contribution of each column to a prediction: exact Shapley values.

    prediction = base + sum over columns of contribution                          (up to rounding)

There are two games (games.py). Without a background, columns outside the coalition follow the training rows (path-
dependent); the base is the mean of the leaves. With `background` rows, they have the values of these rows
(interventional); the base is the mean prediction of these rows.

    questions about one column   Gaussian quadrature, sixteen rows in parallel, O(nodes * columns on a path / 2) per row
    about several columns        the outcome is known when all of them are in the coalition; per leaf, times 2 to the
                                 number of different sets on a path. With a background, the mixture of the two rows is
                                 routed.

The contributions of a forest are the weighted sum of those of its trees; boosted models are explained before the link
function. Parts of a fractional row below 1e-6, which prediction drops, are included here.
"""

from __future__ import annotations

import dataclasses
import html
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, OptionError, Set, did_you_mean, short_repr
from hornbeam.explanation import reference_shap
from hornbeam.explanation.games import Game, game_of, gauss_points, native_game
from hornbeam.explanation.models import SUMS_TO_ONE, AdditiveModel, Floats, additive_model
from hornbeam.number_text import short_number_text, signed_text
from hornbeam.options import thread_count
from hornbeam.ordered_sum import ordered_sum
from hornbeam.table.column import Column
from hornbeam.table.table import Schema
from hornbeam.tree import walk
from hornbeam.tree.model_table import model_table
from hornbeam.tree.text import printable
from hornbeam.tree.text_tables import aligned_text, html_table

ENGINES = ("core", "python")
_MAX_SETS = 16
_MAX_TERMS = 16


@dataclasses.dataclass(frozen=True, eq=False)
class Contributions:
    """The contribution of every column to the prediction of every row.

    `values` is (rows, columns, outputs), `base` has one number per output, and `prediction` (rows, outputs) is the sum
    of base and contributions. Outputs are the classes, or the one number; `scale` is their unit. `data` are the rows,
    so that a contribution can be printed with its value.
    """

    schema: Schema
    values: Floats
    base: Floats
    prediction: Floats
    outputs: tuple[str, ...]
    scale: str
    game: str
    data: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.values)

    def output(self, name: Any = None) -> int:
        """The index of an output by name; by default the last one (the second of two classes)."""
        if name is None:
            return len(self.outputs) - 1
        if str(name) not in self.outputs:
            raise InputError(f"Unknown output {short_repr(name)}.", hint=did_you_mean(str(name), self.outputs))
        return self.outputs.index(str(name))

    def of(self, row: int, output: Any = None) -> dict[str, float]:
        """The contributions of one row by column name, largest first."""
        self._check_row(row)
        found = self.values[row, :, self.output(output)]
        order = np.argsort(-np.abs(found), kind="stable")
        return {self.schema.names[c]: float(found[c]) for c in order.tolist()}

    def _check_row(self, row: int) -> None:
        if not 0 <= row < len(self):
            raise InputError(f"row must be between 0 and {len(self) - 1}, got {short_repr(row)}.", row=row)

    def strength(self, output: Any = None) -> dict[str, float]:
        """The mean absolute contribution of every column over the rows, largest first: an importance."""
        index = self.output(output)
        mean = np.abs(self.values[:, :, index]).mean(axis=0) if len(self) else np.zeros(len(self.schema.names))
        order = np.argsort(-mean, kind="stable")
        return {self.schema.names[c]: float(mean[c]) for c in order.tolist()}

    def rows(self, row: int = 0, output: Any = None, most: int | None = None) -> list[list[str]]:
        """One row as a table: column, value, contribution; the columns beyond `most` in one line."""
        index = self.output(output)
        found = [(name, gain) for name, gain in self.of(row, output).items() if gain != 0]
        printed = found if most is None else found[:most]
        lines = [["column", "value", "contribution"]]
        lines.append(["base", "", short_number_text(float(self.base[index]))])
        for name, gain in printed:
            value = self.data[self.schema.position(name)].shown_value(row)
            lines.append([printable(name), printable(value), signed_text(gain)])
        rest = ordered_sum(gain for _, gain in found[len(printed) :])
        if len(found) > len(printed):
            lines.append([f"{len(found) - len(printed)} other columns", "", signed_text(rest)])
        lines.append(["prediction", "", short_number_text(float(self.prediction[row, index]))])
        return lines

    def text(self, row: int = 0, output: Any = None, most: int | None = 20) -> str:
        """The contributions of one row as printed."""
        self._check_row(row)
        name = self.outputs[self.output(output)]
        what = f"{self.scale} of {name}" if self.scale != "number" else name
        return f"Row {row}: {printable(what)}\n{aligned_text(self.rows(row, output, most))}"

    def as_dict(self, row: int, output: Any = None) -> dict[str, Any]:
        """The contributions of one row as JSON values."""
        index = self.output(output)
        return {
            "row": row,
            "output": self.outputs[index],
            "scale": self.scale,
            "game": self.game,
            "base": float(self.base[index]),
            "prediction": float(self.prediction[row, index]),
            "contributions": self.of(row, output),
        }

    def to_shap(self, output: Any = None) -> Any:
        """The contributions as a `shap.Explanation`, for the plots of the package shap, which must be installed.

        `output` selects one output; by default all are included: (rows, columns, outputs), or (rows, columns) if there
        is one output only.
        """
        import shap

        values, base = self.values, np.tile(self.base, (len(self), 1))
        if output is not None or len(self.outputs) == 1:
            index = self.output(output)
            values, base = values[:, :, index], base[:, index]
        shown = [[column.shown_value(row) for column in self.data] for row in range(len(self))]
        numbers = [column.values.astype(np.float64) for column in self.data]
        return shap.Explanation(
            values=values,
            base_values=base,
            data=np.column_stack(numbers) if numbers else np.zeros((len(self), 0)),
            display_data=np.array(shown, dtype=object),
            feature_names=list(self.schema.names),
            output_names=list(self.outputs) if values.ndim == 3 else None,
        )

    def __str__(self) -> str:
        if not len(self):
            return "No rows."
        if len(self) == 1:
            return self.text()
        lines = [["column", "mean absolute contribution"]]
        lines += [[printable(name), short_number_text(size)] for name, size in self.strength().items()]
        return f"Contributions in {len(self):,} rows to {self.outputs[-1]}\n{aligned_text(lines)}"

    def __repr__(self) -> str:
        return f"<Contributions of {len(self.schema.names)} columns in {len(self)} rows, {self.game}>"

    def _repr_html_(self) -> str:
        if not len(self):
            return "<p>No rows.</p>"
        if len(self) == 1:
            return html_table(self.rows(0, most=20))
        lines = [["column", f"mean absolute contribution to {self.outputs[-1]}"]]
        lines += [[name, short_number_text(size)] for name, size in self.strength().items()]
        return f"<p>{html.escape(repr(self)[1:-1])}</p>" + html_table(lines)


def shap_values(
    model: Any, rows: Any, *, background: Any = None, threads: int | None = None, engine: str = "core"
) -> Contributions:
    """Exact Shapley values of the predictions of a tree, a forest, a boosted model or a fitted estimator.

    `rows` is a table, a data frame or anything else that `read` accepts. `background`: rows (some tens or hundreds)
    whose values replace those of columns outside the coalition; by default the training weights of the tree are used.
    """
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}, got {short_repr(engine)}.", option="engine")
    found = additive_model(model)
    columns = model_table(found.schema, rows).columns
    prediction = _predicted(found, columns, threads)
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
        base = weights @ _predicted(found, others, threads)
        values = _by_background(found, columns, n, others, weights, threads, engine)
        name = "interventional"
    return Contributions(found.schema, values, base, prediction, found.outputs, found.scale, name, tuple(columns))


def _background(model: AdditiveModel, given: Any) -> tuple[tuple[Column, ...], Floats]:
    table = model_table(model.schema, given)
    n = walk.n_rows_of(table.columns)
    weights = table.row_weights
    if not n or not weights.sum() > 0:
        raise InputError("The background has no rows.")
    return table.columns, np.ascontiguousarray(weights / weights.sum())


def _predicted(model: AdditiveModel, columns: tuple[Column, ...], threads: int | None) -> Floats:
    """The sum of the terms, on the scale of the model's outputs."""
    out = np.tile(model.start, (walk.n_rows_of(columns), 1))
    for member in model.members:
        ends = walk.row_ends(member.tree, columns, threads=threads)[0]
        values = walk.values_at(member.tree, columns, ends, node_table=member.values, threads=threads)
        out[:, member.output : member.output + values.shape[1]] += values
    return out


def _sums_to_one(model: AdditiveModel) -> bool:
    return model.scale in SUMS_TO_ONE


def _explained_width(model: AdditiveModel) -> int:
    """The number of outputs to compute: where outputs sum to 1, the last one follows from the others."""
    return model.width - 1 if _sums_to_one(model) else model.width


def _completed(model: AdditiveModel, values: Floats) -> Floats:
    if _sums_to_one(model):
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
    native_games = _native_games(model, games, width)
    for game, each in zip(games, native_games, strict=True):
        if each.most_sets > _MAX_SETS:
            raise InputError(
                f"A path of this tree has questions about {each.most_sets} different sets of several columns; "
                f"contributions are computed for at most {_MAX_SETS}.",
                fix=Set("background"),
                hint="or prune the tree.",
                nodes=len(game.tree),
            )
    points = [gauss_points(each.most_players) for each in native_games]
    _native.explain_by_paths(native_games, _arrays(columns), points, out, thread_count(threads))
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
            outputs = slice(member.output, member.output + member.values.shape[1])
            for row in range(n):
                out[row, :, outputs] += reference_shap.interventional(
                    member.tree, member.values, columns, row, background, weights
                )
        return out
    from hornbeam import _native

    games = tuple(game_of(member) for member in model.members)
    most = max((int(np.diff(game.set_start).max(initial=1)) for game in games), default=1)
    if most > _MAX_TERMS:
        raise InputError(
            f"A question of this tree is about {most} columns; with a background, at most {_MAX_TERMS} are supported.",
            fix=Set("background", None),
            hint="Path-dependent contributions have no such limit.",
        )
    native_games = _native_games(model, games, _explained_width(model))
    _native.explain_by_background(
        native_games, _arrays(columns), _arrays(background), weights, out, thread_count(threads)
    )
    return _completed(model, out)


def _native_games(model: AdditiveModel, games: tuple[Game, ...], width: int) -> list[Any]:
    return [
        native_game(game, model, member, min(width - member.output, game.values.shape[1]))
        for game, member in zip(games, model.members, strict=True)
    ]


def _arrays(columns: tuple[Column, ...]) -> list[npt.NDArray[Any]]:
    return [column.values for column in columns]
