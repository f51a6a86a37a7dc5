# Written by tools/stubs.py (make stubs).
from hornbeam.parts.losses.absolute import Absolute as _Absolute
from hornbeam.parts.losses.base import Loss as Loss
from hornbeam.parts.losses.brier import Brier as _Brier
from hornbeam.parts.losses.cost_matrix import CostMatrix as _CostMatrix
from hornbeam.parts.losses.log import Log as _Log
from hornbeam.parts.losses.pinball import Pinball as _Pinball
from hornbeam.parts.losses.poisson import Poisson as _Poisson
from hornbeam.parts.losses.squared import Squared as _Squared
from hornbeam.parts.losses.zero_one import ZeroOne as _ZeroOne
from hornbeam.registry import Registry as Registry

class _Losses(Registry[Loss]):
    Absolute: type[_Absolute]
    Brier: type[_Brier]
    CostMatrix: type[_CostMatrix]
    Log: type[_Log]
    Pinball: type[_Pinball]
    Poisson: type[_Poisson]
    Squared: type[_Squared]
    ZeroOne: type[_ZeroOne]

losses: _Losses
