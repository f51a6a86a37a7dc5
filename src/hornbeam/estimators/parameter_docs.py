"""The parameters of all estimators, each described once; the class docstrings are generated from this list.

A class docstring gets a section "Parameters" in the format of numpydoc, which editors and scikit-learn's HTML box show.
"""

from __future__ import annotations

import inspect
from typing import Any

DOCUMENTATION = "https://hornbeam.readthedocs.io/en/latest/reference/"

_ROWS = "int or float"
PARAMETERS: dict[str, tuple[str, str]] = {
    "predict_by": ("str", "How a rule set predicts: by the first rule that applies, or by votes."),
    "algorithm": ("str", "How row weights change: samme, or c50 (the boosting of C5.0)."),
    "bootstrap": ("bool", "Whether the rows of each tree are sampled; None is the default of the method."),
    "categorical_features": (
        "array-like or from_dtype",
        "Columns of categories, by name, position or mask; from_dtype: the text and categorical columns of a frame.",
    ),
    "categorical_l2": ("float", "Added to l2_regularization in the children of splits on more than four levels."),
    "categorical_smoothing": ("float", "Added to the second derivative of a level before levels are sorted."),
    "ccp_alpha": ("float", "Minimal cost-complexity pruning: subtrees whose cost per leaf is below it are pruned."),
    "class_weight": ("dict, balanced or balanced_subsample", "Factors of row weights by class."),
    "columns_per_tree": ("float", "Fraction of the columns sampled per tree."),
    "combine": ("str", "How predictions are combined: mean of probabilities, or vote."),
    "confidence": ("float", "The confidence level of the pessimistic error estimates."),
    "costs": ("dict or matrix", "Costs of mistakes: costs[truth][predicted]."),
    "criterion": ("str or part", "The split score, for example gini, entropy, squared_error, absolute_error, poisson."),
    "early_stopping": ("bool or auto", "Whether boosting stops early; auto: with more than 10,000 rows."),
    "estimator": ("estimator", "What is boosted instead of trees: any estimator with sample weights."),
    "honest": ("bool or Honesty", "Whether separate rows choose the splits and compute the predictions."),
    "interaction_cst": ("groups, pairwise or no_interactions", "Groups of columns; a path uses columns of one group."),
    "l1_regularization": ("float", "L1 regularization of leaf values."),
    "l2_regularization": ("float", "L2 regularization of leaf values; None is chosen from the loss."),
    "learning_rate": ("float", "The factor of every tree's contribution."),
    "loss": ("str", "The loss that is minimized."),
    "max_bins": ("int", "The maximum number of bins of a column."),
    "max_depth": ("int", "The maximum depth of a tree; None: no limit."),
    "max_features": ("int, float or str", "Columns that compete at a node: a number, a fraction, sqrt, log2 or all."),
    "max_iter": ("int", "The number of rounds; each adds one tree per output."),
    "max_leaf_nodes": ("int", "The maximum number of leaves of a tree; trees are then grown best first."),
    "max_samples": (_ROWS, "The number of rows sampled per tree, or a fraction of the rows."),
    "method": ("str", "How rules are extracted from the tree."),
    "joint_trees": ("bool", "Whether two of three rounds grow one tree for all classes, if there are more than two."),
    "min_f": ("float", "Splits whose leaves differ by less than this F statistic are removed; None: by the loss."),
    "min_hessian": ("float", "The minimum sum of second derivatives of a leaf."),
    "min_impurity_decrease": ("float", "The minimum weighted impurity decrease of a split."),
    "min_samples_leaf": (_ROWS, "The minimum number of rows of a leaf, or a fraction of the rows."),
    "min_samples_split": (_ROWS, "The minimum number of rows of a node that is split, or a fraction of the rows."),
    "min_split_gain": ("float", "The minimum decrease of the loss per split."),
    "min_weight_fraction_leaf": ("float", "The minimum weight of a leaf, as a fraction of the total weight."),
    "missing": (
        "str or part",
        "The strategy for missing values; None: learned with the recipe plain, else that of the recipe.",
    ),
    "monotonic_cst": ("array-like or dict", "Per column 1, 0 or -1: predictions may only increase, or decrease."),
    "n_estimators": ("int", "The number of trees."),
    "n_iter_no_change": ("int", "The number of rounds without improvement before boosting stops."),
    "n_jobs": ("int", "The number of threads; -1: all. The result does not depend on it."),
    "oob_score": ("bool", "Whether out-of-bag predictions are computed."),
    "priors": ("dict, data or equal", "Class probabilities to assume."),
    "prune": ("str, part or False", "The pruning of the tree; None follows the recipe."),
    "quantile": ("float", "The quantile that the loss quantile estimates."),
    "random_state": ("int or RandomState", "The seed; None is the recipe's seed, so that results are repeatable."),
    "recipe": ("str, path or Recipe", "The method of one tree, for example plain, cart, c45, ctree."),
    "redundancy": ("float", "The factor by which conditions cost less in the length of a rule set."),
    "sampling": ("RowSampling", "How rows are sampled: stratified, balanced or without replacement."),
    "scoring": ("str or callable", "The score for early stopping: loss, or a scorer of scikit-learn."),
    "searches": ("str, part or list", "The searches for candidate splits."),
    "splitter": ("str", "best, or random (one random cut per column)."),
    "subsample": ("float", "The fraction of the rows sampled per round."),
    "tol": ("float", "The minimum improvement of the score per round."),
    "unseen": ("str", "What happens to levels not seen in training: as_missing, majority, stay or error."),
    "validation_fraction": ("float", "The fraction of the rows held out for early stopping; None: the training rows."),
    "verbose": ("int", "Whether progress is reported on standard error."),
    "warm_start": ("bool", "Whether fit adds trees to those of the last fit."),
}


def with_parameters(text: str, signature: inspect.Signature) -> str:
    """A class docstring with the section "Parameters" of a constructor."""
    lines = [inspect.cleandoc(text), "", "Parameters", "----------"]
    for name, parameter in signature.parameters.items():
        if name in ("self",) or name not in PARAMETERS:
            continue
        kind, description = PARAMETERS[name]
        default = "" if parameter.default is inspect.Parameter.empty else f", default={parameter.default!r}"
        lines += [f"{name} : {kind}{default}", f"    {description}"]
    return "\n".join(lines) + "\n"


def document(cls: Any) -> None:
    """Add the section "Parameters" to the docstring of a public estimator class."""
    text = cls.__dict__.get("__doc__")
    if text and not cls.__name__.startswith("_") and "\nParameters\n----" not in text:
        cls.__doc__ = with_parameters(text, inspect.signature(cls.__init__))
