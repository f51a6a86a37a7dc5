"""Texts that are dates, and texts that are not."""

import pytest

from hornbeam.table import texts


@pytest.mark.parametrize(
    "text", ["2020-01-31", "31/01/2020", "31.1.2020", "1/2/20", "2020-01-31 12:30:00", "2020-01-31T12:30Z"]
)
def test_these_texts_look_like_dates(text):
    assert texts.are_dates([text])


@pytest.mark.parametrize("text", ["2020", "1-2", "31/01-2020", "192.168.1.1", "2020-01-31x"])
def test_these_texts_do_not_look_like_dates(text):
    assert not texts.are_dates([text])
