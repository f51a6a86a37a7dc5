# Written by tools/stubs.py (make stubs).
from hornbeam.parts.stops.base import Stage as Stage
from hornbeam.parts.stops.base import Stop as Stop
from hornbeam.parts.stops.chi_square_test import ChiSquareTest as _ChiSquareTest
from hornbeam.parts.stops.conditional_inference import ConditionalInference as _ConditionalInference
from hornbeam.parts.stops.eta import Eta as _Eta
from hornbeam.parts.stops.max_depth import MaxDepth as _MaxDepth
from hornbeam.parts.stops.max_leaves import MaxLeaves as _MaxLeaves
from hornbeam.parts.stops.max_nodes import MaxNodes as _MaxNodes
from hornbeam.parts.stops.min_decrease import MinDecrease as _MinDecrease
from hornbeam.parts.stops.min_gain import MinGain as _MinGain
from hornbeam.parts.stops.min_leaf import MinLeaf as _MinLeaf
from hornbeam.parts.stops.min_split import MinSplit as _MinSplit
from hornbeam.parts.stops.no_improvement import NoImprovement as _NoImprovement
from hornbeam.parts.stops.penalized_size import PenalizedSize as _PenalizedSize
from hornbeam.parts.stops.permutation_test import PermutationTest as _PermutationTest
from hornbeam.parts.stops.pure import Pure as _Pure
from hornbeam.parts.stops.purity import Purity as _Purity
from hornbeam.parts.stops.same_vectors import SameVectors as _SameVectors
from hornbeam.registry import Registry as Registry

class _Stops(Registry[Stop]):
    ChiSquareTest: type[_ChiSquareTest]
    ConditionalInference: type[_ConditionalInference]
    Eta: type[_Eta]
    MaxDepth: type[_MaxDepth]
    MaxLeaves: type[_MaxLeaves]
    MaxNodes: type[_MaxNodes]
    MinDecrease: type[_MinDecrease]
    MinGain: type[_MinGain]
    MinLeaf: type[_MinLeaf]
    MinSplit: type[_MinSplit]
    NoImprovement: type[_NoImprovement]
    PenalizedSize: type[_PenalizedSize]
    PermutationTest: type[_PermutationTest]
    Pure: type[_Pure]
    Purity: type[_Purity]
    SameVectors: type[_SameVectors]

stops: _Stops
