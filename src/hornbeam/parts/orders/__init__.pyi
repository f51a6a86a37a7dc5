# Written by tools/stubs.py (make stubs).
from hornbeam.parts.orders.base import Order as Order
from hornbeam.parts.orders.best_first import BestFirst as _BestFirst
from hornbeam.parts.orders.depth_first import DepthFirst as _DepthFirst
from hornbeam.parts.orders.level_wise import LevelWise as _LevelWise
from hornbeam.registry import Registry as Registry

class _Orders(Registry[Order]):
    BestFirst: type[_BestFirst]
    DepthFirst: type[_DepthFirst]
    LevelWise: type[_LevelWise]

orders: _Orders
