"""The workloads: a workload is one data set and one task; all libraries of its family run it in turn.

A group is a list of workloads on one page. `tiny` only checks that everything runs, `quick` uses 20 % of the rows
(scaling: up to 100,000), `full` is the size that is quoted.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SHRINK = {"tiny": 100, "quick": 5, "full": 1}
COARSE = {"dtype": "float32", "grain": "mixed"}
BOOSTED: dict[str, Any] = {"family": "boosting", "depth": 6, "trees": 100}


@dataclass(frozen=True)
class Workload:
    """One line of a benchmark run: data, family of libraries, task."""

    label: str
    data: dict[str, Any]
    family: str = "exact"
    depth: int | None = None
    criterion: str = "gini"
    trees: int = 1
    act: str = "fit"
    fits_per_turn: int = 1
    series: bool = field(
        default=False, kw_only=True
    )  # the next workload is the same with more rows: libraries that would be too slow are skipped


def count(rows: int) -> str:
    return f"{rows:,}"


def numbers(size: str, rows: int, columns: int, dtype: str = "float64", **more: Any) -> dict[str, Any]:
    """A numeric data set, reduced to the requested size."""
    return {"generator": "numbers", "rows": max(500, rows // SHRINK[size]), "columns": columns, "dtype": dtype, **more}


def on_numbers(
    size: str, text: str, rows: int, columns: int, *, data: dict[str, Any] | None = None, **task: Any
) -> Workload:
    made = numbers(size, rows, columns, **(data or {}))
    return Workload(f"{count(made['rows'])} x {columns}, {text}", made, **task)


def exact(size: str) -> list[Workload]:
    """One exact tree to full depth."""
    cover = max(1000, 50_000 // SHRINK[size])
    return [
        on_numbers(size, "two classes, continuous", 100_000, 10),
        on_numbers(size, "two classes, mixed grain", 100_000, 10, data={"grain": "mixed"}),
        on_numbers(size, "two classes, continuous", 100_000, 50),
        Workload(f"cover-type-like {count(cover)} x 54, seven classes", {"generator": "cover_type", "rows": cover}),
        on_numbers(size, "two classes, continuous", 1_000_000, 20),
    ]


def classes(size: str) -> list[Workload]:
    """One exact tree to full depth, many classes."""
    return [on_numbers(size, f"{k} classes", 30_000, 10, data={"classes": k}) for k in (10, 50)]


def targets(size: str) -> list[Workload]:
    """The same columns with Gini, entropy and a regression target: the cost of the criteria.

    At full depth a regression tree has ten times the nodes of the others; at depth 10 all have about the same size.
    """
    kinds: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Gini", {}),
        ("entropy", {"criterion": "entropy"}),
        ("regression", {"data": {"classes": 0}, "criterion": "squared_error"}),
    )
    return [
        on_numbers(size, text if depth is None else f"{text}, depth {depth}", 100_000, 10, depth=depth, **task)
        for depth in (None, 10)
        for text, task in kinds
    ]


def depth(size: str) -> list[Workload]:
    """One exact tree of a given depth."""
    return [on_numbers(size, f"depth {d}", 100_000, 20, depth=d) for d in (3, 6, 10)]


def small(size: str) -> list[Workload]:
    """The fixed cost of a fit."""
    fits = 5 if size == "tiny" else 200
    return [Workload("iris", {"generator": "iris"}, family="small", fits_per_turn=fits)]


def categories(size: str) -> list[Workload]:
    """Six categorical and four numeric columns, depth 10."""
    rows = max(1000, 20_000 // SHRINK[size])
    return [
        Workload(
            f"{count(rows)} rows, six categories of {count(k)} levels + 4 numeric",
            {"generator": "categories", "rows": rows, "levels": k},
            family="categories",
            depth=10,
        )
        for k in (5, 50, 500, 5000)
    ]


def oblique(size: str) -> list[Workload]:
    """Planes at every node, compared with cuts of single columns, depth 8."""
    return [on_numbers(size, "planes, depth 8", 100_000, 20, family="oblique", depth=8)]


def intervals(size: str) -> list[Workload]:
    """Columns cut into several intervals, compared with binary cuts, depth 4."""
    return [on_numbers(size, "intervals, depth 4", 20_000, 5, data=COARSE, family="intervals", depth=4)]


def level_sets(size: str) -> list[Workload]:
    """One question about columns with 5,000 levels: Chou's descent, compared with the ordered search."""
    rows = max(1000, 100_000 // SHRINK[size])
    made = {"generator": "categories", "rows": rows, "levels": 5000, "columns": 2, "numeric": 1}
    return [
        Workload(
            f"{count(rows)} rows, two categories of 5,000 levels + 1 numeric, depth 1",
            made,
            family="level_sets",
            depth=1,
        )
    ]


def binned(size: str) -> list[Workload]:
    """One tree on 255 or 256 bins, binning included; scikit-learn's exact tree for reference."""
    return [
        on_numbers(size, "depth 6", 100_000, 20, data=COARSE, family="binned", depth=6),
        on_numbers(size, "unbounded", 100_000, 20, data=COARSE, family="binned"),
    ]


def scaling(size: str) -> list[Workload]:
    """How the cost of one exact tree grows with the rows."""
    most = {"tiny": 3, "quick": 5, "full": 7}[size]
    rows = [10**power for power in range(4 if most > 4 else 2, most + 1)]
    return [Workload(f"{count(n)} x 4", {"generator": "numbers", "rows": n, "columns": 4}, series=True) for n in rows]


def many_trees(size: str, family: str) -> list[Workload]:
    """100 trees to full depth: continuous columns, mixed grain, many classes, regression."""
    cover = max(1000, 50_000 // SHRINK[size])
    task: dict[str, Any] = {"family": family, "trees": 100}
    numbers_task = {**task, "criterion": "squared_error", "trees": 20}
    return [
        on_numbers(size, "100 trees, continuous", 100_000, 20, **task),
        on_numbers(size, "100 trees, mixed grain", 100_000, 20, data=COARSE, **task),
        Workload(f"cover-type-like {count(cover)} x 54, 100 trees", {"generator": "cover_type", "rows": cover}, **task),
        on_numbers(size, "20 trees, regression", 100_000, 20, data={"classes": 0}, **numbers_task),
    ]


def forest(size: str) -> list[Workload]:
    """A random forest to full depth."""
    return many_trees(size, "forest")


def extra_trees(size: str) -> list[Workload]:
    """Extremely randomized trees to full depth."""
    return many_trees(size, "extra_trees")


def boosting(size: str) -> list[Workload]:
    """Boosted trees of depth 6, rate 0.1."""
    tasks = (("two classes", 2, "gini", 100), ("two classes", 2, "gini", 300), ("regression", 0, "squared_error", 100))
    return [
        on_numbers(
            size,
            f"{text}, {trees} trees",
            50_000,
            20,
            data={**COARSE, "classes": k},
            criterion=criterion,
            **{**BOOSTED, "trees": trees},
        )
        for text, k, criterion, trees in tasks
    ]


def prune(size: str) -> list[Workload]:
    """A tree to full depth, pruned at the alpha that ten folds choose."""
    return [on_numbers(size, "two classes, ten folds", 50_000, 20, family="prune")]


def predict(size: str) -> list[Workload]:
    """Predictions for a million held-out rows from a trained model."""
    rows = max(1000, 1_000_000 // SHRINK[size])
    task: dict[str, Any] = {"data": {**COARSE, "held_out": rows}, "act": "predict"}
    boosted = {**BOOSTED, "trees": 300}
    return [
        on_numbers(size, f"one tree of full depth, predicting {count(rows)} rows", 100_000, 20, **task),
        on_numbers(size, f"100 trees, predicting {count(rows)} rows", 100_000, 20, family="forest", trees=100, **task),
        on_numbers(size, f"300 boosted trees, predicting {count(rows)} rows", 50_000, 20, **boosted, **task),
    ]


def shap(size: str) -> list[Workload]:
    """Exact Shapley values of 1,000 held-out rows from a trained forest."""
    task = {"data": COARSE, "family": "shap", "act": "explain"}
    return [
        on_numbers(size, "100 trees of depth 6", 20_000, 20, trees=100, depth=6, **task),
        on_numbers(size, "20 trees of depth 10", 20_000, 20, trees=20, depth=10, **task),
    ]


# run when no group is named
FIRST: tuple[Callable[[str], list[Workload]], ...] = (
    exact, classes, targets, depth, small, categories, binned, scaling,
)  # fmt: skip
# run only by name
LATER: tuple[Callable[[str], list[Workload]], ...] = (
    forest, extra_trees, boosting, prune, predict, shap, oblique, intervals, level_sets,
)  # fmt: skip
GROUPS = {group.__name__: group for group in (*FIRST, *LATER)}
