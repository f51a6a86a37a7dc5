"""What border does each kind of question draw?  Pictures of two numbers and two classes, one a search.

    python examples/question_pictures.py [folder]          needs resvg-py, as every PNG does

The pages in docs/guides/questions show what this writes to docs/images/questions.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import hornbeam as hb
from hornbeam.drawing import regions

QUIET = {"name": "oc1_plane", "restarts": 5}


def diagonal(n: int = 240) -> hb.Table:
    """Two clouds on both sides of a slanting line; one column is three times as wide as the other."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, 2)) @ np.array([[1.0, 0.6], [0.0, 0.8]])
    side = x[:, 1] - x[:, 0] + 0.15 * rng.normal(size=n) > 0.1
    return hb.read(
        {"width": 3 * x[:, 0] + 20, "height": x[:, 1] + 5, "kind": np.where(side, "slim", "stout")}, target="kind"
    )


def disc(n: int = 240) -> hb.Table:
    """One class inside the other."""
    rng = np.random.default_rng(6)
    x = rng.uniform(-2, 2, size=(n, 2))
    inside = (x**2).sum(axis=1) + 0.2 * rng.normal(size=n) < 1.3
    return hb.read({"east": x[:, 0], "north": x[:, 1], "where": np.where(inside, "core", "rim")}, target="where")


def clouds(n: int = 240) -> hb.Table:
    """Three clouds of two classes."""
    rng = np.random.default_rng(9)
    at = np.array([[0.0, 0.0], [5.0, 1.0], [2.5, 5.0]])
    which = rng.integers(0, 3, n)
    x = at[which] + rng.normal(size=(n, 2)) * 0.8
    return hb.read({"a": x[:, 0], "b": x[:, 1], "group": np.where(which == 1, "one", "other")}, target="group")


PICTURES = {
    "single-columns": (diagonal, "sorted_cuts", 4),
    "perceptron": (diagonal, "perceptron_plane", 1),
    "logistic": (diagonal, "logistic_plane", 1),
    "svm": (diagonal, "svm_plane", 1),
    "lda": (diagonal, "lda_plane", 1),
    "householder": (diagonal, "householder_planes", 1),
    "oc1": (diagonal, QUIET, 1),
    "chou": (diagonal, "chou_plane", 1),
    "disc-by-columns": (disc, "sorted_cuts", 4),
    "sphere": (disc, "spheres", 1),
    "kd": (clouds, "kd_median", 3),
    "pca": (clouds, "pca_median", 3),
    "two-means": (clouds, "two_means", 3),
    "ball": (clouds, "ball", 3),
}


def picture(name: str):
    """The regions of a tree that asks one kind of question."""
    data, search, depth = PICTURES[name]
    table = data()
    stops = [{"name": "depth", "at_most": depth}, {"name": "min_leaf", "rows": 3}]
    tree = hb.grow(table, hb.recipe("plain").but(searches=search, stops=stops))
    return regions(tree, table, title=f"{name.replace('-', ' ')}, depth {depth}")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
    for name in PICTURES:
        print(picture(name).save(folder / f"{name}.png", zoom=1.2))
