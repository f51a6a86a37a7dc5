"""Colors that are distinguishable with color blindness, on light and dark backgrounds.

Classes have the eight colors of Okabe and Ito in an order in which neighbors differ most; from the ninth class on the
hues repeat, lighter or darker. A leaf has the color of its class mixed into the background, stronger with the
probability of the class, but never so strong that text on it is hard to read.
"""

from __future__ import annotations

import dataclasses

from hornbeam.errors import OptionError, short_repr

_OKABE_ITO = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b8a800", "#7f7f7f")


@dataclasses.dataclass(frozen=True)
class Theme:
    """The background and the colors of everything that is not a class."""

    name: str
    ground: str
    card: str
    edge: str
    text: str
    quiet: str
    link: str
    mark: str
    number: str
    tint: tuple[float, float]


THEMES = {
    "light": Theme(
        "light", "#ffffff", "#ffffff", "#c3c9d0", "#1d242b", "#5b6670", "#cdd4db", "#c1272d", "#0072b2", (0.1, 0.52)
    ),
    "dark": Theme(
        "dark", "#14181d", "#1d232a", "#46505b", "#eef2f5", "#a9b4bf", "#3c4650", "#ff7b72", "#56b4e9", (0.14, 0.6)
    ),
}


def theme_named(theme: str) -> Theme:
    """A theme by name."""
    if theme not in THEMES:
        raise OptionError(f"theme must be one of {', '.join(THEMES)}, got {short_repr(theme)}.", option="theme")
    return THEMES[theme]


def class_color(position: int, theme: Theme) -> str:
    """The color of a class."""
    base = _OKABE_ITO[position % len(_OKABE_ITO)]
    turn = position // len(_OKABE_ITO)
    if turn:
        other = ("#ffffff", "#000000")[turn % 2]
        return mix_colors(base, other, min(0.25 + 0.15 * (turn // 2), 0.55))
    return mix_colors(base, "#ffffff", 0.12) if theme.name == "dark" else base


def leaf_color(position: int, certainty: float, theme: Theme) -> str:
    """The color of a leaf whose certainty is between 0 (uniform probabilities) and 1 (probability 1)."""
    return tint(class_color(position, theme), certainty, theme)


def number_color(position: float, theme: Theme) -> str:
    """The color of a number between 0 (lowest) and 1 (highest)."""
    return tint(theme.number, position, theme)


def tint(color: str, strength: float, theme: Theme) -> str:
    """A color mixed into the background, weak to strong."""
    low, high = theme.tint
    return mix_colors(theme.card, color, low + (high - low) * min(max(strength, 0.0), 1.0))


def mix_colors(first: str, second: str, share: float) -> str:
    """A mixture of two colors, with a fraction of the second."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
