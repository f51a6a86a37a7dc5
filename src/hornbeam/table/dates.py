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
from collections.abc import Mapping, Sequence
from typing import Any

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
    r"(?P<clock>[T ]+[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?: ?[AaPp]\.?[Mm]\.?)?)?Z?"
)
_HEAD = 64


@dataclasses.dataclass(frozen=True, eq=False)
class DateReading:
    """The formats in which all texts are dates, more than one if the texts leave a doubt; the days in the first."""

    formats: tuple[str, ...]
    days: npt.NDArray[np.float64]

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
    found = _read_as(texts, _formats_of(texts[:_HEAD]))
    if found is None and len(texts) > _HEAD:  # a later text may have a longer time of day
        found = _read_as(texts, _formats_of(texts))
    return found


def _read_as(texts: Sequence[str], formats: Sequence[str]) -> DateReading | None:
    fits = [(each, days) for each in formats if (days := days_in(texts, each)) is not None]
    if not fits:
        return None
    fitting = tuple(each for each, _ in fits)
    # The century of a year of two digits is a guess.
    return DateReading(fitting + fitting[:1] if "%y" in fitting[0] else fitting, fits[0][1])


def _formats_of(texts: Sequence[str]) -> list[str]:
    """The formats that the shape of the texts allows; none if a text has not the shape of a date."""
    first = _NUMERIC.fullmatch(texts[0]) if texts else None
    if first is None or not all(map(_NUMERIC.fullmatch, texts[:_HEAD])):
        return []
    matches = list(map(_NUMERIC.fullmatch, texts))
    if any(match is None for match in matches):
        return []
    mark = first["s1"] or first["s2"]
    if first["year"]:
        orders = [f"%Y{mark}%m{mark}%d"]
    else:
        year = "%Y" if len(re.split(r"[T ]", texts[0])[0].split(mark)[2].rstrip("Z")) == 4 else "%y"
        orders = [f"%d{mark}%m{mark}{year}"] + ([f"%m{mark}%d{mark}{year}"] if mark != "." else [])
    return [order + _clock_of(matches) for order in orders]


def _clock_of(matches: Sequence[re.Match[str] | None]) -> str:
    """The format of the time of day: the longest that occurs, as each field after the date may be absent."""
    clocks = {match["clock"] for match in matches if match is not None} - {None}
    if not clocks:
        return ""
    is_half = any(clock[-1] in "Mm." for clock in clocks)
    seconds = ":%S" if any(clock.count(":") == 2 for clock in clocks) else ""
    return f" %I:%M{seconds} %p" if is_half else f" %H:%M{seconds}"


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
    return re.compile("^" + "".join(parts) + (rf"(?:[T ]+{time})?Z?$" if time else "Z?$"), re.MULTILINE)


def days_in(texts: Sequence[str], date_format: str) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 of texts in a format, or None unless every text is such a date."""
    pattern = _pattern(date_format)
    if pattern is None:
        try:
            moments = np.array([datetime.datetime.strptime(text, date_format) for text in texts], "datetime64[us]")
        except ValueError:
            return None
        return days_from_microseconds(moments.astype(np.int64))
    fields = _fields_of_one_width(texts, date_format) or _fields_of_pattern(pattern, texts)
    return None if fields is None else _days(fields)


def _fields_of_one_width(texts: Sequence[str], date_format: str) -> dict[str, npt.NDArray[Any]] | None:
    """The fields of texts that all have the full width of the format, such as 03.04.2020 12:30; else None.

    The digits are read from one array of bytes, which is faster than a pattern for many texts.
    """
    parts = re.findall(r"%.|.", date_format)
    widths = [4 if part == "%Y" else 2 if part.startswith("%") else 1 for part in parts]
    if "%p" in parts or set(map(len, texts)) != {sum(widths)} or not all(map(str.isascii, texts)):
        return None
    cells = np.array(texts, dtype=f"S{sum(widths)}").view(np.uint8).reshape(len(texts), -1)
    fields, start = {}, 0
    for part, width in zip(parts, widths):
        block = cells[:, start : start + width]
        start += width
        if not part.startswith("%"):
            if (block != ord(part)).any():
                return None
            continue
        digits = block.astype(np.int64) - ord("0")
        if ((digits < 0) | (digits > 9)).any():
            return None
        fields[part[1]] = (digits * 10 ** np.arange(width)[::-1]).sum(axis=1).astype(np.float64)
    return fields


def _fields_of_pattern(pattern: re.Pattern[str], texts: Sequence[str]) -> dict[str, npt.NDArray[Any]] | None:
    """The fields of texts by the pattern of a format; `p` is true for the afternoon. None unless every text fits."""
    # One search in the joined texts is several times faster than one match per text.
    joined = "\n".join(texts)
    found = pattern.findall(joined)
    if not texts or len(found) != len(texts) or joined.count("\n") != len(texts) - 1:
        return None
    fields: dict[str, npt.NDArray[Any]] = {}
    for name, cells in zip(pattern.groupindex, zip(*found, strict=True), strict=True):
        if name == "p":
            fields[name] = np.array([cell in ("p", "P") for cell in cells])
            continue
        if name == "I":
            fields["has_time"] = np.array([cell != "" for cell in cells])
        fields[name] = np.array([cell or "0" for cell in cells], dtype=np.float64)
    return fields


def _days(fields: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 from year, month, day and time; None if one is no date of the calendar."""
    month, day = fields["m"], fields["d"]
    hour, minute, second = (fields.get(name, np.zeros(1)) for name in "HMS")
    months = ((fields["Y"] - 1970) * 12 + month - 1).astype(np.int64).astype("datetime64[M]")
    days = months.astype("datetime64[D]") + (day - 1).astype(np.int64)
    is_valid = (month >= 1) & (month <= 12) & (day >= 1) & (days.astype("datetime64[M]") == months)
    if "p" in fields:
        half = fields["I"]
        is_valid = is_valid & (((half >= 1) & (half <= 12)) | ~fields["has_time"])
        hour = half % 12 + 12 * fields["p"]
    if not (is_valid & (hour < 24) & (minute < 60) & (second < 60)).all():
        return None
    microseconds = ((hour * 60 + minute) * 60 + second) * 1e6
    return days_from_microseconds(days.astype(np.int64) * 86_400_000_000 + np.rint(microseconds).astype(np.int64))


def days_of(texts: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Days since 1970-01-01 of texts that have one reading as dates, or None."""
    reading = read_dates(texts)
    return reading.days if reading is not None and reading.is_certain else None


def is_in(text: str, date_format: str) -> bool:
    """Whether one text is a date in a format."""
    return days_in([text], date_format) is not None
