"""A tree as text: what a reader sees, to the character."""

import time

import pytest
from hypothesis import given
from tests.strategies import trees
from tests.unit.tree.example_trees import chain, golf_tree, grown

from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree.questions import Intervals, Multiway, Subset, Threshold
from hornbeam.tree.text import format_tree, nodes_below, printable

GOLF = """\
class: Play 64%, Don't Play 36%   (14 / 5)
├─ outlook = sunny
│  ├─ humidity <= 75: Play        (2 / 0)   Play 100%
│  └─ humidity > 75: Don't Play   (3 / 0)   Don't Play 100%
├─ outlook = overcast: Play       (4 / 0)   Play 100%
└─ outlook = rain
   ├─ windy = true: Don't Play    (2 / 0)   Don't Play 100%
   └─ windy = false: Play         (3 / 0)   Play 100%"""

FOLDED = """\
class: Play 64%, Don't Play 36%   (14 / 5)
|- outlook = sunny: Don't Play   (5 / 2)   Don't Play 60%, Play 40%   ... 2 nodes below
|- outlook = overcast: Play      (4 / 0)   Play 100%
`- outlook = rain: Play          (5 / 2)   Play 60%, Don't Play 40%   ... 2 nodes below"""


def test_a_multiway_tree_of_classes_reads_like_this():
    assert str(golf_tree()) == GOLF


def test_a_folded_tree_explains_how_much_is_below():
    assert format_tree(golf_tree(), depth=1, ascii=True) == FOLDED
    assert format_tree(golf_tree(), depth=0).splitlines()[1] == "└─ … 7 nodes below"


@pytest.mark.parametrize("width", [20, 28, 33, 40, 60, 200])
def test_no_line_is_wider_than_the_width_and_a_wide_one_changes_nothing(width):
    lines = format_tree(golf_tree(), width=width).splitlines()
    assert max(map(len, lines)) <= max(width, 20)
    assert (width < 60) or "\n".join(lines) == GOLF


def test_a_tree_of_numbers_reads_like_this():
    schema = Schema((ColumnSpec("size", Kind.NUMERIC),), ColumnSpec("price", Kind.NUMERIC))
    # statistics: weight, mean, sum of squares; 32 / 2 = 4^2
    tree = grown(schema, (Intervals(0, (1.0, 2.5)), [[2, 10.5, 32.0], [1, 3.0, 0.0], [0, 0.25, 0.0]]))
    assert str(tree).splitlines()[1:] == [
        "├─ size <= 1: 10.5      (2 ± 4)",
        "├─ 1 < size <= 2.5: 3   (1 ± 0)",
        "└─ size > 2.5: 0.25     (0 ± 0)",
    ]


def test_a_tree_of_one_leaf_is_one_line():
    schema = Schema((), ColumnSpec("y", Kind.NOMINAL, ("no", "yes")))
    assert str(grown(schema, [1, 3])) == "y: yes 75%, no 25%   (4 / 1)"


def test_a_leaf_without_rows_reports_it_and_tiny_shares_are_not_rounded_away():
    schema = Schema((ColumnSpec("c", Kind.NOMINAL, ("u", "v")),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    lines = str(grown(schema, (Multiway(0, (0, 1)), [[999, 1], [0, 0]]))).splitlines()
    assert lines[1].endswith("a >99%, b <1%")
    assert lines[2].endswith("no rows")


def test_control_characters_and_direction_marks_in_names_are_escaped():
    schema = Schema(
        (ColumnSpec("a\x1b[31m\n", Kind.NOMINAL, ("\u202eevil", "ok")),), ColumnSpec("y\t", Kind.NOMINAL, ("\0", "ü"))
    )
    text = str(grown(schema, (Subset(0, (0,), (1,), 2), [[1, 0], [0, 2]])))
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text.splitlines()) == 3
    assert "\\x1b[31m\\n = \\u202eevil: \\x00" in text
    assert "ü" in text
    assert format_tree(grown(schema, (Subset(0, (0,), (1,), 2), [[1, 0], [0, 2]])), ascii=True).isascii()


@given(trees())
def test_every_tree_prints_one_line_per_branch(tree):
    lines = format_tree(tree).splitlines()
    assert len(lines) == len(tree)
    assert format_tree(tree, ascii=True).isascii()
    assert nodes_below(tree)[0] == len(tree) - 1


def test_a_chain_of_100_000_prints_in_linear_size_and_time():
    tree = chain(100_000)
    begin = time.perf_counter()
    text = str(tree)
    assert time.perf_counter() - begin < 60
    assert len(text) < 200 * len(tree)
    assert text.splitlines()[-1].startswith("[100000] └─ x > 99,999: no")


def test_printable_text_is_left_alone():
    assert printable("größe ≤ 3") == "größe ≤ 3"


def test_a_threshold_shows_the_digits_it_takes():
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    assert "x <= 16,777,217" in str(grown(schema, (Threshold(0, 16777217.0), [[1, 0], [0, 1]])))
