"""The page's walk (web/src/report/walk.ts) gives the nodes and predictions of the reference walk; it runs in node."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests.unit.tree.example_trees import golf_rows, golf_tree, grown

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.table.column import ColumnSpec, Kind, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree import reference_walk
from hornbeam.tree.nodes import ALL_BRANCHES
from hornbeam.tree.questions import Threshold

WEB = Path(__file__).resolve().parents[2] / "web"
ESBUILD = WEB / "node_modules/.bin/esbuild"

if not ESBUILD.exists() or shutil.which("node") is None:
    pytest.skip("node and the page's packages are not installed", allow_module_level=True)

RUN = """
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(input.values) }) };
const { walk } = require(process.argv[2]);
const first = input.values.nodes.first;
console.log(JSON.stringify(input.rows.map((row) => walk(row, (node) => first[node] < 0))));
"""


@pytest.fixture(scope="module")
def walk_page(tmp_path_factory):
    """A function that walks rows (lists of numbers, codes and None) of a tree's report."""
    folder = tmp_path_factory.mktemp("walk")
    bundle, script = folder / "walk.cjs", folder / "run.cjs"
    options = ["--bundle", "--format=cjs", "--platform=node", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run([str(ESBUILD), str(WEB / "src/report/walk.ts"), *options], check=True)
    script.write_text(RUN, encoding="utf-8")

    def run(tree, rows):
        page = report(tree).html
        values = json.loads(re.search(r'id="values">(.*?)</script>', page, re.DOTALL)[1])
        given = json.dumps({"values": values, "rows": rows})
        done = subprocess.run(
            ["node", str(script), str(bundle)], input=given, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    return run


def as_rows(columns):
    """The rows of columns as the page has them: None for a missing value."""
    missing = np.array([column.is_missing for column in columns]).T
    values = np.array([column.values.astype(float) for column in columns]).T
    return [
        [None if gone else float(value) for value, gone in zip(row, lost, strict=True)]
        for row, lost in zip(values, missing, strict=True)
    ]


def assert_same(tree, columns, found):
    predicted = hb.predict(tree, columns)
    for row, walked in enumerate(found):
        assert walked["path"][-1] == predicted.nodes[row], row
        assert walked["values"] == pytest.approx(predicted.values[row].tolist(), rel=1e-5, abs=1e-9), row


@pytest.mark.parametrize("missing", ["surrogates", "fractional", "learned", "own_branch", "skip_column"])
def test_the_page_predicts_as_the_tree_for_every_missing_strategy(walk_page, missing):
    table = hb.datasets.load("penguins")
    rng = np.random.default_rng(1)
    columns = [
        column.take(np.arange(len(table)))
        if column.levels
        else numeric(column.name, np.where(rng.random(len(table)) < 0.3, np.nan, column.values))
        for column in table.columns
    ]
    table = Table(tuple(columns), table.target)
    tree = hb.grow(table, hb.recipe("cart").with_changes(missing=missing))
    assert_same(tree, table.columns, walk_page(tree, as_rows(table.columns)))


def test_parts_of_a_fractional_row_below_a_millionth_are_dropped_and_the_rest_is_scaled_up(walk_page):
    schema = Schema((ColumnSpec("a", Kind.NUMERIC), ColumnSpec("b", Kind.NUMERIC)), ColumnSpec("y", Kind.NUMERIC))
    # Of a missing value, 1 part in 2,000,001 goes to a leaf whose prediction is a million times as large.
    below = (Threshold(1, 0.0), [[1.0, 4e6, 0.0], [2e6, 1.0, 0.0]], ALL_BRANCHES)
    tree = grown(schema, (Threshold(0, 0.0), [below, [2e6, 5.0, 0.0]], ALL_BRANCHES))
    rows = (numeric("a", [np.nan, -1.0, np.nan]), numeric("b", [np.nan, np.nan, -1.0]))
    found = walk_page(tree, as_rows(rows))
    assert_same(tree, rows, found)
    assert found[1]["values"] == [1.0]  # and not 1 + 4e6 / 2,000,001
    assert len(reference_walk.parts_of_row(tree, rows, 0)) == 2
    assert found[1]["steps"] == ["outcome", "fractional"]


def test_the_example_tree_of_c45_is_walked_alike(walk_page):
    tree, rows = golf_tree(), golf_rows([0, 1, 2, -1], [80.0, 70.0, np.nan, 90.0])
    assert_same(tree, rows, walk_page(tree, as_rows(rows)))
