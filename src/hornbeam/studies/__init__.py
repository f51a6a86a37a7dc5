"""Studies: functions that grow several models of one table and compare them on rows held out of training."""

from hornbeam.studies.compare import compare
from hornbeam.studies.compare_prunings import compare_prunings
from hornbeam.studies.complexity import complexity_table
from hornbeam.studies.cross_validate import cross_validate
from hornbeam.studies.evaluate import evaluate

__all__ = ["compare", "compare_prunings", "complexity_table", "cross_validate", "evaluate"]
