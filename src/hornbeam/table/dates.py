"""Dates written as text: formats, their detection, and the conversion to days since 1970-01-01.

    2020-01-31   2020/1/31   31.1.2020                 one reading each
    31/01/2020   01/31/2020   31-01-2020               decided by a day above 12 in any row
    03/04/2020 (alone), 31.12.20                       no reading is certain; `date_format` decides
    ... 12:30   ... 12:30:15.25   ...T12:30Z           with a time
    3/14/2020 1:05 PM                                  12-hour clock

A format has the codes of `datetime.strptime` (%d.%m.%Y), or the same letters without percent signs (d.m.Y, dd.mm.yyyy).
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbeam.errors import OptionError, short_repr
from hornbeam.table.days import days_from_microseconds

_FIELDS = {
    "%Y": r"(?P<Y>[0-9]{4})",
    "%m": r"(?P<m>[0-9]{1,2})",
    "%d": r"(?P<d>[0-9]{1,2})",
    "%H": r"(?P<H>[0-9]{1,2})",
    "%I": r"(?P<I>[0-9]{1,2})",
    "%M": r"(?P<M>[0-9]{2})",
    "%S": r"(?P<S>[0-9]{2}(?:\.[0-9]{1,6})?)",
    "%p": r"(?P<p>[AaPp])\.?[Mm]\.?",
}
_LETTERS = re.compile(
    r"yyyy|YYYY|yy|dd|DD|HH|hh|MM(?=[:.]?[sS]|$)|(?<=[:hH])MM|mm(?=:)|(?<=:)mm|mm|MM|SS|ss|[dmYyHIMSpbB]"
)
_CODES = {
    "yyyy": "%Y",
    "YYYY": "%Y",
    "yy": "%y",
    "dd": "%d",
    "DD": "%d",
    "HH": "%H",
    "hh": "%H",
    "SS": "%S",
    "ss": "%S",
}
_NUMERIC = re.compile(
    r"(?:(?P<year>[0-9]{4})(?P<s1>[-/.])[0-9]{1,2}(?P=s1)[0-9]{1,2}"
    r"|[0-9]{1,2}(?P<s2>[-/.])[0-9]{1,2}(?P=s2)(?:[0-9]{4}|[0-9]{2}))"
    r"(?P<clock>[T ]+[0-9]{1,2}:[0-9]{2}(?P<sec>:[0-9]{2}(?:\.[0-9]{1,6})?)?(?P<ampm> ?[AaPp]\.?[Mm]\.?)?)?Z?"
)


@dataclasses.dataclass(frozen=True)
class DateReading:
    """The formats in which all texts are dates; more than one if the texts leave a doubt."""

    formats: tuple[str, ...]

    @property
    def is_certain(self) -> bool:
        """Whether there is exactly one format."""
        return len(self.formats) == 1


def checked_format(given: str) -> str:
    """A format with percent signs, from one with or without them."""
    found = given if "%" in given else _LETTERS.sub(lambda match: _code(match[0], match.start(), given), given)
    if not isinstance(given, str) or not re.search(r"%[YyjGbBdm]", found):
        raise OptionError(
            f"date_format must be a format such as '%d.%m.%Y' or 'd.m.Y', got {short_repr(given)}.",
            option="date_format",
        )
    return found


def _code(letters: str, start: int, given: str) -> str:
    if letters in _CODES:
        return _CODES[letters]
    if letters in ("mm", "MM"):  # minutes follow hours
        return "%M" if re.search(r"[HhI]+:?$", given[:start]) else "%m"
    return f"%{letters}"


def read_dates(texts: Sequence[str]) -> DateReading | None:
    """The formats that fit all texts; None if the texts are no dates of one shape."""
    first = _NUMERIC.fullmatch(texts[0]) if texts else None
    if first is None or not all(map(_NUMERIC.fullmatch, texts)):
        return None
    mark = first["s1"] or first["s2"]
    if first["year"]:
        orders = [f"%Y{mark}%m{mark}%d"]
    else:
        year = "%Y" if len(re.split(r"[T ]", texts[0])[0].split(mark)[2]) == 4 else "%y"
        orders = [f"%d{mark}%m{mark}{year}"] + ([f"%m{mark}%d{mark}{year}"] if mark != "." else [])
    clock = _clock_of(texts)
    formats = tuple(order + clock for order in orders if days_in(texts, order + clock) is not None)
    if any("%y" in each for each in formats):  # the century is a guess
        return DateReading(formats + formats[:1])
    return DateReading(formats) if formats else None


def _clock_of(texts: Sequence[str]) -> str:
    """The format of the time of day: the longest that occurs, as each field after the date may be absent."""
    matches = [match for match in map(_NUMERIC.fullmatch, texts) if match is not None and match["clock"]]
    if not matches:
        return ""
    hour, half = ("%I", " %p") if any(match["ampm"] for match in matches) else ("%H", "")
    seconds = ":%S" if any(match["sec"] for match in matches) else ""
    return f" {hour}:%M{seconds}{half}"


@functools.cache
def _pattern(date_format: str) -> re.Pattern[str] | None:
    """The pattern of a numeric format; None if it has other codes. The time of day may be absent or have no seconds."""
    codes = re.findall(r"%.", date_format)
    if not set(codes) <= set(_FIELDS) or len(set(codes)) < len(codes) or not {"%Y", "%m", "%d"} <= set(codes):
        return None
    day, _, clock = date_format.partition(" ")
    wide = {"%d": r"(?P<d>[0-9]{2})", "%m": r"(?P<m>[0-9]{2})"} if "%Y%m" in day or "%d%m" in day else {}
    parts = [({**_FIELDS, **wide}).get(each) or re.escape(each) for each in re.findall(r"%.|.", day)]
    time = "".join(_FIELDS.get(each, re.escape(each)) for each in re.findall(r"%.|.", clock))
    time = time.replace(":" + _FIELDS["%S"], f"(?::{_FIELDS['%S']})?").replace(
        r"\ " + _FIELDS["%p"], rf" ?{_FIELDS['%p']}"
    )
    return re.compile("".join(parts) + (rf"(?:[T ]+{time})?Z?" if time else "Z?"))


def days_in(texts: Sequence[str], date_format: str) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 of texts in a format, or None unless every text is such a date."""
    pattern = _pattern(date_format)
    try:
        if pattern is None:
            moments = np.array([datetime.datetime.strptime(text, date_format) for text in texts], "datetime64[us]")
        else:
            moments = np.array([_iso(pattern.fullmatch(text)) for text in texts], "datetime64[us]")
    except ValueError:
        return None
    return days_from_microseconds(moments.astype(np.int64))


def _iso(match: re.Match[str] | None) -> str:
    """A match of a pattern in the form of ISO 8601."""
    if match is None:
        raise ValueError
    found = match.groupdict()
    hour = int(found.get("H") or found.get("I") or 0)
    if found.get("p"):
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if found["p"] in "Pp" else 0)
    day = f"{found['Y']}-{found['m']:>02}-{found['d']:>02}"
    return f"{day}T{hour:02}:{found.get('M') or '00'}:{found.get('S') or '00'}"


def days_of(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 of texts that have one reading as dates, or None."""
    reading = read_dates(texts)
    return days_in(texts, reading.formats[0]) if reading is not None and reading.is_certain else None


def is_in(text: str, date_format: str) -> bool:
    """Whether one text is a date in a format."""
    return days_in([text], date_format) is not None
