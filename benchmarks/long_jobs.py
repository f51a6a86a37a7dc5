"""Long-running jobs, each on a table that makes it slow: Ctrl-C must stop them.

`jobs(folder)` maps a name to a job without arguments. `prepare_columns` makes the table of a job first, so that Ctrl-C
interrupts the job and not the making of its table. Files to read are written to `folder`.
"""

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np

import hornbeam as hb
from hornbeam.growing.method import Method
from hornbeam.parts.missing.impute import Impute
from hornbeam.table.column import Column, nominal, numeric
from hornbeam.table.table import Table

Job = Callable[[], object]
CUTS, LEVELS = "sorted_cuts", "best_subset"


def _levels(name: str, n_rows: int, count: int, seed: int) -> Column:
    codes = np.random.default_rng(seed).integers(0, count, n_rows).astype(np.int32)
    return nominal(name, codes, tuple(f"{name}{i}" for i in range(count)))


def _numbers(n_rows: int, n_columns: int, seed: int = 1) -> tuple[Column, ...]:
    rng = np.random.default_rng(seed)
    return tuple(numeric(f"x{j}", rng.normal(size=n_rows)) for j in range(n_columns))


@functools.cache
def ids(n_rows: int = 20_000, count: int = 5_000) -> Table:
    """An id as the target and two more ids among the columns, a common mistake."""
    columns = (_levels("a", n_rows, count, 1), _levels("b", n_rows, count, 2))
    return Table(columns, _levels("y", n_rows, count, 3))


@functools.cache
def levels(n_rows: int = 300_000, count: int = 60, n_classes: int = 12) -> Table:
    """Columns with many levels and many classes, without any relation."""
    return Table(tuple(_levels(f"c{j}", n_rows, count, j) for j in range(6)), _levels("y", n_rows, n_classes, 9))


@functools.cache
def noise(n_rows: int = 400_000, n_columns: int = 12, n_classes: int = 3) -> Table:
    """Numeric columns without relation to the class: the tree has the maximum size."""
    return Table(_numbers(n_rows, n_columns), _levels("y", n_rows, n_classes, 9))


@functools.cache
def wide(n_rows: int = 4_000, n_columns: int = 600) -> Table:
    """Columns enough that planes are slow."""
    return Table(_numbers(n_rows, n_columns), _levels("y", n_rows, 3, 9))


@functools.cache
def counts(n_rows: int = 400_000) -> Table:
    """A regression target, with numeric and categorical columns."""
    target = numeric("y", np.random.default_rng(5).poisson(3, n_rows).astype(float))
    return Table((*_numbers(n_rows, 6), _levels("c", n_rows, 2_000, 6)), target)


@functools.cache
def missing_values(n_rows: int = 400_000) -> Table:
    """Numeric columns with a third of the values missing."""
    rng = np.random.default_rng(7)
    columns = tuple(
        numeric(f"x{j}", np.where(rng.random(n_rows) < 1 / 3, np.nan, rng.normal(size=n_rows))) for j in range(8)
    )
    return Table(columns, _levels("y", n_rows, 3, 9))


def _grow(table: Callable[[], Table], *searches: object, criterion: str = "gini", **more: object) -> Job:
    return lambda: hb.grow(table(), Method(criterion=criterion, searches=searches, **more))


def searches() -> dict[str, tuple[Callable[[], Table], Job]]:
    """Every search on a table that keeps it busy."""
    on_levels = ("best_subset", "chou", "superclasses", "c45_groups", "multiway", "level_vs_rest", "many_levels")
    on_noise = ("sorted_cuts", "boundary_points", "intervals", "binned_cuts", "random_pairs", "kd_median", "two_means")
    planes = (
        *("lda_plane", "logistic_plane", "svm_plane", "perceptron_plane", "oc1_plane", "householder_planes"),
        *("chou_plane", "pca_median", "sparse_planes", "spheres"),
    )
    found: dict[str, tuple[Callable[[], Table], Job]] = {}
    for name in on_levels:
        found[f"{name}, ids"] = (ids, _grow(ids, name, criterion="entropy"))
        found[f"{name}, levels"] = (levels, _grow(levels, name))
    for name in on_noise:
        found[f"{name}, noise"] = (noise, _grow(noise, name))
    for name in planes:
        found[f"{name}, wide"] = (wide, _grow(wide, name))
    many = {"name": "random_subsets", "n_sets": 5_000}
    found["random_subsets, ids"] = (ids, _grow(ids, many))
    found["random_cuts, noise"] = (noise, _grow(noise, "random_cuts"))
    found["conjunctions, ids"] = (ids, _grow(ids, LEVELS, "conjunctions"))
    found["lookahead, levels"] = (levels, _grow(levels, "lookahead"))
    return found


