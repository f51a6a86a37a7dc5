"""hornbeam: the estimators, the functions, and the binned search. Runs in its own environment."""

import numpy as np

from benchmarks.contenders.base import OnFrames

SQUARED = "squared_error"


class Hornbeam(OnFrames):
    """The exact tree through the scikit-learn API."""

    name, library = "hornbeam", "hornbeam"
    families = frozenset({"exact", "small", "categories"})
    criteria = frozenset({"gini", "entropy", SQUARED})
    kind = "Tree"
    settings: dict[str, object] = {}  # noqa: RUF012

    def estimator(self):
        import hornbeam as hb

        name = self.kind + ("Classifier" if self.is_class else "Regressor")
        return getattr(hb, name)

    def fit(self):
        criterion = self.criterion if self.is_class else SQUARED
        model = self.estimator()(criterion=criterion, max_depth=self.depth, n_jobs=self.threads, **self.settings)
        self.model = model.fit(self.grow_on, self.data.y)

    def nodes(self):
        return len(self.model.tree_)


class HornbeamEntropy(Hornbeam):
    """By information gain, as YDF splits."""

    name, families = "hornbeam entropy", frozenset({"categories"})
    note = "hornbeam entropy: by information gain, as YDF; the other entries of hornbeam by Gini"

    def fit(self):
        self.criterion = "entropy"
        super().fit()


class HornbeamBinned(Hornbeam):
    name, families = "hornbeam binned", frozenset({"binned"})
    settings = {"searches": "binned_cuts"}  # noqa: RUF012


class HornbeamAxis(Hornbeam):
    note = "hornbeam axis: only cuts of single columns, to show the cost of the other questions"
    name, families = "hornbeam axis", frozenset({"oblique", "intervals"})


class HornbeamLogistic(Hornbeam):
    """A logistic regression at every node; cuts of single columns compete."""

    name, families = "hornbeam logistic", frozenset({"oblique"})
    settings = {"searches": "logistic_plane"}  # noqa: RUF012


class HornbeamSparse(Hornbeam):
    """The same number of random sparse directions per node as YDF."""

    name, families = "hornbeam sparse planes", frozenset({"oblique"})
    settings = {"searches": "sparse_planes"}  # noqa: RUF012


class HornbeamIntervals(Hornbeam):
    name, families = "hornbeam intervals", frozenset({"intervals"})
    settings = {"searches": "intervals"}  # noqa: RUF012


class HornbeamMdlp(Hornbeam):
    name, families = "hornbeam MDLP", frozenset({"intervals"})
    settings = {"searches": [{"name": "intervals", "method": "mdlp"}]}  # noqa: RUF012


class HornbeamOrdered(Hornbeam):
    name, families = "hornbeam ordered", frozenset({"level_sets"})
    settings = {"searches": ["sorted_cuts", "ordered_categories"]}  # noqa: RUF012


class HornbeamChou(Hornbeam):
    name, families = "hornbeam Chou", frozenset({"level_sets"})
    settings = {"searches": ["sorted_cuts", "chou"]}  # noqa: RUF012


class HornbeamGrow(Hornbeam):
    """The functions without the estimator: the table is read before the timing starts, again for every fit."""

    name, families = "hornbeam grow", frozenset({"small"})
    note = "hornbeam grow: from a table that was read before to a tree; each fit has its own table"

    def inputs(self):
        import pandas as pd

        import hornbeam as hb

        frame = self.data.frames[0]
        codes = [f"class {k}" for k in range(self.data.classes)]
        self.grow_on = hb.read(frame.assign(y=pd.Categorical.from_codes(self.data.y, codes)), target="y")
        self.held_out = hb.read(self.data.frames[1])

    def fit(self):
        import hornbeam as hb

        self.model = hb.grow(self.grow_on, "plain", threads=self.threads)

    def predict(self):
        import hornbeam as hb

        labels = hb.predict(self.model, self.held_out).labels
        return np.array([int(str(label).removeprefix("class ")) for label in labels])

    def nodes(self):
        return len(self.model)


class HornbeamPruned(Hornbeam):
    """The tree of the alpha that ten folds choose, in one fit: one tree and one more per fold."""

    name, families = "hornbeam pruned", frozenset({"prune"})
    settings = {"prune": {"name": "cost_complexity", "rule": "minimum", "measure": "impurity"}}  # noqa: RUF012


class HornbeamGrown(Hornbeam):
    """One tree of full depth, as the unit of the cost of pruning."""

    name, families = "hornbeam, one growth", frozenset({"prune"})
    note = "hornbeam, one growth: no pruning; `hornbeam pruned` divided by this is the cost of the choice in trees"


class HornbeamForest(Hornbeam):
    """The forest and the extra trees, with the same number of sampled columns as scikit-learn's forests."""

    name, families, kind = "hornbeam forest", frozenset({"forest"}), "Forest"

    def fit(self):
        settings = self.settings if self.is_class else {"max_features": 1.0}
        model = self.estimator()(self.trees, max_depth=self.depth, n_jobs=self.threads, random_state=0, **settings)
        self.model = model.fit(self.grow_on, self.data.y)

    def nodes(self):
        return self.model.forest_.n_nodes


class HornbeamExtraTrees(HornbeamForest):
    name, families, kind = "hornbeam extra trees", frozenset({"extra_trees"}), "ExtraTrees"


class HornbeamMoreColumns(HornbeamExtraTrees):
    """Cost and benefit of more columns per node."""

    name = "hornbeam extra trees, 0.4 of the columns"
    criteria = frozenset({"gini"})
    settings = {"max_features": 0.4}  # noqa: RUF012
    note = (
        "hornbeam extra trees, 0.4 of the columns: other settings than all other entries, "
        "to show cost and benefit of more columns per node"
    )


class HornbeamBoosted(Hornbeam):
    """Boosted trees with the same depth, bins, learning rate and minimum leaf size as the other libraries."""

    name, families, kind = "hornbeam boosted", frozenset({"boosting"}), "Boosted"
    criteria = frozenset({"gini", SQUARED})

    def fit(self):
        model = self.estimator()(
            max_iter=self.trees,
            learning_rate=0.1,
            max_depth=self.depth,
            max_leaf_nodes=None,
            min_samples_leaf=20,
            early_stopping=False,
            n_jobs=self.threads,
        )
        self.model = model.fit(self.grow_on, self.data.y)

    def nodes(self):
        return self.model.forest_.n_nodes


CONTENDERS = (
    HornbeamPruned,
    HornbeamGrown,
    Hornbeam,
    HornbeamEntropy,
    HornbeamBinned,
    HornbeamAxis,
    HornbeamLogistic,
    HornbeamSparse,
    HornbeamIntervals,
    HornbeamMdlp,
    HornbeamOrdered,
    HornbeamChou,
    HornbeamGrow,
    HornbeamForest,
    HornbeamExtraTrees,
    HornbeamMoreColumns,
    HornbeamBoosted,
)
