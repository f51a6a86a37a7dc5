"""Models with rows that test an export: every kind of model, missing and unseen values, neighbors of every cut."""

from __future__ import annotations

import datetime
from functools import cache
from typing import Any

import numpy as np
from tests.exporting.runners import Case, Found, text_of

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.model import ForestModel, form_columns
from hornbeam.table.column import Column, Kind, nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree import forest_walk
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, Plane

UNSEEN = "a level never seen"


def mixed_table(n: int = 240, seed: int = 3, classes: int = 3, *, counts: bool = False, number: bool = False) -> Table:
    """Numbers, ordinal and nominal columns with missing values, and a target that depends on them."""
    generator = np.random.default_rng(seed)
    x, y = generator.normal(size=n).round(2), generator.exponential(size=n) * 10
    grade, color = generator.integers(0, 4, n), generator.integers(0, 5, n)
    signal = x + 0.1 * y + 0.7 * grade - (color == 2) * 2.0 + generator.normal(size=n) * 0.3
    columns = [
        numeric("size", np.where(generator.random(n) < 0.15, np.nan, x)),
        numeric('width "in" mm', np.where(generator.random(n) < 0.1, np.nan, y)),
        ordinal(
            "grade", np.where(generator.random(n) < 0.1, -1, grade).astype(np.int32), ("low", "mid", "high", "top")
        ),
        nominal(
            "color", np.where(generator.random(n) < 0.1, -1, color).astype(np.int32), ("red", "it's", "blue", "ü", "e")
        ),
    ]
    if counts or number:
        values = np.floor(np.exp(np.clip(signal, -2, 3))) if counts else signal
        return Table(tuple(columns), numeric("target", values))
    codes = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1])).astype(np.int32)
    return Table(tuple(columns), nominal("target", codes, ("a", "b's", "c", "d")[:classes]))


def hostile_table(n: int = 120) -> Table:
    """Names and levels that are reserved, equal as identifiers, or would end a text, a comment or a statement."""
    generator = np.random.default_rng(6)
    levels = (
        '"; exit(1); //',
        "*/ int x; /*",
        "\\u000a }",
        "it's",
        "line\nbreak",
        "ß 木 \u202e",
        "%s {0} ${x} ??/",
        "",
    )
    names = ["a b", "a-b", "int", "class", "1x", "__proto__", "x", "CHILD", 'q"\\*/', "new\nline"]
    values = generator.normal(size=(n, len(names))).round(1)
    code = generator.integers(0, len(levels), n).astype(np.int32)
    signal = values.sum(axis=1) + np.array([3.0, -3.0, 2.0, -2.0, 1.0, -1.0, 0.5, 0.0])[code]
    columns = [numeric(name, values[:, i]) for i, name in enumerate(names)]
    columns.append(nominal("constructor", code, levels))
    return Table(tuple(columns), nominal("y", (signal > 0).astype(np.int32), levels[:2]))


def typed_case() -> tuple[Any, tuple[Column, ...]]:
    """A tree whose classes are integers and whose levels are integers, floats, booleans and dates."""
    generator = np.random.default_rng(8)
    codes = [generator.integers(0, 3, 90).astype(np.int32) for _ in range(4)]
    codes[2] = np.minimum(codes[2], 1)
    dates = tuple(datetime.date(2024, 2, day) for day in (27, 28, 29))
    kinds = [(10, 20, 30), (0.5, 1.5, 2.5), (False, True), dates]
    columns = tuple(nominal(f"c{i}", each, levels) for i, (each, levels) in enumerate(zip(codes, kinds, strict=True)))
    target = ((codes[0] + codes[1] + 2 * codes[2] + codes[3]) % 3).astype(np.int32)
    tree = hb.grow(Table(columns, nominal("y", target, (0, 1, 2))))
    return tree, columns


def rows_of(model: Any, columns: tuple[Column, ...]) -> list[dict[str, Any]]:
    """The rows of columns as dicts by column name; None for a missing value."""
    lists = []
    for column in columns:
        values = column.values.tolist()
        if column.kind is Kind.NUMERIC:
            lists.append([None if np.isnan(value) else value for value in values])
        else:
            levels = dict(enumerate(column.levels)) | {-1: None, -2: UNSEEN}
            lists.append([levels[code] for code in values])
    names = export_model(model).schema.names
    return [dict(zip(names, values, strict=True)) for values in zip(*lists, strict=True)]


