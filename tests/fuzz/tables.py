"""Random tables for the fuzzer: few rows, many ties, missing values, extreme values, weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hornbeam.table.column import Column, nominal, numeric, ordinal
from hornbeam.table.table import Table

LEVELS = tuple(f"v{code}" for code in range(40))
CLASSES = tuple("ABCDEF")

Values = Callable[[np.random.Generator, int], np.ndarray]

# The distributions of a numeric column; ties and extremes are more common here than in real tables.
NUMERIC: tuple[Values, ...] = (
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: rng.integers(0, 8, n).astype(float),
    lambda rng, n: np.round(rng.normal(size=n), 1),
    lambda rng, n: rng.integers(0, 2, n).astype(float),
    lambda rng, n: np.full(n, 3.0),
    lambda rng, n: 1e9 + rng.integers(0, 5, n).astype(float),
    lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300),
    lambda rng, n: rng.choice([-np.inf, -1.0, 0.0, 2.0, np.inf], n),
    lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, np.nextafter(1.0, 2.0)),
    lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n)),
)

# The distributions of a numeric target; the second value states whether all values are counts or positive.
TARGETS: tuple[tuple[Values, bool], ...] = (
    (lambda rng, n: rng.integers(0, 5, n) * 1.5, True),
    (lambda rng, n: rng.integers(0, 3, n).astype(float), True),
    (lambda rng, n: rng.normal(size=n), False),
    (lambda rng, n: np.round(rng.normal(size=n), 1), False),
    (lambda rng, n: 1e9 + rng.integers(0, 7, n), True),
    (lambda rng, n: rng.integers(0, 2, n) * 1e-9, True),
    (lambda rng, n: np.exp(3 * rng.normal(size=n)), True),
    (lambda rng, n: np.full(n, 2.5), True),
    (lambda rng, n: np.zeros(n), True),
)


def random_table(rng: np.random.Generator) -> tuple[Table, str]:
    """A table and the type of its target: "class", "count" (a non-negative number) or "number"."""
    n = int(rng.choice([rng.integers(1, 12), rng.integers(12, 60), rng.integers(60, 400)], p=[0.2, 0.6, 0.2]))
    missing = float(rng.choice([0.0, 0.15, 0.5], p=[0.4, 0.4, 0.2]))
    columns = tuple(_column(rng, f"c{place}", n, missing) for place in range(int(rng.integers(1, 6))))
    target, kind = _target(rng, n)
    return Table(columns, target, _weights(rng, n)), kind


def _column(rng: np.random.Generator, name: str, n: int, missing: float) -> Column:
    is_missing = rng.random(n) < (missing if rng.random() < 0.6 else 0.0)
    kind = rng.random()
    if kind < 0.55:
        values = NUMERIC[int(rng.integers(len(NUMERIC)))](rng, n)
        return numeric(name, np.where(is_missing, np.nan, values))
    n_levels = int(rng.choice([rng.integers(1, 7), rng.integers(7, 17), rng.integers(17, 40)], p=[0.75, 0.2, 0.05]))
    codes = np.where(is_missing, -1, rng.integers(0, n_levels, n))
    return (nominal if kind < 0.85 else ordinal)(name, codes, LEVELS[:n_levels])


def _target(rng: np.random.Generator, n: int) -> tuple[Column, str]:
    if rng.random() < 0.55:
        n_classes = int(rng.integers(1, 7))
        probabilities = rng.dirichlet(np.full(n_classes, float(rng.choice([0.5, 5.0]))))
        return nominal("y", rng.choice(n_classes, n, p=probabilities), CLASSES[:n_classes]), "class"
    draw, is_count = TARGETS[int(rng.integers(len(TARGETS)))]
    return numeric("y", draw(rng, n)), "count" if is_count else "number"


def _weights(rng: np.random.Generator, n: int) -> np.ndarray | None:
    kind = rng.random()
    if kind < 0.5:
        return None
    if kind < 0.7:
        return rng.integers(1, 5, n) / 4
    if kind < 0.85:
        return np.maximum(rng.integers(0, 4, n), [1] + [0] * (n - 1)).astype(float)
    if kind < 0.95:
        return rng.random(n) + 0.05
    return np.exp(3 * rng.normal(size=n))
