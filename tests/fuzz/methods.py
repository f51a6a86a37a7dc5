"""Random methods for the fuzzer: any combination of parts and settings that the target type permits."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbeam.growing.method import Method
from hornbeam.table.column import Kind
from hornbeam.table.table import Table

Settings = dict[str, Any]

CLASS_CRITERIA = (
    "gini",
    "entropy",
    "c45",
    "misclassification",
    "gain_ratio",
    "cart_measure",
    "twoing",
    "chi_square",
    "hellinger",
    "two_class_variance",
    "conditional_inference",
)
NUMBER_CRITERIA = ("squared_error", "squared_error", "absolute_error", "conditional_inference")
CLASS_LOSSES = ("zero_one", "brier", "log", "cost_matrix")
NUMBER_LOSSES = ("squared", "absolute", "pinball")
GROUPS = (
    "level_vs_rest",
    "best_subset",
    "all_subsets",
    "chou",
    "multiway",
    "random_subsets",
    "many_levels",
    "ordered_categories",
    "superclasses",
    "c45_groups",
)
MANY = (
    "perceptron_plane",
    "logistic_plane",
    "svm_plane",
    "lda_plane",
    "householder_planes",
    "oc1_plane",
    "chou_plane",
    "sparse_planes",
    "spheres",
    "kd_median",
    "pca_median",
    "two_means",
    "ball",
    "conjunctions",
)
MISSING = ("skip_column", "drop_rows", "impute", "fractional", "learned", "own_branch", "surrogates")
ORDERS = ("depth_first", "best_first", "level_wise")


def random_method(rng: np.random.Generator, table: Table, kind: str) -> Method:
    """A method drawn at random; raises an error of hornbeam's where the parts do not fit each other."""
    is_class = kind == "class"
    changes: Settings = {
        "criterion": _criterion(rng, table, kind),
        "loss": _loss(rng, table, kind) if rng.random() < 0.5 else None,
        "searches": _searches(rng, table),
        "missing": _missing(rng),
        "order": str(rng.choice(ORDERS)),
        "stops": _stops(rng, is_class),
        "competitors": int(rng.integers(0, 4)) if rng.random() < 0.3 else 0,
        "max_features": _max_features(rng) if rng.random() < 0.25 else None,
        "weights": str(rng.choice(("frequency", "importance"), p=[0.85, 0.15])),
        "collapse": bool(rng.random() < 0.1),
        "column_costs": {"c0": float(rng.choice([0.5, 2.0, 3.0]))} if rng.random() < 0.15 else None,
        "split_penalty": {"hyperplane": 0.05, "threshold": 0.1, "subset": 0.2} if rng.random() < 0.08 else None,
    }
    changes["allow_zero_gain"] = bool(rng.random() < 0.4)
    if is_class:
        changes["priors"] = _priors(rng, table)
        changes["class_weight"] = "balanced" if rng.random() < 0.1 else None
    if rng.random() < 0.08:
        changes["stops"] = [*changes["stops"], {"name": "penalized_size", "alpha": float(rng.choice([0.0, 0.3, 1.0]))}]
    if rng.random() < 0.1:
        changes["first_question"] = random_first_question(rng, table)
    if rng.random() < 0.3:
        changes["searches"] = [_near_the_root(rng, each) for each in changes["searches"]]
    return Method(**changes)


def _near_the_root(rng: np.random.Generator, search: Any) -> Any:
    """A search of several columns that is used at small depths alone; others as they are."""
    settings = {"name": search} if isinstance(search, str) else dict(search)
    return {**settings, "until_depth": int(rng.integers(1, 4))} if settings["name"] in MANY else search


def _criterion(rng: np.random.Generator, table: Table, kind: str) -> Any:
    if rng.random() < 0.1:
        loss = _loss_of_criterion(rng, table, kind)
        return {"name": "loss_decrease", "loss": loss}
    if kind == "class":
        name = str(rng.choice(CLASS_CRITERIA))
        return {"name": "c45", "method": "gain"} if name == "c45" and rng.random() < 0.3 else name
    if kind == "count" and rng.random() < 0.35:
        return "poisson"
    return str(rng.choice(NUMBER_CRITERIA))


def _loss_of_criterion(rng: np.random.Generator, table: Table, kind: str) -> Any:
    if kind == "class":
        name = str(rng.choice(CLASS_LOSSES))
        return _cost_matrix(rng, table) if name == "cost_matrix" else name
    if kind == "count" and rng.random() < 0.4:
        return "poisson"
    return {"name": "pinball", "tau": float(rng.choice([0.1, 0.5, 0.8]))} if rng.random() < 0.5 else "absolute"


