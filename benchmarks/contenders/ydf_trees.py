"""YDF (Yggdrasil Decision Forests): its depth counts the root as one."""

from benchmarks.contenders.base import ByShares


class YdfCart(ByShares):
    name, library = "YDF CART", "ydf"
    families = frozenset({"exact", "small", "categories", "level_sets"})
    criteria = frozenset({"gini", "entropy", "squared_error"})
    note = "YDF: splits classes by information gain, also where the other libraries use another criterion"
    numbers = "NUMERICAL"

    def inputs(self):
        import ydf

        ydf.verbose(0)
        X, Xt = self.data.frames if self.data.levels else (self.data.X, self.data.Xt)
        self.grow_on = {**self.columns(X), "y": self.data.y}
        self.held_out = self.columns(Xt)

    def columns(self, X):
        """Columns by name; categories as strings, as users of YDF have them."""
        if not self.data.levels:
            return {name: X[:, j] for j, name in enumerate(self.data.names)}
        return {name: X[name].to_numpy().astype(str if name[0] == "c" else float) for name in self.data.names}

    def settings(self):
        return {"validation_ratio": 0.0}

    def learner(self):
        import ydf

        return ydf.CartLearner

    def fit(self):
        import ydf

        kinds = {"c": ydf.Semantic.CATEGORICAL, "x": getattr(ydf.Semantic, self.numbers)}
        learner = self.learner()(
            label="y",
            task=ydf.Task.CLASSIFICATION if self.is_class else ydf.Task.REGRESSION,
            features=[(name, kinds[name[0]]) for name in self.data.names],
            include_all_columns=False,
            max_vocab_count=-1,
            min_vocab_frequency=1,
            max_depth=-1 if self.depth is None else self.depth + 1,
            min_examples=1,
            num_threads=self.threads,
            random_seed=0,
            **self.settings(),
        )
        self.model = learner.train(self.grow_on)

    def probabilities(self):
        return self.model.predict(self.held_out, num_threads=self.threads)

    def nodes(self):
        return int(self.model.num_nodes())


class YdfBinned(YdfCart):
    name, families, numbers = "YDF CART 255 bins", frozenset({"binned"}), "DISCRETIZED_NUMERICAL"

    def settings(self):
        bins = {"discretize_numerical_columns": True, "num_discretized_numerical_bins": 255}
        return {"validation_ratio": 0.0, **bins}


class YdfOblique(YdfCart):
    name, families = "YDF sparse oblique", frozenset({"oblique"})
    note = "YDF sparse oblique: the best of random sparse projections, without a fit"

    def settings(self):
        return {"validation_ratio": 0.0, "split_axis": "SPARSE_OBLIQUE"}


class YdfForest(YdfCart):
    name, families = "YDF forest", frozenset({"forest"})

    def learner(self):
        import ydf

        return ydf.RandomForestLearner

    def settings(self):
        return {"num_trees": self.trees, "compute_oob_performances": False, "winner_take_all": False}


class YdfBoosting(YdfCart):
    name, families = "YDF boosting", frozenset({"boosting"})

    def learner(self):
        import ydf

        return ydf.GradientBoostedTreesLearner

    def settings(self):
        return {"num_trees": self.trees, "shrinkage": 0.1, "validation_ratio": 0.0, "early_stopping": "NONE"}


CONTENDERS = (YdfCart, YdfBinned, YdfOblique, YdfForest, YdfBoosting)