def near_rows(model: Any, table: Table, n: int = 40, seed: int = 0) -> tuple[Column, ...]:
    """Rows of the table, then rows with neighbors of every cut, missing values and unseen levels."""
    exported = export_model(model)
    generator = np.random.default_rng(seed)
    cuts: dict[int, set[float]] = {}
    for route in exported.routes():
        for form in (route.form, *(form for form, _ in route.surrogates)):
            _collect(form, cuts)
    new = []
    most = max((len(found) for found in cuts.values()), default=1)
    size = min(3 * most, 200) + n
    for position, column in enumerate(table.columns):
        values = column.values[generator.integers(0, len(table), size)].copy()
        if column.kind is Kind.NUMERIC:
            near = [f(cut) for cut in sorted(cuts.get(position, ())) for f in (_same, _below, _above)][:size]
            values[: len(near)] = near
        else:
            values[generator.random(size) < 0.15] = -2
        missing = generator.random(size) < 0.1
        missing[: size - n] = False
        values[missing] = np.nan if column.kind is Kind.NUMERIC else -1
        new.append(Column(column.name, column.kind, generator.permutation(values), column.levels))
    return tuple(new)


def _same(cut: float) -> float:
    return cut


def _below(cut: float) -> float:
    return float(np.nextafter(cut, -np.inf))


def _above(cut: float) -> float:
    return float(np.nextafter(cut, np.inf))


def _collect(form: Form, cuts: dict[int, set[float]]) -> None:
    if isinstance(form, Cuts):
        cuts.setdefault(form.column, set()).update(form.cuts)
    elif isinstance(form, Junction):
        for literal, _ in form.literals:
            _collect(literal, cuts)
    elif isinstance(form, (Plane, Ball)) and form.fill:
        for column, fill in zip(form_columns(form), form.fill, strict=True):
            cuts.setdefault(column, set()).add(fill)


def expected(model: Any, columns: tuple[Column, ...]) -> list[Found | None]:
    """The predictions of hornbeam, one row at a time if the model rejects some."""
    found = getattr(model, "tree_", None) or getattr(model, "forest_", None) or getattr(model, "rules_", None) or model
    try:
        return _expected(found, columns)
    except InputError:
        out: list[Found | None] = []
        for row in range(len(columns[0])):
            try:
                out += _expected(found, tuple(column.take(np.array([row])) for column in columns))
            except InputError:
                out.append(None)
        return out


def _expected(model: Any, columns: tuple[Column, ...]) -> list[Found | None]:
    if not len(columns[0]):
        return []
    exported = export_model(model)
    prediction = model.predict(list(columns))
    scores: Any = [()] * len(prediction)
    if isinstance(exported, ForestModel) and exported.combine == "sum":
        scores = forest_walk.forest_totals(model, columns).totals.tolist()
    labels = [text_of(exported.classes[code]) for code in prediction.codes] if exported.classes else None
    return [
        Found(labels[row] if labels else None, tuple(values), tuple(scores[row]))
        for row, values in enumerate(prediction.values.tolist())
    ]


@cache
def nested_cases() -> list[tuple[Case, list[Found | None]]]:
    """Nested dichotomies of trees and of boosted models, with their rows and predictions."""
    generator = np.random.default_rng(4)
    X = generator.normal(size=(160, 3)).round(2)
    y = np.array(["a", "b", "c", "d"])[np.digitize(X[:, 0] + X[:, 1] * X[:, 2], [-0.6, 0.0, 0.6])]
    X[generator.random(X.shape) < 0.08] = np.nan
    found = []
    for base in (hb.TreeClassifier(), hb.BoostedClassifier(max_iter=3), hb.ForestClassifier(n_estimators=3)):
        model = hb.estimators.NestedDichotomyClassifier(base, random_state=0).fit(X, y)
        names = export_model(model).schema.names
        rows = [{n: None if np.isnan(v) else v for n, v in zip(names, row, strict=True)} for row in X.tolist()]
        labels, values = model.predict(X), model.predict_proba(X)
        wanted: list[Found | None] = [
            Found(text_of(str(label)), tuple(each)) for label, each in zip(labels, values.tolist(), strict=True)
        ]
        found.append(((model, rows), wanted))
    found.append(_nested_with_levels())
    return found


