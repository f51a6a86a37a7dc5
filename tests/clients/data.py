"""The data of the client tests."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris


def client(distribution: str, what: str):
    """Names the distribution that a test uses and what of it, for the table in the documentation (`run.py`)."""

    def mark(test):
        test.client = (distribution, what)
        return test

    return mark


IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def mixed_frame(n: int = 200):
    """A pandas frame with numbers, missing values, text, booleans and categories, and a target of two classes."""
    import pandas as pd

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "dose": rng.normal(10, 3, n).round(2),
            "ward": rng.choice(["north", "south", "west"], n),
            "smoker": rng.random(n) < 0.3,
            "stage": pd.Categorical(rng.choice(["I", "II", "III"], n), categories=["I", "II", "III"], ordered=True),
        }
    )
    frame.loc[rng.random(n) < 0.1, "dose"] = np.nan
    truth = np.where((frame["age"] > 55) ^ frame["smoker"], "ill", "well")
    return frame, truth
