"""Explanation of models and predictions.

models, losses                        models as sums of trees; mean losses of predictions
paths                                 the conditions on the path of one row
impurity, importance                  the importance of each column, five methods
games, shap, reference_shap           a tree as a game of its columns; Shapley values, reference implementation
interview                             the values that a tree needs for one row, one column at a time
partial_dependence                    the prediction as one column changes
boxes, allowed_changes, counterfactual, change_search
                                      the values that lead to a leaf; the smallest change that changes a prediction
stability, diagnostics                models grown on resamples; what a reader of a tree should know
"""

from hornbeam.explanation.counterfactual import Counterfactual, counterfactual
from hornbeam.explanation.diagnostics import Diagnostic, Diagnostics, diagnostics
from hornbeam.explanation.importance import Importance, importance
from hornbeam.explanation.partial_dependence import PartialDependence, partial_dependence
from hornbeam.explanation.paths import Explanation, explain
from hornbeam.explanation.shap import Contributions, shap_values
from hornbeam.explanation.stability import Stability, stability

__all__ = [
    "Contributions",
    "Counterfactual",
    "Diagnostic",
    "Diagnostics",
    "Explanation",
    "Importance",
    "PartialDependence",
    "Stability",
    "counterfactual",
    "diagnostics",
    "explain",
    "importance",
    "partial_dependence",
    "shap_values",
    "stability",
]
