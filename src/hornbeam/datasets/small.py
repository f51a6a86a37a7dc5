"""The rows of the small data sets.

`contact_lenses` applies these rules to all combinations:

    tears reduced               none
    tears normal, astigmatic    hard for the short-sighted and the young, else none
    tears normal, otherwise     soft, but none for the short-sighted presbyopic
"""

from __future__ import annotations

import itertools

_PLAY_TENNIS = """
Sunny    Hot  High   Weak   No
Sunny    Hot  High   Strong No
Overcast Hot  High   Weak   Yes
Rain     Mild High   Weak   Yes
Rain     Cool Normal Weak   Yes
Rain     Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny    Mild High   Weak   No
Sunny    Cool Normal Weak   Yes
Rain     Mild Normal Weak   Yes
Sunny    Mild Normal Strong Yes
Overcast Mild High   Strong Yes
Overcast Hot  Normal Weak   Yes
Rain     Mild High   Strong No
"""

_FRUIT = """
green  25.0 watermelon
green  30.0 watermelon
green   7.0 apple
green   8.0 apple
green   1.5 grape
green   2.0 grape
red     6.0 apple
red     7.5 apple
red     2.0 grape
red     4.0 grape
yellow 17.0 banana
yellow 19.0 banana
yellow  6.0 lemon
yellow  7.0 lemon
"""


def play_tennis() -> list[list[str]]:
    """The 14 days."""
    return [line.split() for line in _PLAY_TENNIS.strip().split("\n")]


def fruit() -> list[list[str]]:
    """The 14 pieces of fruit."""
    return [line.split() for line in _FRUIT.strip().split("\n")]


def contact_lenses() -> list[list[str]]:
    """All 24 patients."""
    ages, prescriptions = ("young", "pre-presbyopic", "presbyopic"), ("myope", "hypermetrope")
    patients = itertools.product(ages, prescriptions, ("no", "yes"), ("reduced", "normal"))
    return [[*patient, _lenses(*patient)] for patient in patients]


def _lenses(age: str, prescription: str, astigmatic: str, tears: str) -> str:
    if tears == "reduced":
        return "none"
    if astigmatic == "yes":
        return "hard" if prescription == "myope" or age == "young" else "none"
    return "none" if age == "presbyopic" and prescription == "myope" else "soft"
