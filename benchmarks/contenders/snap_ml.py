"""Snap ML: the exact tree, the histogram tree, the forest and boosting."""

import numpy as np

from benchmarks.contenders.base import Contender


class SnapTree(Contender):
    name, library = "snapml", "snapml"
    families = frozenset({"exact", "small"})
    bins = False
    kind = "DecisionTree"

    def settings(self):
        return {"max_depth": self.depth, "use_histograms": self.bins, "hist_nbins": 256}

    def fit(self):
        import snapml

        kind = getattr(snapml, self.kind + ("Classifier" if self.is_class else "Regressor"))
        target = self.data.y if self.is_class else self.data.y.astype(np.float32)
        self.model = kind(n_jobs=self.threads, random_state=0, **self.settings()).fit(self.grow_on, target)

    def predict(self):
        return np.asarray(self.model.predict(self.held_out, n_jobs=self.threads))


class SnapBinned(SnapTree):
    name, families, bins = "snapml 256 bins", frozenset({"binned"}), True


class SnapForest(SnapTree):
    name, families, kind = "snapml forest", frozenset({"forest"}), "RandomForest"

    def settings(self):
        columns = "sqrt" if self.is_class else None  # as scikit-learn; its "auto" is sqrt for regression too
        trees = {"n_estimators": self.trees, "max_features": columns}
        return {**trees, "max_depth": self.depth, "use_histograms": self.bins}


class SnapForestBinned(SnapForest):
    name, bins = "snapml forest 256 bins", True
    # With several classes its histograms are far slower than its exact search, which is in the same table: three
    # trees of the cover-type-like data take 15 s of processor time, 100 trees of the exact search 17 s.
    most_classes = 2
    note = "snapml forest 256 bins: not run with several classes, where it is many times slower than snapml forest"


class SnapBooster(SnapTree):
    name, families, kind = "snapml booster", frozenset({"boosting"}), "BoostingMachine"

    def settings(self):
        rounds = {"num_round": self.trees, "early_stopping_rounds": 10**6, "learning_rate": 0.1}
        return {**rounds, "min_max_depth": self.depth, "max_max_depth": self.depth}


CONTENDERS = (SnapTree, SnapBinned, SnapForest, SnapForestBinned, SnapBooster)
