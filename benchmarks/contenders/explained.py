"""Path-dependent exact Shapley values of 1,000 held-out rows from a trained model.

Each library explains its own forest: the same number of trees, depth and rows. The number of nodes is reported too.
"""

import numpy as np

from benchmarks.contenders.base import Contender
from benchmarks.contenders.light_gbm import LgbTree
from benchmarks.contenders.ours import Hornbeam
from benchmarks.contenders.scikit_learn import SklearnForest
from benchmarks.contenders.xg_boost import XgbExact

FAMILY = frozenset({"shap"})
ROWS = 1000


class Explains(Contender):
    """A library whose `explain` is timed: (rows, columns) or (rows, columns, outputs), in any order."""

    def explain(self) -> np.ndarray:
        raise NotImplementedError


class HornbeamShap(Hornbeam, Explains):
    name, families = "hornbeam shap_values", FAMILY

    def fit(self):
        import hornbeam as hb

        kind = hb.ForestClassifier if self.is_class else hb.ForestRegressor
        self.model = kind(self.trees, max_depth=self.depth, n_jobs=self.threads).fit(self.grow_on, self.data.y)

    def explain(self):
        import hornbeam as hb

        rows = tuple(
            hb.table.Column(spec.name, spec.kind, np.ascontiguousarray(values, dtype=np.float64))
            for spec, values in zip(self.model.forest_.schema.columns, self.held_out[:ROWS].T, strict=True)
        )
        return hb.shap_values(self.model.forest_, rows, threads=self.threads).values

    def nodes(self):
        return self.model.forest_.n_nodes


class ShapTreeExplainer(SklearnForest, Explains):
    name, library, families = "shap TreeExplainer", "shap", FAMILY
    note = "shap: always one thread; explains scikit-learn's forest"

    def explain(self):
        import shap

        explainer = shap.TreeExplainer(self.model, feature_perturbation="tree_path_dependent")
        return explainer.shap_values(self.held_out[:ROWS], check_additivity=False)


class LgbContributions(LgbTree, Explains):
    name, families = "LightGBM pred_contrib", FAMILY
    note = "LightGBM, XGBoost: their own random forests on bins; contributions to the log-odds"

    def settings(self):
        leaves = min(self.most_leaves, len(self.data.y)) if self.depth is None else 2**self.depth
        sampling = {"bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction_bynode": 0.25}
        return {
            "boosting": "rf",
            "num_leaves": leaves,
            "max_depth": self.depth or -1,
            "min_data_in_leaf": 1,
            **sampling,
        }

    def explain(self):
        return self.model.predict(self.held_out[:ROWS], pred_contrib=True, num_threads=self.threads)


class XgbContributions(XgbExact, Explains):
    name, families, method = "XGBoost pred_contribs", FAMILY, "hist"

    def __init__(self, data, task, threads):
        super().__init__(data, {**task, "trees": 1}, threads)  # one round ...
        self.members = task["trees"]

    def settings(self):
        sampling = {
            "subsample": 0.632,
            "colsample_bynode": 0.25,
            "num_parallel_tree": self.members,
        }  # ... of many trees
        return {**super().settings(), **sampling}

    def explain(self):
        import xgboost

        return self.model.predict(xgboost.DMatrix(self.held_out[:ROWS], nthread=self.threads), pred_contribs=True)


CONTENDERS = (HornbeamShap, ShapTreeExplainer, LgbContributions, XgbContributions)
