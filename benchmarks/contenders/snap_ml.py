"""Snap ML: the fastest exact peer, its histogram tree, its forest and its booster."""

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
        return {"n_estimators": self.trees, "max_depth": self.depth, "use_histograms": self.bins}


class SnapForestBinned(SnapForest):
    name, bins = "snapml forest 256 bins", True


class SnapBooster(SnapTree):
    name, families, kind = "snapml booster", frozenset({"boosting"}), "BoostingMachine"

    def settings(self):
        rounds = {"num_round": self.trees, "early_stopping_rounds": 10**6, "learning_rate": 0.1}
        return {**rounds, "min_max_depth": self.depth, "max_max_depth": self.depth}


CONTENDERS = (SnapTree, SnapBinned, SnapForest, SnapForestBinned, SnapBooster)
