"""Rules as a scikit-learn estimator: a tree is grown and converted to rules, which predict.

    RuleClassifier().fit(frame, y).rules_                    C4.5's tree and C4.5rules
    RuleClassifier("cart", method="leaves")                  the rules of a pruned tree

If `fit` fails, the estimator keeps its state. Data frames with text, categories and missing values need no encoding.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from hornbeam.errors import OptionError, short_repr
from hornbeam.estimators.fitted import Fitted, PredictsClasses
from hornbeam.estimators.settings import checked_fraction, recipe_of, threads_of
from hornbeam.recipes.grow_and_prune import grow_and_prune
from hornbeam.recipes.recipe import Recipe
from hornbeam.rules.c45 import c45rules
from hornbeam.rules.leaves import extract_rules
from hornbeam.rules.postpruning import postprune_rules
from hornbeam.rules.rule import METHODS as PREDICT_BY
from hornbeam.rules.rule import RuleSet
from hornbeam.seeds import as_seed
from hornbeam.table.divide import table_splits
from hornbeam.table.table import Table
from hornbeam.tree.nodes import Tree
from hornbeam.tree.prediction import Prediction

METHODS = ("c45rules", "postpruned", "leaves")


class RuleClassifier(PredictsClasses, ClassifierMixin, Fitted):  # type: ignore[misc]
    """A rule-based classifier.

    `recipe` grows the tree; `method` derives the rules: c45rules and postpruned start from the unpruned tree, leaves
    from the pruned tree. `predict_by` is first (the first rule that applies) or vote. `confidence` is that of
    pessimistic errors; `redundancy` lowers the cost of conditions. `validation_fraction` of the rows is held out to
    score post-pruned rules by Laplace accuracy; 0 scores them by pessimistic errors on all rows.
    """

    _model: ClassVar[str] = "rules_"
    rules_: RuleSet
    tree_: Tree

    def __init__(
        self,
        recipe: Any = "c45",
        *,
        method: str = "c45rules",
        predict_by: str = "first",
        confidence: float = 0.25,
        redundancy: float = 1.0,
        validation_fraction: float = 0.0,
        max_depth: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self._store_parameters(locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree and derive the rules; rows of weight 0 are ignored."""
        self._check()
        table = self._table(X, y, sample_weight)
        parameters = {"recipe": self.recipe, "max_depth": self.max_depth}
        recipe = recipe_of({**parameters, "prune": None if self.method == "leaves" else False}, "class")
        seed = recipe.seed if self.random_state is None else as_seed(self.random_state)
        tree, rules = self._grow_rules(table, recipe, seed)
        return self._store_model(rules, X, y, {"tree_": tree})

    def _check(self) -> None:
        for name, known in (("method", METHODS), ("predict_by", PREDICT_BY)):
            if getattr(self, name) not in known:
                got = short_repr(getattr(self, name))
                raise OptionError(f"{name} must be one of {', '.join(known)}, got {got}.", option=name)
        checked_fraction("validation_fraction", self.validation_fraction)

    def _grow_rules(self, table: Table, recipe: Recipe, seed: int) -> tuple[Tree, RuleSet]:
        """The tree, and the rules that the method derives from it."""
        validation = None
        if self.method == "postpruned" and self.validation_fraction > 0 and table.target is not None:
            n_parts = max(2, round(1 / self.validation_fraction))
            split = table_splits(table, n_parts, seed)[0]
            table, validation = table.take(split.train), table.take(split.test)
        tree = grow_and_prune(table, recipe, seed=seed, threads=threads_of(self.n_jobs))
        if self.method == "leaves":
            rules = extract_rules(tree)
        elif self.method == "postpruned":
            rules = postprune_rules(tree, table, validation, confidence=self.confidence)
        else:
            rules = c45rules(tree, table, confidence=self.confidence, redundancy=self.redundancy, seed=seed)
        return tree, rules.replace(predict_by=self.predict_by)

    def _predict(self, X: Any) -> Prediction:
        rules: RuleSet = self._fitted()
        return rules.predict(self._rows(X).columns)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """The index of the first rule that applies to each row; len(rules_) for the default rule."""
        return self._predict(X).nodes.astype(np.int64)
