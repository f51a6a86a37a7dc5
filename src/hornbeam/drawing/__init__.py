"""Drawing: pictures of trees, decision regions and curves as SVG and PNG, and the report as one HTML file.

layout, text, svg, picture          positions of nodes; widths and line breaks of text; safe markup; a saved picture
colors, node_colors                 distinguishable colors; the color of a leaf
question_labels, rows, charts       the text of a question; the rows of a node; small charts
cards, folding, draw                the contents of a node; the nodes that are drawn; a tree as a picture
regions, axes, dot_plot             decision regions; the frame of a plot; comparisons of methods
importance_plot, contribution_plot, dependence_plot
                                    explanations: importances, contributions, partial dependence and single rows
class_scores, roc_plot, calibration_plot, cost_plot, complexity_plot
                                    evaluation: classes and probabilities of rows, curves, costs, error by size
on_axes                             a tree on axes of Matplotlib
nested_dichotomy                    a nested dichotomy of classes
notebook                            a tree in a sandboxed frame
html_frame, document                the frame of HTML pages; tables and figures as a page
report/                             the HTML report
"""

from hornbeam.drawing.calibration_plot import calibration, plot_calibration
from hornbeam.drawing.complexity_plot import complexity, plot_complexity
from hornbeam.drawing.contribution_plot import contributions
from hornbeam.drawing.cost_plot import costs
from hornbeam.drawing.dependence_plot import dependence, ice, plot_dependence
from hornbeam.drawing.dot_plot import dot_plot
from hornbeam.drawing.draw import draw
from hornbeam.drawing.importance_plot import importance, plot_importance
from hornbeam.drawing.nested_dichotomy import draw_nested_dichotomy
from hornbeam.drawing.on_axes import plot_tree_cards
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.regions import plot_regions, regions
from hornbeam.drawing.report import Report, report
from hornbeam.drawing.roc_plot import plot_roc, roc

__all__ = [
    "Picture",
    "Report",
    "calibration",
    "complexity",
    "contributions",
    "costs",
    "dependence",
    "dot_plot",
    "draw",
    "draw_nested_dichotomy",
    "ice",
    "importance",
    "plot_calibration",
    "plot_complexity",
    "plot_dependence",
    "plot_importance",
    "plot_regions",
    "plot_roc",
    "plot_tree_cards",
    "regions",
    "report",
    "roc",
]
