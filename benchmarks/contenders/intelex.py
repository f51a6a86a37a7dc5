"""scikit-learn-intelex (oneDAL): forests on 256 bins; one tree is a forest of one without bootstrap."""

from benchmarks.contenders.base import Contender


class IntelexForest(Contender):
    name, library = "sklearnex", "sklearnex"
    families = frozenset({"binned", "forest"})
    note = "sklearnex: in the binned tables a forest of one tree, no bootstrap, all columns"

    kinds = ("RandomForestClassifier", "RandomForestRegressor")

    def fit(self):
        from sklearnex import ensemble

        kind = getattr(ensemble, self.kinds[0 if self.is_class else 1])
        alone = {"bootstrap": False, "max_features": None} if self.trees == 1 else {}
        model = kind(self.trees, max_depth=self.depth, n_jobs=self.threads, random_state=0, **alone)
        self.model = model.fit(self.grow_on, self.data.y)

    def nodes(self):
        return int(self.model.estimators_[0].tree_.node_count) if self.trees == 1 else None


class IntelexExtraTrees(IntelexForest):
    name, families = "sklearnex extra trees", frozenset({"extra_trees"})
    kinds = ("ExtraTreesClassifier", "ExtraTreesRegressor")
    note = ""


CONTENDERS = (IntelexForest, IntelexExtraTrees)
