"""Second-order gradient boosting on bins: `ensembles/boosting.py`."""

from hornbeam.ensembles.boosting import Boosting

__all__ = ["Boosting"]
