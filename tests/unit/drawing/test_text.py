"""Where message are broken, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbeam.drawing.svg import escape, tag
from hornbeam.drawing.text import count_text, truncate, width_of, wrap
from hornbeam.tree.text import percent


@given(st.text(max_size=80), st.integers(1, 4))
def test_wrapped_lines_fit_and_are_not_more_than_allowed(text, most):
    lines = wrap(text, 90, 12, most)
    assert 1 <= len(lines) <= most
    assert all(width_of(line, 12) <= 90 + 1e-9 for line in lines)


@given(st.text(max_size=80))
def test_what_is_cut_fits(text):
    assert width_of(truncate(text, 60, 11), 11) <= 60 + 1e-9


def test_a_number_is_not_torn_apart():
    assert wrap("petal_length ≤ 2.45?", 95, 12.5, 3, bold=True) == ["petal_length", "≤ 2.45?"]
    assert wrap("mean_of_the_concave_points", 90, 12, 3) == ["mean_of_the_", "concave_points"]


@given(st.text())
def test_written_text_holds_nothing_that_markup_would_read(text):
    found = escape(text)
    assert not set("<>\"'") & set(found)
    assert found.isprintable()


def test_attributes_are_escaped_and_none_is_omitted():
    assert tag("g", fill='"><script>', stroke=None, stroke_width=1.0) == (
        '<g fill="&quot;&gt;&lt;script&gt;" stroke-width="1"/>'
    )


@pytest.mark.parametrize(("share", "message"), [(0, "0%"), (0.001, "<1%"), (0.5, "50%"), (0.999, ">99%"), (1, "100%")])
def test_percent_never_rounds_to_all_or_nothing(share, message):
    assert percent(share) == message


def test_counts_agree_with_their_noun():
    assert [count_text(n, "row") for n in (0, 1, 2, 1234)] == ["0 rows", "1 row", "2 rows", "1,234 rows"]
