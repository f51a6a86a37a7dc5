"""Dates written as text: formats are found from all texts, and every valid date is converted exactly."""

import datetime

import numpy as np
import pytest

from hornbeam.errors import OptionError
from hornbeam.table.dates import checked_format, days_in, days_of, read_dates


def test_iso_dates_are_days_since_1970():
    # date(2020, 1, 1).toordinal() - date(1970, 1, 1).toordinal() = 18262
    np.testing.assert_array_equal(days_of(["1970-01-01", "2020-01-01", "2020-01-01 12:00Z"]), [0, 18262, 18262.5])
    assert days_of(["2020-02-30"]) is None
    assert days_of([]) is None


@pytest.mark.parametrize(
    "date_format", ["%d.%m.%Y", "%m/%d/%Y %H:%M", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y %I:%M %p", "%Y%m%d"]
)
def test_the_conversion_equals_that_of_the_standard_library(date_format):
    rng = np.random.default_rng(7)
    moments = [datetime.datetime(1900, 1, 1) + datetime.timedelta(minutes=int(m)) for m in rng.integers(0, 10**8, 300)]
    texts = [moment.strftime(date_format) for moment in moments]
    expected = [
        (datetime.datetime.strptime(text, date_format) - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)
        for text in texts
    ]
    np.testing.assert_allclose(days_in(texts, date_format), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("texts", "formats"),
    [
        (["31.1.2020", "1.2.2020"], ("%d.%m.%Y",)),
        (["01/02/2020", "13/02/2020"], ("%d/%m/%Y",)),
        (["01/02/2020", "02/13/2020"], ("%m/%d/%Y",)),
        (["01/02/2020", "03/04/2020"], ("%d/%m/%Y", "%m/%d/%Y")),
        (["01-02-2020", "13-02-2020"], ("%d-%m-%Y",)),
        (["2020/1/31"], ("%Y/%m/%d",)),
        (["3/14/2020 1:05 PM"], ("%m/%d/%Y %I:%M %p",)),
        (["2020-01-31"] * 100 + ["2020-01-31T10:15:30.25"], ("%Y-%m-%d %H:%M:%S",)),
    ],
)
def test_the_format_is_decided_by_all_texts(texts, formats):
    reading = read_dates(texts)
    assert reading is not None
    assert reading.formats == formats


@pytest.mark.parametrize(
    "texts", [["soon"], ["1.2.2020", "1/2/2020"], ["13/13/2020"], ["2020-01-31 25:00"], ["192.168.1.1"], ["2020"]]
)
def test_other_texts_are_no_dates(texts):
    assert read_dates(texts) is None


def test_a_text_of_two_lines_is_no_date():
    assert days_in(["01.02.2020\n02.02.2020", "x"], "%d.%m.%Y") is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("d.m.Y", "%d.%m.%Y"),
        ("dd.mm.yyyy HH:MM", "%d.%m.%Y %H:%M"),
        ("m/d/Y H:M:S", "%m/%d/%Y %H:%M:%S"),
        ("yyyy-mm-dd", "%Y-%m-%d"),
        ("%d.%m.%y", "%d.%m.%y"),
    ],
)
def test_a_format_may_be_written_without_percent_signs(given, expected):
    assert checked_format(given) == expected


def test_a_format_without_a_date_is_an_error():
    with pytest.raises(OptionError, match="date_format must be a format such as"):
        checked_format("!")