def _loss(rng: np.random.Generator, table: Table, kind: str) -> Any:
    if kind == "count" and rng.random() < 0.2:
        return {"name": "poisson", "shrink": float(rng.choice([0, 0.5, 2]))}
    if kind != "class":
        name = str(rng.choice(NUMBER_LOSSES))
        return {"name": name, "tau": float(rng.choice([0.1, 0.5, 0.8]))} if name == "pinball" else name
    name = str(rng.choice(CLASS_LOSSES))
    return _cost_matrix(rng, table) if name == "cost_matrix" else name


def _cost_matrix(rng: np.random.Generator, table: Table) -> Any:
    assert table.target is not None
    classes = table.target.levels
    costs = {a: {b: float(rng.integers(1, 5)) for b in classes if b != a} for a in classes}
    return {"name": "cost_matrix", "costs": costs}


def _priors(rng: np.random.Generator, table: Table) -> Any:
    kind = rng.random()
    if kind < 0.8:
        return "data"
    if kind < 0.9:
        return "equal"
    assert table.target is not None
    probabilities = rng.integers(1, 5, len(table.target.levels)).astype(float)
    return dict(zip(table.target.levels, (probabilities / probabilities.sum()).tolist(), strict=True))


def _searches(rng: np.random.Generator, table: Table) -> list[Any]:
    if rng.random() < 0.05:
        return [_many(rng)]
    found: list[Any] = []
    kinds = {column.kind for column in table.columns}
    if kinds & {Kind.NUMERIC, Kind.ORDINAL} or rng.random() < 0.5:
        found.append(_cuts(rng))
    if (Kind.NOMINAL in kinds and found != ["random_cuts"]) or rng.random() < 0.2:
        found.append(_groups(rng))
    if rng.random() < 0.12:
        found.append(_many(rng))
    if rng.random() < 0.1:
        found.append("is_missing")
    if rng.random() < 0.1:
        listed = _custom(rng, table)
        found = [listed] if rng.random() < 0.2 else [*found, listed]
    if rng.random() < 0.05 and "intervals" not in [each["name"] for each in found if isinstance(each, dict)]:
        found.append({"name": "intervals", "max_intervals": int(rng.integers(2, 6))})
    if rng.random() < 0.08:
        found.append({"name": "lookahead", "when": str(rng.choice(("stuck", "always"))), "quantiles": 8})
    return found or ["sorted_cuts"]


def _cuts(rng: np.random.Generator) -> Any:
    name = str(
        rng.choice(
            ("sorted_cuts", "binned_cuts", "boundary_points", "random_pairs", "random_cuts", "intervals"),
            p=[0.5, 0.15, 0.08, 0.09, 0.1, 0.08],
        )
    )
    if name == "sorted_cuts":
        return {
            "name": name,
            "cut": str(rng.choice(("midpoint", "data"))),
            "min_size": str(rng.choice(("min_leaf", "c45"), p=[0.8, 0.2])),
        }
    if name == "binned_cuts":
        return {"name": name, "bins": int(rng.choice([2, 3, 7, 20, 255]))}
    if name == "random_pairs":
        return {"name": name, "pairs": int(rng.integers(1, 30))}
    if name == "intervals":
        return {
            "name": name,
            "method": str(rng.choice(("gain_ratio", "mdlp"))),
            "max_intervals": int(rng.integers(2, 6)),
        }
    return name


def _groups(rng: np.random.Generator) -> Any:
    name = str(rng.choice(GROUPS))
    settings: Settings = {}
    if name == "random_subsets":
        settings["n_sets"] = int(rng.integers(1, 20))
    if name == "multiway":
        settings = {
            "every": str(rng.choice(("present", "declared"))),
            "once_per_path": bool(rng.random() < 0.5),
            "allow_zero_gain": bool(rng.random() < 0.2),
        }
    if name == "level_vs_rest":
        settings = {"method": str(rng.choice(("score", "ratio"))), "every": str(rng.choice(("present", "declared")))}
    if name == "all_subsets" and rng.random() < 0.3:
        settings["size_limit"] = int(rng.integers(1, 4))
    if name == "best_subset" and rng.random() < 0.3:
        settings = {"try_all": int(rng.integers(2, 9)), "every_set": bool(rng.random() < 0.3)}
    if name == "many_levels":
        settings = {
            "many": int(rng.integers(1, 6)),
            "few": float(rng.choice([2.0, 10.0])),
            "penalize_sets": bool(rng.random() < 0.5),
        }
    if name == "superclasses":
        settings["method"] = str(rng.choice(("twoing", "criterion")))
    return {"name": name, **settings}