def _nested_with_levels() -> tuple[Case, list[Found | None]]:
    """A nested dichotomy whose binary classifiers have seen different levels."""
    import pandas as pd

    kinds = ["oak", "elm", "fir", "yew"]
    frame = pd.DataFrame({"tree": kinds * 10, "size": np.arange(40) % 7 + 0.5})
    y = np.array(["a", "b", "c", "d"])[(np.arange(40) % 4 + (np.arange(40) % 7 > 4)) % 4]
    model = hb.estimators.NestedDichotomyClassifier(hb.TreeClassifier(), random_state=0).fit(frame, y)
    labels, values = model.predict(frame), model.predict_proba(frame).tolist()
    wanted: list[Found | None] = [
        Found(text_of(str(label)), tuple(each)) for label, each in zip(labels, values, strict=True)
    ]
    return (model, frame.to_dict("records")), wanted


@cache
def small_cases() -> dict[str, Case]:
    """One model of each kind on small tables, with rows near its cuts."""
    return {name: case(model, table) for name, (model, table) in models().items()}


def case(model: Any, table: Table) -> tuple[Any, tuple[Column, ...]]:
    """A model with its rows, as columns."""
    return model, near_rows(model, table)


@cache
def models() -> dict[str, tuple[Any, Table]]:
    """The models of `small_cases` with their training tables."""
    hostile = hostile_table()
    three, two = mixed_table(), mixed_table(classes=2, seed=5)
    number, counts = mixed_table(number=True), mixed_table(counts=True)
    small = [{"name": "max_depth", "depth": 4}]
    recipe = hb.recipe("plain").with_changes(stops=small, missing="skip_column")
    found: dict[str, tuple[Any, Table]] = {"cart": (hb.grow(three, "cart"), three)}
    for missing in ("surrogates", "fractional", "learned", "own_branch"):
        found[missing] = (hb.grow(three, recipe.with_changes(missing=missing)), three)
    for unseen in ("majority", "stay", "error"):
        found[f"unseen {unseen}"] = (hb.grow(three, recipe.with_changes(unseen=unseen)), three)
    found["hostile"] = (hb.grow(hostile, hb.recipe("plain").with_changes(missing="surrogates")), hostile)
    found["c45"] = (hb.grow(three, "c45"), three)
    found["regression"] = (
        hb.grow(number, hb.recipe("plain").with_changes(stops=small, missing="skip_column", criterion="squared_error")),
        number,
    )
    found["shrinkage"] = (hb.grow(three, recipe.with_changes(missing="surrogates", probabilities="shrinkage")), three)
    found["forest"] = (hb.forest(three, recipe, n_trees=7, seed=1), three)
    found["votes"] = (hb.forest(three, recipe, n_trees=5, combine="vote", seed=1), three)
    found["regression forest"] = (
        hb.forest(
            number,
            hb.recipe("plain").with_changes(criterion="squared_error", missing="skip_column", stops=small),
            n_trees=4,
            seed=2,
        ),
        number,
    )
    found["adaboost"] = (hb.adaboost(three, n_trees=6), three)
    found["boosted 2"] = (hb.boost(two, n_rounds=8, max_leaves=6), two)
    found["boosted 3"] = (hb.boost(three, n_rounds=4, max_leaves=6), three)
    found["boosted number"] = (hb.boost(number, n_rounds=6, max_leaves=6), number)
    found["boosted counts"] = (hb.boost(counts, n_rounds=6, max_leaves=5, loss="poisson"), counts)
    found["rules"] = (hb.extract_rules(found["cart"][0]), three)
    found["rules vote"] = (hb.extract_rules(hb.grow(three, recipe)).replace(predict_by="vote"), three)
    return found
