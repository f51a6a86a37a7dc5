"""Round trips of exported models in the programs that run them: `make test-exports`.

    python -m tests.exporting.run [--examples N] [--only TARGET] [--write docs/guides/export/results.md]

Every target predicts all rows of ten tables, rows with neighbors of every cut, missing values and unseen levels, by
models of every kind; then rows of random trees that Hypothesis draws. A table reports what ran; `--write` stores it as
a page. The exit code is 1 if a prediction differs, and 3 if a target was skipped because its program is not installed.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.exporting import databases, exchange, runners
from tests.exporting.cases import expected, mixed_table, models, near_rows, nested_cases, rows_of
from tests.exporting.runners import Case, Found, Results
from tests.strategies import trees_with_rows

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.exporting.conversion import export_model
from hornbeam.exporting.formats import formats
from hornbeam.table.column import Column
from hornbeam.table.table import Table

MAX_ULP = 2.0  # of values; labels and raw scores are equal
MAX_NUMBER = 1e100  # in random rows of databases: PostgreSQL rejects a sum that overflows
HEAD = ("target", "version", "models", "refused", "rows", "differ", "ulp", "time", "outcome")
_PAGE = """# Export: results of the round trips

Written by `make test-exports EXPORTS="--write docs/guides/export/results.md"`; with `--only`, other targets keep their
last row. Every target predicts all rows of ten
tables, rows directly below, at and above every cut, missing values and unseen levels, by models of every kind, then by
random trees (databases and PMML: those without numbers beyond 1e100, whose sums overflow in some databases).

- *refused*: models that the format cannot express;
- *differ*: rows with another label, another raw score or a probability more than 2 units in the last place away;
- *ulp*: the largest difference of a value. onnxruntime and JPMML compute probabilities with their own exponential
  function: their units are those at 1, and classes of equal probability may be in another order.