def settings() -> dict[str, tuple[Callable[[], Table], Job]]:
    """Criteria, stopping rules with tests, and strategies for missing values."""
    found: dict[str, tuple[Callable[[], Table], Job]] = {}
    for name in ("gini", "gain_ratio", "twoing", "hellinger", "chi_square", "misclassification"):
        found[f"{name}, ids"] = (ids, _grow(ids, LEVELS, criterion=name))
    for name in ("squared_error", "poisson", "absolute_error"):
        found[f"{name}, counts"] = (counts, _grow(counts, CUTS, "multiway", criterion=name))
    for name in ("learned", "fractional", "own_branch", "skip_column", "surrogates", Impute(scope="node")):
        found[f"{getattr(name, 'name', name)}, missing_values"] = (
            missing_values,
            _grow(missing_values, CUTS, missing=name),
        )
    for name in ("chi_square_test", "permutation_test"):
        found[f"{name}, noise"] = (noise, _grow(noise, CUTS, stops=(name,)))
    for name in ("cart", "c45", "ctree"):
        found[f"recipe {name}, ids"] = (ids, lambda name=name: hb.grow(ids(), name))
        found[f"recipe {name}, noise"] = (noise, lambda name=name: hb.grow(noise(), name))
    found["reference grower, noise"] = (noise, lambda: hb.grow(noise(), "plain", engine="python"))
    return found


@functools.cache
def _deep_tree() -> hb.Tree:
    return hb.grow(noise(60_000, 12, 3), "plain")


@functools.cache
def _deep_forest() -> hb.Forest:
    return hb.forest(noise(20_000, 12, 3), n_trees=60)


def _ready(*makers: Callable[[], object]) -> Callable[[], None]:
    def make() -> None:
        for maker in makers:
            maker()

    return make


def models() -> dict[str, tuple[Callable[[], object], Job]]:
    """Ensembles, prunings, and uses of a model."""

    def rows(count: int) -> Table:
        return noise().take(np.arange(count))

    def small() -> Table:
        return noise(60_000, 12, 3)

    some = _ready(small, _deep_tree)
    found: dict[str, tuple[Callable[[], object], Job]] = {
        "forest": (noise, lambda: hb.forest(noise(), n_trees=1_000)),
        "bagging": (noise, lambda: hb.bag(noise(), n_trees=1_000)),
        "boosting": (noise, lambda: hb.boost(noise(), n_rounds=10_000)),
        "adaboost": (noise, lambda: hb.adaboost(noise(), n_trees=10_000)),
        "stability": (small, lambda: hb.stability(small(), hb.grow, repeats=500)),
        "contributions of a tree": (
            _ready(noise, _deep_tree),
            lambda: hb.shap_values(_deep_tree(), rows(20_000), background=rows(500)),
        ),
        "contributions of a forest": (
            _ready(noise, _deep_forest),
            lambda: hb.shap_values(_deep_forest(), noise()),
        ),
        "permutation importance": (
            _deep_forest,
            lambda: [hb.importance(_deep_forest(), noise(20_000, 12, 3), method="out_of_bag") for _ in range(100)],
        ),
        "folds": (noise, lambda: hb.cross_validate(noise(), "plain", folds=100)),
        "comparison of prunings": (noise, lambda: hb.compare_prunings(noise(), "plain")),
        "rules": (some, lambda: hb.rules.c45rules(_deep_tree(), small())),
        "report": (some, lambda: hb.report(_deep_tree(), small())),
    }
    return found


def readers(folder: Path) -> dict[str, tuple[Callable[[], object], Job]]:
    """Files with many rows."""
    path = folder / "long.csv"

    def write() -> None:
        if not path.exists():
            line = ",".join(f"{j}.25" for j in range(30)) + ",yes\n"
            with path.open("w") as file:
                file.write(",".join(f"x{j}" for j in range(30)) + ",y\n")
                for _ in range(300):
                    file.write(line * 10_000)

    return {"read a CSV": (write, lambda: hb.read(path, target="y"))}


def jobs(folder: Path) -> dict[str, tuple[Callable[[], object], Job]]:
    """Every job by name: its preparation, and the job."""
    return {**searches(), **settings(), **models(), **readers(folder)}
