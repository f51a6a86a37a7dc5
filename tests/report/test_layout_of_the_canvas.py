"""The pure functions of the canvas (web/src/shared), run in node: layout, folding, the view, keys, labels of links."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"
ESBUILD = WEB / "node_modules/.bin/esbuild"

if not ESBUILD.exists() or shutil.which("node") is None:
    pytest.skip("node and the page's packages are not installed", allow_module_level=True)

# A source of any shape: `first` and `count` of children per node, and the rows of each.
ENTRY = """
import { layOut, openTo, visibleItems } from "./layout";
import { firstView, fitView, fitZoom, isCardIn, windowOf, withNode, zoomAt } from "./view";
import { actionOf } from "./keys";
import { briefLink, linkWidth } from "./link";
import { number, count, percent } from "./text";

function sourceOf({ first, counts, rows }) {
  const children = (node) => (first[node] < 0 ? [] : Array.from({ length: counts[node] }, (_, b) => first[node] + b));
  const heading = (node) => ({ title: `column ${node}`, corner: String(rows[node]) });
  const card = (node) => ({ ...heading(node), label: "" });
  const link = (node) => ({ parts: [`> ${node}`], isMissing: false });
  const rowsOf = (node) => rows[node];
  return { childrenOf: children, rows: rowsOf, heading, card, link, leavesBelow: () => 0, hasNotes: false };
}
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const source = sourceOf(input.tree);
const fold = (depth) => ({ open: openTo(source, depth).open, ungrouped: new Set() });
const out = {};
for (const direction of ["down", "right"]) {
  const layout = layOut(source, fold(99), direction);
  out[direction] = layout.placed.map(({ item, x, y, width, height }) => [item.id, x, y, width, height]);
  const size = { width: 900, height: 700 };
  const view = fitView(layout, size);
  const seen = windowOf(view, size, 0);
  out[`${direction} in view`] = layout.placed.filter((at) => isCardIn(at, seen)).length;
  const last = layout.placed[layout.placed.length - 1];
  const near = withNode(zoomAt(view, 8, { x: 0, y: 0 }), last, size);
  out[`${direction} zoomed`] = isCardIn(last, windowOf(near, size, 0));
}
const small = firstView(source, 99, { width: 390, height: 500 });
const wide = firstView(source, 99, { width: 1400, height: 800 });
out.depths = [small.depth, wide.depth];
const drawn = layOut(source, { open: small.open, ungrouped: new Set() }, small.direction);
out.fits = [fitZoom(drawn, { width: 390, height: 500 }) >= 0.7];
out.groups = visibleItems(source, fold(99)).all.filter((each) => each.group).map((each) => each.group);
const layout = layOut(source, fold(99), "down");
const keys = ["ArrowDown", "ArrowUp", "ArrowRight", "Home", "x"];
out.keys = keys.map((key) => actionOf(key, layout, layout.placed[1], true));
out.labels = [500, 60].map((width) => briefLink({ parts: ["Asia", "Europe", "Africa"] }, width));
out.widths = [linkWidth(100, 100), linkWidth(25, 100), linkWidth(0, 100)];
out.texts = [number(157500, 6), number(2007.5, 6), number(-0.000123462), count(1234567), count(12), percent(0.999)];
console.log(JSON.stringify(out));
"""


def binary(depth):
    """A tree of two branches everywhere, numbered by level."""
    n = 2 ** (depth + 1) - 1
    inner = 2**depth - 1
    return {
        "first": [2 * i + 1 if i < inner else -1 for i in range(n)],
        "counts": [2 if i < inner else 0 for i in range(n)],
        "rows": [100] * n,
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layout")
    bundle = folder / "layout.cjs"
    command = [str(ESBUILD), "--bundle", "--format=cjs", "--platform=node", f"--outfile={bundle}", "--loader=tsx"]
    command += ["--jsx=automatic", "--jsx-import-source=preact", "--log-level=error"]
    subprocess.run(command, input=ENTRY, text=True, check=True, cwd=WEB / "src/shared")

    def call(tree):
        done = subprocess.run(
            ["node", str(bundle)], input=json.dumps({"tree": tree}), capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    return call


@pytest.mark.parametrize("depth", [2, 6])
def test_cards_do_not_overlap_and_a_fit_shows_all_of_them(run, depth):
    found = run(binary(depth))
    n = 2 ** (depth + 1) - 1
    for direction in ("down", "right"):
        cards = found[direction]
        assert [card[0] for card in sorted(cards)] == list(range(n))
        for i, (_, x, y, width, height) in enumerate(cards):
            for _, other_x, other_y, other_width, other_height in cards[i + 1 :]:
                apart = x + width <= other_x or other_x + other_width <= x
                assert apart or y + height <= other_y or other_y + other_height <= y
        assert found[f"{direction} in view"] == n
        assert found[f"{direction} zoomed"] is True


def test_the_first_view_has_whole_levels_and_more_of_them_in_a_wide_window(run):
    found = run(binary(8))
    small, wide = found["depths"]
    assert 1 <= small < wide < 8
    assert found["fits"] == [True]


def test_branches_without_rows_are_grouped_if_there_are_two_or_more(run):
    tree = {"first": [1, *[-1] * 9], "counts": [9, *[0] * 9], "rows": [9, 5, 4, *[0] * 7]}
    assert run(tree)["groups"] == [[3, 4, 5, 6, 7, 8, 9]]
    assert run(tree | {"rows": [9, 5, 4, 0, *[1] * 6]})["groups"] == []


def test_the_smallest_of_very_many_branches_are_grouped(run):
    tree = {"first": [1, *[-1] * 80], "counts": [80, *[0] * 80], "rows": [3240, *range(1, 81)]}
    (group,) = run(tree)["groups"]
    assert sorted(group) == list(range(1, 31))


def test_keys_labels_and_numbers(run):
    found = run(binary(2))
    assert found["keys"] == [
        {"kind": "select", "id": 3},
        {"kind": "select", "id": 0},
        {"kind": "select", "id": 2},
        {"kind": "select", "id": 0},
        None,
    ]
    assert found["labels"] == ["Asia, Europe, Africa", "Asia +2"]
    assert found["widths"] == [11, 5.5, 1.4]
    assert found["texts"] == ["157,500", "2007.5", "−0.0001235", "1,234,567", "12", ">99%"]


def test_the_canvas_knows_no_page():
    for path in (WEB / "src/shared").glob("*.ts*"):
        imports = re.findall(r'from "([^"]+)"', path.read_text("utf-8"))
        assert all(name.startswith("./") or not name.startswith(".") for name in imports), path.name
