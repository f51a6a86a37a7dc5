"""How good is a split?  Impurities, whose gain follows, and scores of a split that are no decrease of any impurity."""

from hornbeam.parts.criteria.base import Criterion, NodeImpurity, SplitScore
from hornbeam.registry import Registry

criteria = Registry("criterion", Criterion, __name__)  # type: ignore[type-abstract]

__all__ = ["Criterion", "NodeImpurity", "SplitScore", "criteria"]
