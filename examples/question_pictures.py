"""Draws the border of each kind of question: figures of two columns and two classes, one per search.

    python examples/question_pictures.py [folder]          needs resvg-py, as every PNG does

The pages in docs/guides/questions show the files that this writes to docs/images/questions. If a column has levels or
missing values, each level is a strip, and points have random positions across it.
"""

import dataclasses
import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np

import hornbeam as hb
from hornbeam.drawing import regions
from hornbeam.drawing.axes import Axes, finish_plot, legend
from hornbeam.drawing.colors import class_color, leaf_color, theme_named
from hornbeam.drawing.svg import join, rect

QUIET = {"name": "oc1_plane", "restarts": 5}
RANGES = {
    "name": "custom_questions",
    "questions": [{"any": [{"column": "x", "between": [2, 4]}, {"column": "y", "between": [6, 8]}]}],
}


def diagonal(n: int = 240) -> hb.Table:
    """Two clusters on both sides of an oblique line; one column has three times the scale of the other."""
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
    """Three clusters of two classes."""
    rng = np.random.default_rng(9)
    at = np.array([[0.0, 0.0], [5.0, 1.0], [2.5, 5.0]])
    which = rng.integers(0, 3, n)
    x = at[which] + rng.normal(size=(n, 2)) * 0.8
    return hb.read({"a": x[:, 0], "b": x[:, 1], "group": np.where(which == 1, "one", "other")}, target="group")


def square(inside, n: int = 300) -> hb.Table:
    """Points of a square, and whether they are inside a region."""
    x, y = np.random.default_rng(3).uniform(0, 10, size=(2, n))
    return hb.read({"x": x, "y": y, "inside": np.where(inside(x, y), "yes", "no")}, target="inside")


def corner() -> hb.Table:
    """Inside where both values are large."""
    return square(lambda x, y: (x > 4) & (y > 5))


def half() -> hb.Table:
    """Inside where one value is large."""
    return square(lambda x, y: x > 6)


def stripe() -> hb.Table:
    """Inside where one value is in the middle."""
    return square(lambda x, y: (y > 3) & (y <= 7))


def cross() -> hb.Table:
    """Inside where at least one value is in its range."""
    return square(lambda x, y: ((x > 2) & (x <= 4)) | ((y > 6) & (y <= 8)))


