"""Item B28 of the battery: the sphere that a node is split by is the best over all centers and radii."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import hornbeam as hb


def gini_decrease(labels, is_inside):
    """The decrease of the Gini impurity as a fraction, without the part that all splits share."""
    total = Fraction(0)
    for side in (labels[is_inside], labels[~is_inside]):
        total += sum(Fraction(int(count) ** 2, len(side)) for count in np.bincount(side))
    return total


def squared_distances(points, center):
    return [sum((Fraction(x) - c) ** 2 for x, c in zip(point, center, strict=True)) for point in points]


def best_sphere(points, labels):
    """The largest decrease over the means of the classes, the mean and every row as centers, and every radius."""
    groups = [points[labels == label] for label in np.unique(labels)] + [points]
    centers = [[sum(map(Fraction, column)) / len(group) for column in group.T.tolist()] for group in groups]
    centers += [[Fraction(x) for x in point] for point in points.tolist()]
    best = Fraction(0)
    for center in centers:
        distances = squared_distances(points.tolist(), center)
        for radius in sorted(set(distances))[:-1]:
            best = max(best, gini_decrease(labels, np.array([each <= radius for each in distances])))
    return best


@pytest.mark.parametrize("engine", ["core", "python"])
def test_b28_the_sphere_is_that_of_brute_force_over_centers_and_radii(engine):
    spheres = hb.Recipe(
        criterion="gini",
        searches=({"name": "spheres", "is_scaled": False},),
        stops=({"name": "max_depth", "depth": 1},),
    )
    for seed, n_classes in itertools.product(range(8), (2, 3)):
        random = np.random.default_rng(seed)
        points = random.integers(0, 8, (14, 2)).astype(float)
        labels = random.permutation(np.arange(14) % n_classes)
        table = hb.read({"a": points[:, 0], "b": points[:, 1], "y": labels}, target="y", kinds={"y": "nominal"})
        tree = hb.grow(table, spheres, engine=engine)
        found = hb.predict(tree, table).nodes == 1
        assert gini_decrease(labels, found) == best_sphere(points, labels)
