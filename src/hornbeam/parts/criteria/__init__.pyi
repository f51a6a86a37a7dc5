# Written by tools/stubs.py (make stubs).
from hornbeam.parts.criteria.absolute_error import AbsoluteError as _AbsoluteError
from hornbeam.parts.criteria.base import Criterion as Criterion
from hornbeam.parts.criteria.base import NodeImpurity as NodeImpurity
from hornbeam.parts.criteria.base import SplitScore as SplitScore
from hornbeam.parts.criteria.c45 import C45 as _C45
from hornbeam.parts.criteria.cart_measure import CartMeasure as _CartMeasure
from hornbeam.parts.criteria.chi_square import ChiSquare as _ChiSquare
from hornbeam.parts.criteria.conditional_inference import ConditionalInference as _ConditionalInference
from hornbeam.parts.criteria.custom import Custom as _Custom
from hornbeam.parts.criteria.entropy import Entropy as _Entropy
from hornbeam.parts.criteria.gain_ratio import GainRatio as _GainRatio
from hornbeam.parts.criteria.gini import Gini as _Gini
from hornbeam.parts.criteria.hellinger import Hellinger as _Hellinger
from hornbeam.parts.criteria.loss_decrease import LossDecrease as _LossDecrease
from hornbeam.parts.criteria.misclassification import Misclassification as _Misclassification
from hornbeam.parts.criteria.poisson import Poisson as _Poisson
from hornbeam.parts.criteria.squared_error import SquaredError as _SquaredError
from hornbeam.parts.criteria.two_class_variance import TwoClassVariance as _TwoClassVariance
from hornbeam.parts.criteria.twoing import Twoing as _Twoing
from hornbeam.registry import Registry as Registry

class _Criteria(Registry[Criterion]):
    AbsoluteError: type[_AbsoluteError]
    C45: type[_C45]
    CartMeasure: type[_CartMeasure]
    ChiSquare: type[_ChiSquare]
    ConditionalInference: type[_ConditionalInference]
    Custom: type[_Custom]
    Entropy: type[_Entropy]
    GainRatio: type[_GainRatio]
    Gini: type[_Gini]
    Hellinger: type[_Hellinger]
    LossDecrease: type[_LossDecrease]
    Misclassification: type[_Misclassification]
    Poisson: type[_Poisson]
    SquaredError: type[_SquaredError]
    TwoClassVariance: type[_TwoClassVariance]
    Twoing: type[_Twoing]

criteria: _Criteria
