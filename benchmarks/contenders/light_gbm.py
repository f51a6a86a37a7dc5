"""LightGBM: one histogram tree, and boosting."""

from benchmarks.contenders.base import ByShares, OnFrames


class LgbTree(ByShares, OnFrames):
    name, library = "LightGBM", "lightgbm"
    families = frozenset({"binned", "categories", "level_sets"})
    most_classes = 2
    most_leaves = 131_072

    def settings(self):
        leaves = min(self.most_leaves, len(self.data.y)) if self.depth is None else 2**self.depth
        limits = {"min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0}
        return {"num_leaves": leaves, "max_depth": self.depth or -1, "learning_rate": 1.0, **limits}

    def fit(self):
        import lightgbm

        parameters = {
            "num_threads": self.threads,
            "verbosity": -1,
            "objective": "binary" if self.is_class else "regression",
        }
        parameters |= {"histogram_pool_size": 1024, **self.settings()}
        self.model = lightgbm.train(
            parameters, lightgbm.Dataset(self.grow_on, self.data.y, params=parameters), self.trees
        )

    def probabilities(self):
        return self.model.predict(self.held_out, num_threads=self.threads)

    def nodes(self):
        lines = self.model.model_to_string().split("\n")
        return sum(2 * int(line.removeprefix("num_leaves=")) - 1 for line in lines if line.startswith("num_leaves="))


class LgbBoosting(LgbTree):
    name, families = "LightGBM boosting", frozenset({"boosting"})

    def settings(self):
        return {"num_leaves": 63, "max_depth": self.depth, "learning_rate": 0.1, "min_data_in_leaf": 20}


CONTENDERS = (LgbTree, LgbBoosting)
