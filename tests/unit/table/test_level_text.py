"""Levels as text never run over a line."""

from hornbeam.table.level_text import MAX_WIDTH, level_list


def test_a_few_levels_are_written_in_full():
    assert level_list(["a", "b"], 2, total=9) == "a, b"


def test_many_levels_are_counted():
    levels = [f"level {number}" for number in range(1352)]
    assert level_list(levels[:6], 1352) == "1,352 levels: level 0, level 1, level 2, level 3, ..."
    assert level_list(levels[:30], 30, total=1352).startswith("30 of 1,352 levels: level 0, ")
    assert len(level_list(levels, 1352)) <= MAX_WIDTH


def test_a_long_level_is_truncated():
    assert level_list(["x" * 100, "y"], 2) == f"2 levels: {'x' * 21}..., y"
    assert level_list([], 0) == "none"
