"""Pictures of trees: well-formed, safe, folded, the same every time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.unit.drawing.trees import HOSTILE, chain, grown, hostile_table, numbers_table

import hornbeam as hb
from hornbeam.drawing import Picture, draw, report
from hornbeam.errors import OptionError
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.questions import Combined, Hyperplane, IsMissing, Literal, Named, Sphere, Threshold

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def iris():
    table = hb.datasets.load("iris")
    return table, grown(table)


def texts(picture: Picture) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture.svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("preset", ["plain", "lecture", "clinic", "compact"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("direction", ["down", "right"])
def test_every_look_is_well_formed_and_shows_every_leaf(iris, preset, theme, direction):
    table, tree = iris
    picture = draw(tree, table, preset=preset, theme=theme, direction=direction)
    predicted = " ".join(texts(picture))
    assert predicted.count("100%") == tree.n_leaves == 9  # every leaf of the full tree is pure
    assert "setosa" in predicted


def test_a_picture_without_a_table_has_the_same_questions(iris):
    _, tree = iris
    assert "petal_length" in texts(draw(tree))
    assert "≤ 2.45" in texts(draw(tree))


def test_the_clinic_preset_has_full_questions_and_the_outcomes_yes_and_no(iris):
    table, tree = iris
    predicted = texts(draw(tree, table, preset="clinic", depth=1))
    assert "petal_length ≤ 2.45?" in predicted
    assert {"yes", "no"} <= set(predicted)


def test_folding_explains_how_much_is_below(iris):
    _, tree = iris
    predicted = texts(draw(tree, depth=1))
    assert "+14 nodes" in predicted  # 17 nodes: root, a leaf, and an inner node with 14 below
    assert texts(draw(tree, depth=0)).count("+16 nodes") == 1


def test_deep_trees_are_folded_at_six_levels_by_default():
    tree = chain(40)
    assert any(text.startswith("+") and text.endswith("nodes") for text in texts(draw(tree)))
    assert len(texts(draw(tree))) < len(texts(draw(tree, depth=20)))


def test_a_chain_of_a_hundred_thousand_nodes_is_drawn():
    tree = chain(50_000)
    assert len(draw(tree).svg) < 100_000


def test_a_tree_that_has_no_question_is_drawn():
    assert "y" in texts(draw(chain(0)))


@pytest.mark.parametrize("direction", ["down", "right"])
def test_hostile_names_stay_text(direction):
    table = hostile_table()
    picture = draw(grown(table), table, direction=direction, title=HOSTILE[1])
    root = ET.fromstring(picture.svg)
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds <= {"svg", "g", "rect", "line", "path", "text", "title", "circle"}
    assert not any(name.startswith("on") or "href" in name for element in root.iter() for name in element.attrib)
    assert "\u202e" not in picture.svg
    assert len(picture.svg) < 600_000


def test_numbers_are_drawn_with_their_mean_and_spread():
    table = numbers_table()
    tree = grown(table)
    picture = draw(tree, table, depth=2)
    root = [element.text or "" for element in ET.fromstring(picture.svg).iter(f"{SVG}text")]
    assert any(text.startswith("± ") for text in root)
    assert "missing values" in root  # x has gaps in these rows
    ET.fromstring(draw(tree, depth=2).svg)


@pytest.mark.parametrize("missing", ["skip_column", "impute", "surrogates", "fractional", "own_branch", "learned"])
def test_where_missing_values_go_is_drawn_without_the_rows(missing):
    tree = hb.grow(
        hb.datasets.load("penguins"), hb.Recipe(missing=missing).with_changes(stops=[{"name": "max_depth", "depth": 2}])
    )
    assert "missing values" in texts(draw(tree))


def test_that_missing_values_stay_is_drawn():
    missing = {"name": "skip_column", "route": "stay"}
    tree = hb.grow(
        hb.datasets.load("penguins"), hb.Recipe(missing=missing).with_changes(stops=[{"name": "max_depth", "depth": 2}])
    )
    assert "missing: stays here" in texts(draw(tree))


def test_the_same_tree_gives_the_same_bytes(iris):
    table, tree = iris
    assert draw(tree, table).svg == draw(grown(table), table).svg


def test_width_scales_the_picture_and_keeps_its_shape(iris):
    _, tree = iris
    plain, wide = draw(tree), draw(tree, width=400)
    assert wide.width == 400
    assert wide.height / wide.width == pytest.approx(plain.height / plain.width)
    assert ET.fromstring(wide.svg).attrib["width"] == "400"


def test_a_picture_is_saved_as_its_suffix_requires(iris, tmp_path):
    _, tree = iris
    picture = draw(tree)
    assert picture.save(tmp_path / "tree.svg").read_text("utf-8") == picture.svg
    page = picture.save(tmp_path / "tree.html").read_text("utf-8")
    assert "default-src 'none'" in page
    assert re.findall(r"https?://[^\"' <]+", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.html", "tree.svg"]
    assert picture._repr_svg_() == picture.svg


def test_a_picture_becomes_a_png(iris, tmp_path):
    pytest.importorskip("resvg_py")
    data = draw(iris[1]).save(tmp_path / "tree.png", zoom=1).read_bytes()
    width = int.from_bytes(data[16:20], "big")  # PNG: width stands in the first chunk
    assert data.startswith(b"\x89PNG\r\n")
    assert abs(width - draw(iris[1]).width) <= 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"preset": "plian"}, "plain"),
        ({"theme": "drak"}, "dark"),
        ({"direction": "up"}, "down"),
        ({"depth": -1}, "depth"),
        ({"depth": True}, "depth"),
        ({"width": 0}, "width"),
    ],
)
def test_a_wrong_option_is_named(iris, options, word):
    with pytest.raises(OptionError, match=word):
        draw(iris[1], **options)


def test_an_unknown_ending_is_rejected_before_anything_is_written(iris, tmp_path):
    with pytest.raises(OptionError, match="svg"):
        draw(iris[1]).save(tmp_path / "tree.bmp")
    assert list(tmp_path.iterdir()) == []


def test_the_width_of_links_is_the_fraction_of_rows(iris):
    table, tree = iris
    paths = ET.fromstring(draw(tree, table).svg).iter(f"{SVG}path")
    widths = sorted(float(path.attrib["stroke-width"]) for path in paths if "stroke-width" in path.attrib)
    assert widths[-1] == pytest.approx(14 * 100 / 150, abs=0.01)  # 100 of 150 rows take the widest link
    assert np.isclose(widths[0], 1.2)


@pytest.mark.parametrize(
    "question",
    [
        Hyperplane((0, 2), (0.8, -1.2), 3.0),
        Sphere((0, 1), (5.0, 3.0), (1.0, 1.0), 4.0),
        Combined((Literal(Threshold(0, 5.0)), Literal(Threshold(1, 3.0), negated=True))),
        Named("is it small?", Threshold(0, 5.0)),
        IsMissing(0),
    ],
    ids=lambda question: question.kind,
)
def test_every_kind_of_question_is_used(iris, question):
    table, tree = iris
    changed = hb.tree.replace_question(tree, 0, question)
    predicted = " ".join(texts(draw(changed, table)))
    assert ("yes" in predicted) or ("missing" in predicted)
    assert report(changed, table).html.count("<script") == 2


def test_no_link_runs_behind_a_card():
    # Cards differ in length: a link bends only where the longest of its level has ended.
    table = hb.datasets.load("prostate")
    root = ET.fromstring(draw(grown(table), table, depth=5, direction="right").svg)
    cards = []
    for group in root.iter(f"{SVG}g"):
        found = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", group.get("transform", ""))
        box = group.find(f"{SVG}rect")
        if found and box is not None:
            left = float(found[1])
            cards.append((left, left + float(box.get("width"))))
    links = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("fill") == "none"]
    bends = [float(re.match(r"M[\d.]+ [\d.]+L([\d.]+) ", link)[1]) for link in links]
    assert len(bends) > 10
    for bend in bends:
        assert not any(left < bend - 0.02 and bend + 0.02 < right for left, right in cards)


@pytest.mark.parametrize(
    ("column", "search", "n_groups"),
    [
        (nominal("job", np.arange(240) % 4, ("clerk", "nurse", "cook", "pilot")), "best_subset", 2),
        (nominal("job", np.arange(240) % 4, ("clerk", "nurse", "cook", "pilot")), "multiway", 4),
        (ordinal("stage", np.arange(240) % 4, ("I", "II", "III", "IV")), "sorted_cuts", 2),
    ],
    ids=["groups", "one per level", "in order"],
)
def test_a_node_of_numbers_that_tests_levels_has_a_chart_of_means(column, search, n_groups):
    wage = np.array([1.0, 9.0, 2.0, 8.0])[np.arange(240) % 4] + np.linspace(-1, 1, 240)
    table = Table((column,), numeric("wage", wage))
    recipe = hb.recipe("plain").with_changes(searches=({"name": search},), stops=({"name": "max_depth", "depth": 1},))
    picture = draw(hb.grow(table, recipe), table)
    drawn = ET.fromstring(picture.svg)
    assert len(list(drawn.iter(f"{SVG}circle"))) == 4  # the mean of each level
    lines = list(drawn.iter(f"{SVG}line"))
    assert sum(line.get("stroke-opacity") == "0.45" for line in lines) == 4  # and its spread
    assert sum("stroke-dasharray" in line.attrib for line in lines) == n_groups - 1  # where the levels are separated
    assert set(column.levels) <= set(texts(picture))
