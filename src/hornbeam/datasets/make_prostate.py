"""Generates the synthetic prostate data set; it contains no real patients.

    python -m hornbeam.datasets.make_prostate        writes data/prostate.csv, always with the same bytes

The values of each of 400 simulated men with suspected prostate cancer, from a fixed seed:

    age          about 66, between 45 and 85
    outcome      cancer is more likely with age; 40 % of all
    volume       milliliters; increases with age, smaller on average with cancer
    PSA          nanograms per milliliter; the amount from a gland of that volume, plus that from a tumor with cancer
    PSA density  PSA / volume
    lesion       whether ultrasound shows a hypoechoic lesion: 62 % with cancer, 18 % without

The relations are those of textbooks; the parameters are chosen so that no single column determines the outcome. The
volume is missing for some men (and then also the density), and the lesion is missing for some.
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
    """The content of the file."""
    source = random.Random(SEED)
    return "\n".join([HEADER, *(_row(source) for _ in range(N_ROWS))]) + "\n"


def _normal(source: random.Random) -> float:
    # By the quantile of a uniform number, which is the same in every version of Python.
    return statistics.NormalDist().inv_cdf(min(max(source.random(), 1e-9), 1 - 1e-9))


def _row(source: random.Random) -> str:
    age = round(min(max(66 + 8 * _normal(source), 45), 85))
    has_cancer = source.random() < 1 / (1 + math.exp(-(-0.5 + 0.05 * (age - 66))))
    usual = 42 + 0.7 * (age - 66) - (6 if has_cancer else 0)
    volume = round(min(max(usual * math.exp(0.35 * _normal(source)), 12), 160))
    gland = 0.11 * volume * math.exp(0.45 * _normal(source))
    tumor = 4.5 * math.exp(0.75 * _normal(source)) if has_cancer else 0.0
    psa = round(min(gland + tumor, 80), 1)
    lesion = "yes" if source.random() < (0.62 if has_cancer else 0.18) else "no"
    is_measured, is_readable = source.random() >= 0.06, source.random() >= 0.03
    density = f"{psa / volume:.2f}" if is_measured else ""
    size = volume if is_measured else ""
    return f"{psa},{lesion if is_readable else ''},{density},{size},{age},{'cancer' if has_cancer else 'benign'}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="")
