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

from hornbeam.drawing.class_tree import class_tree
from hornbeam.drawing.draw import draw
from hornbeam.drawing.explained import contributions, dependence, importances, plot_dependence
from hornbeam.drawing.lineup import lineup
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
    "class_tree",
    "complexity",
    "contributions",
    "dependence",
    "draw",
    "importance",
    "importances",
    "lineup",
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
