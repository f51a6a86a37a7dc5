"""The report: one HTML file with an interactive tree, metrics, rules and data, which works offline.

values, evaluation, rows, rerun    the values of the page: the tree, metrics, rows, how to reproduce it
text                               text and numbers that are valid in the page
page                               the values and the page's code in one safe file
"""

from hornbeam.drawing.report.page import MARK, Report, report

__all__ = ["MARK", "Report", "report"]
