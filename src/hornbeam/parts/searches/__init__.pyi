# Written by tools/stubs.py (make stubs).
from hornbeam.parts.searches.all_subsets import AllSubsets as _AllSubsets
from hornbeam.parts.searches.ball import Ball as _Ball
from hornbeam.parts.searches.base import Search as Search
from hornbeam.parts.searches.best_subset import BestSubset as _BestSubset
from hornbeam.parts.searches.binned_cuts import BinnedCuts as _BinnedCuts
from hornbeam.parts.searches.boundary_points import BoundaryPoints as _BoundaryPoints
from hornbeam.parts.searches.c45_groups import C45Groups as _C45Groups
from hornbeam.parts.searches.chou import Chou as _Chou
from hornbeam.parts.searches.chou_plane import ChouPlane as _ChouPlane
from hornbeam.parts.searches.conjunctions import Conjunctions as _Conjunctions
from hornbeam.parts.searches.custom_questions import CustomQuestions as _CustomQuestions
from hornbeam.parts.searches.householder_planes import HouseholderPlanes as _HouseholderPlanes
from hornbeam.parts.searches.intervals import Intervals as _Intervals
from hornbeam.parts.searches.is_missing import IsMissing as _IsMissing
from hornbeam.parts.searches.kd_median import KdMedian as _KdMedian
from hornbeam.parts.searches.lda_plane import LdaPlane as _LdaPlane
from hornbeam.parts.searches.level_vs_rest import LevelVsRest as _LevelVsRest
from hornbeam.parts.searches.logistic_plane import LogisticPlane as _LogisticPlane
from hornbeam.parts.searches.lookahead import Lookahead as _Lookahead
from hornbeam.parts.searches.many_levels import ManyLevels as _ManyLevels
from hornbeam.parts.searches.multiway import Multiway as _Multiway
from hornbeam.parts.searches.oc1_plane import Oc1Plane as _Oc1Plane
from hornbeam.parts.searches.ordered_categories import OrderedCategories as _OrderedCategories
from hornbeam.parts.searches.pca_median import PcaMedian as _PcaMedian
from hornbeam.parts.searches.perceptron_plane import PerceptronPlane as _PerceptronPlane
from hornbeam.parts.searches.random_cuts import RandomCuts as _RandomCuts
from hornbeam.parts.searches.random_pairs import RandomPairs as _RandomPairs
from hornbeam.parts.searches.random_subsets import RandomSubsets as _RandomSubsets
from hornbeam.parts.searches.sorted_cuts import SortedCuts as _SortedCuts
from hornbeam.parts.searches.sparse_planes import SparsePlanes as _SparsePlanes
from hornbeam.parts.searches.spheres import Spheres as _Spheres
from hornbeam.parts.searches.superclasses import Superclasses as _Superclasses
from hornbeam.parts.searches.svm_plane import SvmPlane as _SvmPlane
from hornbeam.parts.searches.two_means import TwoMeans as _TwoMeans
from hornbeam.registry import Registry as Registry

class _Searches(Registry[Search]):
    AllSubsets: type[_AllSubsets]
    Ball: type[_Ball]
    BestSubset: type[_BestSubset]
    BinnedCuts: type[_BinnedCuts]
    BoundaryPoints: type[_BoundaryPoints]
    C45Groups: type[_C45Groups]
    Chou: type[_Chou]
    ChouPlane: type[_ChouPlane]
    Conjunctions: type[_Conjunctions]
    CustomQuestions: type[_CustomQuestions]
    HouseholderPlanes: type[_HouseholderPlanes]
    Intervals: type[_Intervals]
    IsMissing: type[_IsMissing]
    KdMedian: type[_KdMedian]
    LdaPlane: type[_LdaPlane]
    LevelVsRest: type[_LevelVsRest]
    LogisticPlane: type[_LogisticPlane]
    Lookahead: type[_Lookahead]
    ManyLevels: type[_ManyLevels]
    Multiway: type[_Multiway]
    Oc1Plane: type[_Oc1Plane]
    OrderedCategories: type[_OrderedCategories]
    PcaMedian: type[_PcaMedian]
    PerceptronPlane: type[_PerceptronPlane]
    RandomCuts: type[_RandomCuts]
    RandomPairs: type[_RandomPairs]
    RandomSubsets: type[_RandomSubsets]
    SortedCuts: type[_SortedCuts]
    SparsePlanes: type[_SparsePlanes]
    Spheres: type[_Spheres]
    Superclasses: type[_Superclasses]
    SvmPlane: type[_SvmPlane]
    TwoMeans: type[_TwoMeans]

searches: _Searches
