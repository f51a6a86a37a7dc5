"""How was the prostate set made?  By this script; no patient is behind it.

    python -m hornbeam.datasets.make_prostate        writes data/prostate.csv again, byte for byte

Each of 400 invented men suspected of having prostate cancer gets, from a fixed seed:

    age          about 66, between 45 and 85
    outcome      cancer more likely with age; 4 in 10 altogether
    volume       millilitres; grows with age, smaller on average with cancer
    PSA          nanograms per millilitre; what a gland of that volume gives off, with cancer a tumour's share besides
    PSA density  PSA / volume
    lesion       whether ultrasound shows a hypoechoic lesion: 62 % with cancer, 18 % without

The relations are those textbooks describe; the numbers were chosen so that no single column settles the matter. The
volume was not measured in some men (then the density is unknown as well), and some had no readable scan.
"""

from __future__ import annotations

import math
import random
import statistics
from pathlib import Path

HEADER = "PSA,lesion,PSA density,volume,age,outcome"
N_ROWS = 400
SEED = 20240607
FILE = Path(__file__).parent / "data" / "prostate.csv"


def text() -> str:
    """The whole file."""
    source = random.Random(SEED)
    return "\n".join([HEADER, *(_row(source) for _ in range(N_ROWS))]) + "\n"


def _normal(source: random.Random) -> float:
    # by the quantile of a uniform number: the one thing that every version of Python draws alike
    return statistics.NormalDist().inv_cdf(min(max(source.random(), 1e-9), 1 - 1e-9))


def _row(source: random.Random) -> str:
    age = round(min(max(66 + 8 * _normal(source), 45), 85))
    has_cancer = source.random() < 1 / (1 + math.exp(-(-0.5 + 0.05 * (age - 66))))
    usual = 42 + 0.7 * (age - 66) - (6 if has_cancer else 0)
    volume = round(min(max(usual * math.exp(0.35 * _normal(source)), 12), 160))
    gland = 0.11 * volume * math.exp(0.45 * _normal(source))
    tumour = 4.5 * math.exp(0.75 * _normal(source)) if has_cancer else 0.0
    psa = round(min(gland + tumour, 80), 1)
    lesion = "yes" if source.random() < (0.62 if has_cancer else 0.18) else "no"
    is_measured, is_readable = source.random() >= 0.06, source.random() >= 0.03
    density = f"{psa / volume:.2f}" if is_measured else ""
    size = volume if is_measured else ""
    return f"{psa},{lesion if is_readable else ''},{density},{size},{age},{'cancer' if has_cancer else 'benign'}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="")
