"""Criteria: the score of a split. Either the decrease of an impurity, or another score of the branches."""

from hornbeam.parts.criteria.base import Criterion, NodeImpurity, SplitScore
from hornbeam.registry import Registry

criteria = Registry("criterion", Criterion, __name__)  # type: ignore[type-abstract]

__all__ = ["Criterion", "NodeImpurity", "SplitScore", "criteria"]
