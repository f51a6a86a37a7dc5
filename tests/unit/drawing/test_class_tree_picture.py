"""The picture of a class tree: every class and figure is on it, names cannot break it, cards do not overlap."""

import re
import xml.etree.ElementTree as ET

import pytest

from hornbeam.drawing import draw_nested_dichotomy
from hornbeam.ensembles.reductions.dichotomy import build_dichotomy, dichotomy_from_pairs
from hornbeam.errors import OptionError


def halves(n_classes):
    return build_dichotomy(
        [f"class {code}" for code in range(n_classes)], lambda c: (c[: len(c) // 2], c[len(c) // 2 :], 0.5), "purity"
    )


def cards_of(picture):
    """The corners and sizes of the cards."""
    groups = re.findall(r'translate\(([\d.-]+) ([\d.-]+)\)"><title>.*?</title><rect ([^>]*)', picture.svg)
    boxes = []
    for x, y, attributes in groups:
        size = dict(re.findall(r'(\w+)="([\d.]+)"', attributes))
        boxes.append((float(x), float(y), float(size["width"]), float(size["height"])))
    return boxes


@pytest.mark.parametrize("n_classes", [1, 2, 5, 14, 15, 40])
def test_cards_stand_apart_inside_the_picture(n_classes):
    picture = draw_nested_dichotomy(halves(n_classes))
    boxes = cards_of(picture)
    assert len(boxes) == 2 * n_classes - 1
    for place, (x, y, wide, tall) in enumerate(boxes):
        assert x >= -0.01
        assert x + wide <= picture.width
        assert y + tall <= picture.height
        for a, b, c, d in boxes[place + 1 :]:
            assert x + wide <= a or a + c <= x or y + tall <= b or b + d <= y


def test_classes_scores_and_the_number_of_classifiers_are_printed():
    picture = draw_nested_dichotomy(halves(5), title="Five")
    message = [element.text for element in ET.fromstring(picture.svg).iter() if element.tag.endswith("text")]
    assert {f"class {code}" for code in range(5)} <= set(message)
    assert message.count("purity 0.5") == 4
    assert message[:2] == ["Five", "4 classifiers, 2 to 3 per row"]


def test_names_from_the_data_cannot_break_out():
    picture = draw_nested_dichotomy(
        dichotomy_from_pairs(("<script>", ('"&', "x" * 300)), ["<script>", '"&', "x" * 300]), theme="dark"
    )
    ET.fromstring(picture.svg)
    assert "<script" not in picture.svg
    assert picture.width < 900


def test_an_unknown_theme_is_named():
    with pytest.raises(OptionError, match="theme must be one of light, dark"):
        draw_nested_dichotomy(halves(2), theme="blue")
