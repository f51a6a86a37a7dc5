"""How does a tree look?  Pictures of trees, regions and curves as SVG and PNG, and the report as one HTML file.

layout, text, colours, svg      where things stand; how wide words are; colours to tell apart; safe markup
asking, rows, charts, cards     a question in words; the rows of a node; small charts; what a node shows
folding, draw, picture          which nodes are drawn; a tree as a picture; what can be done with a picture
regions, axes, plots, lineup    decision regions; curves and bars with the same looks
on_axes                         a tree on axes of Matplotlib
class_tree                      a tree of classes, each split in two
explained                       importances, contributions and dependence as pictures
notebook                        a tree in a closed frame
report/                         the page that opens offline
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
