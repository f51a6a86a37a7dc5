"""The prediction of a loss for nodes during growth, checked so that a custom loss cannot damage a tree silently."""

from __future__ import annotations

import numpy as np

from hornbeam.errors import HornbeamError, OptionError
from hornbeam.parts.losses import Loss
from hornbeam.parts.node import Floats


def class_answers(loss: Loss, stats: Floats) -> Floats:
    """The class that a loss predicts for each of many nodes, from their class weights (nodes, classes)."""
    answer = _called(loss, stats)
    if answer.shape != stats.shape[:-1]:
        raise _error(loss, f"returns predictions of shape {answer.shape} for statistics of shape {stats.shape}")
    known = (answer >= 0) & (answer < stats.shape[-1]) & (answer == np.floor(answer))
    if not known.all():
        node = int(np.flatnonzero(~known.ravel())[0])
        counts = stats.reshape(-1, stats.shape[-1])[node]
        raise _error(
            loss, f"predicts {answer.ravel()[node]:g} at a node of class weights {counts.tolist()}; a class is needed"
        )
    return answer


def number_answer(loss: Loss, stats: Floats, targets: Floats | None, n_rows: int) -> Floats:
    """The number that a loss predicts for one node, from its moments or the weights of its distinct targets."""
    answer = _called(loss, stats, targets)
    if answer.shape != ():
        raise _error(loss, f"returns predictions of shape {answer.shape} for one node of {n_rows} rows")
    if not np.isfinite(answer):
        raise _error(loss, f"predicts {float(answer):g} at a node of {n_rows} rows")
    return answer


def _called(loss: Loss, stats: Floats, targets: Floats | None = None) -> Floats:
    try:
        return np.asarray(loss.answer(stats, targets), dtype=np.float64)
    except HornbeamError:
        raise
    except Exception as error:
        raise _error(loss, f"raised {type(error).__name__}: {error}") from error


def _error(loss: Loss, problem: str) -> OptionError:
    return OptionError(f"The loss {loss.name} {problem}.", option="loss", got=loss.name)
