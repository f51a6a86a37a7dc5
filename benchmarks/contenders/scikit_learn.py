"""scikit-learn: the exact tree (reference of the ratios), the histogram tree, the forest."""

from benchmarks.contenders.base import Contender, OnFrames


class SklearnTree(Contender):
    name, library = "scikit-learn", "sklearn"
    families = frozenset({"exact", "small", "categories", "binned"})
    criteria = frozenset({"gini", "entropy", "squared_error"})
    note = "scikit-learn: always one thread; categories as ordered codes; exact also in the binned tables"

    def fit(self):
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeClassifier if self.is_class else DecisionTreeRegressor
        criterion = self.criterion if self.is_class else "squared_error"
        self.model = kind(criterion=criterion, max_depth=self.depth, random_state=0).fit(self.grow_on, self.data.y)

    def nodes(self):
        return int(self.model.tree_.node_count)


class SklearnForest(Contender):
    name, library = "scikit-learn forest", "sklearn"
    families = frozenset({"forest"})
    kinds = ("RandomForestClassifier", "RandomForestRegressor")

    def fit(self):
        from sklearn import ensemble

        kind = getattr(ensemble, self.kinds[0 if self.is_class else 1])
        model = kind(self.trees, max_depth=self.depth, n_jobs=self.threads, random_state=0)
        self.model = model.fit(self.grow_on, self.data.y)

    def nodes(self):
        return sum(tree.tree_.node_count for tree in self.model.estimators_)


class SklearnExtraTrees(SklearnForest):
    name, families = "scikit-learn extra trees", frozenset({"extra_trees"})
    kinds = ("ExtraTreesClassifier", "ExtraTreesRegressor")


class SklearnHistogram(OnFrames):
    name, library = "scikit-learn HGB", "sklearn"
    families = frozenset({"binned", "categories", "boosting"})
    most_levels = 254
    note = "scikit-learn HGB: of more than 254 levels (its limit) the rarest are merged before the timing starts"

    def __init__(self, data, task, threads):
        super().__init__(data, task, threads)
        self.pooled = None

    def inputs(self):
        super().inputs()
        if self.data.levels and max(self.data.levels) > self.most_levels:
            self.pooled = self.pooled or pooled(self.grow_on, self.held_out, self.most_levels)
            self.grow_on, self.held_out = self.pooled

    def fit(self):
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = HistGradientBoostingClassifier if self.is_class else HistGradientBoostingRegressor
        one = self.trees == 1
        self.model = kind(
            max_iter=self.trees,
            learning_rate=1.0 if one else 0.1,
            max_depth=self.depth,
            max_leaf_nodes=None if one else 63,
            min_samples_leaf=1 if one else 20,
            early_stopping=False,
            categorical_features="from_dtype" if self.data.levels else None,
            random_state=0,
        ).fit(self.grow_on, self.data.y)

    def nodes(self):
        return sum(len(tree.nodes) for turn in self.model._predictors for tree in turn)


class SklearnPruned(SklearnTree):
    """The usual choice of alpha: the path, cross_val_score of every alpha in ten folds, one fit with the best."""

    name = "scikit-learn pruned"
    families = frozenset({"prune"})
    note = (
        "scikit-learn pruned: cross_val_score was run for 5 alphas spread evenly over the path, and its time was"
        " extrapolated to all alphas; the path and the last fit were measured"
    )
    tried, is_estimated = 5, True

    def fit(self):
        import time

        import numpy as np
        from sklearn.model_selection import StratifiedKFold, cross_val_score
        from sklearn.tree import DecisionTreeClassifier

        start = time.perf_counter()
        path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(self.grow_on, self.data.y)
        alphas = np.maximum(path.ccp_alphas, 0.0)
        some = alphas[np.linspace(0, len(alphas) - 1, self.tried).astype(int)]
        middle = time.perf_counter()
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        scores = [
            cross_val_score(
                DecisionTreeClassifier(ccp_alpha=a, random_state=0), self.grow_on, self.data.y, cv=folds
            ).mean()
            for a in some
        ]
        end = time.perf_counter()
        best = some[int(np.argmax(scores))]
        self.model = DecisionTreeClassifier(ccp_alpha=best, random_state=0).fit(self.grow_on, self.data.y)
        last = time.perf_counter() - end
        self.counted = (middle - start) + (end - middle) * len(alphas) / self.tried + last


def pooled(grow_on, held_out, limit):
    """Both frames with all but the `limit` most common levels of each category merged to "rest"."""
    import pandas as pd

    frames = grow_on.copy(), held_out.copy()
    for name in grow_on.columns:
        if isinstance(grow_on[name].dtype, pd.CategoricalDtype):
            kept = list(grow_on[name].value_counts().index[:limit])
            for frame in frames:
                values = frame[name].astype(object)
                frame[name] = pd.Categorical(values.where(values.isin(kept), "rest"), categories=[*kept, "rest"])
    return frames


CONTENDERS = (SklearnTree, SklearnPruned, SklearnForest, SklearnExtraTrees, SklearnHistogram)