def _many(rng: np.random.Generator) -> Any:
    name = str(rng.choice(MANY))
    settings: Settings = {}
    if name == "oc1_plane":
        settings = {"restarts": 2, "jumps": 2}
    if name == "sparse_planes":
        settings = {"min_directions": 4, "max_directions": 12}
    if name == "conjunctions":
        settings = {"length": int(rng.integers(2, 4)), "beam": 3, "pool": 8}
    return {"name": name, **settings}


def _custom(rng: np.random.Generator, table: Table) -> Any:
    """A few questions about the columns, alone and combined."""
    questions = [_question(rng, table) for _ in range(int(rng.integers(1, 7)))]
    if rng.random() < 0.5:
        how = str(rng.choice(("any", "all")))
        questions.append({how: [dict(_question(rng, table)), {**_question(rng, table), "not": True}]})
    until = {"until_depth": int(rng.integers(1, 4))} if rng.random() < 0.3 else {}
    return {"name": "custom_questions", "questions": questions, **until}


def _question(rng: np.random.Generator, table: Table) -> Settings:
    column = table.columns[int(rng.integers(0, len(table.columns)))]
    if rng.random() < 0.2 or (column.kind is not Kind.NUMERIC and len(column.levels) < 2):
        return {"column": column.name, "is_missing": True}
    known = column.values[np.isfinite(column.values)]
    if column.kind is not Kind.NUMERIC:
        # A set of no level, or of all, cannot be read from a model file.
        inside = rng.choice(len(column.levels), int(rng.integers(1, len(column.levels))), replace=False)
        return {"column": column.name, "in": [column.levels[code] for code in sorted(inside.tolist())]}
    low, high = sorted(rng.choice(known, 2).tolist()) if len(known) else (0.0, 1.0)
    return {
        "column": column.name,
        **({"above": low} if rng.random() < 0.6 or low == high else {"between": [low, high]}),
    }


def random_first_question(rng: np.random.Generator, table: Table, depth: int = 0) -> Settings:
    """A question for the root, and some for its branches."""
    below = {
        branch: random_first_question(rng, table, depth + 1)
        for branch in ("yes", "no")
        if depth < 2 and rng.random() < 0.4
    }
    return {**_question(rng, table), **below}


def _missing(rng: np.random.Generator) -> Any:
    name = str(rng.choice(MISSING))
    if name == "skip_column":
        return {"name": name, "route": str(rng.choice(("majority", "stay")))}
    if name == "impute":
        return {
            "name": name,
            "method": str(rng.choice(("mean", "median", "mode"))),
            "scope": str(rng.choice(("global", "node"))),
        }
    if name == "surrogates":
        return {
            "name": name,
            "max_surrogates": int(rng.integers(0, 4)),
            "style": str(rng.choice(("all", "known"))),
            "route": str(rng.choice(("majority", "stay"))),
        }
    return name


def _stops(rng: np.random.Generator, is_class: bool) -> list[Any]:
    """The usual stops with random settings, and in some cases one more."""
    found: list[Any] = ["pure"] if rng.random() < 0.9 else []
    found.append({"name": "min_split", "rows": int(rng.integers(1, 6)), "weight": float(rng.choice([0.0, 3.0]))})
    found.append(
        {"name": "min_leaf", "rows": int(rng.integers(1, 5)), "weight": float(rng.choice([0.0, 0.0, 1.0, 2.5]))}
    )
    more: list[tuple[float, Any]] = [
        (0.5, {"name": "max_depth", "depth": int(rng.integers(0, 7))}),
        (0.15, {"name": "max_leaves", "leaves": int(rng.integers(1, 9))}),
        (0.1, {"name": "max_nodes", "nodes": int(rng.integers(1, 14))}),
        (0.1, "same_vectors"),
        (0.1, {"name": "min_decrease", "decrease": float(rng.choice([0.0, 0.02]))}),
        (0.1, {"name": "min_gain", "beta": float(rng.choice([0.0, 0.05]))}),
        (0.1, {"name": "eta", "rows": int(rng.integers(0, 9))}),
        (0.05, {"name": "conditional_inference", "alpha": 0.3}),
        (0.02, {"name": "permutation_test", "draws": 19}),
    ]
    if is_class:
        more.append((0.1, {"name": "purity", "pi": float(rng.choice([0.7, 0.9, 1.0]))}))
        more.append((0.06, {"name": "chi_square_test", "alpha": 0.3, "adjust": str(rng.choice(("none", "sidak")))}))
    return found + [stop for chance, stop in more if rng.random() < chance]


def _max_features(rng: np.random.Generator) -> Any:
    return [1, 2, 0.5, "sqrt"][int(rng.integers(4))]
