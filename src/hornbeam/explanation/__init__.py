"""Why does a model say so?

models, tables, losses          what can be explained; how small tables read; how wrong rows are told
paths                           the way of one row in words
importance                      how much each column matters, four ways
games, shap, shap_plain         a tree as a game of its columns; what each adds to an answer, and that by definition
dependence                      how the answer changes with one column
boxes, allowed, changes         which values lead to a leaf; what may change; the least that turns an answer
searching                       the same for a forest
stability, cautions             what other rows would have grown; what a reader should beware of
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
