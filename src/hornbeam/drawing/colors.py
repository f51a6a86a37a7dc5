"""Which colours can everyone tell apart, on paper white and on dark screens?

Classes take the eight colours of Okabe and Ito in an order that keeps neighbours far apart; from the ninth class on
the same hues come again, lighter or darker. A leaf is its class's colour mixed into the ground: the surer the leaf,
the stronger; never so strong that words on it are hard to read.
"""

from __future__ import annotations

import dataclasses

_OKABE_ITO = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b8a800", "#7f7f7f")


@dataclasses.dataclass(frozen=True)
class Theme:
    """The ground and everything on it that is not a class."""

    name: str
    ground: str
    card: str
    edge: str
    words: str
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


def class_color(position: int, theme: Theme) -> str:
    """The colour of a class."""
    base = _OKABE_ITO[position % len(_OKABE_ITO)]
    turn = position // len(_OKABE_ITO)
    if turn:
        other = ("#ffffff", "#000000")[turn % 2]
        return mix_colors(base, other, min(0.25 + 0.15 * (turn // 2), 0.55))
    return mix_colors(base, "#ffffff", 0.12) if theme.name == "dark" else base


def leaf_color(position: int, sureness: float, theme: Theme) -> str:
    """The colour of a leaf that is 0 (no idea) to 1 (certain) sure of its class."""
    return tint(class_color(position, theme), sureness, theme)


def number_color(position: float, theme: Theme) -> str:
    """The colour of a number that stands at 0 (lowest) to 1 (highest)."""
    return tint(theme.number, position, theme)


def tint(colour: str, strength: float, theme: Theme) -> str:
    """A colour mixed into the ground, weak to strong."""
    low, high = theme.tint
    return mix_colors(theme.card, colour, low + (high - low) * min(max(strength, 0.0), 1.0))


def mix_colors(first: str, second: str, share: float) -> str:
    """Two colours mixed, with a share of the second."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
