"""Trees in the formats of scikit-learn: `export_text`, `export_graphviz` and `plot_tree`, for any tree of hornbeam."""

from hornbeam.drawing.sklearn_style.graphviz import export_graphviz
from hornbeam.drawing.sklearn_style.plot import plot_tree
from hornbeam.drawing.sklearn_style.text import export_text

__all__ = ["export_graphviz", "export_text", "plot_tree"]
