"""The trees of boosting so far as bytes for a checkpoint: arrays without pickles, in an npz file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbeam.scale.boost_states import CodedTree

_MODEL, _RESULTS = "model", "results"


def stored_trees(model: Sequence[CodedTree], results: Sequence[Mapping[str, Any]]) -> bytes:
    """The trees on codes, and the arrays that the core returned for each."""
    arrays: dict[str, Any] = {}
    for group, values in ((_MODEL, model), (_RESULTS, results)):
        for number, value in enumerate(values):
            _flatten(f"{group}/{number}", value, arrays)
    with io.BytesIO() as file:
        np.savez(file, **arrays)
        return file.getvalue()


def _flatten(path: str, value: Any, arrays: dict[str, Any]) -> None:
    if isinstance(value, Mapping):
        for name, each in value.items():
            _flatten(f"{path}/{name}", each, arrays)
    else:
        arrays[path] = np.asarray(value)


def restored_trees(state: bytes) -> tuple[list[CodedTree], list[dict[str, Any]]]:
    """The trees on codes and the arrays of the core that were stored."""
    groups: dict[str, dict[int, dict[str, Any]]] = {_MODEL: {}, _RESULTS: {}}
    with np.load(io.BytesIO(state), allow_pickle=False) as file:
        for path in file.files:
            group, number, *names = path.split("/")
            place = groups[group].setdefault(int(number), {})
            for name in names[:-1]:
                place = place.setdefault(name, {})
            array = file[path]
            place[names[-1]] = array if array.ndim else array.item()
    model, results = ([groups[name][number] for number in sorted(groups[name])] for name in (_MODEL, _RESULTS))
    return list(model), results
