"""The report: one HTML file with an interactive tree, metrics, rules and data, which works offline.

values, columns, profiles, curve   the values of the page: the tree, columns, histograms at nodes, pruning
evaluation, rows, card, rerun      metrics, rows of the data (on request), model card, how to reproduce the tree
ensemble, groups                   an ensemble by its surrogate tree, dependence, calibration, errors by group
privacy                            what the file reveals
text                               text and numbers that are valid in the page
contents                           all values of a page, for a tree or an ensemble
page                               the values and the page's code in one safe file
"""

from hornbeam.drawing.html_frame import MARK
from hornbeam.drawing.report.page import Report, report

__all__ = ["MARK", "Report", "report"]
