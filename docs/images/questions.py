"""What boundary does a kind of question draw in two dimensions?  Makes the pictures of docs/guides/questions.

python docs/images/questions.py
"""

from pathlib import Path

import numpy as np

import hornbeam as hb

HERE = Path(__file__).parent / "questions"


def points(inside):
    """Points of a square, and whether they lie inside a region."""
    x, y = np.random.default_rng(3).uniform(0, 10, size=(2, 300))
    return hb.read({"x": x, "y": y, "inside": np.where(inside(x, y), "yes", "no").tolist()}, target="inside")


def drawn(name, table, search, title):
    """One picture."""
    recipe = hb.recipe("plain").but(searches=[search], stops=[{"name": "depth", "at_most": 1}])
    hb.regions(hb.grow(table, recipe), table, "x", "y", title=title).save(HERE / f"{name}.svg")


HERE.mkdir(exist_ok=True)
corner = points(lambda x, y: (x > 4) & (y > 5))
drawn("conjunction", corner, "conjunctions", "One conjunction")
ranges = {
    "name": "given",
    "questions": [{"any": [{"column": "x", "between": [2, 4]}, {"column": "y", "between": [6, 8]}]}],
}
drawn("given", points(lambda x, y: ((x > 2) & (x <= 4)) | ((y > 6) & (y <= 8))), ranges, "One given question")
