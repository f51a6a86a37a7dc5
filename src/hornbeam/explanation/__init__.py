"""Why does a model say so?

models, games, tables           what can be explained; a tree as a game of its columns; how small tables read
shap, shap_plain                what each column adds to what a row is told, and the same by definition
"""

from hornbeam.explanation.shap import Contributions, shap_values

__all__ = ["Contributions", "shap_values"]
