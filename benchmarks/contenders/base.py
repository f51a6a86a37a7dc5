"""Contender: the interface of a benchmarked library.

Only `fit` is timed (or `predict`, in its workloads). `inputs` runs before each fit and is not timed: it creates the
data structure that a user of the library has. All conversion from there to the model belongs to `fit`. Libraries are
imported inside the methods, because the driver reads these classes without having the libraries.
"""

from typing import Any, ClassVar

import numpy as np


class Contender:
    """One configuration of one library for the workloads of some families."""

    name: ClassVar[str]
    library: ClassVar[str]  # the imported module; the version of its distribution is stored with the result
    language: ClassVar[str] = "Python"  # "R" for an R package
    families: ClassVar[frozenset[str]]
    criteria: ClassVar[frozenset[str]] = frozenset({"gini", "squared_error"})
    most_classes: ClassVar[int] = 10**9
    acts: ClassVar[frozenset[str]] = frozenset({"fit", "predict", "explain"})
    note: ClassVar[str] = ""  # differences that matter for the comparison
    is_estimated: ClassVar[bool] = (
        False  # its times are estimated from a part of the work, because all of it takes hours
    )

    def __init__(self, data: Any, task: dict[str, Any], threads: int) -> None:
        self.data, self.threads = data, threads
        self.depth: int | None = task["depth"]
        self.criterion: str = task["criterion"]
        self.trees: int = task["trees"]
        self.is_class = data.classes > 0
        self.model: Any = None
        # The seconds as measured by the contender itself: in another process, or estimated from a part of the work.
        self.counted: float | None = None
        self.process: int | str = "self"  # the process whose processor time and memory are measured

    @classmethod
    def enters(cls, family: str, criterion: str, classes: int, act: str = "fit") -> bool:
        """Whether it supports a workload."""
        is_supported = family in cls.families and act in cls.acts
        return is_supported and criterion in cls.criteria and classes <= cls.most_classes

    def inputs(self) -> None:
        self.grow_on, self.held_out = self.data.X, self.data.Xt

    def fit(self) -> None:
        raise NotImplementedError

    def predict(self) -> np.ndarray:
        """Class codes or values for the held-out rows."""
        return np.asarray(self.model.predict(self.held_out))

    def probabilities(self) -> np.ndarray:
        """The shares of the classes for the held-out rows: one column per class, or that of the second of two alone."""
        return np.asarray(self.model.predict_proba(self.held_out))

    def nodes(self) -> int | None:
        """The number of nodes of the model, if the library provides it."""
        return None

    def close(self) -> None:
        """End the process that the object started, if any."""


class OnFrames(Contender):
    """A library with native categories: data frames if the data have categories."""

    def inputs(self) -> None:
        self.grow_on, self.held_out = self.data.frames if self.data.levels else (self.data.X, self.data.Xt)


class ByShares(Contender):
    """A library that predicts class probabilities, or values."""

    def predict(self) -> np.ndarray:
        return most_likely(self.probabilities()) if self.is_class else np.asarray(self.probabilities())


def most_likely(probabilities: Any) -> np.ndarray:
    """Class codes from shares: one column for two classes, else one per class."""
    probabilities = np.asarray(probabilities)
    return (probabilities > 0.5).astype(np.int32) if probabilities.ndim == 1 else probabilities.argmax(1)
