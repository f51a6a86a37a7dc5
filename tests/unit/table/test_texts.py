"""Texts that are dates, and texts that are not."""

import numpy as np
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


def test_iso_dates_are_days_since_1970():
    # date(2020, 1, 1).toordinal() - date(1970, 1, 1).toordinal() = 18262
    np.testing.assert_array_equal(texts.days_of(["1970-01-01", "2020-01-01", "2020-01-01 12:00Z"]), [0, 18262, 18262.5])
    assert texts.days_of(["2020-02-30"]) is None
    assert texts.days_of(["31/01/2020"]) is None
