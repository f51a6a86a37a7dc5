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

from hornbeam.explanation.cautions import Caution, Cautions, cautions
from hornbeam.explanation.changes import Change, smallest_change
from hornbeam.explanation.dependence import Dependence, dependence
from hornbeam.explanation.importance import Importance, importance
from hornbeam.explanation.paths import Reasons, explain
from hornbeam.explanation.shap import Contributions, shap_values
from hornbeam.explanation.stability import Stability, stability

__all__ = [
    "Caution",
    "Cautions",
    "Change",
    "Contributions",
    "Dependence",
    "Importance",
    "Reasons",
    "Stability",
    "cautions",
    "dependence",
    "explain",
    "importance",
    "shap_values",
    "smallest_change",
    "stability",
]