def board() -> hb.Table:
    """A checkerboard: no single cut gains anything."""
    x, y = (axis.ravel().astype(float) for axis in np.meshgrid(np.arange(12), np.arange(12)))
    dark = (x // 6 + y // 6) % 2 == 0
    return hb.read({"x": x, "y": y, "field": np.where(dark, "dark", "light")}, target="field")


def places(n: int = 240) -> hb.Table:
    """Five places, two of them cold."""
    rng = np.random.default_rng(2)
    place = rng.integers(0, 5, n)
    height = rng.uniform(0, 10, n)
    cold = np.isin(place, (1, 3)) ^ (rng.random(n) < np.array([0.0, 0.05, 0.3, 0.3, 0.05])[place])
    names = np.array(["coast", "fell", "lake", "moor", "vale"])
    return hb.read({"place": names[place], "height": height, "air": np.where(cold, "cold", "mild")}, target="air")


def unmeasured(n: int = 240) -> hb.Table:
    """People without a measurement are ill; of the others the older ones."""
    rng = np.random.default_rng(5)
    missing, age = rng.random(n) < 0.4, rng.uniform(40, 80, n)
    ill = (missing | (age > 65)) ^ (rng.random(n) < 0.03)
    psa = np.where(missing, np.nan, rng.uniform(0, 10, n))
    return hb.read({"psa": psa, "age": age, "state": np.where(ill, "ill", "well")}, target="state")


PICTURES = {
    "threshold": (half, "sorted_cuts", 1),
    "intervals": (stripe, "intervals", 1),
    "levels": (places, ["sorted_cuts", "best_subset"], 1),
    "multiway": (places, ["sorted_cuts", "multiway"], 1),
    "missing": (unmeasured, ["sorted_cuts", "is_missing"], 2),
    "conjunction": (corner, "conjunctions", 1),
    "custom-questions": (cross, RANGES, 1),
    "lookahead": (board, ["sorted_cuts", "lookahead"], 2),
    "single-columns": (diagonal, "sorted_cuts", 4),
    "perceptron": (diagonal, "perceptron_plane", 1),
    "logistic": (diagonal, "logistic_plane", 1),
    "svm": (diagonal, "svm_plane", 1),
    "lda": (diagonal, "lda_plane", 1),
    "householder": (diagonal, "householder_planes", 1),
    "oc1": (diagonal, QUIET, 1),
    "chou": (diagonal, "chou_plane", 1),
    "sparse": (diagonal, "sparse_planes", 1),
    "disc-by-columns": (disc, "sorted_cuts", 4),
    "sphere": (disc, "spheres", 1),
    "kd": (clouds, "kd_median", 3),
    "pca": (clouds, "pca_median", 3),
    "two-means": (clouds, "two_means", 3),
    "ball": (clouds, "ball", 3),
}
# The figures with strips: the column with one strip per value, and the column of the vertical axis.
STRIPS = {"levels": ("place", "height"), "multiway": ("place", "height"), "missing": ("psa", "age")}


def picture(name: str):
    """The regions of a tree with one kind of question."""
    data, search, depth = PICTURES[name]
    table = data()
    stops = [{"name": "max_depth", "depth": depth}, {"name": "min_leaf", "rows": 3}]
    tree = hb.grow(table, hb.recipe("plain").with_changes(searches=search, stops=stops))
    title = f"{name.replace('-', ' ')}, depth {depth}"
    if name in STRIPS:
        return strips(tree, table, *STRIPS[name], title)
    return regions(tree, table, title=title)


def strips(tree, table, across: str, up: str, title: str):
    """One strip per level of a column, or for missing and known values; the other column is the vertical axis."""
    column, height = table[across], table[up]
    labels = list(column.levels) or ["missing", "known"]
    strip = column.values if column.levels else np.where(column.is_missing, 0, 1)
    look = theme_named("light")
    low, high = float(height.values.min()), float(height.values.max())
    axes = Axes((0.0, float(len(labels))), (low, high), 420.0, 360.0, look, top=56.0)
    classes = [str(name) for name in tree.schema.classes]
    parts = []
    for index, label in enumerate(labels):
        first = int(np.flatnonzero(strip == index)[0])
        edges = np.linspace(low, high, 121)
        fixed = {c.name: dataclasses.replace(c, values=np.repeat(c.values[first], 120)) for c in table.columns}
        fixed[up] = dataclasses.replace(height, values=(edges[:-1] + edges[1:]) / 2)
        probabilities = hb.predict(tree, hb.Table(tuple(fixed.values()))).values
        colours = [leaf_color(int(row.argmax()), float(2 * row.max() - 1), look) for row in probabilities]
        starts = [cell for cell in range(120) if cell == 0 or colours[cell] != colours[cell - 1]]
        for cell, end in itertools.pairwise([*starts, 120]):
            left, top = axes.x(index), axes.y(edges[end])
            parts.append(rect(left, top, axes.x(index + 1) - left, axes.y(edges[cell]) - top, fill=colours[cell]))
        parts.append(axes.text(index + 0.5, low, label, text_anchor="middle", dy="14"))
    spread = np.random.default_rng(0).uniform(0.1, 0.9, len(table))
    for row, code in enumerate(table.target.values):
        colour = class_color(int(code), look)
        parts.append(axes.dot(strip[row] + spread[row], height.values[row], 2.8, fill=colour, stroke=look.ground))
    named = [(class_color(k, look), name) for k, name in enumerate(classes)]
    return finish_plot(axes, title, legend(axes, named, 44.0), join(parts), axes.frame(across, up, x_ticks=()))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
    for name in PICTURES:
        print(picture(name).save(folder / f"{name}.png", zoom=1.2))
