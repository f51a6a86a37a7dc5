"""The report: one HTML file with the tree to explore, the scores, the rules and the data, which opens offline.

facts, judged               what the page is told, as plain values
page                        the values and the page's code in one file, safe to open
"""

from hornbeam.drawing.report.page import MARK, Report, report

__all__ = ["MARK", "Report", "report"]
