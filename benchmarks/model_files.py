"""Measures the size of model files (bytes per leaf) and the time to save and load them, compared with LightGBM's text.

    python -m benchmarks.model_files                 in hornbeam's environment: files of hornbeam
    .peers/bin/python -m benchmarks.model_files      in the other environment: LightGBM's text for the same sizes

Boosted trees of 31 and 64 leaves, deep forests, and a forest of 1,000 deep trees.
"""

import importlib.util
import time

import numpy as np

ROWS, COLUMNS, TREES = 20_000, 20, 100


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32).astype(float)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=ROWS)
    return X, (score > 0).astype(int), score


def print_size(name: str, size: int, leaves: int, more: str = "") -> None:
    print(f"{name:32} {size / 1e6:9.2f} MB {size / leaves:7.1f} bytes per leaf  {more}", flush=True)


def ours() -> None:
    import hornbeam as hb
    from hornbeam.tree.file import files

    X, label, score = data()
    columns = {f"x{i}": X[:, i] for i in range(COLUMNS)}
    classes = hb.read({**columns, "y": np.where(label, "yes", "no")}, target="y")
    numbers = hb.read({**columns, "y": score}, target="y")
    deep = hb.forest(classes, n_trees=TREES // 5)
    models = {
        "boosted, 31 leaves": hb.boost(classes, n_rounds=TREES, max_leaves=31),
        "boosted, 64 leaves": hb.boost(classes, n_rounds=TREES, max_leaves=64),
        "boosted regression, 31 leaves": hb.boost(numbers, n_rounds=TREES, max_leaves=31),
        "forest, deep": deep,
        "forest of numbers, deep": hb.forest(numbers, n_trees=TREES // 10),
        "forest of 1,000 deep trees": hb.tree.combine_trees(
            deep.trees * 50, metadata=deep.metadata, recipe=deep.recipe
        ),
    }
    for name, model in models.items():
        start = time.perf_counter()
        data_ = files.to_bytes(model)
        saved = time.perf_counter()
        files.from_bytes(data_)
        took = f"save {saved - start:.2f} s, load {time.perf_counter() - saved:.2f} s"
        print_size(name, len(data_), sum(tree.n_leaves for tree in model), took)


def light_gbm() -> None:
    import lightgbm

    X, label, score = data()
    random = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction": 0.3}
    deep = {"num_leaves": 100_000, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, **random}
    tasks = (
        ("boosted, 31 leaves", {"objective": "binary", "num_leaves": 31}, label, TREES),
        ("boosted, 64 leaves", {"objective": "binary", "num_leaves": 64}, label, TREES),
        ("boosted regression, 31 leaves", {"objective": "regression", "num_leaves": 31}, score, TREES),
        ("forest, deep", {"objective": "binary", **deep}, label, TREES // 20),
        ("regression forest, deep", {"objective": "regression", **deep}, score, 2),
    )
    for name, settings, target, trees in tasks:
        parameters = {"verbosity": -1, "num_threads": 1, **settings}
        text = lightgbm.train(parameters, lightgbm.Dataset(X, target), trees).model_to_string()
        counts = [line.removeprefix("num_leaves=") for line in text.split("\n") if line.startswith("num_leaves=")]
        print_size(f"LightGBM {name}", len(text), sum(map(int, counts)))


if __name__ == "__main__":
    ours() if importlib.util.find_spec("hornbeam") else light_gbm()
