"""Drawing: pictures of trees, decision regions and curves as SVG and PNG, and the report as one HTML file.

layout, text, svg, picture          positions of nodes; widths and line breaks of text; safe markup; a saved picture
colors, node_colors                 distinguishable colors; the color of a leaf
question_labels, rows, charts       the text of a question; the rows of a node; small charts
cards, folding, draw                the contents of a node; the nodes that are drawn; a tree as a picture
regions, axes, plots, dot_plot      decision regions; curves, bars and comparisons in the same style
on_axes                             a tree on axes of Matplotlib
nested_dichotomy                    a nested dichotomy of classes
explanation_plots                   importances, contributions and partial dependence
notebook                            a tree in a sandboxed frame
document                            tables and figures as an HTML page
report/                             the HTML report
"""

from hornbeam.drawing.dot_plot import dot_plot
from hornbeam.drawing.draw import draw
from hornbeam.drawing.explanation_plots import contribution_steps, dependence_curve, importance_bars, plot_dependence
from hornbeam.drawing.nested_dichotomy import draw_nested_dichotomy
from hornbeam.drawing.on_axes import plot_tree
from hornbeam.drawing.picture import Picture
from hornbeam.drawing.plots import (
    calibration,
    complexity,
    importance,
    plot_calibration,
    plot_complexity,
    plot_importance,
    plot_roc,
    roc,
)
from hornbeam.drawing.regions import plot_regions, regions
from hornbeam.drawing.report import Report, report

__all__ = [
    "Picture",
    "Report",
    "calibration",
    "complexity",
    "contribution_steps",
    "dependence_curve",
    "dot_plot",
    "draw",
    "draw_nested_dichotomy",
    "importance",
    "importance_bars",
    "plot_calibration",
    "plot_complexity",
    "plot_dependence",
    "plot_importance",
    "plot_regions",
    "plot_roc",
    "plot_tree",
    "regions",
    "report",
    "roc",
]