"""


@dataclasses.dataclass(frozen=True)
class Target:
    """A program that runs an exported format."""

    format_name: str
    run: Callable[..., Results]
    version: tuple[str, ...]
    settings: dict[str, Any] = dataclasses.field(default_factory=dict)
    is_absolute: bool = False  # probabilities are compared by the spacing at 1: 1 - p of another e^x


def _version_of(package: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import {package} as found; print(found.__name__, found.__version__)")


TARGETS = {
    "Python, conditions": Target("python", runners.in_python, (sys.executable, "--version"), {"style": "unrolled"}),
    "Python, tables": Target("python", runners.in_python, (sys.executable, "--version"), {"style": "tables"}),
    "C99, conditions": Target("c", runners.in_c, ("gcc", "--version"), {"style": "unrolled"}),
    "C99, tables": Target("c", runners.in_c, ("gcc", "--version"), {"style": "tables"}),
    "C99, masks": Target("c", runners.in_c, ("gcc", "--version"), {"style": "masks"}),
    "Java, conditions": Target("java", runners.in_java, ("javac", "-version"), {"style": "unrolled"}),
    "Java, tables": Target("java", runners.in_java, ("javac", "-version"), {"style": "tables"}),
    "JavaScript, conditions": Target("javascript", runners.in_javascript, ("node", "--version"), {"style": "unrolled"}),
    "JavaScript, tables": Target("javascript", runners.in_javascript, ("node", "--version"), {"style": "tables"}),
    "SQLite": Target(
        "sql", databases.in_sqlite, (sys.executable, "-c", "import sqlite3; print(sqlite3.sqlite_version)")
    ),
    "DuckDB": Target("sql", databases.in_duckdb, (sys.executable, "-c", "import duckdb; print(duckdb.__version__)")),
    "PostgreSQL": Target("sql", databases.in_postgres, ("psql", "--version")),
    "MariaDB": Target("sql", databases.in_mariadb, ("mariadbd", "--version")),
    "onnxruntime": Target("onnx", exchange.in_onnxruntime, _version_of("onnxruntime"), is_absolute=True),
    "JPMML": Target("pmml", exchange.in_jpmml, _version_of("jpmml_evaluator"), is_absolute=True),
}


@dataclasses.dataclass
class Tally:
    """What a target has run."""

    models: int = 0
    refused: int = 0
    rows: int = 0
    wrong: int = 0
    ulp: float = 0.0
    seconds: float = 0.0
    skipped: str = ""

    def add(self, results: list[Found | None], wanted: list[Found | None], is_absolute: bool = False) -> None:
        """Compare the predictions of one model."""
        self.models += 1
        self.rows += len(wanted)
        assert len(results) == len(wanted)
        for one, other in zip(results, wanted, strict=True):
            if one is None or other is None:
                self.wrong += one is not other
                continue
            right = np.array(other.values)
            unit = np.spacing(np.maximum(np.abs(right), 1.0) if is_absolute else np.abs(right))
            ulp = float(np.max(np.abs(np.array(one.values) - right) / unit))
            self.ulp = max(self.ulp, ulp)
            has_scores = one.scores == () or one.scores == other.scores
            # Scoring engines break ties between classes in their own order.
            is_tie = is_absolute and np.count_nonzero(right >= right.max() - MAX_ULP * np.spacing(1.0)) > 1
            self.wrong += not (is_tie or one.label == other.label) or not has_scores or not ulp <= MAX_ULP


def ten_tables() -> Iterator[tuple[str, Table]]:
    """The tables: built-in data, and tables with missing values in all kinds of columns."""
    for name in ("play_tennis", "fruit", "contact_lenses", "iris", "penguins", "breast_cancer", "prostate"):
        yield name, hb.datasets.load(name)
    yield "three classes", mixed_table(400, seed=11)
    yield "four classes", mixed_table(400, seed=12, classes=4)
    yield "number", mixed_table(400, seed=13, number=True)


def table_models(table: Table) -> Iterator[Any]:
    """Models of one table."""
    small = {"name": "max_depth", "depth": 6}
    if not table.schema.is_class:
        recipe = hb.recipe("plain").with_changes(criterion="squared_error", stops=[small])
        yield hb.grow(table, recipe)
        yield hb.grow(table, recipe.with_changes(missing="fractional"))
        yield hb.forest(table, recipe, n_trees=5, seed=1)
        yield hb.boost(table, n_rounds=10, max_leaves=8)
        return
    for name in ("cart", "c45", "id3"):
        try:
            yield hb.grow(table, name)
        except HornbeamError:  # id3 has no questions about numbers and accepts no missing values
            continue
    recipe = hb.recipe("plain").with_changes(stops=[small])
    yield hb.grow(table, recipe.with_changes(missing="fractional"))
    yield hb.grow(table, recipe.with_changes(missing="own_branch", unseen="majority"))
    yield hb.forest(table, recipe, n_trees=8, seed=1)
    yield hb.boost(table, n_rounds=8, max_leaves=8)
    yield hb.adaboost(table, n_trees=5)
    yield hb.extract_rules(hb.grow(table, recipe))


def all_cases() -> Iterator[tuple[str, list[tuple[Case, list[Found | None]]]]]:
    """Groups of models with rows and predictions: per table, of every kind of model, nested dichotomies."""
    for name, table in ten_tables():
        yield name, [_case(model, _both(table.columns, near_rows(model, table))) for model in table_models(table)]
    yield "kinds of models", [_case(model, near_rows(model, table, n=80, seed=7)) for model, table in models().values()]
    yield "nested dichotomies", nested_cases()


def _both(one: tuple[Column, ...], other: tuple[Column, ...]) -> tuple[Column, ...]:
    pairs = zip(one, other, strict=True)
    return tuple(Column(a.name, a.kind, np.concatenate([a.values, b.values]), a.levels) for a, b in pairs)


def _case(model: Any, columns: tuple[Column, ...]) -> tuple[Case, list[Found | None]]:
    return (model, rows_of(model, columns)), expected(model, columns)


def run_target(target: Target, groups: list[tuple[str, list[Any]]], examples: int) -> Tally:
    """All cases of one target."""
    tally = Tally()
    start = time.perf_counter()
    try:
        for name, cases in groups:
            _run_group(target, name, cases, tally)
        if examples:
            _run_random(target, tally, examples)
    except pytest.skip.Exception as reason:
        tally.skipped = str(reason)
    tally.seconds = time.perf_counter() - start
    return tally


def _run_group(target: Target, name: str, cases: list[tuple[Case, list[Found | None]]], tally: Tally) -> None:
    accepted = formats.part_class(target.format_name)(
        **{key: value for key, value in target.settings.items() if key in ("style", "dialect")}
    )
    possible = [each for each in cases if not accepted.unsupported(export_model(each[0][0]))]
    tally.refused += len(cases) - len(possible)
    with tempfile.TemporaryDirectory() as folder:
        results = target.run([case for case, _ in possible], Path(folder), **target.settings)
    wrong = tally.wrong
    for found, (_, wanted) in zip(results, possible, strict=True):
        tally.add(found, wanted, target.is_absolute)
    if tally.wrong > wrong:
        print(f"  {name}: {tally.wrong - wrong} rows differ")


def _run_random(target: Target, tally: Tally, examples: int) -> None:
    """Random trees that Hypothesis draws, many per run of the program."""
    is_bounded = target.format_name in ("sql", "pmml")
    policies = ("as_missing", "majority", "stay", "error")

    @given(st.lists(trees_with_rows(unseen=policies), min_size=examples, max_size=examples))
    @settings(
        max_examples=3, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    def check(drawn: list[Any]) -> None:
        cases = []
        for tree, columns in drawn:
            is_large = any((np.abs(column.values) > MAX_NUMBER).any() for column in columns if not column.levels)
            if not (is_bounded and is_large):
                cases.append(_case(tree, columns))
        _run_group(target, "random trees", cases, tally)

    check()


def version_of(target: Target) -> str:
    """The version that a program prints."""
    if shutil.which(target.version[0]) is None:
        return "not installed"
    done = subprocess.run(target.version, capture_output=True, text=True)
    return (done.stdout or done.stderr).splitlines()[0][:40]


def page(lines: list[tuple[str, ...]], before: str = "") -> str:
    """The table as a page of the documentation; targets that did not run keep their rows of the page before."""
    known = [tuple(line.strip("| ").split(" | ")) for line in before.splitlines() if line.startswith("| ")]
    found = {row[0]: row for row in [*known, *(line[:-2] + line[-1:] for line in lines)]}
    rows = [HEAD[:-2] + HEAD[-1:], ("---",) * (len(HEAD) - 1), *(found[name] for name in TARGETS if name in found)]
    return _PAGE + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main() -> int:
    """Run the targets and print the table."""
    parser = argparse.ArgumentParser(description="Round trips of exported models.")
    parser.add_argument("--examples", type=int, default=20, help="random trees per run of a program")
    parser.add_argument("--only", default="", help="run the targets whose name contains this text")
    parser.add_argument("--write", type=Path, help="the page that the table is written to")
    args = parser.parse_args()
    groups = list(all_cases())
    lines, code = [], 0
    for name, target in TARGETS.items():
        if args.only.lower() not in name.lower():
            continue
        tally = run_target(target, groups, args.examples)
        outcome = f"skipped: {tally.skipped}" if tally.skipped else "failed" if tally.wrong else "equal"
        code = 1 if tally.wrong or code == 1 else 3 if tally.skipped else code
        lines.append(
            (
                name,
                version_of(target),
                str(tally.models),
                str(tally.refused),
                str(tally.rows),
                str(tally.wrong),
                f"{tally.ulp:.0f}",
                f"{tally.seconds:.0f} s",
                outcome,
            )
        )
        print(f"{name}: {outcome}", flush=True)
    widths = [max(len(line[index]) for line in [HEAD, *lines]) for index in range(len(HEAD))]
    for line in [HEAD, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if args.write is not None:
        before = args.write.read_text("utf-8") if args.write.exists() else ""
        args.write.write_text(page(lines, before), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
