"""XGBoost: one tree (exact, histogram) and boosting. A round grows one tree per class: two classes only."""

from benchmarks.contenders.base import ByShares, OnFrames


class XgbExact(ByShares, OnFrames):
    name, library = "XGBoost exact", "xgboost"
    families = frozenset({"exact", "small"})
    most_classes = 2
    note = "XGBoost, LightGBM: gain of gradients of the log loss, not Gini; several classes would mean several trees"
    method = "exact"

    def settings(self):
        return {"eta": 1.0, "min_child_weight": 0, "reg_lambda": 0, "max_depth": self.depth or 100}

    def fit(self):
        import xgboost

        objective = "binary:logistic" if self.is_class else "reg:squarederror"
        parameters = {"nthread": self.threads, "verbosity": 0, "objective": objective, "tree_method": self.method}
        options = {"nthread": self.threads, "enable_categorical": bool(self.data.levels)}
        if self.method == "hist":
            table = xgboost.QuantileDMatrix(self.grow_on, self.data.y, max_bin=256, **options)
        else:
            table = xgboost.DMatrix(self.grow_on, self.data.y, **options)
        self.model = xgboost.train({**parameters, **self.settings()}, table, self.trees)

    def probabilities(self):
        if not self.data.levels:
            return self.model.inplace_predict(self.held_out)
        import xgboost

        return self.model.predict(xgboost.DMatrix(self.held_out, enable_categorical=True, nthread=self.threads))

    def nodes(self):
        return sum(tree.count("\n") for tree in self.model.get_dump())


class XgbBinned(XgbExact):
    name, families, method = "XGBoost hist", frozenset({"binned", "categories"}), "hist"

    def settings(self):
        deep = {"max_depth": 0, "grow_policy": "lossguide", "max_leaves": 0}
        return {**super().settings(), **({} if self.depth else deep)}


class XgbBoosting(XgbExact):
    name, families, method = "XGBoost", frozenset({"boosting"}), "hist"

    def settings(self):
        return {"eta": 0.1, "max_depth": self.depth}


CONTENDERS = (XgbExact, XgbBinned, XgbBoosting)
