"""What must a contender do?  Say what it is, hold its inputs, fit, predict.

Only `fit` is timed (or `predict`, in the workloads about it). `inputs` runs before each fit, off the clock: the form
in which a user of that library holds data. All conversion from there to the model belongs to `fit`. Libraries are
imported inside the methods: the driver reads these classes without having the libraries.
"""

from typing import Any, ClassVar

import numpy as np


class Contender:
    """One way of one library to do the workloads of some families."""

    name: ClassVar[str]
    library: ClassVar[str]  # what is imported; the version of its distribution is kept with the result
    language: ClassVar[str] = "Python"  # where the library is looked for: the peers' environment, or "R"
    families: ClassVar[frozenset[str]]
    criteria: ClassVar[frozenset[str]] = frozenset({"gini", "squared_error"})
    most_classes: ClassVar[int] = 10**9
    acts: ClassVar[frozenset[str]] = frozenset({"fit", "predict", "explain"})
    note: ClassVar[str] = ""  # what a reader must know to compare fairly
    is_reckoned: ClassVar[bool] = False  # its times are reckoned from a part of the work, because all takes hours

    def __init__(self, data: Any, task: dict[str, Any], threads: int) -> None:
        self.data, self.threads = data, threads
        self.depth: int | None = task["depth"]
        self.criterion: str = task["criterion"]
        self.trees: int = task["trees"]
        self.is_class = data.classes > 0
        self.model: Any = None
        # The act's seconds by the contender's own count: done in another process, or in part because all takes hours.
        self.counted: float | None = None
        self.process: int | str = "self"  # whose processor time and memory count

    @classmethod
    def enters(cls, family: str, criterion: str, classes: int, act: str = "fit") -> bool:
        """Whether it takes part in a workload."""
        does = family in cls.families and act in cls.acts
        return does and criterion in cls.criteria and classes <= cls.most_classes

    def inputs(self) -> None:
        self.grow_on, self.held_out = self.data.X, self.data.Xt

    def fit(self) -> None:
        raise NotImplementedError

    def predict(self) -> np.ndarray:
        """Class codes or numbers for the held-out rows."""
        return np.asarray(self.model.predict(self.held_out))

    def probabilities(self) -> np.ndarray:
        """The shares of the classes for the held-out rows: a column a class, or that of the second of two alone."""
        return np.asarray(self.model.predict_proba(self.held_out))

    def nodes(self) -> int | None:
        """How many nodes the model has, where the library says."""
        return None

    def close(self) -> None:
        """Let go of what outlives the object: a process of its own."""


class OnFrames(Contender):
    """A contender that takes categories as such: data frames when there are any."""

    def inputs(self) -> None:
        self.grow_on, self.held_out = self.data.frames if self.data.levels else (self.data.X, self.data.Xt)


class ByShares(Contender):
    """A contender whose model answers with shares of classes, or with numbers."""

    def predict(self) -> np.ndarray:
        return most_likely(self.probabilities()) if self.is_class else np.asarray(self.probabilities())


def most_likely(probabilities: Any) -> np.ndarray:
    """Class codes from shares: one column for two classes, else one per class."""
    probabilities = np.asarray(probabilities)
    return (probabilities > 0.5).astype(np.int32) if probabilities.ndim == 1 else probabilities.argmax(1)
