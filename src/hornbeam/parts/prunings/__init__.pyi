# Written by tools/stubs.py (make stubs).
from hornbeam.parts.prunings.base import Edits as Edits
from hornbeam.parts.prunings.base import Pruning as Pruning
from hornbeam.parts.prunings.best_size import BestSize as _BestSize
from hornbeam.parts.prunings.cost_complexity import CostComplexity as _CostComplexity
from hornbeam.parts.prunings.critical_value import CriticalValue as _CriticalValue
from hornbeam.parts.prunings.description_length import DescriptionLength as _DescriptionLength
from hornbeam.parts.prunings.error_based import ErrorBased as _ErrorBased
from hornbeam.parts.prunings.held_out import HeldOut as _HeldOut
from hornbeam.parts.prunings.machinery.pruning_data import Folds as Folds
from hornbeam.parts.prunings.machinery.pruning_data import PruningData as PruningData
from hornbeam.parts.prunings.manual import Manual as _Manual
from hornbeam.parts.prunings.minimum_error import MinimumError as _MinimumError
from hornbeam.parts.prunings.pessimistic import Pessimistic as _Pessimistic
from hornbeam.parts.prunings.reduced_error import ReducedError as _ReducedError
from hornbeam.parts.prunings.risk_threshold import RiskThreshold as _RiskThreshold
from hornbeam.registry import Registry as Registry

class _Prunings(Registry[Pruning]):
    BestSize: type[_BestSize]
    CostComplexity: type[_CostComplexity]
    CriticalValue: type[_CriticalValue]
    DescriptionLength: type[_DescriptionLength]
    ErrorBased: type[_ErrorBased]
    HeldOut: type[_HeldOut]
    Manual: type[_Manual]
    MinimumError: type[_MinimumError]
    Pessimistic: type[_Pessimistic]
    ReducedError: type[_ReducedError]
    RiskThreshold: type[_RiskThreshold]

prunings: _Prunings
