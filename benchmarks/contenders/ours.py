"""hornbeam: the estimators, the functions, and the binned search. Runs in its own environment, never in the peers'."""

import numpy as np

from benchmarks.contenders.base import OnFrames

SQUARED = "squared_error"


class Hornbeam(OnFrames):
    """The exact tree through the scikit-learn contract."""

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
    note = "hornbeam entropy: by information gain, as YDF; the others of hornbeam by Gini"

    def fit(self):
        self.criterion = "entropy"
        super().fit()


class HornbeamBinned(Hornbeam):
    name, families = "hornbeam binned", frozenset({"binned"})
    settings = {"searches": "binned_cuts"}  # noqa: RUF012


class HornbeamAxis(Hornbeam):
    note = "hornbeam axis: cuts of single columns alone, to say what the other questions cost"
    name, families = "hornbeam axis", frozenset({"oblique", "intervals"})


class HornbeamLogistic(Hornbeam):
    """A logistic regression at every node; cuts of single columns compete."""

    name, families = "hornbeam logistic", frozenset({"oblique"})
    settings = {"searches": "logistic_plane"}  # noqa: RUF012


class HornbeamSparse(Hornbeam):
    """As many random directions of few columns at every node as YDF draws."""

    name, families = "hornbeam sparse planes", frozenset({"oblique"})
    settings = {"searches": "sparse_planes"}  # noqa: RUF012


class HornbeamIntervals(Hornbeam):
    name, families = "hornbeam intervals", frozenset({"intervals"})
    settings = {"searches": "intervals"}  # noqa: RUF012


class HornbeamMdlp(Hornbeam):
    name, families = "hornbeam MDLP", frozenset({"intervals"})
    settings = {"searches": [{"name": "intervals", "by": "mdlp"}]}  # noqa: RUF012


class HornbeamOrdered(Hornbeam):
    name, families = "hornbeam ordered", frozenset({"level_sets"})
    settings = {"searches": ["sorted_cuts", "ordered_categories"]}  # noqa: RUF012


class HornbeamChou(Hornbeam):
    name, families = "hornbeam Chou", frozenset({"level_sets"})
    settings = {"searches": ["sorted_cuts", "chou"]}  # noqa: RUF012


class HornbeamGrow(Hornbeam):
    """The functions without the skin: the table is read before the clock starts, anew for every fit."""

    name, families = "hornbeam grow", frozenset({"small"})
    note = "hornbeam grow: from a table already read to a tree; each fit gets a table of its own"

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

        answers = hb.predict(self.model, self.held_out).labels
        return np.array([int(str(answer).removeprefix("class ")) for answer in answers])

    def nodes(self):
        return len(self.model)


class HornbeamPruned(Hornbeam):
    """The tree of the alpha that ten folds choose, in one fit: one growth and one more a fold."""

    name, families = "hornbeam pruned", frozenset({"prune"})
    settings = {"prune": {"name": "cost_complexity", "rule": "minimum", "measure": "impurity"}}  # noqa: RUF012


class HornbeamGrown(Hornbeam):
    """One growth to full depth, to count the former in growths."""

    name, families = "hornbeam, one growth", frozenset({"prune"})
    note = "hornbeam, one growth: no pruning; `hornbeam pruned` over this is what the choice costs in growths"


class HornbeamForest(Hornbeam):
    """The forest and the extra trees; the columns drawn are those of scikit-learn's forests."""

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
    """What more columns a node cost and bring."""

    name = "hornbeam extra trees, 0.4 of the columns"
    criteria = frozenset({"gini"})
    settings = {"max_features": 0.4}  # noqa: RUF012
    note = (
        "hornbeam extra trees, 0.4 of the columns: other settings than all others', "
        "to show what more columns at a node cost and bring"
    )


class HornbeamBoosted(Hornbeam):
    """Boosted trees of the same depth, bins, rate and least leaf as the peers'."""

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
